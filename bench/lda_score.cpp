// Scores a topic matrix, whoever made it, on held-out documents: one judge for all programs.
//
// usage: tain_bench_lda_score TOPICS.npy CORPUS
//
// TOPICS.npy: K x W float32, one topic per row, columns in the order of the corpus's words; rows
// are normalised. Of every document of CORPUS each 10th token in text order is predicted from the
// others: theta starts uniform and takes 100 steps of expectation maximisation,
//   gamma_k = 0.01 + sum_w n_w theta_k phi_kw / sum_j theta_j phi_jw,  theta = gamma / sum gamma;
// perplexity = exp(-mean log sum_k theta_k phi_kw) over the predicted tokens. Prints one JSON
// object.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include "core/file.hpp"
#include "core/npy.hpp"
#include "core/parallel.hpp"
#include "lda/engine/held_out.hpp"
#include "tain/core/error.hpp"

namespace {

using namespace tain;

constexpr int iterations = 100;
constexpr double alpha = 0.01;

/// Word-major, so that a word's topics are neighbours.
struct Topics {
  std::size_t topics = 0, words = 0;
  std::vector<double> phi;
  const double* of(std::uint32_t word) const { return phi.data() + word * topics; }
};

Topics read_topics(const char* path) {
  const std::string bytes = read_file(path);
  const NpyHead head = parse_npy_head(bytes, path);
  if (head.type != "<f4" || head.shape.size() != 2) {
    fail(Fault::data, path, "is no matrix of float32", "save it with numpy.float32");
  }
  const std::size_t items = npy_items(head, bytes.size() - head.data_offset, sizeof(float), path);
  std::vector<float> values(items);
  std::memcpy(values.data(), bytes.data() + head.data_offset, items * sizeof(float));
  Topics result{head.shape[0], head.shape[1], std::vector<double>(items)};
  for (std::size_t k = 0; k < result.topics; ++k) {
    const float* row = values.data() + k * result.words;
    double sum = 0;
    for (std::size_t w = 0; w < result.words; ++w) {
      if (!(row[w] >= 0)) {
        fail(Fault::data, path, fmt::format("topic {} has a negative weight or none", k + 1));
      }
      sum += static_cast<double>(row[w]);
    }
    if (!(sum > 0)) {
      fail(Fault::data, path, fmt::format("topic {} has no words", k + 1));
    }
    for (std::size_t w = 0; w < result.words; ++w) {
      result.phi[w * result.topics + k] = static_cast<double>(row[w]) / sum;
    }
  }
  return result;
}

/// Topic proportions of a document by expectation maximisation.
std::vector<double> fold_in(const Topics& topics, std::span<const std::uint32_t> observed) {
  std::map<std::uint32_t, double> counts;
  for (const std::uint32_t word : observed) {
    ++counts[word];
  }
  std::vector<double> theta(topics.topics, 1.0 / static_cast<double>(topics.topics));
  std::vector<double> gamma(topics.topics);
  for (int i = 0; i < iterations; ++i) {
    gamma.assign(topics.topics, alpha);
    for (const auto& [word, count] : counts) {
      const double* phi = topics.of(word);
      double p = 0;
      for (std::size_t k = 0; k < topics.topics; ++k) {
        p += theta[k] * phi[k];
      }
      // A word that no topic of the document knows says nothing about them.
      const double share = p > 0 ? count / p : 0;
      for (std::size_t k = 0; k < topics.topics; ++k) {
        gamma[k] += share * theta[k] * phi[k];
      }
    }
    double sum = 0;
    for (const double g : gamma) {
      sum += g;
    }
    for (std::size_t k = 0; k < topics.topics; ++k) {
      theta[k] = gamma[k] / sum;
    }
  }
  return theta;
}

int score(const char* matrix, const char* folder) {
  const Topics topics = read_topics(matrix);
  const Corpus corpus = Corpus::open(folder);
  if (corpus.words() != topics.words) {
    fail(Fault::data, matrix,
         fmt::format("has {} words, the corpus {}", topics.words, corpus.words()),
         "train on a corpus of the same vocabulary");
  }
  const HeldOut held_out(corpus, corpus.documents(), NoiseField(1));
  std::vector<double> logs(corpus.documents(), 0.0);
  Threads threads;
  threads.for_each(logs.size(), [&](std::size_t d) {
    const std::vector<double> theta = fold_in(topics, held_out.observed(d));
    for (const std::uint32_t word : held_out.test(d)) {
      const double* phi = topics.of(word);
      double p = 0;
      for (std::size_t k = 0; k < topics.topics; ++k) {
        p += theta[k] * phi[k];
      }
      logs[d] += std::log(p);
    }
  });
  double total = 0;
  for (const double log : logs) {
    total += log;
  }
  const auto tokens = static_cast<double>(held_out.test_tokens());
  fmt::print("{{\"perplexity\": {:.6f}, \"test_tokens\": {}, \"topics\": {}}}\n",
             std::exp(-total / tokens), held_out.test_tokens(), topics.topics);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: tain_bench_lda_score TOPICS.npy CORPUS\n");
    return static_cast<int>(Fault::usage);
  }
  try {
    return score(argv[1], argv[2]);
  } catch (const Error& error) {
    fmt::print(stderr, "tain_bench_lda_score: {}\n", error.what());
    return static_cast<int>(error.fault());
  }
}

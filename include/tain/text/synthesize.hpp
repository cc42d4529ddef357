// A corpus drawn from the model of latent Dirichlet allocation, with its true topics beside it.
//
//     tain::Corpus corpus = tain::synthesize_corpus("synthetic", {.docs = 2000, .topics = 20});
//
// Definition (Blei, Ng and Jordan 2003):
//   topic k        phi_k   ~ Dirichlet(eta W b), b the base frequencies of the words
//   document d     N_d     ~ Poisson(mean_length),  theta_d ~ Dirichlet(alpha, ..., alpha)
//   token i of d   z_di    ~ theta_d,  w_di ~ phi_z,  written in the order i = 1 ... N_d
//   Base frequencies are uniform, b_w = 1/W, or Zipf's as Mandelbrot corrected them,
//   b_w ~ 1/(w + 2.7), w = 1 ... W, so that eta is the mean over the words in either case.
// Files, besides those of a corpus (corpus.hpp): topics.npy, K x W float32, every row sums to 1;
//   and if asked for proportions.npy, D x K float32, row d is theta_d.
// Words are made of syllables (`bakedu`): pronounceable, all different, tokens of both rules, no
//   stop words; so an exported text imports again.
// Laws: randomness is a function of (seed, topic), (seed, document) and (seed, document, position):
//   any number of threads gives the same bytes, and the first n documents do not depend on how many
//   follow.
// Numerics: words are drawn from the rows of topics.npy as they are written, by alias tables of
//   32-bit thresholds: the probability of a word is right to 2^-32. Gammas are drawn by their
//   logarithm, so no alpha or eta is too small; proportions below float's range are 0.
// Cost: O(1) per token, O(K) per document, O(K W) once; memory 12 K W bytes (files are mapped), a
//   few MiB of tokens besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "tain/core/progress.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

enum class BaseFrequencies { uniform, zipf };

struct SyntheticReport {
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
  std::string manifest = {};  ///< these and the plan, as manifest.json of the corpus: JSON
};

struct SyntheticPlan {
  std::uint64_t docs = 1000;
  std::uint32_t topics = 10, vocab_size = 1000;
  double mean_length = 100;  ///< tokens of a document
  double alpha = 0.1;        ///< per topic
  double eta = 0.05;         ///< per word
  BaseFrequencies base = BaseFrequencies::zipf;
  bool proportions = false;  ///< keep those of the documents
  std::uint64_t seed = 1;

  std::size_t threads = 0;  ///< 0: all cores
  bool overwrite = false;
  WorkWatch progress = {};                                  ///< "drawing topics", "writing"
  std::function<void(const SyntheticReport&)> report = {};  ///< when all is done

  /// What shapes the corpus, and proportions.
  void describe(Fields& fields);
};

/// Throws Error (config) for a plan that cannot be drawn or that the machine has not enough memory
/// for, cannot_create or io for the folder, and (interrupted) if `progress` stopped it; then
/// nothing is left.
Corpus synthesize_corpus(const std::filesystem::path& folder, const SyntheticPlan& plan = {});

}  // namespace tain

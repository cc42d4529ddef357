#include "lda/engine/topic_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/names.hpp"
#include "lda/engine/methods/methods.hpp"
#include "lda/engine/methods/pass.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::size_t count_rows_per_task = 512;  // of a batch's counts
constexpr std::size_t cells_per_task = 1 << 16;   // some 50 microseconds
constexpr double first_spread = 0.1;

void require(const TopicSamplerOptions& options) {
  if (options.topics == 0 || options.words == 0) {
    fail(Fault::config, "topics",
         fmt::format("{} topics of {} words", options.topics, options.words),
         "take at least one of each");
  }
  if (!(options.eta > 0) || !std::isfinite(options.eta)) {
    fail(Fault::config, "eta", fmt::format("{} is not a positive number", options.eta),
         "0.01 suits most corpora");
  }
  if (!(options.floor >= 0) || !std::isfinite(options.floor)) {
    fail(Fault::config, "floor", fmt::format("{} is negative or not a number", options.floor),
         "0 is the paper's");
  }
  if (!(options.first_weight > 0) || !std::isfinite(options.first_weight)) {
    fail(Fault::config, "first weight",
         fmt::format("{} is not a positive number", options.first_weight),
         "take the tokens of the corpus per topic and word");
  }
}

}  // namespace

std::span<const TopicMethod> topic_method_table() {
  static const std::vector<TopicMethod> table = [] {
    const auto first = expanded_methods(), then = dual_methods();
    std::vector<TopicMethod> all(first.begin(), first.end());
    all.insert(all.end(), then.begin(), then.end());
    return all;
  }();
  return table;
}

const TopicMethod* find_topic_method(std::string_view name) {
  return find_row(topic_method_table(), name);
}

const TopicMethod& topic_method(std::string_view name) {
  const TopicMethod* const found = find_topic_method(name);
  if (!found) {
    fail_unknown("method", name, topic_methods());
  }
  return *found;
}

std::vector<std::string_view> topic_methods(bool TopicMethod::* has) {
  return names_of(topic_method_table(),
                  [=](const TopicMethod& method) { return !has || method.*has; });
}

std::unique_ptr<TopicSampler> make_topic_sampler(std::string_view method,
                                                 const TopicSamplerOptions& options) {
  return make_topic_sampler(method, options, Sharding(options.words));
}

std::unique_ptr<TopicSampler> make_topic_sampler(std::string_view method,
                                                 const TopicSamplerOptions& options,
                                                 const Sharding& sharding) {
  const TopicMethod& found = topic_method(method);
  require(options);
  TAIN_EXPECTS(sharding.all_words() == options.words, "a division of these words");
  return found.make(options, sharding);
}

std::uint64_t topic_sampler_bytes(std::string_view method, std::uint32_t topics,
                                  std::uint32_t words) {
  const std::uint64_t length = padded_topics(topics);
  const std::uint64_t blocks = (std::uint64_t{words} + block_words - 1) / block_words;
  return length * (topic_method(method).arrays * words * sizeof(float) + blocks * sizeof(double) +
                   4 * sizeof(float));
}

TopicSampler::TopicSampler(const TopicSamplerOptions& options, const Sharding& sharding)
    : options_(options),
      sharding_(sharding),
      weights_(options.topics, static_cast<std::uint32_t>(sharding.words().size())),
      block_sums_(blocks() * weights_.row_length()),
      sums_(weights_.row_length()),
      totals_(weights_.row_length()),
      pulls_(weights_.row_length()),
      no_counts_(weights_.row_length()) {}

void TopicSampler::start(Threads& threads) {
  const FloatBlock g = cells();
  NoiseField(options_.seed).normals(Purpose::first_topics, 0, 0, sharding_.words().first, g);
  threads.for_each(blocks(), [&](std::size_t block) {
    const std::size_t end = std::min<std::size_t>(g.rows(), (block + 1) * block_words);
    for (std::size_t word = block * block_words; word < end; ++word) {
      for (std::size_t k = 0; k < g.lanes(); ++k) {
        const double xi = g.at(word, k);
        const double weight = options_.first_weight * std::exp(first_spread * xi);
        g.at(word, k) = k < options_.topics ? static_cast<float>(weight) : 0;
      }
    }
  });
  take_weights(threads);
}

void TopicSampler::take_weights(Threads& threads) {
  weights_.sum(threads, sharding_.shards());
  place(threads);
  weights_.sum(threads, sharding_.shards());  // a floor may have changed some
}

// columns_[k] = sum of column k of the counts of all ranks, as integers: any order gives the same.
void TopicSampler::add_columns(const TopicCounts& batch, Threads& threads) {
  const std::size_t length = weights_.row_length(), rows = batch.words.size();
  const std::size_t tasks = (rows + count_rows_per_task - 1) / count_rows_per_task;
  columns_.assign(std::max<std::size_t>(tasks, 1) * length, 0);
  threads.for_each(tasks, [&](std::size_t task) {
    add_counts(batch.sums.view(), task * count_rows_per_task,
               std::min(rows, (task + 1) * count_rows_per_task), columns_.data() + task * length);
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t k = 0; k < length; ++k) {
      columns_[k] += columns_[task * length + k];
    }
  }
  sharding_.shards().sum(std::span(columns_).first(length));
}

void TopicSampler::add_blocks(std::span<double> sums) const {
  std::fill(sums.begin(), sums.end(), 0.0);
  sharding_.shards().ordered_reduce(std::as_writable_bytes(sums), [&] {
    for (std::size_t block = 0; block < blocks(); ++block) {
      const double* const own = block_sums_.data() + block * sums.size();
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] += own[k];
      }
    }
  });
}

// A sum below the least normal float would have no inverse.
std::optional<TopicFailure> TopicSampler::invert(std::span<const double> sums) {
  for (std::uint32_t k = 0; k < options_.topics; ++k) {
    const auto inverse = static_cast<float>(1 / sums[k]);
    if (!(sums[k] > 0) || !std::isnormal(inverse)) {
      return TopicFailure{k, sums[k]};
    }
    weights_.inverse_sums()[k] = inverse;
  }
  return std::nullopt;
}

std::optional<TopicFailure> TopicSampler::advance(const TopicCounts& batch, double scale,
                                                  std::uint64_t t, double step_size,
                                                  Threads& threads) {
  const std::size_t length = weights_.row_length();
  const Range words = sharding_.words();
  TAIN_EXPECTS(batch.words.empty() ||
                   (batch.kept > 0 && batch.sums.lanes() == length &&
                    batch.sums.rows() >= batch.words.size() &&
                    words.contains(batch.words.front()) && words.contains(batch.words.back())),
               "the counts belong to other topics");
  TAIN_EXPECTS(scale > 0 && step_size > 0, "scale and step size are positive");
  add_columns(batch, threads);
  const double each = batch.kept == 0 ? 0 : scale / batch.kept;
  for (std::size_t k = 0; k < options_.topics; ++k) {
    const double total = options_.words * options_.eta + each * static_cast<double>(columns_[k]);
    totals_[k] = static_cast<float>(total);
    pulls_[k] = static_cast<float>(step_size * total * double(weights_.inverse_sums()[k]));
  }
  TopicPass pass{.keys = philox::Keys(options_.seed),
                 .position = philox::StepWords(Purpose::topics, t),
                 .noise = NoiseField(options_.seed),
                 .step = t,
                 .batch = batch,
                 .no_counts = no_counts_.data(),
                 .topics = options_.topics,
                 .words = weights_.words(),
                 .first_word = words.first,
                 .all_words = options_.words,
                 .length = length,
                 .eta = static_cast<float>(options_.eta),
                 .count_scale = static_cast<float>(each),
                 .scale = static_cast<float>(scale),
                 .step_size = step_size,
                 .totals = totals_.data(),
                 .inverse_sums = weights_.inverse_sums().data(),
                 .pulls = pulls_.data(),
                 .weights = cells().data(),
                 .block_sums = block_sums_.data()};
  prepare(pass);
  const std::size_t together = std::max<std::size_t>(1, cells_per_task / (block_words * length));
  threads.for_each((blocks() + together - 1) / together, [&](std::size_t task) {
    const std::size_t end = std::min(blocks(), (task + 1) * together);
    for (std::size_t block = task * together; block < end; ++block) {
      run_block(pass, block);
    }
  });
  add_blocks(sums_);
  finish(sums_, threads);
  return invert(sums_);
}

std::vector<TopicArray> TopicSampler::state() {
  constexpr auto not_negative = TopicArray::Sign::not_negative;
  std::vector<TopicArray> arrays{{"weights", cells(), TopicArray::Rows::words, not_negative},
                                 {"inverse sums",
                                  {weights_.inverse_sums().data(), 1, weights_.row_length()},
                                  TopicArray::Rows::common,
                                  not_negative}};
  add_state(arrays);
  return arrays;
}

}  // namespace tain

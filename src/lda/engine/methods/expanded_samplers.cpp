// State of smld-root, sgrld, sgrhmc and scir between steps: theta is the weights.
#include <algorithm>
#include <array>
#include <cmath>

#include "lda/engine/methods/expanded.hpp"
#include "lda/engine/methods/methods.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

class SmldRoot final : public TopicSampler {
 public:
  SmldRoot(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding) {}
  std::string_view name() const override { return "smld-root"; }

 protected:
  void run_block(const TopicPass& pass, std::size_t block) const override {
    expanded::run_root(pass, block);
  }
};

class TopicSgrld final : public TopicSampler {
 public:
  TopicSgrld(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding) {}
  std::string_view name() const override { return "sgrld"; }

 protected:
  void run_block(const TopicPass& pass, std::size_t block) const override {
    expanded::run_sgrld(pass, block);
  }
};

class TopicSgrhmc final : public TopicSampler {
 public:
  TopicSgrhmc(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding), momenta_(cells().rows(), cells().lanes()) {}
  std::string_view name() const override { return "sgrhmc"; }

 protected:
  void add_state(std::vector<TopicArray>& arrays) override {
    arrays.push_back({"momenta", momenta_.view()});
  }
  void place(Threads&) override {
    const auto all = momenta_.view().flat();
    std::fill(all.begin(), all.end(), 0.0F);
  }
  void prepare(TopicPass& pass) override { pass.second = momenta_.view().data(); }
  void run_block(const TopicPass& pass, std::size_t block) const override {
    expanded::run_sgrhmc(pass, block);
  }

 private:
  FloatBlockStorage momenta_;
};

// Indices of a Stream per word: 512 uniforms, of which a draw takes a dozen at most but with
// probability 1e-50 (kernels/baselines/scir.cpp).
constexpr std::uint32_t indices_each = 256;
constexpr std::uint32_t most_words = (std::uint64_t{1} << 32) / indices_each;

// One cell after the other: Poisson and gamma draws by rejection. A theta too small for a float
// gives J = 0 all the same, and theta' does not depend on it then.
class TopicScir final : public TopicSampler {
 public:
  TopicScir(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding) {
    if (options.words > most_words) {
      fail(Fault::config, "method scir", "more than 16,777,216 words", "use smld-root");
    }
  }
  std::string_view name() const override { return "scir"; }

 protected:
  void run_block(const TopicPass& pass, std::size_t block) const override;
};

void TopicScir::run_block(const TopicPass& pass, std::size_t block) const {
  const BlockCounts counts(pass, block);
  double* const sums = pass.block_sums + block * pass.length;
  std::fill_n(sums, pass.length, 0.0);
  const double growth = std::expm1(pass.step_size);
  const double log_gain = std::log(-std::expm1(-pass.step_size));
  for (std::size_t i = 0; i < counts.count; ++i) {
    const auto word = static_cast<std::uint32_t>(pass.first_word + counts.first + i);
    float* const row = pass.weights + (counts.first + i) * pass.length;
    for (std::uint32_t k = 0; k < pass.topics; ++k) {
      Stream stream(pass.noise, Purpose::topics, pass.step, k, word * indices_each);
      const double shape = options().eta + double(pass.count_scale) * counts.rows[i][k];
      const double jumps = stream.poisson(double(row[k]) / growth);
      const double theta = std::exp(log_gain + stream.log_gamma(shape + jumps));
      row[k] = std::max(static_cast<float>(theta), expanded::least_theta);
      sums[k] += double(row[k]);
    }
  }
}

}  // namespace

// Of methods that relax at one rate a step of time 3 forgets all but e^-3 of the last topics: nearly
// a draw of its own.
std::span<const TopicMethod> expanded_methods() {
  constexpr Schedule time{3, 1, 0};
  static constexpr std::array rows{
      TopicMethod{"smld-root", make<SmldRoot>, 1, time, true},
      TopicMethod{"sgrld", make<TopicSgrld>, 1, falling(0.003)},
      TopicMethod{"sgrhmc", make<TopicSgrhmc>, 2, falling(0.01), false, false, false, false, 1.6},
      TopicMethod{"scir", make<TopicScir>, 1, time, true, false, false, false, 240},
  };
  return rows;
}

}  // namespace tain

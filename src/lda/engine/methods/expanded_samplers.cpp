// State of smld-root, sgrld, sgrhmc and scir between steps: theta is the weights.
#include <algorithm>
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

std::unique_ptr<TopicSampler> make_smld_root(const TopicSamplerOptions& options,
                                             const Sharding& sharding) {
  return std::make_unique<SmldRoot>(options, sharding);
}
std::unique_ptr<TopicSampler> make_sgrld(const TopicSamplerOptions& options,
                                         const Sharding& sharding) {
  return std::make_unique<TopicSgrld>(options, sharding);
}
std::unique_ptr<TopicSampler> make_sgrhmc(const TopicSamplerOptions& options,
                                          const Sharding& sharding) {
  return std::make_unique<TopicSgrhmc>(options, sharding);
}
std::unique_ptr<TopicSampler> make_scir(const TopicSamplerOptions& options,
                                        const Sharding& sharding) {
  return std::make_unique<TopicScir>(options, sharding);
}

}  // namespace tain

// State of smld, smld-approximate and smld-preconditioned between steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lda/engine/methods/dual.hpp"
#include "lda/engine/methods/methods.hpp"

namespace tain {
namespace {

// States of which the preconditioner keeps the mean while it adapts.
constexpr std::uint64_t memory_of_adaptation = 100;

// g = e^y.
class Smld : public TopicSampler {
 public:
  Smld(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding),
        dual_(cells().rows(), cells().lanes()),
        log_sums_(1, cells().lanes()),
        exceeded_(blocks()),
        largest_(std::max<std::size_t>(blocks(), 1) * cells().lanes()) {}
  std::string_view name() const override { return "smld"; }

 protected:
  void add_state(std::vector<TopicArray>& arrays) override {
    arrays.push_back({"dual", dual_.view()});
    arrays.push_back({"log sums", log_sums_.view(), TopicArray::Rows::common});
  }
  void place(Threads&) override {
    std::transform(cells().flat().begin(), cells().flat().end(), dual_.view().data(),
                   [](float g) { return g > 0 ? std::log(g) : 0.0F; });
    for (std::size_t k = 0; k < options().topics; ++k) {
      log_sums_.view().at(0, k) = -std::log(weights().inverse_sums()[k]);
    }
  }
  void prepare(TopicPass& pass) override {
    std::fill(exceeded_.begin(), exceeded_.end(), std::uint8_t{0});
    pass.dual = dual_.view().data();
    pass.offsets = log_sums_.view().data();
    pass.exceeded = exceeded_.data();
  }
  void run_block(const TopicPass& pass, std::size_t block) const override {
    dual::run_smld(pass, block);
  }
  void finish(std::span<double> sums, Threads& threads) override {
    const bool finite = std::all_of(sums.begin(), sums.end(), [](double s) { return s == s; });
    auto over = static_cast<std::uint64_t>(
        std::count_if(exceeded_.begin(), exceeded_.end(), [](auto block) { return block != 0; }));
    sharding().shards().sum({&over, 1});
    const bool weigh_again = finite && over > 0;
    if (weigh_again) {
      weigh(sums, threads);
    }
    for (std::size_t k = 0; k < options().topics; ++k) {
      const double shift = weigh_again ? double(largest_[k]) : 0.0;
      log_sums_.view().at(0, k) = static_cast<float>(shift + std::log(sums[k]));
    }
  }

 private:
  // A step that took some y beyond what e^y can hold: g = e^(y - largest y of the topic).
  void weigh(std::span<double> sums, Threads& threads);
  void agree_on_largest();

  FloatBlockStorage dual_, log_sums_;
  std::vector<std::uint8_t> exceeded_;
  std::vector<float> largest_;  // of every block; the first row then of all
};

// The largest y of each topic over the blocks of all ranks.
void Smld::agree_on_largest() {
  const std::size_t length = cells().lanes();
  const std::span<float> of_all = std::span(largest_).first(length);
  for (std::size_t block = 1; block < blocks(); ++block) {
    for (std::size_t k = 0; k < length; ++k) {
      of_all[k] = std::max(of_all[k], largest_[block * length + k]);
    }
  }
  std::vector<float> shared(length, -std::numeric_limits<float>::infinity());
  sharding().shards().ordered_reduce(std::as_writable_bytes(std::span(shared)), [&] {
    for (std::size_t k = 0; k < length && blocks() > 0; ++k) {
      shared[k] = std::max(shared[k], of_all[k]);
    }
  });
  std::ranges::copy(shared, of_all.begin());
}

void Smld::weigh(std::span<double> sums, Threads& threads) {
  const ConstFloatBlock y = dual_.view();
  const FloatBlock g = cells();
  const std::size_t length = g.lanes();
  const auto for_words = [&](std::size_t block, auto use) {
    for (std::size_t w = block * block_words; w < std::min(g.rows(), (block + 1) * block_words);
         ++w) {
      for (std::size_t k = 0; k < options().topics; ++k) {
        use(w, k);
      }
    }
  };
  threads.for_each(blocks(), [&](std::size_t block) {
    float* const most = largest_.data() + block * length;
    std::copy_n(y.row(block * block_words), length, most);
    for_words(block,
              [&](std::size_t w, std::size_t k) { most[k] = std::max(most[k], y.at(w, k)); });
  });
  agree_on_largest();
  threads.for_each(blocks(), [&](std::size_t block) {
    double* const sum = block_sums().data() + block * length;
    std::fill_n(sum, length, 0.0);
    for_words(block, [&](std::size_t w, std::size_t k) {
      g.at(w, k) = std::exp(std::max(y.at(w, k) - largest_[k], -87.0F));
      sum[k] += double(g.at(w, k));
    });
  });
  add_blocks(sums);
}

class SmldPreconditioned final : public Smld {
 public:
  SmldPreconditioned(const TopicSamplerOptions& options, const Sharding& sharding)
      : Smld(options, sharding), preconditioner_(cells().rows(), cells().lanes()) {}
  std::string_view name() const override { return "smld-preconditioned"; }

 protected:
  void add_state(std::vector<TopicArray>& arrays) override {
    Smld::add_state(arrays);
    arrays.push_back({"preconditioner", preconditioner_.view(), TopicArray::Rows::words,
                      TopicArray::Sign::not_negative});
  }
  void place(Threads& threads) override {
    Smld::place(threads);
    const auto all = preconditioner_.view().flat();
    std::fill(all.begin(), all.end(), 0.0F);
  }
  void prepare(TopicPass& pass) override {
    Smld::prepare(pass);
    const FloatBlock p = preconditioner_.view();
    if (p.rows() > 0 && p.at(0, 0) == 0) {  // the first step: as if all words were equally frequent
      for (std::size_t w = 0; w < p.rows(); ++w) {
        for (std::size_t k = 0; k < options().topics; ++k) {
          p.at(w, k) = 1 / (pass.totals[k] / static_cast<float>(pass.all_words) + pass.scale);
        }
      }
    }
    pass.second = p.data();
    pass.adaptation = pass.step < options().warmup
                          ? 1 / static_cast<float>(2 + std::min(pass.step, memory_of_adaptation))
                          : 0;
  }
  void run_block(const TopicPass& pass, std::size_t block) const override {
    dual::run_preconditioned(pass, block);
  }

 private:
  FloatBlockStorage preconditioner_;
};

// The drift adds up to 0 over the words of a topic, so sum (1 + y) moves by its noise only, and the
// weights' sum, which is not below it, stays positive for as long as that noise, of variance
// 2 eps W a step, has not come down by the W it started from. Below -1 nothing pulls y down: it
// diffuses, and rises by eps A. The paper says no more.
class SmldApproximate final : public TopicSampler {
 public:
  SmldApproximate(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding), dual_(cells().rows(), cells().lanes()) {}
  std::string_view name() const override { return "smld-approximate"; }

 protected:
  void add_state(std::vector<TopicArray>& arrays) override {
    arrays.push_back({"dual", dual_.view()});
  }
  void place(Threads& threads) override;
  void prepare(TopicPass& pass) override {
    pass.dual = dual_.view().data();
    pass.floor = static_cast<float>(options().floor);
  }
  void run_block(const TopicPass& pass, std::size_t block) const override {
    options().approximation == Approximation::linear ? dual::run_linear(pass, block)
                                                     : dual::run_quadratic(pass, block);
  }

 private:
  FloatBlockStorage dual_;
};

// y = g - 1; of the parabola only (y + 1)^2 = 2 g - 1 gives g, which is never below 1/2. A floor
// may lie above.
void SmldApproximate::place(Threads&) {
  const FloatBlock y = dual_.view();
  const bool linear = options().approximation == Approximation::linear;
  for (std::size_t w = 0; w < y.rows(); ++w) {
    for (std::size_t k = 0; k < options().topics; ++k) {
      float& g = cells().at(w, k);
      g = linear ? g : std::max(g, 0.5F);
      y.at(w, k) = linear ? g - 1 : std::sqrt(2 * g - 1) - 1;
      g = std::max(g, static_cast<float>(options().floor));
    }
  }
}

}  // namespace

std::span<const TopicMethod> dual_methods() {
  static constexpr std::array rows{
      TopicMethod{.name = "smld", .make = make<Smld>, .arrays = 2, .step_size = falling(1e-5)},
      TopicMethod{.name = "smld-approximate",
                  .make = make<SmldApproximate>,
                  .arrays = 2,
                  .step_size = falling(0.2),
                  .keeps_scale = true,
                  .approximates = true},
      TopicMethod{.name = "smld-preconditioned",
                  .make = make<SmldPreconditioned>,
                  .arrays = 3,
                  .step_size = falling(0.01),
                  .adapts = true},
  };
  return rows;
}

}  // namespace tain

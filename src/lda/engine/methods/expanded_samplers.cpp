// State of smld-root, gibbs, sgrld, sgrhmc and scir between steps: theta is the weights.
#include <algorithm>
#include <array>

#include "lda/engine/methods/exact.hpp"
#include "lda/engine/methods/expanded.hpp"
#include "lda/engine/methods/methods.hpp"

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

// phi given the counts: nothing of what was is looked at.
class TopicGibbs final : public TopicSampler {
 public:
  TopicGibbs(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding), gammas_(static_cast<float>(options.eta)) {}
  std::string_view name() const override { return "gibbs"; }

 protected:
  void run_block(const TopicPass& pass, std::size_t block) const override {
    exact::run_draws(pass, gammas_, block);
  }

 private:
  Gammas gammas_;
};

class TopicScir final : public TopicSampler {
 public:
  TopicScir(const TopicSamplerOptions& options, const Sharding& sharding)
      : TopicSampler(options, sharding), gammas_(static_cast<float>(options.eta)) {}
  std::string_view name() const override { return "scir"; }

 protected:
  void run_block(const TopicPass& pass, std::size_t block) const override {
    exact::run_steps(pass, gammas_, block);
  }

 private:
  Gammas gammas_;
};

}  // namespace

// Of methods that relax at one rate a step of time 3 forgets all but e^-3 of the last topics: nearly
// a draw of its own.
std::span<const TopicMethod> expanded_methods() {
  constexpr Schedule time{3, 1, 0};
  static constexpr std::array rows{
      TopicMethod{.name = "smld-root",
                  .make = make<SmldRoot>,
                  .arrays = 1,
                  .step_size = time,
                  .one_rate = true},
      TopicMethod{.name = "gibbs", .make = make<TopicGibbs>, .arrays = 1, .remembers = false},
      TopicMethod{
          .name = "sgrld", .make = make<TopicSgrld>, .arrays = 1, .step_size = falling(0.003)},
      TopicMethod{.name = "sgrhmc",
                  .make = make<TopicSgrhmc>,
                  .arrays = 2,
                  .step_size = falling(0.01),
                  .cell_cost = 1.6},
      TopicMethod{.name = "scir",
                  .make = make<TopicScir>,
                  .arrays = 1,
                  .step_size = time,
                  .one_rate = true,
                  .cell_cost = 4.5},
  };
  return rows;
}

}  // namespace tain

#include "lda/engine/document_gibbs_walk.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/document_gibbs_walk.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "lda/engine/document_gibbs_draw-inl.hpp"
#include "lda/engine/document_gibbs_noise-inl.hpp"

#ifndef TAIN_DOCUMENT_GIBBS_WALK_ONCE
#define TAIN_DOCUMENT_GIBBS_WALK_ONCE
namespace tain::gibbs {

/// The same draw in double, topic by topic: for totals beyond floats and for draws that rounding
/// left without a topic.
std::uint16_t draw_carefully(const Topics& topics, const std::int32_t* n, std::uint32_t word,
                             float uniform);

}  // namespace tain::gibbs
#endif

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

using gibbs::DocumentState;
using gibbs::Job;
using gibbs::Topics;

// All topics. `Blocks` fixes their number at compile time; 0: read from the topics.
template <std::size_t Blocks>
class DenseRule {
 public:
  explicit DenseRule(const Topics& topics) : topics_(topics) {}

  void begin_document(DocumentState& place) const {
    std::fill_n(place.n, topics_.length() + block_lanes, 0);
    std::copy_n(topics_.prior, topics_.length() + block_lanes, place.m);
  }
  void begin_sweep(DocumentState&) const {}
  HWY_INLINE void change(DocumentState& place, std::uint16_t topic, std::int32_t by) const {
    const std::int32_t count = place.n[topic] += by;
    place.m[topic] = (topics_.alpha[topic] + static_cast<float>(count)) * topics_.scale[topic];
  }
  HWY_INLINE void weigh(DocumentState& place, std::uint32_t word, float uniform) const {
    const float* const row = topics_.weights.row(word);
    const Lanes sums =
        prefix_sum_.of(add_blocks<Blocks>(blocks(), place.partial, [&](std::size_t b) HWY_ATTR {
          return Lanes::load(place.m + b * block_lanes) * Lanes::load(row + b * block_lanes);
        }));
    sums.store(place.prefix + 1);
    place.target = uniform * prefix_sum_.total(sums);
    place.above = lanes_above(sums, place.target);
  }
  HWY_INLINE std::uint16_t choose(DocumentState& place, std::uint32_t word, float uniform) const {
    const std::size_t chosen =
        select<Blocks>(place.above, place.prefix, place.partial, blocks(), place.target);
    if (HWY_UNLIKELY(chosen == nothing)) {
      return gibbs::draw_carefully(topics_, place.n, word, uniform);
    }
    return static_cast<std::uint16_t>(chosen);
  }

 private:
  HWY_INLINE std::size_t blocks() const {
    return Blocks != 0 ? Blocks : topics_.length() / block_lanes;
  }

  const Topics& topics_;
  PrefixSum prefix_sum_;
};

// The topics a document has, and the prior's mass.
class SparseRule {
 public:
  explicit SparseRule(const Topics& topics) : topics_(topics) {}

  void begin_document(DocumentState& place) const {
    const std::size_t length = topics_.length();
    std::fill_n(place.n, length + block_lanes, 0);
    std::fill_n(place.position, length + block_lanes, topics_.nobody());
    place.listed = 0;
  }
  // Lists the topics anew, in ascending order: what a sweep does depends on the counts it begins
  // with, not on how they came about.
  void begin_sweep(DocumentState& place) const {
    for (std::uint32_t i = 0; i < place.listed; ++i) {
      place.position[place.list[i]] = topics_.nobody();
    }
    place.listed = 0;
    clear_block(place, 0);
    for (std::size_t k = 0; k < topics_.count; ++k) {
      if (place.n[k] != 0) {
        append(place, static_cast<std::uint16_t>(k));
        place.m[place.position[k]] = static_cast<float>(place.n[k]) * topics_.scale[k];
      }
    }
  }
  HWY_INLINE void change(DocumentState& place, std::uint16_t topic, std::int32_t by) const {
    if (HWY_UNLIKELY(place.position[topic] == topics_.nobody() && topic != topics_.nobody())) {
      append(place, topic);
    }
    const std::int32_t count = place.n[topic] += by;
    place.m[place.position[topic]] = static_cast<float>(count) * topics_.scale[topic];
  }
  HWY_INLINE void weigh(DocumentState& place, std::uint32_t word, float uniform) const {
    const float* const row = topics_.weights.row(word);
    const Lanes sums =
        prefix_sum_.of(add_blocks<0>(blocks(place), place.partial, [&](std::size_t b) HWY_ATTR {
          return Lanes::load(place.m + b * block_lanes) *
                 Lanes::gather(row, place.list + b * block_lanes);
        }));
    sums.store(place.prefix + 1);
    const float prior = topics_.prior_mass[word];
    place.target = uniform * (prior + prefix_sum_.total(sums));
    place.above = lanes_above(sums, place.target - prior);
  }
  // The prior comes first: it is the smaller part, and uniforms are finest near 0.
  HWY_INLINE std::uint16_t choose(DocumentState& place, std::uint32_t word, float uniform) const {
    const float prior = topics_.prior_mass[word];
    if (place.target < prior) {
      return draw_prior(place, word, uniform);
    }
    const std::size_t chosen =
        select<0>(place.above, place.prefix, place.partial, blocks(place), place.target - prior);
    if (HWY_UNLIKELY(chosen == nothing)) {
      return gibbs::draw_carefully(topics_, place.n, word, uniform);
    }
    return static_cast<std::uint16_t>(place.list[chosen]);
  }
  // sum_k alpha_k c_k weight(w, k), with the bits that draw_prior adds up to.
  Lanes sum_prior(const DocumentState& place, std::uint32_t word) const {
    const float* const row = topics_.weights.row(word);
    const std::size_t blocks = topics_.length() / block_lanes;
    return prefix_sum_.of(add_blocks<0>(blocks, place.partial, [&](std::size_t b) HWY_ATTR {
      return Lanes::load(topics_.prior + b * block_lanes) * Lanes::load(row + b * block_lanes);
    }));
  }
  float prior_mass(const DocumentState& place, std::uint32_t word) const {
    return prefix_sum_.total(sum_prior(place, word));
  }

 private:
  // At least one: an empty list is a block of zeros.
  static HWY_INLINE std::size_t blocks(const DocumentState& place) {
    return HWY_MAX((place.listed + block_lanes - 1) / block_lanes, std::size_t{1});
  }
  HWY_NOINLINE std::uint16_t draw_prior(DocumentState& place, std::uint32_t word,
                                        float uniform) const {
    const Lanes sums = sum_prior(place, word);
    sums.store(place.prefix + 1);
    const std::size_t chosen =
        select<0>(lanes_above(sums, place.target), place.prefix, place.partial,
                  topics_.length() / block_lanes, place.target);
    if (HWY_UNLIKELY(chosen == nothing)) {
      return gibbs::draw_carefully(topics_, place.n, word, uniform);
    }
    return static_cast<std::uint16_t>(chosen);
  }
  static void clear_block(DocumentState& place, std::size_t first) {
    std::fill_n(place.m + first, block_lanes, 0.0F);
    std::fill_n(place.list + first, block_lanes, 0);
  }
  HWY_NOINLINE void append(DocumentState& place, std::uint16_t topic) const {
    if (place.listed % block_lanes == 0) {
      clear_block(place, place.listed);
    }
    place.position[topic] = static_cast<std::uint16_t>(place.listed);
    place.list[place.listed++] = topic;
  }

  const Topics& topics_;
  PrefixSum prefix_sum_;
};

// Walks documents in turns: one token of each, then the next of each. A token's draw needs the
// counts that the draw before it changed; meanwhile the other documents' draws are under way. All
// weigh before any chooses: a draw is a chain of some 150 cycles, and the processor looks ahead
// over half of it for eight documents, but not over the whole.
template <class Rule>
class Walker {
 public:
  Walker(const Job& job, const Rule& rule)
      : job_(job), rule_(rule), keys_(job.seed), step_(Purpose::assignment, job.visit) {}

  void walk(gibbs::Scratch& scratch) {
    std::size_t places = 0;
    DocumentState place[gibbs::turns];
    for (std::size_t i = 0; i < gibbs::turns_for(job_.topics.length()); ++i) {
      place[places] = scratch.place(i);
      places += take_document(place[places]) ? 1 : 0;
    }
    while (places > 0) {
      std::uint32_t tokens = place[0].left;
      for (std::size_t i = 1; i < places; ++i) {
        tokens = HWY_MIN(tokens, place[i].left);
      }
      for (std::uint32_t t = 0; t < tokens; ++t) {
        for (std::size_t i = 0; i < places; ++i) {
          rule_.weigh(place[i], place[i].words[t], place[i].uniforms[t]);
        }
        for (std::size_t i = 0; i < places; ++i) {
          choose_topic(place[i], t);
        }
      }
      for (std::size_t i = places; i-- > 0;) {
        if (!advance(place[i], tokens)) {
          std::swap(place[i], place[--places]);
        }
      }
    }
  }

 private:
  HWY_INLINE void choose_topic(DocumentState& place, std::uint32_t t) const {
    const std::uint16_t topic = rule_.choose(place, place.words[t], place.uniforms[t]);
    place.after[t * place.stride] = topic;
    rule_.change(place, topic, 1);
    // The next token leaves its topic already now: a turn later the memory that changes here is
    // read by vector loads, which have to wait for recent scalar stores.
    rule_.change(place, place.before[t * place.stride], -1);
  }

  // False: there is no document left.
  bool take_document(DocumentState& place) const {
    const std::size_t number = job_.next->fetch_add(1, std::memory_order_relaxed);
    if (number >= job_.walks.size()) {
      return false;
    }
    const Topics& topics = job_.topics;
    place.walk = &job_.walks[number];
    const GibbsDocument& document = *place.walk->document;
    place.size = static_cast<std::uint32_t>(document.words.size());
    place.cells = place.walk->cells != nullptr ? place.walk->cells : place.own_cells;
    place.stride = place.walk->cells != nullptr ? job_.columns : 1;
    rule_.begin_document(place);
    for (std::uint32_t i = 0; i < place.size; ++i) {
      const std::uint16_t topic = document.start.empty() ? topics.nobody() : document.start[i];
      place.cells[i * place.stride] = topic;
      if (topic != topics.nobody()) {
        rule_.change(place, topic, 1);
      }
    }
    // After the last token: nobody, in every sweep.
    std::fill_n(place.cells + place.size * place.stride, place.stride, topics.nobody());
    place.sweep = 0;
    begin_sweep(place);
    return true;
  }

  // Column of the topics that a sweep leaves.
  std::size_t column(std::uint32_t sweep) const {
    return sweep > job_.plan.burn_in ? sweep - job_.plan.burn_in : 0;
  }

  void begin_sweep(DocumentState& place) const {
    const bool history = place.stride != 1;
    std::uint16_t* const before =
        place.cells + (history && place.sweep > 0 ? column(place.sweep - 1) : 0);
    place.before = before + place.stride;
    place.after = place.cells + (history ? column(place.sweep) : 0);
    place.words = place.walk->document->words.data();
    place.position_in_sweep = 0;
    rule_.begin_sweep(place);
    rule_.change(place, *before, -1);
    begin_segment(place);
  }

  void begin_segment(DocumentState& place) const {
    place.left = HWY_MIN(place.size - place.position_in_sweep, gibbs::segment);
    const std::uint32_t indices = (place.size + 3) / 4;
    const DocumentNoise noise(keys_, step_, place.walk->document->number);
    const std::uint32_t first =
        (job_.plan.first_sweep + place.sweep) * indices + place.position_in_sweep / 4;
    for (std::uint32_t i = 0; 4 * i < place.left; i += DocumentNoise::lanes) {
      noise.store(first + i, place.noise + 4 * i);
    }
    place.uniforms = place.noise;
  }

  // False: its document is done and there is no other.
  bool advance(DocumentState& place, std::uint32_t tokens) const {
    place.words += tokens;
    place.uniforms += tokens;
    place.before += tokens * place.stride;
    place.after += tokens * place.stride;
    place.position_in_sweep += tokens;
    place.left -= tokens;
    if (place.left != 0) {
      return true;
    }
    if (place.position_in_sweep != place.size) {
      begin_segment(place);
      return true;
    }
    if (place.walk->sums != nullptr && place.sweep >= job_.plan.burn_in) {
      for (std::size_t k = 0; k < job_.topics.count; ++k) {
        place.walk->sums[k] += static_cast<std::uint32_t>(place.n[k]);
      }
    }
    if (++place.sweep != job_.plan.sweeps) {
      begin_sweep(place);
      return true;
    }
    end_document(place);
    return take_document(place);
  }

  void end_document(const DocumentState& place) const {
    const std::span<std::uint16_t> last = place.walk->document->last;
    const std::uint16_t* const cells = place.cells + (place.stride != 1 ? place.stride - 1 : 0);
    for (std::size_t i = 0; i < last.size(); ++i) {
      last[i] = cells[i * place.stride];
    }
  }

  const Job& job_;
  const Rule& rule_;
  const philox::Keys keys_;
  const philox::StepWords step_;
};

template <class Rule>
void walk_with(const Job& job, gibbs::Scratch& scratch) {
  const Rule rule(job.topics);
  Walker<Rule>(job, rule).walk(scratch);
}

void walk(const Job& job, gibbs::Scratch& scratch) {
  if (job.algorithm == GibbsAlgorithm::sparse) {
    return walk_with<SparseRule>(job, scratch);
  }
  // The sums of up to 128 topics unroll.
  switch (job.topics.length() / block_lanes) {
    case 1:
      return walk_with<DenseRule<1>>(job, scratch);
    case 2:
      return walk_with<DenseRule<2>>(job, scratch);
    case 3:
      return walk_with<DenseRule<3>>(job, scratch);
    case 4:
      return walk_with<DenseRule<4>>(job, scratch);
    case 5:
      return walk_with<DenseRule<5>>(job, scratch);
    case 6:
      return walk_with<DenseRule<6>>(job, scratch);
    case 7:
      return walk_with<DenseRule<7>>(job, scratch);
    case 8:
      return walk_with<DenseRule<8>>(job, scratch);
    default:
      return walk_with<DenseRule<0>>(job, scratch);
  }
}

void prior_masses(const Topics& topics, std::span<const std::uint32_t> words,
                  gibbs::Scratch& scratch, float* mass) {
  const SparseRule rule(topics);
  const DocumentState place = scratch.place(0);
  for (const std::uint32_t word : words) {
    mass[word] = rule.prior_mass(place, word);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(walk);
HWY_EXPORT(prior_masses);

void gibbs::walk_documents(const Job& job, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(walk)(job, scratch);
}

void gibbs::sum_priors(const Topics& topics, std::span<const std::uint32_t> words, Scratch& scratch,
                       float* mass) {
  HWY_DYNAMIC_DISPATCH(prior_masses)(topics, words, scratch, mass);
}

std::uint16_t gibbs::draw_carefully(const Topics& topics, const std::int32_t* n, std::uint32_t word,
                                    float uniform) {
  const float* const row = topics.weights.row(word);
  // The product of three floats is at least 1e-135 or 0 and at most 1e116: sums are finite.
  const auto probability = [&](std::size_t k) {
    const double count = static_cast<double>(topics.alpha[k]) + n[k];
    return count * static_cast<double>(topics.scale[k]) * static_cast<double>(row[k]);
  };
  const auto without_word = [&](std::size_t k) {
    return static_cast<double>(topics.alpha[k]) + n[k];
  };
  const auto draw = [&](auto weight) {
    double total = 0;
    for (std::size_t k = 0; k < topics.count; ++k) {
      total += weight(k);
    }
    const double target = static_cast<double>(uniform) * total;
    double sum = 0;
    std::size_t chosen = topics.count;
    for (std::size_t k = 0; k < topics.count; ++k) {
      const double own = weight(k);
      sum += own;
      // The last topic with weight, should the target not be below the total.
      chosen = own > 0 ? k : chosen;
      if (sum > target) {
        break;
      }
    }
    return chosen;
  };
  const std::size_t chosen = draw(probability);
  return static_cast<std::uint16_t>(chosen != topics.count ? chosen : draw(without_word));
}

}  // namespace tain
#endif  // HWY_ONCE

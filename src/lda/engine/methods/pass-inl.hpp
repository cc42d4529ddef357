// The loop all vector methods share: blocks of words, vectors of topics, normals in registers.
// Included once per instruction set.
#if defined(TAIN_LDA_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_LDA_PASS_INL
#undef TAIN_LDA_PASS_INL
#else
#define TAIN_LDA_PASS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "core/float_math-inl.hpp"
#include "lda/engine/methods/pass.hpp"
#include "random/normals-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// Sums of floats in double, lane by lane.
template <class D>
class DoubleSum {
 public:
  HWY_INLINE DoubleSum() : low_(hn::Zero(DD())), high_(hn::Zero(DD())) {}
#if HWY_TARGET == HWY_SCALAR
  using DD = hn::Rebind<double, D>;
  HWY_INLINE void add(hn::Vec<D> v) { low_ = hn::Add(low_, hn::PromoteTo(DD(), v)); }
  HWY_INLINE void store(double* out) const { hn::StoreU(low_, DD(), out); }
#else
  using DD = hn::Repartition<double, D>;
  using DH = hn::Half<D>;
  HWY_INLINE void add(hn::Vec<D> v) {
    low_ = hn::Add(low_, hn::PromoteTo(DD(), hn::LowerHalf(DH(), v)));
    high_ = hn::Add(high_, hn::PromoteTo(DD(), hn::UpperHalf(DH(), v)));
  }
  HWY_INLINE void store(double* out) const {
    hn::StoreU(low_, DD(), out);
    hn::StoreU(high_, DD(), out + hn::Lanes(DD()));
  }
#endif

 private:
  hn::Vec<DD> low_, high_;
};

// The vector of topics that a cell belongs to.
template <class D>
struct Lane {
  using V = hn::Vec<D>;
  D d;
  const TopicPass& pass;
  std::size_t lane;
  hn::Mask<D> live;  // topics, not padding

  HWY_INLINE Lane(D tag, const TopicPass& whole, std::size_t first)
      : d(tag),
        pass(whole),
        lane(first),
        live(hn::FirstN(tag, first < whole.topics ? whole.topics - first : 0)) {}
  HWY_INLINE V row(const float* values) const { return hn::LoadU(d, values + lane); }
  HWY_INLINE V load(const float* cells, std::size_t word) const {
    return hn::LoadU(d, cells + word * pass.length + lane);
  }
  HWY_INLINE void store(V v, float* cells, std::size_t word) const {
    hn::StoreU(hn::IfThenElseZero(live, v), d, cells + word * pass.length + lane);
  }
  HWY_INLINE V set(double value) const { return hn::Set(d, static_cast<float>(value)); }
};

// Runs Cell(lane) for every vector of topics of a block. cell(word, n, xi) takes the counts and
// the normals of one word, stores what is new, and returns the new weights for the sums: NaN or
// infinite where a state is.
template <template <class> class Cell>
HWY_INLINE void for_cells(const TopicPass& pass, std::size_t block) {
  const BlockCounts counts(pass, block);
  const std::size_t blocks = pass.words / block_words;  // whole ones
  for_lane_vectors(pass.length, [&](auto d, std::size_t first_lane) HWY_ATTR {
    using D = decltype(d);
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const Lane<D> lane(d, pass, first_lane);
    const WordSource<D> source(pass.keys, pass.position, static_cast<std::uint32_t>(first_lane));
    Cell<D> cell(lane);
    // Rows are too long a stride for the processor to guess: it is told of the same words' next
    // topics, and at the end of the rows of the next block's first.
    const bool last = first_lane + row_alignment >= pass.length;
    const std::size_t ahead = !last                ? row_alignment
                              : block + 1 < blocks ? block_words * pass.length - first_lane
                                                   : 0;
    const float* const dual = pass.dual != nullptr ? pass.dual : pass.weights;
    const float* const second = pass.second != nullptr ? pass.second : pass.weights;
    DoubleSum<D> sum;
    const auto use = [&](std::size_t word, hn::Vec<D> xi) HWY_ATTR __attribute__((always_inline)) {
      const std::size_t next = (counts.first + word) * pass.length + first_lane + ahead;
      hwy::Prefetch(pass.weights + next);
      hwy::Prefetch(dual + next);
      hwy::Prefetch(second + next);
      const auto bits = hn::LoadU(du, counts.rows[word] + first_lane);
      const auto n = hn::ConvertTo(d, hn::BitCast(di, bits));
      sum.add(hn::IfThenElseZero(lane.live, cell(counts.first + word, n, xi)));
    };
    auto index = static_cast<std::uint32_t>((pass.first_word + counts.first) / 4);
    for (std::size_t word = 0; word < counts.count; word += 4) {
      const auto normals = four_normals(d, source.at(index++));
      use(word, normals.w0);
      if (word + 1 < counts.count) {
        use(word + 1, normals.w1);
      }
      if (word + 2 < counts.count) {
        use(word + 2, normals.w2);
      }
      if (word + 3 < counts.count) {
        use(word + 3, normals.w3);
      }
    }
    sum.store(pass.block_sums + block * pass.length + first_lane);
    cell.leave(block);
  });
}

// sum + 0 * state: the sum, unless the state is not finite.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V unless_broken(D d, V weight, V state) {
  return hn::MulAdd(state, hn::Zero(d), weight);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target

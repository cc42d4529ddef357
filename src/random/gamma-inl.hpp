// Gammas of shapes from 1/2, for lists of cells that need not stand together. Included once per
// instruction set.
//
// A tile has up to tile_cells cells: cell c is row c >> shift and chain c & (2^shift - 1) of it.
// Lists are worked off in whole vectors: their arrays have room for one more than tile_cells.
#if defined(TAIN_RANDOM_GAMMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_RANDOM_GAMMA_INL
#undef TAIN_RANDOM_GAMMA_INL
#else
#define TAIN_RANDOM_GAMMA_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>

#include "core/float_math-inl.hpp"
#include "random/gamma.hpp"
#include "random/normals-inl.hpp"
#include "tain/core/error.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

using ListTag = hn::ScalableTag<float>;
using ListWordTag = hn::RebindToUnsigned<ListTag>;
using Floats = hn::Vec<ListTag>;
using Words = hn::Vec<ListWordTag>;

inline constexpr std::size_t list_width = HWY_LANES(float);
inline constexpr std::size_t tile_cells = 1024;
inline constexpr std::size_t list_room = tile_cells + list_width;

// Which words of a cell are for what (gamma.hpp).
enum class Page : std::uint32_t { first = 1, bytes = 2, jump = 3, rest = 4, trials = 5 };
inline constexpr std::uint32_t most_pages = 256;

class TileNoise {
 public:
  HWY_INLINE TileNoise(const philox::Keys& keys, const NoisePlace& place, int shift)
      : keys_(keys), place_(place), shift_(shift) {}

  HWY_INLINE philox::StepWords position(Page page, std::uint32_t further = 0) const {
    return {place_.purpose, place_.step, static_cast<std::uint32_t>(page) + further};
  }
  /// The four words of every cell, at its row.
  HWY_INLINE FourWords<Words> own(Words cells, Page page, std::uint32_t further = 0) const {
    return at(cells, rows(cells), position(page, further));
  }
  /// The word of every cell, of the four that its row and the three beside it have.
  HWY_INLINE Words shared(Words cells, Page page) const {
    const Words row = rows(cells);
    return chosen(at(cells, hn::ShiftRight<2>(row), position(page)), row);
  }
  /// The byte of every cell, of the sixteen that its row and the fifteen beside it have.
  HWY_INLINE Words byte(Words cells) const {
    const ListWordTag d;
    const Words row = rows(cells);
    const Words word =
        chosen(at(cells, hn::ShiftRight<4>(row), position(Page::bytes)), hn::ShiftRight<2>(row));
    const Words bits = hn::ShiftLeft<3>(hn::And(row, hn::Set(d, 3)));
    return hn::And(hn::Shr(word, bits), hn::Set(d, 255));
  }

 private:
  using Halves = WordHalves<ListTag>;

  HWY_INLINE Words rows(Words cells) const {
    return hn::Add(hn::ShiftRightSame(cells, shift_), hn::Set(ListWordTag(), place_.first_row));
  }
  // Word `number` mod 4.
  static HWY_INLINE Words chosen(const FourWords<Words>& words, Words number) {
    const ListWordTag d;
    const auto odd = hn::TestBit(number, hn::Set(d, 1)), high = hn::TestBit(number, hn::Set(d, 2));
    return hn::IfThenElse(high, hn::IfThenElse(odd, words.w3, words.w2),
                          hn::IfThenElse(odd, words.w1, words.w0));
  }
  HWY_INLINE FourWords<Words> at(Words cells, Words indices,
                                 const philox::StepWords& position) const {
    const ListWordTag d;
    const typename Halves::D64 d64;
    const Words chains =
        hn::Add(hn::And(cells, hn::Set(d, (1U << shift_) - 1)), hn::Set(d, place_.first_chain));
    const auto even =
        philox_words(d64, keys_, position, Halves::even(chains), Halves::even(indices));
#if HWY_TARGET == HWY_SCALAR
    return Halves::joined(even, even);
#else
    return Halves::joined(
        even, philox_words(d64, keys_, position, Halves::odd(chains), Halves::odd(indices)));
#endif
  }

  const philox::Keys& keys_;
  const NoisePlace& place_;
  const int shift_;
};

// 0, 1, 2, ... in registers: Highway's goes through memory every time.
class ListOrder {
 public:
  using D = hn::RebindToSigned<ListTag>;
  HWY_INLINE ListOrder() : lanes_(hn::Iota(D(), 0)) {}
  /// The places of the vector at `first`.
  HWY_INLINE hn::Vec<D> places(std::size_t first) const {
    return hn::Add(lanes_, hn::Set(D(), static_cast<std::int32_t>(first)));
  }
  /// Those of them that a list of `count` has.
  HWY_INLINE hn::Mask<ListTag> listed(std::size_t first, std::size_t count) const {
    const auto end = hn::Set(D(), static_cast<std::int32_t>(count));
    return hn::RebindMask(ListTag(), hn::Lt(places(first), end));
  }

 private:
  hn::Vec<D> lanes_;
};

#if HWY_TARGET == HWY_AVX2
// Byte i of entry m: which lane is the i-th of those that m has. (Highway's table is a local one,
// which GCC copies at every use.)
inline constexpr auto packed_lanes = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t mask = 0; mask < 256; ++mask) {
    int count = 0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) {
        table[mask] |= lane << (8 * count++);
      }
    }
  }
  return table;
}();
#endif

// The lanes that a mask has, to be appended to lists. They are packed in a register and stored
// whole: stores that pack are slow. Lists need room for a vector more.
template <class D>
class Packing {
 public:
  using DU = hn::RebindToUnsigned<D>;

  HWY_INLINE Packing(D d, hn::Mask<D> mask) : mask_(mask) {
#if HWY_TARGET == HWY_AVX2
    std::uint8_t bits = 0;
    hn::StoreMaskBits(d, mask, &bits);
    const hn::Rebind<std::uint8_t, D> bytes;
    order_ = hn::PromoteTo(
        DU(), hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(&packed_lanes[bits])));
    count_ = hwy::PopCount(bits);
#else
    count_ = hn::CountTrue(d, mask);
#endif
  }
  HWY_INLINE std::size_t count() const { return count_; }
  template <class T, class V>
  HWY_INLINE void append(V v, T* at) const {
    const hn::Rebind<T, D> d;
#if HWY_TARGET == HWY_AVX2
    hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(d, order_)), d, at);
#else
    hn::StoreU(hn::Compress(v, hn::RebindMask(d, mask_)), d, at);
#endif
  }

 private:
  hn::Mask<D> mask_;
#if HWY_TARGET == HWY_AVX2
  hn::Vec<DU> order_;
#endif
  std::size_t count_;
};

// -log u, of the law Exp(1).
HWY_INLINE Floats exponential(Words word) {
  const ListTag d;
  return hn::Mul(minus_two_log(d, word), hn::Set(d, 0.5F));
}

// Coefficients from the constant term up.
template <class D, std::size_t size, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D d, const std::array<float, size>& coefficients, V x) {
  V value = hn::Set(d, coefficients[size - 1]);
#pragma GCC unroll 16
  for (std::size_t k = size - 1; k > 0; --k) {
    value = hn::MulAdd(value, x, hn::Set(d, coefficients[k - 1]));
  }
  return value;
}

// x with Phi(x) = u (after Giles 2010): with m = min(u, 1 - u), y = 2 u - 1 and w = -log(1 - y^2) =
// -log(4 m (1 - m)), x = y P(w), and P(w) a polynomial in w - 2.5 for w <= 5, in sqrt(w) - 3.4
// beyond.
namespace normal {
// Relative errors 1e-7 and 5e-7, by linear programming.
inline constexpr std::array<float, 9> centre{2.12331357F,     0.34880266F,     -0.00590817097F,
                                             -0.00177301015F, 0.000309150207F, -6.21799487e-6F,
                                             -4.99056648e-6F, 4.86104104e-7F,  4.03547396e-8F};
inline constexpr std::array<float, 8> tail{4.57467463F,     1.42360063F,     0.00562183048F,
                                           -0.00354012366F, 0.00208645923F,  -0.00162838172F,
                                           0.000967305207F, -0.000238115405F};
inline constexpr float centre_to = 5, centre_middle = 2.5F, tail_middle = 3.4F;
}  // namespace normal

HWY_INLINE Floats normal_inverse(Words word) {
  const ListTag d;
  const ListWordTag du;
  const hn::RebindToSigned<ListTag> di;
  const auto signed_word = hn::BitCast(di, word);
  const auto smaller = hn::Xor(signed_word, hn::ShiftRight<31>(signed_word));
  const auto m = hn::MulAdd(hn::ConvertTo(d, smaller), hn::Set(d, 0x1p-32F), hn::Set(d, 0x1p-33F));
  const auto one = hn::Set(d, 1.0F);
  const auto quarter = hn::NegMulAdd(m, m, m);
  const auto square = hn::Mul(hn::Set(d, 4.0F), quarter);
  const auto w = hn::Neg(log_of(d, square, hn::Sub(square, one)));
  auto p = polynomial(d, normal::centre, hn::Sub(w, hn::Set(d, normal::centre_middle)));
  const auto far = hn::Gt(w, hn::Set(d, normal::centre_to));
  if (!hn::AllFalse(d, far)) {
    const auto s = hn::Sub(hn::Sqrt(w), hn::Set(d, normal::tail_middle));
    p = hn::IfThenElse(far, polynomial(d, normal::tail, s), p);
  }
  const auto size = hn::Mul(hn::NegMulAdd(hn::Set(d, 2.0F), m, one), p);
  const auto negative = hn::AndNot(word, hn::Set(du, 1U << 31));
  return hn::Xor(size, hn::BitCast(d, negative));
}

// A trial of Marsaglia and Tsang: D = (x w)^2 C(w), C(w) = (w - w^2/2 + w^3/3 - log(1 + w)) / (3
// w^4).
namespace trial {
// B(w) >= (1 + 2e-5) C(w) for -0.8 <= w <= 1.6, by linear programming; 1.25 D on average at A = 1.
inline constexpr std::array<float, 4> bound{0.09624524F, -0.1113073F, 0.09271021F, -0.028899F};
inline constexpr float bound_from = -0.8F, bound_to = 1.6F;
// C(w) for |w| <= 0.35; relative error 1.3e-7.
inline constexpr std::array<float, 9> near{0.0833333333F,  -0.0666664061F, 0.055555313F,
                                           -0.0476471846F, 0.0416928552F,  -0.0362279795F,
                                           0.0325804546F,  -0.0386716732F, 0.035561637F};
inline constexpr float near_to = 0.35F;
}  // namespace trial

// -log(1 - r) >= r >= D for whatever follows the byte that r = 0.00 to 0.FF begins with.
HWY_INLINE hn::Mask<ListTag> surely_kept(Floats x, Floats w, Words byte) {
  const ListTag d;
  const hn::RebindToSigned<ListTag> di;
  const auto xw = hn::Mul(x, w);
  const auto most = hn::Mul(hn::Mul(xw, xw), polynomial(d, trial::bound, w));
  const auto inside =
      hn::And(hn::Ge(w, hn::Set(d, trial::bound_from)), hn::Le(w, hn::Set(d, trial::bound_to)));
  const auto r = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, byte)), hn::Set(d, 0x1p-8F));
  return hn::And(inside, hn::Le(most, r));
}

// e < D, e of the law Exp(1). What is not a number is kept, and shows.
HWY_INLINE hn::Mask<ListTag> rejected(Floats x, Floats w, Floats d_of_shape, Floats e) {
  const ListTag d;
  const auto xw = hn::Mul(x, w);
  const auto near = hn::Mul(hn::Mul(xw, xw), polynomial(d, trial::near, w));
  const auto cubic = hn::MulAdd(w, hn::Set(d, 1.0F / 3), hn::Set(d, -0.5F));
  const auto series = hn::Mul(w, hn::MulAdd(w, cubic, hn::Set(d, 1.0F)));
  const auto far =
      hn::Mul(hn::Mul(hn::Set(d, 3.0F), d_of_shape), hn::Sub(series, log_one_plus(d, w)));
  const auto deficit = hn::IfThenElse(hn::Le(hn::Abs(w), hn::Set(d, trial::near_to)), near, far);
  return hn::Or(hn::Lt(e, deficit), hn::Le(w, hn::Set(d, -1.0F)));
}

HWY_INLINE Floats d_of(Floats shape) { return hn::Sub(shape, hn::Set(ListTag(), 1.0F / 3)); }
HWY_INLINE Floats w_of(Floats x, Floats d_of_shape) {
  return hn::Div(x, hn::Mul(hn::Set(ListTag(), 3.0F), hn::Sqrt(d_of_shape)));
}

// Cells of a tile that are drawn one by one.
struct CellList {
  std::size_t count = 0;
  alignas(64) std::uint32_t cells[list_room];  // with the byte of the cell from bit 16 on
  alignas(64) std::uint32_t words[list_room];  // the first one of the cell
  alignas(64) float shapes[list_room];         // at least 1/2
  alignas(64) float w[list_room];              // the result: d (1 + w)^3 is the draw

  HWY_INLINE Words cell(std::size_t i) const {
    const ListWordTag d;
    return hn::And(hn::LoadU(d, cells + i), hn::Set(d, 0xFFFF));
  }
};

class Trials {
 public:
  HWY_INLINE Trials(const TileNoise& noise, CellList& list) : noise_(noise), list_(list) {}

  HWY_ATTR void run() {
    std::size_t open = first();
    open = again(open, [&](Words code, hn::Vec<Signed> place) HWY_ATTR {
      // The same trial, with all bits of r.
      const auto cells = hn::And(code, hn::Set(du, 0xFFFF));
      const auto more = noise_.own(cells, Page::rest).w3;
      const auto byte = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<16>(code)));
      const auto r = hn::Mul(hn::Add(byte, uniform(more)), hn::Set(d, 0x1p-8F));
      return Trial{normal_inverse(hn::GatherIndex(du, list_.words, place)),
                   hn::Neg(log_one_plus(d, hn::Neg(r)))};
    });
    for (std::uint32_t t = 0; open > 0; ++t) {
      TAIN_EXPECTS(t / 2 + std::uint32_t(Page::trials) < most_pages, "some trial succeeds");
      open = again(open, [&](Words code, hn::Vec<Signed>) HWY_ATTR {
        const auto own = noise_.own(hn::And(code, hn::Set(du, 0xFFFF)), Page::trials, t / 2);
        return t % 2 == 0 ? Trial{normal_inverse(own.w0), exponential(own.w1)}
                          : Trial{normal_inverse(own.w2), exponential(own.w3)};
      });
    }
  }

 private:
  using Signed = hn::RebindToSigned<ListTag>;
  static constexpr ListTag d{};
  static constexpr ListWordTag du{};
  static constexpr Signed di{};
  struct Trial {
    Floats x, e;
  };

  // (word + 1/2) 2^-32 with its relative precision near 0.
  static HWY_INLINE Floats uniform(Words word) {
    const auto i = hn::BitCast(di, word);
    const auto t = hn::MulAdd(hn::ConvertTo(d, i), hn::Set(d, 0x1p-32F), hn::Set(d, 0x1p-33F));
    return hn::Add(t, hn::And(hn::BitCast(d, hn::ShiftRight<31>(i)), hn::Set(d, 1.0F)));
  }

  // Trials of all cells; those that are not surely kept are open.
  HWY_INLINE std::size_t first() {
    std::size_t open = 0;
    for (std::size_t i = 0; i < list_.count; i += list_width) {
      hn::StoreU(normal_inverse(hn::LoadU(du, list_.words + i)), d, list_.w + i);
    }
    for (std::size_t i = 0; i < list_.count; i += list_width) {
      const auto x = hn::LoadU(d, list_.w + i);
      const auto w = w_of(x, d_of(hn::LoadU(d, list_.shapes + i)));
      hn::StoreU(w, d, list_.w + i);
      const auto byte = hn::ShiftRight<16>(hn::LoadU(du, list_.cells + i));
      const Packing<ListTag> rest(
          d, hn::AndNot(surely_kept(x, w, byte), order_.listed(i, list_.count)));
      rest.append(order_.places(i), open_ + open);
      open += rest.count();
    }
    return open;
  }

  // A trial of every open cell; those that are rejected stay open.
  template <class F>
  HWY_INLINE std::size_t again(std::size_t open, const F& trial) {
    std::size_t still = 0;
    for (std::size_t i = 0; i < open; i += list_width) {
      const auto own = order_.listed(i, open);
      const auto place = hn::IfThenElseZero(hn::RebindMask(di, own), hn::LoadU(di, open_ + i));
      const auto [x, e] = trial(hn::GatherIndex(du, list_.cells, place), place);
      const auto d_of_shape = d_of(hn::GatherIndex(d, list_.shapes, place));
      const auto w = w_of(x, d_of_shape);
      alignas(64) float values[list_width];
      hn::Store(w, d, values);
      for (std::size_t j = 0; j < list_width && i + j < open; ++j) {
        list_.w[open_[i + j]] = values[j];
      }
      const Packing<ListTag> rest(d, hn::And(rejected(x, w, d_of_shape, e), own));
      rest.append(place, open_ + still);
      still += rest.count();
    }
    return still;
  }

  const TileNoise& noise_;
  CellList& list_;
  const ListOrder order_;
  alignas(64) std::int32_t open_[list_room];  // places in the list
};

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target

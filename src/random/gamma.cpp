#include "random/gamma.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/gamma.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/vector_math-inl.hpp"
#include "random/gamma-inl.hpp"
#include "random/gamma_cells.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

inline constexpr float least_trial_shape = 0.5F;  // below, shapes are raised by 1
inline constexpr float least_square_shape = 1;    // from here on, a step takes no wait

// ---- in float

struct FloatList : CellList {
  bool boosted = false;
  alignas(64) float boosts[list_room];   // factors, if any is boosted
  alignas(64) float squares[list_room];  // a step's: lambda at first, then what is to be added
  alignas(64) std::uint32_t jumps[list_room];
};

// Cells of a tile: of a list that is short, the rest is gathered.
struct ShortList {
  std::size_t count = 0;
  alignas(64) std::uint32_t cells[list_room];

  // Places in the tile, also of the lanes beyond the list.
  HWY_INLINE hn::Vec<hn::RebindToSigned<ListTag>> places(std::size_t i,
                                                         const ListOrder& order) const {
    const hn::RebindToSigned<ListTag> d;
    const auto code = hn::BitCast(d, hn::LoadU(ListWordTag(), cells + i));
    return hn::IfThenElseZero(hn::RebindMask(d, order.listed(i, count)),
                              hn::And(code, hn::Set(d, 0xFFFF)));
  }
};

// Where a tile's cells are written: those of a row are together.
struct TileOut {
  float* first;
  std::size_t lanes;
  int shift;

  HWY_INLINE void operator()(const std::uint32_t* cells, std::size_t count, Floats theta) const {
    alignas(64) float values[list_width];
    hn::Store(theta, ListTag(), values);
    const std::uint32_t lane = (1U << shift) - 1;
    for (std::size_t i = 0; i < HWY_MIN(count, list_width); ++i) {
      const std::uint32_t cell = cells[i] & 0xFFFF;
      first[(cell >> shift) * lanes + (cell & lane)] = values[i];
    }
  }
};

// Not Max: what is not a number stays so.
HWY_INLINE Floats at_least(Floats theta, float least) {
  const ListTag d;
  const auto floor = hn::Set(d, least);
  return hn::IfThenElse(hn::Lt(theta, floor), floor, theta);
}

// Shapes below 1/2 are raised by 1 and boosted by U^(1/A).
HWY_INLINE void boost(const TileNoise& noise, FloatList& list) {
  const ListTag d;
  const auto one = hn::Set(d, 1.0F);
  const ListOrder order;
  for (std::size_t i = 0; i < list.count; i += list_width) {
    const auto shape = hn::LoadU(d, list.shapes + i);
    const auto small =
        hn::And(hn::Lt(shape, hn::Set(d, least_trial_shape)), order.listed(i, list.count));
    if (hn::AllFalse(d, small) && !list.boosted) {
      continue;
    }
    if (!list.boosted) {
      list.boosted = true;
      std::fill_n(list.boosts, i, 1.0F);
    }
    const auto word = noise.own(list.cell(i), Page::rest).w2;
    const auto factor = exp_not_positive(d, hn::Neg(hn::Div(exponential(word), shape)));
    hn::StoreU(hn::IfThenElse(small, factor, one), d, list.boosts + i);
    hn::StoreU(hn::Add(shape, hn::IfThenElseZero(small, one)), d, list.shapes + i);
  }
}

// What a step adds to cells whose shape is at least 1: their squares, and 1/2 less of shape.
HWY_INLINE void add_squares(FloatList& list) {
  const ListTag d;
  const ListWordTag du;
  const auto half = hn::Set(d, 0.5F);
  for (std::size_t i = 0; i < list.count; i += list_width) {
    const auto lambda = hn::LoadU(d, list.squares + i);
    const auto sum =
        hn::Add(normal_inverse(hn::LoadU(du, list.jumps + i)), hn::Sqrt(hn::Add(lambda, lambda)));
    hn::StoreU(hn::Mul(hn::Mul(sum, sum), half), d, list.squares + i);
    hn::StoreU(hn::Sub(hn::LoadU(d, list.shapes + i), half), d, list.shapes + i);
  }
}

// a (1 + w)^3. In float 1 + w has steps that show where a is large; left of -1/2 it is exact, and the
// other way round digits would cancel.
HWY_INLINE Floats cube_of(Floats a, Floats w) {
  const ListTag d;
  const auto three = hn::Set(d, 3.0F), v = hn::Add(w, hn::Set(d, 1.0F));
  const auto less_one = hn::Mul(w, hn::MulAdd(w, hn::Add(w, three), three));
  return hn::IfThenElse(hn::Lt(w, hn::Set(d, -0.5F)), hn::Mul(a, hn::Mul(v, hn::Mul(v, v))),
                        hn::MulAdd(a, less_one, a));
}

template <bool steps>
HWY_INLINE void finish(const TileNoise& noise, float gain, FloatList& list, const TileOut& out) {
  const ListTag d;
  boost(noise, list);
  Trials(noise, list).run();
  for (std::size_t i = 0; i < list.count; i += list_width) {
    auto theta = cube_of(d_of(hn::LoadU(d, list.shapes + i)), hn::LoadU(d, list.w + i));
    if (list.boosted) {
      theta = hn::Mul(theta, hn::LoadU(d, list.boosts + i));
    }
    if constexpr (steps) {
      theta = hn::Mul(hn::Add(theta, hn::LoadU(d, list.squares + i)), hn::Set(d, gain));
    }
    out(list.cells + i, list.count - i, at_least(theta, Gammas::least));
  }
}

// Some rows of as many chains as D has lanes: the inverse in every cell, and the lists of those that
// it does not serve. One thing after the other for all cells: each is a long chain of operations,
// of which the processor then overlaps those of many cells.
template <bool steps, class D>
class FloatTile {
 public:
  HWY_INLINE FloatTile(const FloatCells& draw, std::size_t lane, std::size_t first,
                       std::size_t rows)
      : draw_(draw),
        lane_(lane),
        first_(first),
        rows_(rows),
        place_{draw.place.purpose, draw.place.step,
               draw.place.first_chain + static_cast<std::uint32_t>(lane),
               draw.place.first_row + static_cast<std::uint32_t>(first)},
        noise_(draw.keys, place_, shift),
        out_{draw.out.row(first) + lane, draw.out.lanes(), shift},
        gain_(steps ? static_cast<float>(draw.step->gain) : 1.0F) {}

  HWY_ATTR void run() {
    take_words();
    if constexpr (steps) {
      take_logarithms(jumps_, starts_);
    }
    if (draw_.inverse) {
      take_logarithms(words_, doubled_);
    }
    pack();
    if (draw_.inverse) {
      invert(*draw_.inverse);
      invert_tails(*draw_.inverse);
    }
    if constexpr (steps) {
      add_squares(list_);
      add_jumps();
    }
    finish<steps>(noise_, gain_, list_, out_);
  }

 private:
  using DU = hn::RebindToUnsigned<D>;
  using V = hn::Vec<DU>;
  static constexpr D d{};
  static constexpr DU du{};
  static constexpr std::size_t width = hn::MaxLanes(D());
  static constexpr int shift = hwy::FloorLog2(width);

  // Four rows at a time, the last of which may be beyond the tile: there is room.
  HWY_INLINE void take_words() {
    const WordSource<D> first(draw_.keys, noise_.position(Page::first), place_.first_chain);
    const WordSource<D> bytes(draw_.keys, noise_.position(Page::bytes), place_.first_chain);
    const WordSource<D> jumps(draw_.keys, noise_.position(Page::jump), place_.first_chain);
    const V order = hn::Iota(du, 0), mask = hn::Set(du, 0xFF0000);
    V sixteen[4];  // words of which four rows have a byte each
    for (std::size_t row = 0; row < rows_; row += 4) {
      const std::uint32_t index = (place_.first_row + static_cast<std::uint32_t>(row)) / 4;
      if (row == 0 || index % 4 == 0) {
        const auto words = bytes.at(index / 4);
        sixteen[0] = words.w0, sixteen[1] = words.w1, sixteen[2] = words.w2, sixteen[3] = words.w3;
      }
      store(first.at(index), words_ + row * width);
      if constexpr (steps) {
        store(jumps.at(index), jumps_ + row * width);
      }
      const V byte = sixteen[index % 4];
      const auto code = [&](std::size_t i, V shifted) HWY_ATTR __attribute__((always_inline)) {
        const auto cell = hn::Set(du, static_cast<std::uint32_t>((row + i) * width));
        return hn::Or(hn::Add(order, cell), hn::And(shifted, mask));
      };
      store({code(0, hn::ShiftLeft<16>(byte)), code(1, hn::ShiftLeft<8>(byte)), code(2, byte),
             code(3, hn::ShiftRight<8>(byte))},
            codes_ + row * width);
    }
  }
  static HWY_INLINE void store(const FourWords<V>& words, std::uint32_t* at) {
    hn::Store(words.w0, du, at);
    hn::Store(words.w1, du, at + width);
    hn::Store(words.w2, du, at + 2 * width);
    hn::Store(words.w3, du, at + 3 * width);
  }

  HWY_INLINE void take_logarithms(const std::uint32_t* words, float* out) {
    for (std::size_t i = 0; i < rows_ * width; i += width) {
      hn::Store(minus_two_log(d, hn::Load(du, words + i)), d, out + i);
    }
  }

  HWY_INLINE void invert(const GammaInverse& inverse) {
    const auto slope = hn::Set(d, inverse.slope), offset = hn::Set(d, inverse.offset);
    const auto least = hn::Set(d, Gammas::least / gain_);
    for (std::size_t i = 0; i < rows_ * width; i += width) {
      const auto log_start = hn::NegMulAdd(hn::Load(d, doubled_ + i), slope, offset);
      hn::Store(hn::Max(exp_not_positive(d, log_start), least), d, starts_ + i);
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto start = hn::Load(d, starts_ + row * width);
      // start^2 by itself may have no normal float.
      const auto body = hn::Mul(start, polynomial(d, inverse.body, start));
      const auto theta = hn::MulAdd(start, body, start);
      hn::StoreU(steps ? hn::Mul(theta, hn::Set(d, gain_)) : theta, d,
                 out_.first + row * out_.lanes);
    }
  }

  // Beyond what the body of the inverse serves.
  HWY_INLINE void invert_tails(const GammaInverse& inverse) {
    const ListTag df;
    for (std::size_t i = 0; i < tails_.count; i += list_width) {
      const auto word = hn::GatherIndex(ListWordTag(), words_, tails_.places(i, list_order_));
      const auto v = hn::Add(exponential(hn::Not(word)), hn::Set(df, inverse.log_tail));
      const auto pole = hn::Add(v, hn::Set(df, GammaInverse::tail_pole));
      const auto z =
          hn::Add(hn::Div(hn::Set(df, inverse.tail_scale), pole), hn::Set(df, inverse.tail_shift));
      const auto theta = hn::Add(v, polynomial(df, inverse.tail, z));
      out_(tails_.cells + i, tails_.count - i, hn::Mul(theta, hn::Set(df, gain_)));
    }
  }

  // Of a step, cells whose shape is below 1 and that jump, or are not common: as jumps raise them.
  // They become the last of the list.
  HWY_INLINE void add_jumps() {
    const ListTag df;
    const ListWordTag dw;
    const auto half = hn::Set(df, 0.5F), zero = hn::Zero(df);
    for (std::size_t i = 0; i < waits_.count; i += list_width) {
      const std::size_t at = list_.count + i;
      const auto place = waits_.places(i, list_order_);
      const auto own = noise_.own(hn::BitCast(dw, place), Page::rest);
      const auto shape = hn::GatherIndex(df, shapes_, place);
      const auto left = hn::Sub(hn::GatherIndex(df, lambdas_, place),
                                exponential(hn::GatherIndex(dw, jumps_, place)));
      const auto small = hn::And(hn::Ge(left, zero), hn::Lt(shape, hn::Set(df, least_trial_shape)));
      const auto rest = hn::Sub(left, hn::IfThenElseZero(small, exponential(own.w1)));
      const auto squared = hn::Ge(rest, zero);
      const auto sum = hn::Add(normal_inverse(own.w0), hn::Sqrt(hn::Add(rest, rest)));
      const auto raise =
          hn::Add(hn::IfThenElseZero(small, hn::Set(df, 1.0F)), hn::IfThenElseZero(squared, half));
      hn::StoreU(hn::LoadU(dw, waits_.cells + i), dw, list_.cells + at);
      hn::StoreU(hn::GatherIndex(dw, words_, place), dw, list_.words + at);
      hn::StoreU(hn::Add(shape, raise), df, list_.shapes + at);
      hn::StoreU(hn::IfThenElseZero(squared, hn::Mul(hn::Mul(sum, sum), half)), df,
                 list_.squares + at);
    }
    list_.count += waits_.count;
  }

  HWY_INLINE void pack() {
    std::size_t alone = 0, waiting = 0, beyond = 0;
    const bool inverts = draw_.inverse != nullptr;
    // Without an inverse no cell is common.
    const auto common_shape =
        hn::Set(d, inverts ? draw_.common : std::numeric_limits<float>::quiet_NaN());
    const auto tail_below = hn::Set(d, inverts ? draw_.inverse->tail_below : 0.0F);
    const auto per_growth = hn::Set(d, steps ? static_cast<float>(draw_.step->per_growth) : 0.0F);
    for (std::size_t row = 0; row < rows_; ++row) {
      const V code = hn::Load(du, codes_ + row * width), word = hn::Load(du, words_ + row * width);
      const auto shape = hn::LoadU(d, draw_.shapes.row(first_ + row) + lane_);
      auto common = hn::Eq(shape, common_shape);
      if constexpr (steps) {
        const auto state = hn::LoadU(d, draw_.states.row(first_ + row) + lane_);
        // The smallest waits are 1e-10: with 1e-30 more a product is no subnormal float.
        const auto lambda = hn::MulAdd(state, per_growth, hn::Set(d, 1e-30F));
        const V jump = hn::Load(du, jumps_ + row * width);
        common =
            hn::And(common, hn::Lt(hn::Add(lambda, lambda), hn::Load(d, starts_ + row * width)));
        const auto large = hn::Ge(shape, hn::Set(d, least_square_shape));
        const Packing<D> own(d, hn::AndNot(common, large));
        own.append(code, list_.cells + alone);
        own.append(word, list_.words + alone);
        own.append(shape, list_.shapes + alone);
        own.append(lambda, list_.squares + alone);
        own.append(jump, list_.jumps + alone);
        alone += own.count();
        const Packing<D> waits(d, hn::Not(hn::Or(common, large)));
        waits.append(code, waits_.cells + waiting);
        waiting += waits.count();
        hn::Store(lambda, d, lambdas_ + row * width);
        hn::Store(shape, d, shapes_ + row * width);
      } else {
        const Packing<D> own(d, hn::Not(common));
        own.append(code, list_.cells + alone);
        own.append(word, list_.words + alone);
        own.append(shape, list_.shapes + alone);
        alone += own.count();
      }
      if (inverts) {
        const auto doubled = hn::Load(d, doubled_ + row * width);
        const Packing<D> tail(d, hn::And(common, hn::Lt(doubled, tail_below)));
        tail.append(code, tails_.cells + beyond);
        beyond += tail.count();
      }
    }
    list_.count = alone;
    tails_.count = beyond;
    waits_.count = waiting;
  }

  const FloatCells& draw_;
  const std::size_t lane_, first_, rows_;
  const NoisePlace place_;
  const TileNoise noise_;
  const TileOut out_;
  const float gain_;
  // Of every cell: its words, its number with its byte, -2 log u; 2 T of a step, then t0; and of
  // a step what short lists gather.
  static constexpr std::size_t room = tile_cells + 4 * width;
  alignas(64) std::uint32_t words_[room];
  alignas(64) std::uint32_t jumps_[steps ? room : 16];
  alignas(64) std::uint32_t codes_[room];
  alignas(64) float doubled_[room];
  alignas(64) float starts_[room];
  alignas(64) float lambdas_[steps ? room : 16];
  alignas(64) float shapes_[steps ? room : 16];
  const ListOrder list_order_;
  FloatList list_;
  ShortList tails_, waits_;
};

template <bool steps>
void float_cells(const FloatCells& draw) {
  for_lane_vectors(draw.out.lanes(), [&](auto d, std::size_t lane) HWY_ATTR {
    constexpr std::size_t rows = tile_cells / hn::MaxLanes(decltype(d)());
    for (std::size_t first = 0; first < draw.out.rows(); first += rows) {
      FloatTile<steps, decltype(d)>(draw, lane, first, HWY_MIN(rows, draw.out.rows() - first))
          .run();
    }
  });
}
void float_draws(const FloatCells& draw) { float_cells<false>(draw); }
void float_steps(const FloatCells& draw) { float_cells<true>(draw); }

// ---- logarithms in double

// Some cells, together in memory: all of them are drawn one by one.
template <bool steps>
class LogTile {
 public:
  HWY_INLINE LogTile(const TileNoise& noise, const GammaStep* step, std::size_t count)
      : noise_(noise), step_(step), count_(count) {
    list_.count = count;
  }
  double* shapes() { return shapes_; }
  /// Of a step what it starts from; then what is drawn.
  double* logs() { return logs_; }

  HWY_ATTR void run() {
    take_words();
    for (std::size_t i = 0; i < count_; i += width) {
      steps ? raise_by_jumps(i) : raise(i);
    }
    Trials(noise_, list_).run();
    const auto one = hn::Set(d, 1.0);
    const auto log_gain = hn::Set(d, steps ? std::log(step_->gain) : 0.0);
    for (std::size_t i = 0; i < count_; i += width) {
      const auto a = hn::Sub(hn::Load(d, raised_ + i), hn::Set(d, 1.0 / 3));
      const auto v = hn::Add(one, widened(list_.w + i));
      auto theta = hn::Mul(a, hn::Mul(v, hn::Mul(v, v)));
      auto lift = hn::Load(d, lifts_ + i);
      if constexpr (steps) {
        theta = hn::Add(theta, hn::Load(d, squares_ + i));
        lift = hn::Add(lift, log_gain);
      }
      // 1/A may have no double.
      const auto lowest = hn::Set(d, std::numeric_limits<double>::lowest());
      hn::Store(larger(lowest, hn::Add(log_vector(theta), lift)), d, logs_ + i);
    }
  }

 private:
  using D = DoubleTag;
  using V = DoubleVector;
  static constexpr D d{};
  static constexpr std::size_t width = HWY_LANES(double);
  static constexpr std::size_t room = list_room;

  static HWY_INLINE V widened(const float* at) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), at));
  }
  HWY_INLINE void take_words() {
    const ListTag df;
    const ListWordTag du;
    const Words order = hn::Iota(du, 0);
    for (std::size_t i = 0; i < count_; i += list_width) {
      const Words cells = hn::Add(order, hn::Set(du, static_cast<std::uint32_t>(i)));
      const auto byte = hn::ShiftLeft<16>(noise_.byte(cells));
      hn::StoreU(hn::Or(cells, byte), du, list_.cells + i);
      hn::StoreU(noise_.shared(cells, Page::first), du, list_.words + i);
      const auto rest = noise_.own(cells, Page::rest);
      hn::Store(exponential(rest.w2), df, boosts_ + i);
      if constexpr (steps) {
        const Words jump = noise_.shared(cells, Page::jump);
        hn::Store(exponential(jump), df, waits_ + i);
        hn::Store(normal_inverse(jump), df, normals_ + i);
        hn::Store(exponential(rest.w1), df, second_waits_ + i);
        hn::Store(normal_inverse(rest.w0), df, second_normals_ + i);
      }
    }
  }

  // The shape to be drawn, and the logarithm of the boost that a shape below 1/2 takes.
  HWY_INLINE void raise(std::size_t i) {
    const V shape = hn::Load(d, shapes_ + i);
    const auto small = hn::Lt(shape, hn::Set(d, double{least_trial_shape}));
    take(i, hn::Add(shape, hn::IfThenElseZero(small, hn::Set(d, 1.0))),
         hn::IfThenElseZero(small, hn::Neg(hn::Div(widened(boosts_ + i), shape))));
  }
  HWY_INLINE void raise_by_jumps(std::size_t i) {
    const V shape = hn::Load(d, shapes_ + i), zero = hn::Zero(d);
    const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
    const V lambda = hn::Mul(exp_vector(hn::Load(d, logs_ + i)), hn::Set(d, step_->per_growth));
    const auto large = hn::Ge(shape, hn::Set(d, double{least_square_shape}));
    const auto small = hn::Lt(shape, hn::Set(d, double{least_trial_shape}));
    const V left = hn::Sub(lambda, widened(waits_ + i));
    const auto jumps = hn::AndNot(large, hn::Ge(left, zero));
    const V rest = hn::Sub(left, hn::IfThenElseZero(small, widened(second_waits_ + i)));
    const auto squared = hn::Or(large, hn::And(jumps, hn::Ge(rest, zero)));
    const V z = hn::IfThenElse(large, widened(normals_ + i), widened(second_normals_ + i));
    const V non_centrality = hn::IfThenElse(large, lambda, rest);
    const V sum = hn::Add(z, hn::Sqrt(hn::Add(non_centrality, non_centrality)));
    hn::Store(hn::IfThenElseZero(squared, hn::Mul(hn::Mul(sum, sum), half)), d, squares_ + i);
    const V by_square = hn::IfThenElse(large, hn::Neg(half), half);
    const V raised = hn::Add(hn::Add(shape, hn::IfThenElseZero(small, one)),
                             hn::IfThenElseZero(squared, by_square));
    const auto boosted = hn::AndNot(jumps, small);
    take(i, raised, hn::IfThenElseZero(boosted, hn::Neg(hn::Div(widened(boosts_ + i), shape))));
  }
  HWY_INLINE void take(std::size_t i, V raised, V lift) {
    hn::Store(raised, d, raised_ + i);
    hn::Store(lift, d, lifts_ + i);
    const hn::Rebind<float, D> df;
    hn::StoreU(hn::DemoteTo(df, raised), df, list_.shapes + i);
  }

  const TileNoise& noise_;
  const GammaStep* step_;
  const std::size_t count_;
  CellList list_;
  alignas(64) double shapes_[room];
  alignas(64) double logs_[room];
  alignas(64) double raised_[room];
  alignas(64) double lifts_[room];
  alignas(64) double squares_[steps ? room : 8];
  alignas(64) float boosts_[room];  // E of the law Exp(1): U^(1/A) = e^(-E/A)
  alignas(64) float waits_[steps ? room : 16];
  alignas(64) float normals_[steps ? room : 16];
  alignas(64) float second_waits_[steps ? room : 16];
  alignas(64) float second_normals_[steps ? room : 16];
};

// Blocks of one lane are together already; of others, eight lanes of some rows are a tile.
template <bool steps>
void log_cells(const LogCells& draw) {
  const std::size_t lanes = draw.out.lanes(), across = HWY_MIN(lanes, lane_group);
  const int shift = across == 1 ? 0 : 3;
  const std::size_t most_rows = tile_cells / across;
  for (std::size_t lane = 0; lane < lanes; lane += across) {
    for (std::size_t first = 0; first < draw.out.rows(); first += most_rows) {
      const std::size_t rows = HWY_MIN(most_rows, draw.out.rows() - first);
      const NoisePlace place{draw.place.purpose, draw.place.step,
                             draw.place.first_chain + static_cast<std::uint32_t>(lane),
                             draw.place.first_row + static_cast<std::uint32_t>(first)};
      const TileNoise noise(draw.keys, place, shift);
      LogTile<steps> tile(noise, draw.step, rows * across);
      for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(draw.shapes.row(first + row) + lane, across, tile.shapes() + row * across);
        if constexpr (steps) {
          std::copy_n(draw.out.row(first + row) + lane, across, tile.logs() + row * across);
        }
      }
      tile.run();
      for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(tile.logs() + row * across, across, draw.out.row(first + row) + lane);
      }
    }
  }
}
void log_draws(const LogCells& draw) { log_cells<false>(draw); }
void log_steps(const LogCells& draw) { log_cells<true>(draw); }

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "tain/core/error.hpp"

namespace tain {

HWY_EXPORT(float_draws);
HWY_EXPORT(float_steps);
HWY_EXPORT(log_draws);
HWY_EXPORT(log_steps);

namespace {

void require(ConstBlock shapes, Block out) {
  TAIN_EXPECTS(out.lanes() == 1 || out.lanes() % lane_group == 0, "whole groups, or one lane");
  TAIN_EXPECTS(shapes.rows() == out.rows() && shapes.lanes() == out.lanes(), "a shape per draw");
  TAIN_EXPECTS(std::ranges::all_of(shapes.flat(), [](double a) { return a > 0; }),
               "a gamma shape is positive");
}

}  // namespace

void log_gammas(const NoiseField& noise, const NoisePlace& place, ConstBlock shapes, Block out) {
  require(shapes, out);
  const philox::Keys keys(noise.seed());
  HWY_DYNAMIC_DISPATCH(log_draws)
  (LogCells{.keys = keys, .place = place, .shapes = shapes, .out = out});
}

void log_step(const NoiseField& noise, const NoisePlace& place, ConstBlock shapes, double h,
              Block log_states) {
  require(shapes, log_states);
  const philox::Keys keys(noise.seed());
  const GammaStep step(h);
  HWY_DYNAMIC_DISPATCH(log_steps)
  (LogCells{.keys = keys, .place = place, .shapes = shapes, .out = log_states, .step = &step});
}

Gammas::Gammas(float common) : common_(common) {
  if (common <= GammaInverse::largest_shape) {
    inverse_.emplace(double(common));
  }
}

void Gammas::draw(const NoiseField& noise, const NoisePlace& place, ConstFloatBlock shapes,
                  FloatBlock out) const {
  TAIN_EXPECTS(out.lanes() % lane_group == 0 && place.first_row % 4 == 0, "whole groups");
  const philox::Keys keys(noise.seed());
  HWY_DYNAMIC_DISPATCH(float_draws)
  (FloatCells{.keys = keys,
              .place = place,
              .common = common_,
              .inverse = inverse_ ? &*inverse_ : nullptr,
              .shapes = shapes,
              .out = out});
}

void Gammas::step(const NoiseField& noise, const NoisePlace& place, ConstFloatBlock shapes,
                  double h, ConstFloatBlock states, FloatBlock out) const {
  TAIN_EXPECTS(out.lanes() % lane_group == 0 && place.first_row % 4 == 0, "whole groups");
  const philox::Keys keys(noise.seed());
  const GammaStep step(h);
  HWY_DYNAMIC_DISPATCH(float_steps)
  (FloatCells{.keys = keys,
              .place = place,
              .common = common_,
              .inverse = inverse_ ? &*inverse_ : nullptr,
              .shapes = shapes,
              .out = out,
              .step = &step,
              .states = states});
}

}  // namespace tain
#endif  // HWY_ONCE

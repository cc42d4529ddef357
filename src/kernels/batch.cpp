#include "kernels/batch.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "tain/core/error.hpp"

namespace tain {
namespace {

__extension__ using Wide = unsigned __int128;

/// Uniform on 0 .. bound - 1, bound > 0: the high part of word * bound, unless its low part falls
/// among the (2^w mod bound) values that would make some results likelier (Lemire 2019).
std::uint64_t below(std::uint64_t bound, Stream& words) {
  if (bound <= std::numeric_limits<std::uint32_t>::max()) {
    const auto limit = static_cast<std::uint32_t>(bound);
    for (;;) {
      const std::uint64_t product = std::uint64_t{words.word()} * limit;
      const auto low = static_cast<std::uint32_t>(product);
      if (low >= limit || low >= (0U - limit) % limit) {
        return product >> 32;
      }
    }
  }
  for (;;) {
    const std::uint64_t high = words.word();
    const Wide product = Wide{(high << 32) | words.word()} * bound;
    const auto low = static_cast<std::uint64_t>(product);
    if (low >= bound || low >= (std::uint64_t{0} - bound) % bound) {
      return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

constexpr std::uint64_t vacant = std::numeric_limits<std::uint64_t>::max();

/// Places of a table at most half full, hence short walks.
std::size_t places(std::uint64_t count) { return std::bit_ceil(2 * std::size_t(count) + 2); }

/// Puts the term into the table; false if it was there.
bool insert(std::span<std::uint64_t> table, std::uint64_t term) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  std::size_t at = ((term * golden) >> 32) & (table.size() - 1);
  while (table[at] != vacant) {
    if (table[at] == term) {
      return false;
    }
    at = (at + 1) & (table.size() - 1);
  }
  table[at] = term;
  return true;
}

/// A uniform subset of `count` terms as a set of bits (Floyd's algorithm; Bentley & Floyd 1987).
void draw_bits(std::uint64_t terms, std::uint64_t count, Stream& words,
               std::span<std::uint64_t> bits) {
  std::ranges::fill(bits, 0);
  for (std::uint64_t last = terms - count; last < terms; ++last) {
    std::uint64_t chosen = below(last + 1, words);
    if ((bits[chosen / 64] >> (chosen % 64) & 1) != 0) {
      chosen = last;  // larger than all before it, so it is new
    }
    bits[chosen / 64] |= std::uint64_t{1} << (chosen % 64);
  }
}

/// The first out.size() terms whose bit in bits ^ flip is set, ascending.
void take_bits(std::span<const std::uint64_t> bits, std::uint64_t flip,
               std::span<std::uint64_t> out) {
  auto place = out.begin();
  for (std::size_t k = 0; place != out.end(); ++k) {
    for (std::uint64_t rest = bits[k] ^ flip; rest != 0 && place != out.end(); rest &= rest - 1) {
      *place++ = 64 * k + static_cast<std::uint64_t>(std::countr_zero(rest));
    }
  }
}

/// The same subset as a sorted list of out.size() terms, where bits would be too many.
void draw_subset(std::uint64_t terms, Stream& words, std::span<std::uint64_t> table,
                 std::span<std::uint64_t> out) {
  std::ranges::fill(table, vacant);
  std::uint64_t last = terms - out.size();
  for (std::uint64_t& chosen : out) {
    chosen = below(last + 1, words);
    if (!insert(table, chosen)) {
      chosen = last;
      insert(table, chosen);
    }
    ++last;
  }
  std::ranges::sort(out);
}

/// All terms but those of `absent` (ascending), ascending.
void take_others(std::span<const std::uint64_t> absent, std::span<std::uint64_t> out) {
  std::uint64_t term = 0;
  auto skip = absent.begin();
  for (std::uint64_t& chosen : out) {
    while (skip != absent.end() && *skip == term) {
      ++term;
      ++skip;
    }
    chosen = term++;
  }
}

}  // namespace

Batches draw_batches(const NoiseField& noise, std::uint64_t t, std::uint32_t first_chain,
                     std::size_t lanes, std::uint64_t terms, const Batching& batching,
                     Workspace& ws) {
  const std::uint64_t size = batching.size == 0 ? terms : batching.size;
  const bool with_replacement = batching.replacement == Replacement::with && !batching.whole(terms);
  TAIN_EXPECTS(terms > 0 && (with_replacement || size <= terms), "such a batch does not exist");
  const std::span<std::uint64_t> indices = ws.indices(lanes * size);
  const Workspace::Scope scope(ws);
  // The smaller of the subset and its complement is drawn; as bits where they are few per term.
  const std::uint64_t drawn = with_replacement ? 0 : std::min(size, terms - size);
  const std::size_t blocks = static_cast<std::size_t>((terms + 63) / 64);
  const bool dense = blocks <= 4 * drawn;
  const std::span<std::uint64_t> table = ws.indices(dense ? blocks : places(drawn));
  const std::span<std::uint64_t> absent = ws.indices(drawn);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Stream words(noise, Purpose::batch, t, first_chain + static_cast<std::uint32_t>(lane));
    const std::span<std::uint64_t> out = indices.subspan(lane * size, size);
    if (with_replacement) {
      std::ranges::generate(out, [&] { return below(terms, words); });
    } else if (dense) {
      draw_bits(terms, drawn, words, table);
      take_bits(table, drawn == size ? 0 : ~std::uint64_t{0}, out);
    } else if (drawn == size) {
      draw_subset(terms, words, table, out);
    } else {
      draw_subset(terms, words, table, absent);
      take_others(absent, out);
    }
  }
  return {size, indices};
}

}  // namespace tain

#include "lda/engine/document_order.hpp"

#include <algorithm>
#include <bit>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::uint32_t rounds = 6;
constexpr std::size_t visits_per_task = 4096;

}  // namespace

DocumentOrder::DocumentOrder(const NoiseField& field, std::uint64_t documents)
    : field_(field), documents_(documents) {
  if (documents == 0 || documents > std::uint64_t{1} << 32) {
    fail(Fault::config, "documents", "must be between 1 and 2^32", "split the corpus");
  }
  half_bits_ = (static_cast<int>(std::bit_width(documents - 1)) + 1) / 2;
}

std::uint64_t DocumentOrder::mixed(std::uint64_t half, std::uint64_t pass,
                                   std::uint32_t round) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  return field_.words(Purpose::document_order, pass, round, static_cast<std::uint32_t>(half))[0] &
         mask;
}

std::uint64_t DocumentOrder::permuted(std::uint64_t index, std::uint64_t pass) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = index >> half_bits_, right = index & mask;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    left ^= mixed(right, pass, round);
    std::swap(left, right);
  }
  return left << half_bits_ | right;
}

std::uint64_t DocumentOrder::unpermuted(std::uint64_t index, std::uint64_t pass) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = index >> half_bits_, right = index & mask;
  for (std::uint32_t round = rounds; round-- > 0;) {
    std::swap(left, right);
    left ^= mixed(right, pass, round);
  }
  return left << half_bits_ | right;
}

std::uint64_t DocumentOrder::where(std::uint64_t document, std::uint64_t pass) const {
  std::uint64_t index = document;
  do {
    index = unpermuted(index, pass);
  } while (index >= documents_);
  return index;
}

std::uint64_t DocumentOrder::at(std::uint64_t position) const {
  const std::uint64_t pass = position / documents_;
  std::uint64_t index = position % documents_;
  do {
    index = permuted(index, pass);
  } while (index >= documents_);
  return index;
}

void RangeOrder::take_pass(std::uint64_t pass, Threads& threads) {
  if (pass == pass_) {
    return;
  }
  pass_ = pass;
  visits_.resize(range_.size());
  threads.for_each((visits_.size() + visits_per_task - 1) / visits_per_task, [&](std::size_t task) {
    const std::size_t end = std::min(visits_.size(), (task + 1) * visits_per_task);
    for (std::size_t i = task * visits_per_task; i < end; ++i) {
      visits_[i] = order_.where(range_.first + i, pass) << 32 | i;
    }
  });
  std::ranges::sort(visits_);
}

void RangeOrder::find(std::uint64_t first, std::uint64_t count, Threads& threads,
                      std::vector<Visit>& visits) {
  visits.clear();
  if (whole()) {
    for (std::uint64_t position = first; position < first + count; ++position) {
      visits.push_back({position, order_.at(position)});
    }
    return;
  }
  const std::uint64_t n = order_.documents();
  for (std::uint64_t position = first; position < first + count;) {
    const std::uint64_t pass = position / n, begin = pass * n;
    const std::uint64_t end = std::min(begin + n, first + count);
    take_pass(pass, threads);
    auto visit = std::ranges::lower_bound(visits_, (position - begin) << 32);
    for (; visit != visits_.end() && (*visit >> 32) < end - begin; ++visit) {
      visits.push_back({begin + (*visit >> 32), range_.first + (*visit & 0xFFFFFFFF)});
    }
    position = end;
  }
}

}  // namespace tain

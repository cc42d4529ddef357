#include "diagnose/movement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "core/parallel.hpp"

namespace tain::diagnostics {
namespace {

/// One chain's stays: transitions to the same point, bit for bit.
struct Stays {
  std::size_t all = 0, longest = 0, start = 0, second = 0;  // the longest leaves from draw `start`
};

Stays stays_of(std::span<const double> chain, std::size_t draws, std::size_t dim) {
  Stays stays;
  std::size_t run = 0;
  const auto end_run = [&](std::size_t draw) {
    if (run > stays.longest) {
      stays.second = stays.longest;
      stays.longest = run;
      stays.start = draw - 1 - run;
    } else {
      stays.second = std::max(stays.second, run);
    }
    stays.all += run;
    run = 0;
  };
  for (std::size_t draw = 1; draw < draws; ++draw) {
    const double* now = chain.data() + draw * dim;
    if (std::memcmp(now, now - dim, dim * sizeof(double)) == 0) {
      ++run;
    } else {
      end_run(draw);
    }
  }
  end_run(draws);
  return stays;
}

/// How often chains stay is told by all draws but the longest stay of the chain in question.
void find_still(OddChains& odd, const std::vector<Stays>& all, std::size_t draws) {
  constexpr double level = 1e-4, least_share = 0.1, far_longer = 5;
  const auto each = static_cast<double>(draws - 1);
  const double tries = each * static_cast<double>(all.size());
  double stays = 0;
  std::vector<std::size_t> usual;
  for (const Stays& chain : all) {
    stays += static_cast<double>(chain.all);
    usual.push_back(chain.second);
  }
  const auto middle = usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2);
  std::ranges::nth_element(usual, middle);
  for (std::size_t chain = 0; chain < all.size(); ++chain) {
    const auto longest = static_cast<double>(all[chain].longest);
    const double rate = (stays - longest + 1) / (tries - longest + 2);  // never 0, never 1
    if (stays < tries && std::log(tries) + longest * std::log(rate) > std::log(level)) {
      continue;
    }
    if (all[chain].longest == draws - 1) {
      odd.frozen.push_back({chain, 0, draws});
    } else if (longest >= least_share * each &&
               longest > far_longer * static_cast<double>(*middle)) {
      odd.stuck.push_back({chain, all[chain].start, all[chain].longest + 1});
    }
  }
}

void find_copies(OddChains& odd, std::span<const double> values, std::size_t chains,
                 std::size_t size, std::size_t dim) {
  const auto bytes = [&](std::size_t first, std::size_t count) {
    return std::string_view(reinterpret_cast<const char*>(values.data() + first),
                            count * sizeof(double));
  };
  std::unordered_map<std::string_view, std::vector<std::size_t>> originals;  // by last draw
  for (std::size_t chain = 0; chain < chains; ++chain) {
    std::vector<std::size_t>& alike = originals[bytes((chain + 1) * size - dim, dim)];
    const auto found = std::ranges::find_if(alike, [&](std::size_t other) {
      return bytes(other * size, size) == bytes(chain * size, size);
    });
    if (found == alike.end()) {
      alike.push_back(chain);
    } else if (std::ranges::find(odd.frozen, chain, &OddChains::Still::chain) == odd.frozen.end()) {
      odd.copies.push_back({chain, *found});
    }
  }
}

}  // namespace

void find_still_and_copies(OddChains& odd, std::span<const double> values, std::size_t chains,
                           std::size_t draws, std::size_t dim, Threads& threads) {
  if (chains == 0 || draws < 2 || dim == 0) {
    return;
  }
  const std::size_t size = draws * dim;
  std::vector<Stays> stays(chains);
  threads.for_each(chains, [&](std::size_t chain) {
    stays[chain] = stays_of(values.subspan(chain * size, size), draws, dim);
  });
  find_still(odd, stays, draws);
  find_copies(odd, values, chains, size, dim);
}

}  // namespace tain::diagnostics

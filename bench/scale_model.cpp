#include "scale_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace tain::scale {
namespace {

/// e^-x I_n(x) for n = 0, 1: the law of a difference of two Poisson numbers of mean x / 2.
double skellam(unsigned n, double x) {
  if (x > 500) {
    return 1 / std::sqrt(2 * std::numbers::pi * x);
  }
  return std::exp(-x) * std::cyl_bessel_i(n, x);
}

/// Bytes of the distance of numbers that are a geometric law's of this mean, of which `bits` fit
/// into the first byte and seven into each that follows.
double number_bytes(double mean, int bits) {
  double bytes = 1;
  for (; bits < 40; bits += 7) {
    bytes += std::exp(-std::exp2(bits) / std::max(mean, 1e-9));
  }
  return bytes;
}

/// Expected bytes of the distances between words that are there with these probabilities, in order:
/// one each, and another where none of the 128 (of the 128^2) before is there.
double distance_bytes(std::span<const double> present) {
  std::vector<double> rarity(present.size() + 1, 0.0);  // -log of none being there, up to w
  for (std::size_t w = 0; w < present.size(); ++w) {
    rarity[w + 1] = rarity[w] - std::log1p(-std::min(present[w], 1 - 1e-12));
  }
  double bytes = 0;
  for (std::size_t w = 0; w < present.size(); ++w) {
    bytes += present[w];
    for (std::size_t reach = 128; reach <= w; reach *= 128) {
      bytes += present[w] * std::exp(rarity[w + 1 - reach] - rarity[w]);
    }
  }
  return bytes;
}

/// Seconds of the processor for a message to each other rank.
constexpr double each_message = 0.5e-6;

double padded(double topics) { return 16 * std::ceil(topics / 16); }

}  // namespace

WordLaw WordLaw::of(const Corpus& corpus) {
  WordLaw law;
  std::vector<double> tokens(corpus.words(), 0.0), seen(corpus.words(), 0.0);
  std::vector<std::uint64_t> last(corpus.words(), ~std::uint64_t{0});
  double squares = 0;
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const DocumentWords words = corpus.document(d);
    squares += std::pow(static_cast<double>(words.tokens()), 2);
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      const std::uint32_t word = words.ids[i];
      tokens[word] += words.counts.empty() ? 1 : words.counts[i];
      if (last[word] != d) {
        last[word] = d;
        ++seen[word];
      }
    }
  }
  const auto documents = static_cast<double>(corpus.documents());
  law.present.resize(tokens.size());
  law.together.resize(tokens.size(), 1.0);
  for (std::size_t w = 0; w < tokens.size(); ++w) {
    law.tokens += tokens[w] / documents;
    law.entries += seen[w] / documents;
    law.present[w] = seen[w] / documents;
    law.together[w] = seen[w] > 0 ? tokens[w] / seen[w] : 1;
  }
  law.spread = squares / documents / (law.tokens * law.tokens) - 1;
  return law;
}

WordLaw WordLaw::mandelbrot(std::uint64_t words, double tokens, double entries) {
  WordLaw law;
  std::vector<double> share(words);
  double sum = 0;
  for (std::uint64_t w = 0; w < words; ++w) {
    sum += share[w] = 1 / (static_cast<double>(w) + 2.7);
  }
  // Occasions of a word in a document are Poisson of mean tokens share / b, each of b tokens.
  const auto different = [&](double b) {
    double count = 0;
    for (const double s : share) {
      count -= std::expm1(-tokens * s / sum / b);
    }
    return count;
  };
  double low = 1, high = tokens;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (different(middle) > entries ? low : high) = middle;
  }
  law.tokens = tokens;
  for (const double s : share) {
    const double mean = tokens * s / sum;
    const double present = -std::expm1(-mean / low);
    law.present.push_back(present);
    law.together.push_back(mean / present);
    law.entries += present;
  }
  return law;
}

double WordLaw::different(double documents) const {
  double count = 0;
  for (const double share : present) {
    count -= std::expm1(documents * std::log1p(-std::min(share, 1 - 1e-12)));
  }
  return count;
}

Changes count_changes(const WordLaw& law, const Constants& constants, double topics,
                      double documents) {
  Changes result;
  std::vector<double> changing(law.present.size(), 0.0);
  const double spread =
      std::clamp(constants.topics * std::pow(documents / 1000, constants.growth), 1.0, topics);
  for (std::size_t w = 0; w < law.present.size(); ++w) {
    const double some = -std::expm1(law.together[w] * std::log1p(-constants.changed));
    const double occasions = documents * law.present[w] * some;
    if (occasions <= 0) {
      continue;
    }
    // Given that some token changed: how many topics change, and by more than one.
    const double any = -std::expm1(-occasions);
    const double tokens = documents * law.present[w] * law.together[w] * constants.changed / any;
    const double each = 2 * tokens / spread;
    const double none = skellam(0, each), one = 2 * skellam(1, each);
    const double changes = spread * (1 - none);
    changing[w] = any;
    result.words += any;
    result.changes += any * changes;
    result.bytes +=
        any * changes * (number_bytes(topics / (changes + 1), 5) + (1 - none - one) / (1 - none));
    result.bytes += any * number_bytes(changes, 7);
  }
  result.bytes += distance_bytes(changing);
  return result;
}

Bytes sampling_bytes(const WordLaw& law, const Constants& constants, const Step& step) {
  Bytes bytes;
  const double others = step.ranks - 1, documents = step.batch / step.ranks / step.pieces;
  const double counts =
      step.pieces * (8 + count_changes(law, constants, step.topics, documents).bytes);
  if (step.layout == Layout::replicated) {
    bytes.counts = others * counts;
    return bytes;
  }
  // Every rank has a share of the words, and so of what the others need and tell.
  const double share = others / step.ranks;
  bytes.counts = share * (counts - 8 * step.pieces) + others * 8 * step.pieces;
  const double different = step.pieces * law.different(documents);
  bytes.requests = 4 * (others * step.pieces + share * different);
  bytes.rows = 4 * step.topics * share * different;
  bytes.sums = 2 * 8 * padded(step.topics);  // columns of the counts, sums of the weights
  return bytes;
}

Bytes descent_bytes(const WordLaw& law, const Constants& constants, const Step& step) {
  Bytes bytes;
  const double others = step.ranks - 1, documents = step.batch / step.ranks;
  const double shares =
      1 + constants.explained * (4 + number_bytes(step.topics / (constants.explained + 1), 7));
  const double words = number_bytes(law.entries, 7) + 4 * law.entries + distance_bytes(law.present);
  if (step.layout == Layout::replicated) {
    bytes.shares = others * documents * (words + shares);
    return bytes;
  }
  // A document's words are cut by rank; its shares go to all that have some.
  const double some = -std::expm1(-law.entries / step.ranks);
  bytes.shares = others * documents * (1 + words / step.ranks + some * shares);
  const double different = step.pieces * law.different(documents / step.pieces);
  const double share = others / step.ranks;
  bytes.requests = 4 * (others * step.pieces + share * different);
  bytes.rows = 4 * step.topics * share * different;
  bytes.sums = 8 * padded(step.topics);
  return bytes;
}

Time sampling_time(const WordLaw& law, const Constants& constants, const Core& core,
                   const Network& network, double sweeps, const Step& step) {
  Time time;
  const double own = step.batch / step.ranks, piece = own / step.pieces;
  const double draws = own * law.tokens * sweeps;
  const bool dense = step.topics < sparse_topics;
  const double draw = dense ? core.dense_draw * padded(step.topics) : core.sparse_draw;
  const double priors =
      dense ? 0 : step.pieces * law.different(piece) * padded(step.topics) * core.prior;
  const double mean = 1e-9 * (draws * draw + priors);
  // Of every batch a rank has a random number of documents of random length.
  const double deviation = std::sqrt((1 - 1.0 / step.ranks + law.spread) / own);
  time.waiting = mean * deviation * std::sqrt(2 * std::log(double(step.ranks)));
  time.documents = mean + time.waiting;
  const double changes = step.pieces * count_changes(law, constants, step.topics, piece).changes;
  const bool sharded = step.layout == Layout::sharded;
  if (step.ranks == 1) {  // a token that changed is two counts
    time.counts = 1e-9 * own * law.tokens * constants.changed * core.hear;
  } else {
    time.counts = 1e-9 * (own * law.tokens * constants.changed * core.tell +
                          changes * (sharded ? 1 : step.ranks) * core.hear);
  }
  time.update = 1e-9 * padded(step.topics) * step.words * core.update / (sharded ? step.ranks : 1);
  if (step.ranks > 1) {
    // What is sent last (or asked for first) is not hidden; relays go through all ranks.
    const double messages = 2 * std::log2(double(step.ranks)) + (sharded ? 2 * step.ranks : 0) +
                            each_message * step.pieces * (step.ranks - 1) / network.seconds;
    const double bytes = sampling_bytes(law, constants, step).total();
    const double seconds = bytes / network.bytes_per_second;
    const double hidden = std::min(time.documents, seconds) * (1 - 1 / step.pieces);
    time.network = messages * network.seconds + seconds - hidden;
  }
  return time;
}

double memory(const WordLaw& law, double documents, const Step& step) {
  const double shards = step.layout == Layout::sharded ? step.ranks : 1;
  return 12 * padded(step.topics) * step.words / shards +
         documents / step.ranks * (2 * law.tokens + 8);
}

}  // namespace tain::scale

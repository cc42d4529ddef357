// What a step of training over ranks costs: bytes that a rank gets from others, by the law of words
// of a corpus and a few constants that are measured on one process. docs/explanation/scale.md tells
// the formulas; bench/lda_ranks.cpp measures the constants and compares.
#pragma once

#include <cstdint>
#include <vector>

#include "lda/engine/exchange/sharding.hpp"
#include "tain/text/corpus.hpp"

namespace tain::scale {

/// How words are spread over documents.
struct WordLaw {
  double tokens = 0;             ///< of a document, on average
  double entries = 0;            ///< different words of a document, on average
  double spread = 0;             ///< of the lengths of documents: variance / mean^2
  std::vector<double> present;   ///< by word: share of documents that have it
  std::vector<double> together;  ///< by word: its tokens in a document that has it, on average

  static WordLaw of(const Corpus& corpus);
  /// A law of so many words for corpora that are not at hand: frequencies fall as (rank + 2.7)^-1
  /// (Zipf and Mandelbrot); a word occurs more often in a document by the factor that gives
  /// `entries` different words.
  static WordLaw mandelbrot(std::uint64_t words, double tokens, double entries);

  /// Different words that so many documents are expected to have.
  double different(double documents) const;
};

/// Measured where topics are at rest; see lda_ranks.cpp.
struct Constants {
  double changed = 0;  ///< share of tokens that a visit gives another topic
  /// Topics among which the tokens of a word change, effectively, where 1,000 documents are taken
  /// together; and how their number grows with documents, as a power: a few tokens of a word are
  /// mostly of its few large topics.
  double topics = 0, growth = 0;
  double explained = 0;  ///< descent: topics of a document whose share is above the prior's
};

struct Step {
  Layout layout = Layout::replicated;
  int ranks = 1;
  double topics = 100, words = 0;
  double batch = 1000;  ///< documents of a step of all ranks
  double pieces = 2;    ///< of a rank's documents
};

/// Bytes that a rank gets from the others in a step, by what they are.
struct Bytes {
  double counts = 0, requests = 0, rows = 0, shares = 0, sums = 0;
  double total() const { return counts + requests + rows + shares + sums; }
};
/// A step that draws topics of documents, and keeps them, and moves the topics.
Bytes sampling_bytes(const WordLaw& law, const Constants& constants, const Step& step);
/// A step of the descent.
Bytes descent_bytes(const WordLaw& law, const Constants& constants, const Step& step);

/// Changes of counts, by word and topic, that the documents of a piece leave, and their bytes.
struct Changes {
  double words = 0, changes = 0, bytes = 0;
};
Changes count_changes(const WordLaw& law, const Constants& constants, double topics,
                      double documents);

/// What a core does, in nanoseconds.
struct Core {
  double dense_draw = 0;   ///< topic of a token, per topic, below `sparse_topics`
  double sparse_draw = 0;  ///< topic of a token, from there on
  double prior = 0;        ///< sum of a word's prior, per topic (sparse)
  double tell = 0;         ///< per token that changed: found and written; alone: counted
  double hear = 0;         ///< per change of a count: read and added
  double update = 0;       ///< of a weight by the sampler
};
inline constexpr double sparse_topics = 250;

struct Network {
  double seconds = 0;           ///< of the shortest message
  double bytes_per_second = 0;  ///< into a rank
};

/// Seconds of a step that draws topics of documents: by what takes them.
struct Time {
  double documents = 0;  ///< their topics, of the rank that has most to do
  double waiting = 0;    ///< of the mean rank for that one
  double counts = 0;     ///< told and heard
  double update = 0;     ///< of the topics
  double network = 0;    ///< messages that nothing hides
  double total() const { return documents + counts + update + network; }
};
Time sampling_time(const WordLaw& law, const Constants& constants, const Core& core,
                   const Network& network, double sweeps, const Step& step);

/// Bytes of memory of a rank: weights, counts, mean; topics of tokens; the corpus is mapped.
double memory(const WordLaw& law, double documents, const Step& step);

}  // namespace tain::scale

// In how many documents does every word occur, and how often? In bounded memory.
//
// Definition: a word's documents are those it occurs in, its occurrences all of them. Words go to a
//   table; when the table outgrows its memory it is sorted and written to a temporary file (a run)
//   and emptied; at the end runs and table are merged in byte order of the words.
// Laws: the result does not depend on the memory, nor on how documents were spread over counters:
//   counts are sums of integers.
// Cost: O(1) per token; a merge reads every run once, with a buffer of 64 KiB each. A counter has
//   at most 64 runs: when there are more they become one. Its table takes at most `memory_bytes`
//   (and a fourth of it more for the moment in which it grows), but for the words of one document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/scratch.hpp"
#include "text/vocabulary.hpp"

namespace tain {

struct WordCount {
  std::string word;
  std::uint64_t documents = 0, occurrences = 0;
  bool operator==(const WordCount&) const = default;
};

class WordCounter {
 public:
  /// Runs go to files in `scratch`, which outlives it, named after `name`; removed with the counter.
  WordCounter(Scratch& scratch, std::string name, std::size_t memory_bytes);
  ~WordCounter();
  WordCounter(WordCounter&& other) noexcept;
  WordCounter& operator=(WordCounter&&) = delete;

  void add_token(std::string_view word, std::uint64_t occurrences = 1);
  /// The same for a word of which at least eight bytes are readable, such as a token.
  void add_padded_token(std::string_view word);
  /// Ends the document whose tokens were added; may write a run.
  void end_document();
  std::uint64_t documents() const { return documents_; }
  std::size_t runs() const { return runs_.size(); }

  /// Calls take(count) for every word of all counters together, in byte order.
  static void merge(std::span<WordCounter> counters,
                    const std::function<void(const WordCount&)>& take);

 private:
  struct Tally {
    std::uint64_t documents = 0, occurrences = 0;
    std::uint64_t last_document = 0;  ///< 1 + number of the document counted last
  };
  std::vector<std::uint32_t> sorted_ids() const;
  void count(std::uint32_t id, std::uint64_t occurrences);
  std::filesystem::path new_run();
  void write_run();
  void merge_runs();
  void remove_run(const std::filesystem::path& run) const;

  Scratch* scratch_;
  std::string name_;
  std::size_t memory_bytes_;
  std::uint64_t documents_ = 0;
  Vocabulary words_;
  std::vector<Tally> tallies_;
  std::vector<std::filesystem::path> runs_;
  std::size_t runs_made_ = 0;
};

/// Which words become the vocabulary: in at least `min_documents` documents and in at most
/// `max_share` of them; of these the `max_words` that occur in most documents (ties: occurrences,
/// then byte order). Kept words are numbered by descending occurrences, then byte order.
struct Selection {
  std::uint64_t min_documents = 20;
  double max_share = 0.1;
  std::size_t max_words = 100'000;
};
struct SelectedWords {
  std::vector<WordCount> kept;
  std::uint64_t too_rare = 0, too_common = 0, beyond_limit = 0;  ///< words
  std::uint64_t lost_occurrences = 0;                            ///< of all words not kept
};
/// Memory: that of max_words words.
SelectedWords select_words(std::span<WordCounter> counters, const Selection& selection);

}  // namespace tain

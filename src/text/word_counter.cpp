#include "text/word_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <queue>

#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// Tables below this are not worth a run: with less memory than that there would be thousands.
constexpr std::size_t least_memory = std::size_t{1} << 20;
constexpr std::size_t run_buffer = std::size_t{64} << 10;
/// Runs of a counter that are open at once when they are merged; as soon as there are more they
/// become one.
constexpr std::size_t most_runs = 64;

struct Close {
  std::unique_ptr<char[]> buffer = std::make_unique_for_overwrite<char[]>(run_buffer);
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open_run(const fs::path& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (!file) {
    fail(Fault::io, path.string(), std::strerror(errno),
         errno == EMFILE ? Phrase("give more ", Field{"memory"}, ", so that fewer files are needed")
                         : Phrase("check the folder and its disk"));
  }
  std::setvbuf(file.get(), file.get_deleter().buffer.get(), _IOFBF, run_buffer);
  return file;
}

struct RunHead {
  std::uint32_t length = 0;
  std::uint64_t documents = 0, occurrences = 0;
};

[[noreturn]] void fail_write(const fs::path& path) {
  fail(Fault::io, path.string(), std::strerror(errno),
       Phrase("make room on the disk, or give more ", Field{"memory"}));
}

class RunWriter {
 public:
  RunWriter(const fs::path& path, Scratch& scratch)
      : path_(path), file_(open_run(path, "wb")), scratch_(scratch) {}
  void put(std::string_view word, std::uint64_t documents, std::uint64_t occurrences) {
    const RunHead head{static_cast<std::uint32_t>(word.size()), documents, occurrences};
    scratch_.take(sizeof head + word.size());
    write(&head, sizeof head);
    write(word.data(), word.size());
  }
  void finish() {
    if (std::fflush(file_.get()) != 0) {
      fail_write(path_);
    }
  }

 private:
  void write(const void* data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) {
      fail_write(path_);
    }
  }

  fs::path path_;
  File file_;
  Scratch& scratch_;
};

/// Words of one run, or of a counter's table, in byte order.
class WordStream {
 public:
  virtual ~WordStream() = default;
  virtual bool next(WordCount& count) = 0;
};

class RunStream final : public WordStream {
 public:
  explicit RunStream(const fs::path& path)
      : path_(path), file_(open_run(path, "rb")), left_(fs::file_size(path)) {}
  bool next(WordCount& count) override {
    if (left_ == 0) {
      return false;
    }
    RunHead head;
    read(&head, sizeof head);
    // Before memory is taken for it: a damaged length is not believed.
    if (head.length > left_) {
      fail(Fault::io, path_.string(), "is cut short", "check the disk");
    }
    count.word.resize(head.length);
    read(count.word.data(), head.length);
    count.documents = head.documents;
    count.occurrences = head.occurrences;
    return true;
  }

 private:
  void read(void* data, std::size_t bytes) {
    if (std::fread(data, 1, bytes, file_.get()) != bytes) {
      fail(Fault::io, path_.string(), "cannot be read back", "check the disk");
    }
    left_ -= bytes;
  }

  fs::path path_;
  File file_;
  std::uint64_t left_;  ///< bytes of the file
};

class TableStream final : public WordStream {
 public:
  TableStream(std::vector<std::uint32_t> ids,
              std::function<void(std::uint32_t, WordCount&)> describe)
      : ids_(std::move(ids)), describe_(std::move(describe)) {}
  bool next(WordCount& count) override {
    if (at_ == ids_.size()) {
      return false;
    }
    describe_(ids_[at_++], count);
    return true;
  }

 private:
  std::vector<std::uint32_t> ids_;
  std::function<void(std::uint32_t, WordCount&)> describe_;
  std::size_t at_ = 0;
};

using WordStreams = std::vector<std::unique_ptr<WordStream>>;

void merge_streams(const WordStreams& streams, const std::function<void(const WordCount&)>& take) {
  std::vector<WordCount> heads(streams.size());
  const auto later = [&](std::size_t a, std::size_t b) { return heads[a].word > heads[b].word; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (streams[s]->next(heads[s])) {
      queue.push(s);
    }
  }
  WordCount total;
  while (!queue.empty()) {
    const std::size_t s = queue.top();
    queue.pop();
    if (heads[s].word != total.word || total.occurrences == 0) {
      if (total.occurrences > 0) {
        take(total);
      }
      total = {heads[s].word, 0, 0};
    }
    total.documents += heads[s].documents;
    total.occurrences += heads[s].occurrences;
    if (streams[s]->next(heads[s])) {
      queue.push(s);
    }
  }
  if (total.occurrences > 0) {
    take(total);
  }
}

/// Better words first: in more documents, then more often, then in byte order.
bool better(const WordCount& a, const WordCount& b) {
  if (a.documents != b.documents) {
    return a.documents > b.documents;
  }
  return a.occurrences != b.occurrences ? a.occurrences > b.occurrences : a.word < b.word;
}

}  // namespace

WordCounter::WordCounter(Scratch& scratch, std::string name, std::size_t memory_bytes)
    : scratch_(&scratch),
      name_(std::move(name)),
      memory_bytes_(std::max(memory_bytes, least_memory)) {}

WordCounter::WordCounter(WordCounter&& other) noexcept = default;

WordCounter::~WordCounter() {
  std::ranges::for_each(runs_, [&](const fs::path& run) { remove_run(run); });
}

void WordCounter::add_token(std::string_view word, std::uint64_t occurrences) {
  count(words_.add(word), occurrences);
}

void WordCounter::add_padded_token(std::string_view word) { count(words_.add_padded(word), 1); }

void WordCounter::count(std::uint32_t id, std::uint64_t occurrences) {
  if (id == tallies_.size()) {
    tallies_.emplace_back();
  }
  Tally& tally = tallies_[id];
  tally.occurrences += occurrences;
  if (tally.last_document != documents_ + 1) {
    tally.last_document = documents_ + 1;
    ++tally.documents;
  }
}

void WordCounter::end_document() {
  ++documents_;
  // Tables grow by doubling: half full is as large as they may be before the next document.
  if (2 * (words_.least_bytes() + tallies_.size() * sizeof(Tally)) > memory_bytes_) {
    write_run();
  }
}

std::vector<std::uint32_t> WordCounter::sorted_ids() const {
  std::vector<std::uint32_t> ids(words_.size());
  std::iota(ids.begin(), ids.end(), std::uint32_t{0});
  std::ranges::sort(
      ids, [&](std::uint32_t a, std::uint32_t b) { return words_.word(a) < words_.word(b); });
  return ids;
}

fs::path WordCounter::new_run() {
  return runs_.emplace_back(scratch_->folder() / fmt::format("{}.{}.run", name_, runs_made_++));
}

void WordCounter::write_run() {
  if (runs_.size() == most_runs) {
    merge_runs();
  }
  RunWriter writer(new_run(), *scratch_);
  for (const std::uint32_t id : sorted_ids()) {
    writer.put(words_.word(id), tallies_[id].documents, tallies_[id].occurrences);
  }
  writer.finish();
  words_ = Vocabulary();
  tallies_ = {};
}

void WordCounter::merge_runs() {
  WordStreams streams;
  for (const fs::path& run : runs_) {
    streams.push_back(std::make_unique<RunStream>(run));
  }
  RunWriter writer(new_run(), *scratch_);
  merge_streams(streams, [&](const WordCount& count) {
    writer.put(count.word, count.documents, count.occurrences);
  });
  writer.finish();
  streams.clear();
  for (std::size_t r = 0; r + 1 < runs_.size(); ++r) {
    remove_run(runs_[r]);
  }
  runs_.erase(runs_.begin(), runs_.end() - 1);
}

void WordCounter::remove_run(const fs::path& run) const {
  std::error_code ignored;  // it goes with the folder
  const std::uintmax_t bytes = fs::file_size(run, ignored);
  if (!ignored && fs::remove(run, ignored)) {
    scratch_->give_back(bytes);
  }
}

void WordCounter::merge(std::span<WordCounter> counters,
                        const std::function<void(const WordCount&)>& take) {
  WordStreams streams;
  for (const WordCounter& counter : counters) {
    for (const fs::path& run : counter.runs_) {
      streams.push_back(std::make_unique<RunStream>(run));
    }
    streams.push_back(std::make_unique<TableStream>(
        counter.sorted_ids(), [&counter](std::uint32_t id, WordCount& count) {
          count.word = counter.words_.word(id);
          count.documents = counter.tallies_[id].documents;
          count.occurrences = counter.tallies_[id].occurrences;
        }));
  }
  merge_streams(streams, take);
}

SelectedWords select_words(std::span<WordCounter> counters, const Selection& selection) {
  std::uint64_t documents = 0;
  for (const WordCounter& counter : counters) {
    documents += counter.documents();
  }
  const double most = selection.max_share * static_cast<double>(documents);
  SelectedWords selected;
  // A heap whose top is the worst word kept.
  std::priority_queue<WordCount, std::vector<WordCount>, decltype(&better)> heap(&better);
  WordCounter::merge(counters, [&](const WordCount& count) {
    if (count.documents < selection.min_documents) {
      ++selected.too_rare;
      selected.lost_occurrences += count.occurrences;
    } else if (static_cast<double>(count.documents) > most) {
      ++selected.too_common;
      selected.lost_occurrences += count.occurrences;
    } else {
      heap.push(count);
      if (heap.size() > selection.max_words) {
        ++selected.beyond_limit;
        selected.lost_occurrences += heap.top().occurrences;
        heap.pop();
      }
    }
  });
  while (!heap.empty()) {
    selected.kept.push_back(heap.top());
    heap.pop();
  }
  std::ranges::sort(selected.kept, [](const WordCount& a, const WordCount& b) {
    return a.occurrences != b.occurrences ? a.occurrences > b.occurrences : a.word < b.word;
  });
  return selected;
}

}  // namespace tain

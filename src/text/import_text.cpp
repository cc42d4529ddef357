// Documents of text, in batches: one thread reads, all cut into tokens, one writes in order.
#include <algorithm>
#include <future>
#include <optional>

#include "import_run.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Documents copied out of the reader, so that several threads can work on them.
struct TextBatch {
  struct Item {
    std::size_t id_end, title_end, text_end;  // of the fields one after the other in `bytes`
  };
  std::string bytes;
  std::vector<Item> items;

  void clear() {
    bytes.clear();
    items.clear();
  }
  void add(const Document& document) {
    bytes += document.id;
    const std::size_t id_end = bytes.size();
    bytes += document.title;
    const std::size_t title_end = bytes.size();
    bytes += document.text;
    items.push_back({id_end, title_end, bytes.size()});
  }
  Document operator[](std::size_t i) const {
    const std::string_view all = bytes;
    const std::size_t begin = i == 0 ? 0 : items[i - 1].text_end;
    const Item& item = items[i];
    return {all.substr(begin, item.id_end - begin),
            all.substr(item.id_end, item.title_end - item.id_end),
            all.substr(item.title_end, item.text_end - item.title_end)};
  }
};

/// Documents [first, last) of a batch: what one thread works on at a time.
struct Part {
  std::size_t first, last;
};

std::vector<Part> parts_of(const TextBatch& batch, std::size_t parts) {
  std::vector<Part> cut;
  std::size_t first = 0;
  for (std::size_t p = 1; p <= parts; ++p) {
    // By bytes, so that parts take about the same time.
    const std::size_t goal = batch.bytes.size() * p / parts;
    std::size_t last = first;
    while (last < batch.items.size() && (p == parts || batch.items[last].text_end <= goal)) {
      ++last;
    }
    cut.push_back({first, last});
    first = last;
  }
  return cut;
}

/// Reads batches ahead of whoever works on them.
class BatchReader {
 public:
  BatchReader(std::unique_ptr<DocumentReader> reader, std::size_t batch_bytes, bool ahead)
      : reader_(std::move(reader)), batch_bytes_(batch_bytes), ahead_(ahead) {
    if (ahead_) {
      ask();
    }
  }
  ~BatchReader() {
    if (next_.valid()) {
      next_.wait();
    }
  }
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  /// Swaps the next batch in; false at the end.
  bool next(TextBatch& batch) {
    if (ahead_) {
      next_.get();
      std::swap(batch, waiting_);
      progress_ = waiting_progress_;
      if (!batch.items.empty()) {
        ask();
      }
    } else {
      fill(batch);
      progress_ = waiting_progress_;
    }
    return !batch.items.empty();
  }
  std::uint64_t consumed() const { return progress_; }
  /// Only when nothing is being read: at the end.
  const DocumentReader& reader() const { return *reader_; }
  std::optional<std::uint64_t> size() const { return size_; }

 private:
  void ask() {
    next_ = std::async(std::launch::async, [this] { fill(waiting_); });
  }
  void fill(TextBatch& batch) {
    batch.clear();
    Document document;
    while (batch.bytes.size() < batch_bytes_ && reader_->next(document)) {
      batch.add(document);
    }
    waiting_progress_ = reader_->consumed();
  }

  std::unique_ptr<DocumentReader> reader_;
  std::size_t batch_bytes_;
  bool ahead_;
  TextBatch waiting_;
  std::optional<std::uint64_t> size_ = reader_->size();
  std::uint64_t progress_ = 0, waiting_progress_ = 0;
  std::future<void> next_;
};

class CountTokens final : public TokenSink {
 public:
  explicit CountTokens(WordCounter& counter) : counter_(counter) {}
  void put(std::string_view token) override { counter_.add_token(token); }

 private:
  WordCounter& counter_;
};

/// Numbers of the tokens of several documents, one after the other.
class NumberTokens final : public TokenSink {
 public:
  explicit NumberTokens(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}
  void put(std::string_view token) override {
    const std::uint32_t id = vocabulary_.find(token);
    if (id == Vocabulary::none) {
      ++unknown;
    } else {
      ids.push_back(id);
    }
  }
  void clear() {
    ids.clear();
    ends.clear();
  }

  std::vector<std::uint32_t> ids;
  std::vector<std::size_t> ends;  // of the documents in ids
  std::uint64_t unknown = 0;

 private:
  const Vocabulary& vocabulary_;
};

/// One import of text.
class TextImport {
 public:
  explicit TextImport(ImportRun& run)
      : run_(run),
        parts_(run.threads.count()),
        // Two batches, their copies of numbers, and what tokenizers hold: a fourth of the memory.
        batch_bytes_(std::clamp<std::size_t>(run.plan.memory_bytes / 32, 64 << 10, 16 << 20)) {}

  Vocabulary count() {
    std::vector<Tokenizer> tokenizers = make_tokenizers();
    std::vector<WordCounter> counters;
    for (std::size_t p = 0; p < parts_; ++p) {
      counters.emplace_back(run_.scratch.path(), std::to_string(p),
                            run_.plan.memory_bytes / 2 / parts_);
    }
    for_batches("counting words", [&](const TextBatch& batch, const std::vector<Part>& parts) {
      run_.threads.for_each(parts.size(), [&](std::size_t p) {
        CountTokens sink(counters[p]);
        for (std::size_t i = parts[p].first; i < parts[p].last; ++i) {
          tokenizers[p].tokens(batch[i].text, sink);
          counters[p].end_document();
        }
      });
    });
    return selected_vocabulary(run_, counters);
  }

  void write(const Vocabulary& vocabulary) {
    std::vector<Tokenizer> tokenizers = make_tokenizers();
    std::vector<NumberTokens> numbers(parts_, NumberTokens(vocabulary));
    CorpusWriter writer(run_.folder, Order::text, run_.overwrite);
    for_batches("writing", [&](const TextBatch& batch, const std::vector<Part>& parts) {
      run_.threads.for_each(parts.size(), [&](std::size_t p) {
        numbers[p].clear();
        for (std::size_t i = parts[p].first; i < parts[p].last; ++i) {
          tokenizers[p].tokens(batch[i].text, numbers[p]);
          numbers[p].ends.push_back(numbers[p].ids.size());
        }
      });
      for (std::size_t p = 0; p < parts.size(); ++p) {
        put(batch, parts[p], numbers[p], writer);
      }
    });
    for (std::size_t p = 0; p < parts_; ++p) {
      run_.report.text += tokenizers[p].counts();
      run_.report.unknown_tokens += numbers[p].unknown;
    }
    finish_corpus(run_, writer, vocabulary);
  }

 private:
  std::vector<Tokenizer> make_tokenizers() const {
    std::vector<Tokenizer> all;
    for (std::size_t p = 0; p < parts_; ++p) {
      all.emplace_back(run_.plan.tokenizer);
    }
    return all;
  }

  void put(const TextBatch& batch, const Part& part, const NumberTokens& numbers,
           CorpusWriter& writer) {
    const std::span<const std::uint32_t> ids = numbers.ids;
    std::size_t begin = 0;
    for (std::size_t i = part.first; i < part.last; ++i) {
      const std::size_t end = numbers.ends[i - part.first];
      run_.report.empty_documents += begin == end ? 1 : 0;
      writer.add(ids.subspan(begin, end - begin), batch[i].id, batch[i].title);
      begin = end;
    }
  }

  template <class Work>
  void for_batches(std::string_view phase, const Work& work) {
    BatchReader reader(run_.report.folder
                           ? read_folder(run_.source)
                           : read_documents(run_.report.format, open_bytes(run_.source)),
                       batch_bytes_, parts_ > 1);
    TextBatch batch;
    std::uint64_t documents = 0;
    while (reader.next(batch)) {
      work(batch, parts_of(batch, parts_));
      documents += batch.items.size();
      run_.show({phase, documents, reader.consumed(), reader.size()});
    }
    run_.report.read = reader.reader().counts();
  }

  ImportRun& run_;
  std::size_t parts_, batch_bytes_;
};

}  // namespace

void import_text(ImportRun& run) {
  TextImport text(run);
  text.write(run.plan.vocabulary
                 ? read_vocabulary(*run.plan.vocabulary, run.plan.tokenizer.letter_case)
                 : text.count());
}

}  // namespace tain

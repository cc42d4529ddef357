// Documents of text, in batches: while one is read, the one before is cut into tokens by all
// threads and the one before that is written.
#include <algorithm>
#include <mutex>
#include <optional>
#include <span>

#include "tain/core/error.hpp"
#include "text/import_run.hpp"

namespace tain {
namespace {

constexpr std::size_t cache_line = 64;

/// Documents copied out of the reader, so that several threads can work on them.
struct TextBatch {
  struct Item {
    std::size_t id_end, title_end, text_end;  // of the fields one after the other in `bytes`
  };
  std::string bytes;
  std::vector<Item> items;
  std::uint64_t consumed = 0;  // bytes of the source used up to its end

  /// Gives back what one large document has taken.
  void clear(std::size_t usual_bytes) {
    if (bytes.capacity() > 2 * usual_bytes) {
      bytes = {};
    }
    bytes.clear();
    bytes.reserve(usual_bytes + usual_bytes / 4);
    items.clear();
  }
  void add(const Document& document) {
    const std::size_t size = document.id.size() + document.title.size() + document.text.size();
    bytes.reserve(std::max(bytes.capacity(), bytes.size() + size));
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

/// Reads batches, or as much of one as is left.
class BatchReader {
 public:
  BatchReader(std::unique_ptr<DocumentReader> reader, std::size_t batch_bytes)
      : reader_(std::move(reader)), batch_bytes_(batch_bytes) {}

  void fill(TextBatch& batch) {
    batch.clear(batch_bytes_);
    Document document;
    while (!ended_ && batch.bytes.size() < batch_bytes_) {
      if (reader_->next(document)) {
        batch.add(document);
      } else {
        ended_ = true;
      }
    }
    batch.consumed = reader_->consumed();
  }
  const DocumentReader& reader() const { return *reader_; }

 private:
  std::unique_ptr<DocumentReader> reader_;
  std::size_t batch_bytes_;
  bool ended_ = false;
};

class CountTokens final : public TokenSink {
 public:
  explicit CountTokens(WordCounter& counter) : counter_(counter) {}
  void put(std::string_view token) override { counter_.add_padded_token(token); }

 private:
  WordCounter& counter_;
};

/// Numbers of the tokens of documents [first, last) of a batch: what one thread makes at a time. On
/// cache lines of its own, like all that two threads write.
struct alignas(cache_line) Part {
  std::size_t first = 0, last = 0;
  std::vector<std::uint32_t> ids;  // of one document after the other
  std::vector<std::size_t> ends;   // of the documents in ids

  void clear(std::size_t usual_bytes) {
    if (ids.capacity() > usual_bytes) {
      ids = {};
    }
    ids.clear();
    ends.clear();
  }
};

class NumberTokens final : public TokenSink {
 public:
  NumberTokens(const Vocabulary& vocabulary, std::vector<std::uint32_t>& ids)
      : vocabulary_(vocabulary), ids_(ids) {}
  void put(std::string_view token) override {
    const std::uint32_t id = vocabulary_.find_padded(token);
    if (id == Vocabulary::none) {
      ++unknown;
    } else {
      ids_.push_back(id);
    }
  }
  std::uint64_t unknown = 0;

 private:
  const Vocabulary& vocabulary_;
  std::vector<std::uint32_t>& ids_;
};

/// A batch on its way from the reader to the writer.
struct Load {
  TextBatch texts;
  std::vector<Part> parts;

  /// By bytes, so that parts take about the same time.
  void cut(std::size_t num_parts, std::size_t usual_bytes) {
    parts.resize(num_parts);
    std::size_t first = 0;
    for (std::size_t p = 0; p < num_parts; ++p) {
      const std::size_t goal = texts.bytes.size() * (p + 1) / num_parts;
      parts[p].clear(usual_bytes);
      parts[p].first = first;
      while (first < texts.items.size() &&
             (p + 1 == num_parts || texts.items[first].text_end <= goal)) {
        ++first;
      }
      parts[p].last = first;
    }
  }
};

/// Things of which every thread needs one at a time, whichever it is.
template <class T>
class Shared {
 public:
  explicit Shared(std::vector<T> all) : all_(std::move(all)) {
    for (std::size_t i = all_.size(); i > 0; --i) {
      free_.push_back(i - 1);
    }
  }
  /// One of them, free again when this goes.
  class Lease {
   public:
    explicit Lease(Shared& owner) : owner_(owner), index_(owner.take()) {}
    ~Lease() {
      const std::lock_guard lock(owner_.mutex_);
      owner_.free_.push_back(index_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T* operator->() const { return &owner_.all_[index_]; }

   private:
    Shared& owner_;
    std::size_t index_;
  };
  std::span<T> all() { return all_; }

 private:
  std::size_t take() {
    const std::lock_guard lock(mutex_);
    TAIN_EXPECTS(!free_.empty(), "as many as threads");
    const std::size_t mine = free_.back();
    free_.pop_back();
    return mine;
  }

  std::vector<T> all_;
  std::mutex mutex_;
  std::vector<std::size_t> free_;
};

/// What a thread works with.
struct alignas(cache_line) Desk {
  Tokenizer tokenizer;
  std::optional<WordCounter> counter = {};
  std::uint64_t unknown = 0;
};

/// One import of text.
class TextImport {
 public:
  explicit TextImport(ImportRun& run)
      : run_(run),
        num_threads_(run.threads.count()),
        batch_bytes_(std::clamp<std::size_t>(run.plan.memory_bytes / 64, 64 << 10,
                                             num_threads_ * most_batch_bytes)) {}

  Vocabulary count() {
    Shared<Desk> desks = make_desks();
    for (std::size_t d = 0; d < num_threads_; ++d) {
      desks.all()[d].counter.emplace(run_.scratch, std::to_string(d),
                                     counting_bytes() / num_threads_);
    }
    for_batches(
        "counting words",
        [&](const TextBatch& texts, const Part& part) {
          const Shared<Desk>::Lease desk(desks);
          CountTokens sink(*desk->counter);
          for (std::size_t i = part.first; i < part.last; ++i) {
            desk->tokenizer.tokens(texts[i].text, sink);
            desk->counter->end_document();
          }
        },
        [](const Load&) {});
    std::vector<WordCounter> counters;
    for (Desk& desk : desks.all()) {
      counters.push_back(std::move(*desk.counter));
    }
    return selected_vocabulary(run_, counters);
  }

  void write(const Vocabulary& vocabulary) {
    Shared<Desk> desks = make_desks();
    CorpusWriter writer(run_.folder, Order::text);
    for_batches(
        "writing",
        [&](const TextBatch& texts, Part& part) {
          const Shared<Desk>::Lease desk(desks);
          NumberTokens sink(vocabulary, part.ids);
          for (std::size_t i = part.first; i < part.last; ++i) {
            desk->tokenizer.tokens(texts[i].text, sink);
            part.ends.push_back(part.ids.size());
          }
          desk->unknown += sink.unknown;
        },
        [&](const Load& load) {
          for (const Part& part : load.parts) {
            put(load.texts, part, writer);
          }
        });
    for (const Desk& desk : desks.all()) {
      run_.report.text += desk.tokenizer.counts();
      run_.report.unknown_tokens += desk.unknown;
    }
    finish_corpus(run_, writer, vocabulary);
  }

 private:
  /// Small enough for the caches, large against the cost of handing work to a thread.
  static constexpr std::size_t most_batch_bytes = std::size_t{1} << 20;
  /// For a thread that is late, there must be something to take over.
  static constexpr std::size_t parts_per_thread = 4;
  /// Program, files' buffers and tables.
  static constexpr std::size_t fixed_bytes = std::size_t{24} << 20;

  /// Three batches with the numbers of their tokens (at most two bytes of text make one, vectors
  /// grow by doubling) take 15 / 64 of the memory; tables of words may take half as much again
  /// while they grow.
  std::size_t counting_bytes() const {
    const std::size_t all = run_.plan.memory_bytes;
    const std::size_t taken = 15 * batch_bytes_ + fixed_bytes;
    return all > taken ? (all - taken) / 3 * 2 : 0;
  }

  Shared<Desk> make_desks() const {
    std::vector<Desk> all;
    for (std::size_t d = 0; d < num_threads_; ++d) {
      all.push_back({Tokenizer(run_.plan.tokenizer)});
    }
    return Shared<Desk>(std::move(all));
  }

  void put(const TextBatch& texts, const Part& part, CorpusWriter& writer) {
    const std::span<const std::uint32_t> ids = part.ids;
    std::size_t begin = 0;
    for (std::size_t i = part.first; i < part.last; ++i) {
      const std::size_t end = part.ends[i - part.first];
      run_.report.empty_documents += begin == end ? 1 : 0;
      writer.add(ids.subspan(begin, end - begin), texts[i].id, texts[i].title);
      begin = end;
    }
  }

  /// Reads a batch, works on the parts of the one before it and puts the one before that, all at
  /// the same time.
  template <class Work, class Put>
  void for_batches(std::string_view phase, const Work& work, const Put& put_load) {
    BatchReader reader(run_.report.folder
                           ? read_folder(run_.source)
                           : read_documents(format_from_name(run_.report.format), run_.open()),
                       batch_bytes_);
    const std::size_t num_parts = num_threads_ == 1 ? 1 : parts_per_thread * num_threads_;
    const std::optional<std::uint64_t> size = reader.reader().size();
    Load next, current, last;
    std::uint64_t documents = 0;
    reader.fill(next.texts);
    while (!next.texts.items.empty() || !current.texts.items.empty()) {
      std::swap(last, current);
      std::swap(current, next);
      current.cut(num_parts, batch_bytes_);
      run_.threads.for_each(2 + num_parts, [&](std::size_t task) {
        if (task == 0) {
          reader.fill(next.texts);
        } else if (task == 1) {
          put_load(last);
        } else {
          work(current.texts, current.parts[task - 2]);
        }
      });
      documents += current.texts.items.size();
      run_.show({phase, documents, current.texts.consumed, size});
    }
    run_.report.read = reader.reader().counts();
  }

  ImportRun& run_;
  std::size_t num_threads_, batch_bytes_;
};

}  // namespace

void import_text(ImportRun& run) {
  TextImport text(run);
  text.write(run.plan.vocabulary
                 ? read_vocabulary(*run.plan.vocabulary, run.plan.tokenizer.letter_case)
                 : text.count());
}

}  // namespace tain

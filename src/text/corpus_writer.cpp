#include "text/corpus_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/descriptor.hpp"
#include "core/file.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_file.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using corpus_file::Header;
using corpus_file::Section;

constexpr std::size_t written_bytes = std::size_t{1} << 20;

/// A file written from front to back; every failure is an Error (io) that names it.
class OutputFile {
 public:
  explicit OutputFile(fs::path path) : path_(std::move(path)), buffer_(written_bytes) {
    file_ = std::fopen(path_.c_str(), "wb+");
    if (file_ == nullptr) {
      fail_errno(Fault::cannot_create, path_, errno);
    }
    std::setvbuf(file_, buffer_.data(), _IOFBF, buffer_.size());
  }
  ~OutputFile() {
    if (file_ != nullptr) {
      std::fclose(file_);
    }
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes) {
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
      failed();
    }
    size_ += bytes.size();
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void pad_to(std::size_t alignment) {
    static constexpr std::array<std::byte, corpus_file::section_alignment> zeros{};
    write(std::span(zeros).first((alignment - size_ % alignment) % alignment));
  }
  void rewind() {
    if (std::fflush(file_) != 0 || std::fseek(file_, 0, SEEK_SET) != 0) {
      failed();
    }
  }
  std::size_t read(std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), file_);
  }
  void sync() {
    if (std::fflush(file_) != 0 || ::fsync(fileno(file_)) != 0) {
      failed();
    }
  }
  std::uint64_t size() const { return size_; }

 private:
  [[noreturn]] void failed() const { fail_errno(Fault::io, path_, errno); }

  fs::path path_;
  std::vector<char> buffer_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
};

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0) {
    fail_errno(Fault::io, path, errno);
  }
}

/// The last two are those of a corpus with known topics.
constexpr std::array<std::string_view, 6> corpus_files{
    "corpus.bin", "vocab.txt", "documents.tsv", "manifest.json", "topics.npy", "proportions.npy"};

/// Fields of documents.tsv are one line: what would break it becomes a blank.
void append_field(std::string& line, std::string_view field) {
  for (const char c : field) {
    line += c == '\t' || c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
  }
}

}  // namespace

CorpusFolder::CorpusFolder(const fs::path& folder, Overwrite overwrite)
    : OutputFolder(Field{"output"}, folder, corpus_files) {
  const Phrase where = output_place(Field{"output"}, folder_path(folder));
  std::error_code ignored;
  if (empty()) {
    return;
  }
  // Nothing but a corpus, whatever name was mistyped.
  if (!fs::exists(path() / corpus_files[0], ignored)) {
    fail(Fault::cannot_create, where, "exists and is no corpus", "choose another folder");
  }
  if (overwrite == Overwrite::no) {
    fail(Fault::cannot_create, where, "exists",
         Phrase("give ", Field{"overwrite", "true"}, " to replace it"));
  }
}

struct CorpusWriter::State {
  State(CorpusFolder& corpus_folder, Order tokens_order);

  void add_names(std::string_view name, std::string_view title);
  void end_document(std::uint64_t entries, std::uint64_t new_tokens);
  /// Appends a finished side file to corpus.bin as a section.
  Section append(OutputFile& side, std::size_t element_bytes, const Checksum& checksum);
  /// Writes vocab.txt; the checksum of its bytes.
  std::uint64_t write_words(std::span<const std::string> vocabulary) const;
  void write_header(std::span<const std::string> vocabulary);
  /// Closes and removes what the finished corpus does not hold.
  void remove_side_files();
  /// To its final name, everything on disk.
  void move_into_place();

  CorpusFolder& folder;
  fs::path draft = folder.draft();
  Order order;
  std::unique_ptr<OutputFile> main, counts, offsets, names;
  Checksum ids_sum, counts_sum, offsets_sum;
  std::uint64_t documents = 0, tokens = 0, entries = 0;
  std::uint32_t words = 0;  // one more than the largest id
  bool named = false;
  std::string line;
  std::vector<fs::path> extras;
};

CorpusWriter::State::State(CorpusFolder& corpus_folder, Order tokens_order)
    : folder(corpus_folder), order(tokens_order) {
  main = std::make_unique<OutputFile>(draft / "corpus.bin");
  counts = std::make_unique<OutputFile>(draft / "counts.part");
  offsets = std::make_unique<OutputFile>(draft / "offsets.part");
  names = std::make_unique<OutputFile>(draft / "documents.tsv");
  main->write(std::string(corpus_file::header_bytes, '\0'));
  end_document(0, 0);
  documents = 0;
}

void CorpusWriter::State::add_names(std::string_view name, std::string_view title) {
  named = named || !name.empty() || !title.empty();
  line.clear();
  append_field(line, name);
  line += '\t';
  append_field(line, title);
  line += '\n';
  names->write(line);
}

void CorpusWriter::State::end_document(std::uint64_t new_entries, std::uint64_t new_tokens) {
  entries += new_entries;
  tokens += new_tokens;
  ++documents;
  const auto bytes = std::as_bytes(std::span(&entries, 1));
  offsets->write(bytes);
  offsets_sum.add(bytes);
}

Section CorpusWriter::State::append(OutputFile& side, std::size_t element_bytes,
                                    const Checksum& checksum) {
  main->pad_to(corpus_file::section_alignment);
  const Section section{main->size(), side.size() / element_bytes, checksum.value()};
  side.rewind();
  std::vector<std::byte> buffer(written_bytes);
  for (std::uint64_t left = side.size(); left > 0;) {
    const std::size_t got =
        side.read(std::span(buffer).first(std::min<std::uint64_t>(left, buffer.size())));
    if (got == 0) {
      fail(Fault::io, draft.string(), "could not be read back", "check the disk");
    }
    main->write(std::span(buffer).first(got));
    left -= got;
  }
  return section;
}

CorpusWriter::CorpusWriter(CorpusFolder& folder, Order order)
    : state_(std::make_unique<State>(folder, order)) {}

CorpusWriter::CorpusWriter(const fs::path& folder, Order order, Overwrite overwrite)
    : own_folder_(std::make_unique<CorpusFolder>(folder, overwrite)),
      state_(std::make_unique<State>(*own_folder_, order)) {}

CorpusWriter::~CorpusWriter() = default;

std::uint64_t CorpusWriter::documents() const { return state_->documents; }
std::uint64_t CorpusWriter::tokens() const { return state_->tokens; }

void CorpusWriter::add(std::span<const std::uint32_t> tokens, std::string_view name,
                       std::string_view title) {
  State& s = *state_;
  TAIN_EXPECTS(s.order == Order::text, "a corpus of tokens in order");
  for (const std::uint32_t id : tokens) {
    s.words = std::max(s.words, id + 1);
  }
  s.main->write(std::as_bytes(tokens));
  s.ids_sum.add(std::as_bytes(tokens));
  s.add_names(name, title);
  s.end_document(tokens.size(), tokens.size());
}

void CorpusWriter::add(std::span<const std::uint32_t> ids, std::span<const std::uint32_t> counts,
                       std::string_view name, std::string_view title) {
  State& s = *state_;
  TAIN_EXPECTS(s.order == Order::none && ids.size() == counts.size(), "a corpus of counts");
  std::uint64_t tokens = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    TAIN_EXPECTS((i == 0 || ids[i - 1] < ids[i]) && counts[i] > 0, "ascending ids with counts");
    s.words = std::max(s.words, ids[i] + 1);
    tokens += counts[i];
  }
  s.main->write(std::as_bytes(ids));
  s.ids_sum.add(std::as_bytes(ids));
  s.counts->write(std::as_bytes(counts));
  s.counts_sum.add(std::as_bytes(counts));
  s.add_names(name, title);
  s.end_document(ids.size(), tokens);
}

fs::path CorpusWriter::beside(std::string_view name) {
  return state_->extras.emplace_back(state_->draft / name);
}

std::uint64_t CorpusWriter::State::write_words(std::span<const std::string> vocabulary) const {
  Checksum checksum;
  OutputFile file(draft / "vocab.txt");
  for (const std::string& word : vocabulary) {
    TAIN_EXPECTS(word.find('\n') == std::string::npos, "words are one line each");
    for (const std::string_view text : {std::string_view(word), std::string_view("\n")}) {
      file.write(text);
      checksum.add(std::as_bytes(std::span(text)));
    }
  }
  file.sync();
  return checksum.value();
}

void CorpusWriter::State::write_header(std::span<const std::string> vocabulary) {
  Header header;
  header.has_text_order = order == Order::text ? 1 : 0;
  header.words = static_cast<std::uint32_t>(vocabulary.size());
  header.tokens = tokens;
  header.ids = {corpus_file::header_bytes, entries, ids_sum.value()};
  header.counts = append(*counts, sizeof(std::uint32_t), counts_sum);
  header.offsets = append(*offsets, sizeof(std::uint64_t), offsets_sum);
  header.file_bytes = main->size();
  header.words_checksum = write_words(vocabulary);
  header.checksum = corpus_file::header_checksum(header);
  main->rewind();
  main->write(std::as_bytes(std::span(&header, 1)));
  main->sync();
}

void CorpusWriter::State::remove_side_files() {
  counts.reset();
  offsets.reset();
  remove_file(draft / "counts.part");
  remove_file(draft / "offsets.part");
  if (named) {
    names->sync();
  }
  names.reset();
  if (!named) {
    remove_file(draft / "documents.tsv");
  }
}

void CorpusWriter::State::move_into_place() {
  for (const fs::path& extra : extras) {
    sync_file(extra);
  }
  folder.replace_files();
}

void CorpusWriter::finish(std::span<const std::string> vocabulary, std::string_view manifest) {
  State& s = *state_;
  TAIN_EXPECTS(vocabulary.size() >= s.words, "every id has a word");
  s.write_header(vocabulary);
  s.remove_side_files();
  OutputFile description(s.draft / "manifest.json");
  description.write(manifest);
  description.sync();
  s.move_into_place();
}

}  // namespace tain

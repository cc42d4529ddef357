#include "text/corpus_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>  // renameat2
#include <cstring>

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
      fail(Fault::cannot_create, path_.string(), std::strerror(errno),
           "check the folder and its permissions");
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
  [[noreturn]] void failed() const {
    fail(Fault::io, path_.string(), std::strerror(errno), "make room on the disk and try again");
  }

  fs::path path_;
  std::vector<char> buffer_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
};

/// A file that someone else wrote.
void sync_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) {
    ::close(file);
  }
  if (!synced) {
    fail(Fault::io, path.string(), std::strerror(error), "make room on the disk and try again");
  }
}

const Field output{"output"};

/// What may be replaced: nothing but a corpus, whatever name was mistyped.
bool is_replaceable(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "corpus.bin", error) ||
         (fs::is_directory(folder, error) && fs::is_empty(folder, error));
}

void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    ::fsync(file);
    ::close(file);
  }
}

/// Fields of documents.tsv are one line: what would break it becomes a blank.
void append_field(std::string& line, std::string_view field) {
  for (const char c : field) {
    line += c == '\t' || c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
  }
}

}  // namespace

void require_corpus_place(const fs::path& folder, Overwrite overwrite) {
  const fs::path place = folder_path(folder);
  std::error_code error;
  if (!fs::exists(place, error)) {
    require_parent(output, place);
  } else if (!is_replaceable(place)) {
    fail(Fault::cannot_create, output_place(output, place), "exists and is no corpus",
         "choose another folder");
  } else if (overwrite == Overwrite::no) {
    fail(Fault::cannot_create, output_place(output, place), "exists",
         Phrase("give ", Field{"overwrite", "true"}, " to replace it"));
  }
}

struct CorpusWriter::State {
  State(const fs::path& final_folder, Order tokens_order, Overwrite overwrite_old);

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

  fs::path folder, partial;
  Order order;
  Overwrite overwrite;
  std::unique_ptr<OutputFile> main, counts, offsets, names;
  Checksum ids_sum, counts_sum, offsets_sum;
  std::uint64_t documents = 0, tokens = 0, entries = 0;
  std::uint32_t words = 0;  // one more than the largest id
  bool named = false, finished = false;
  std::string line;
  std::vector<fs::path> extras;
};

CorpusWriter::State::State(const fs::path& final_folder, Order tokens_order,
                           Overwrite overwrite_old)
    // `corpus/` is `corpus`: the partial folder stands beside it, not in it.
    : folder(folder_path(final_folder)),
      partial(folder.string() + ".partial"),
      order(tokens_order),
      overwrite(overwrite_old) {
  require_corpus_place(folder, overwrite);
  std::error_code error;
  fs::remove_all(partial, error);
  if (!fs::create_directory(partial, error) || error) {
    fail(Fault::cannot_create, partial.string(), error.message(),
         "check the folder above it and its permissions");
  }
  main = std::make_unique<OutputFile>(partial / "corpus.bin");
  counts = std::make_unique<OutputFile>(partial / "counts.part");
  offsets = std::make_unique<OutputFile>(partial / "offsets.part");
  names = std::make_unique<OutputFile>(partial / "documents.tsv");
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
      fail(Fault::io, partial.string(), "could not be read back", "check the disk");
    }
    main->write(std::span(buffer).first(got));
    left -= got;
  }
  return section;
}

CorpusWriter::CorpusWriter(const fs::path& folder, Order order, Overwrite overwrite)
    : state_(std::make_unique<State>(folder, order, overwrite)) {}

CorpusWriter::CorpusWriter(CorpusWriter&&) noexcept = default;

CorpusWriter::~CorpusWriter() {
  if (state_ && !state_->finished) {
    std::error_code ignored;
    fs::remove_all(state_->partial, ignored);
  }
}

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
  return state_->extras.emplace_back(state_->partial / name);
}

std::uint64_t CorpusWriter::State::write_words(std::span<const std::string> vocabulary) const {
  Checksum checksum;
  OutputFile file(partial / "vocab.txt");
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
  fs::remove(partial / "counts.part");
  fs::remove(partial / "offsets.part");
  if (named) {
    names->sync();
  }
  names.reset();
  if (!named) {
    fs::remove(partial / "documents.tsv");
  }
}

void CorpusWriter::State::move_into_place() {
  for (const fs::path& extra : extras) {
    sync_file(extra);
  }
  sync_folder(partial);
  std::error_code error;
  // An old corpus changes places with the new one, so that there is no moment with neither; file
  // systems that cannot do that lose it first.
  if (overwrite == Overwrite::yes && fs::exists(folder, error)) {
    if (::renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0) {
      fs::remove_all(folder);
      fs::rename(partial, folder, error);
    } else {
      fs::remove_all(partial, error);
    }
  } else {
    fs::rename(partial, folder, error);
  }
  if (error) {
    fail(Fault::cannot_create, output_place(output, folder), error.message(),
         "choose another folder");
  }
  sync_folder(fs::absolute(folder).parent_path());
  finished = true;
}

void CorpusWriter::finish(std::span<const std::string> vocabulary, std::string_view manifest) {
  State& s = *state_;
  TAIN_EXPECTS(vocabulary.size() >= s.words, "every id has a word");
  s.write_header(vocabulary);
  s.remove_side_files();
  OutputFile description(s.partial / "manifest.json");
  description.write(manifest);
  description.sync();
  s.move_into_place();
}

}  // namespace tain

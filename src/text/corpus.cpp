#include "tain/text/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "core/file.hpp"
#include "core/input.hpp"
#include "core/output_folder.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_file.hpp"

namespace tain {
namespace {

using corpus_file::Header;
using corpus_file::Section;

[[noreturn]] void damaged(const std::filesystem::path& path, std::string_view problem) {
  fail(Fault::data, path.string(), problem, "import the corpus again");
}

Header read_header(const MappedFile& file, const std::filesystem::path& path) {
  Header header;
  if (file.bytes().size() < corpus_file::header_bytes) {
    damaged(path, "is too short for a corpus");
  }
  std::memcpy(&header, file.bytes().data(), sizeof header);
  if (header.mark != corpus_file::magic) {
    damaged(path, "is no corpus");
  }
  if (header.order_of_bytes != corpus_file::byte_order || header.format != corpus_file::version) {
    fail(Fault::data, path.string(),
         fmt::format("has format {} of corpora, this program reads {}", header.format,
                     corpus_file::version),
         "import the corpus again with this version");
  }
  if (header.checksum != corpus_file::header_checksum(header)) {
    damaged(path, "has a damaged header");
  }
  if (header.file_bytes != file.bytes().size()) {
    damaged(path, fmt::format("has {} bytes, not the {} it should have", file.bytes().size(),
                              header.file_bytes));
  }
  return header;
}

template <class T>
std::span<const T> section(const MappedFile& file, const Section& where, std::string_view name,
                           const std::filesystem::path& path) {
  const std::uint64_t size = file.bytes().size();
  if (where.begin % corpus_file::section_alignment != 0 || where.begin > size ||
      where.elements > (size - where.begin) / sizeof(T)) {
    damaged(path, fmt::format("its {} lie outside of it", name));
  }
  const std::byte* const bytes = file.bytes().data() + where.begin;
  return {reinterpret_cast<const T*>(bytes), where.elements};
}

/// Of the sections, as far as they were read.
struct Sums {
  Checksum ids, counts, offsets;
  std::uint64_t tokens = 0;
};
static_assert(std::is_trivially_copyable_v<Sums>);

void require_checksum(const Checksum& found, const Section& where, std::string_view name,
                      const std::filesystem::path& path) {
  if (found.value() != where.checksum) {
    damaged(path, fmt::format("its {} are damaged (wrong checksum)", name));
  }
}

void require_sums(const Header& header, const Sums& sums, const std::filesystem::path& path) {
  require_checksum(sums.ids, header.ids, "words", path);
  require_checksum(sums.counts, header.counts, "counts", path);
  require_checksum(sums.offsets, header.offsets, "documents", path);
  if (sums.tokens != header.tokens) {
    damaged(path,
            fmt::format("has {} tokens, not the {} it should have", sums.tokens, header.tokens));
  }
}

/// Byte for byte what the writer wrote: no other line ends, no decompression.
std::vector<std::string> read_words(const std::filesystem::path& path, const Header& header) {
  const MappedFile file = MappedFile::open_read_only(path);
  std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  std::vector<std::string> words;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end + 1)) {
    end = text.find('\n');
    if (end == std::string_view::npos) {
      damaged(path, "its last line has no end");
    }
    words.emplace_back(text.substr(0, end));
  }
  if (words.size() != header.words) {
    damaged(path, fmt::format("has {} words, the corpus {}", words.size(), header.words));
  }
  Checksum checksum;
  checksum.add(file.bytes());
  if (checksum.value() != header.words_checksum) {
    damaged(path, "its words are not those of the corpus (wrong checksum)");
  }
  return words;
}

/// Documents as they are stored.
struct Stored {
  std::span<const std::uint32_t> ids, counts;
  std::span<const std::uint64_t> offsets;  ///< one more than documents

  /// Documents [first, end).
  Stored slice(std::size_t first, std::size_t end) const {
    const std::uint64_t begin = offsets[first], size = offsets[end] - begin;
    return {ids.subspan(begin, size), counts.empty() ? counts : counts.subspan(begin, size),
            offsets.subspan(first, end - first + 1)};
  }
  /// Goes on with the sums of the documents before these. Each has the offset of its end; the first
  /// of all that of its beginning too.
  void add_to(Sums& sums, bool first) const {
    sums.ids.add(std::as_bytes(ids));
    sums.counts.add(std::as_bytes(counts));
    sums.offsets.add(std::as_bytes(first ? offsets : offsets.subspan(1)));
    sums.tokens += counts.empty() ? ids.size()
                                  : std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
};

/// Different words in ascending order, each of them there.
bool are_bags(const Stored& part) {
  const std::uint64_t first = part.offsets.front();
  for (std::size_t d = 0; d + 1 < part.offsets.size(); ++d) {
    const auto document =
        part.ids.subspan(part.offsets[d] - first, part.offsets[d + 1] - part.offsets[d]);
    if (std::ranges::adjacent_find(document, std::greater_equal()) != document.end()) {
      return false;
    }
  }
  return std::ranges::find(part.counts, 0U) == part.counts.end();
}

void require_sizes(const Header& header, const Stored& all, const std::filesystem::path& path) {
  if (all.offsets.empty() || all.offsets.front() != 0 || all.offsets.back() != all.ids.size()) {
    damaged(path, "its documents do not follow one another");
  }
  if (all.counts.size() != (header.has_text_order != 0 ? 0 : all.ids.size())) {
    damaged(path, "has not as many counts as words");
  }
}

void require_sound(const Header& header, const Stored& all, std::size_t first, std::size_t end,
                   const std::filesystem::path& path) {
  const auto offsets = all.offsets.subspan(first, end - first + 1);
  if (!std::ranges::is_sorted(offsets) || offsets.back() > all.ids.size()) {
    damaged(path, "its documents do not follow one another");
  }
  const Stored part = all.slice(first, end);
  if (header.has_text_order == 0 && !are_bags(part)) {
    damaged(path, "its words are not in order, or some have no count");
  }
  const auto largest = std::ranges::max_element(part.ids);
  if (largest != part.ids.end() && *largest >= header.words) {
    damaged(path, fmt::format("holds word {} of {}", *largest, header.words));
  }
}

/// The first document of a part: parts are of about equal numbers of words.
std::size_t first_of_part(const Stored& all, int part, int parts) {
  const std::size_t documents = all.offsets.size() - 1;
  if (part == 0 || part == parts) {
    return part == 0 ? 0 : documents;
  }
  const double wanted = static_cast<double>(all.ids.size()) * part / parts;
  const auto found = std::ranges::lower_bound(
      all.offsets, wanted, {}, [](std::uint64_t offset) { return static_cast<double>(offset); });
  return std::min(documents, static_cast<std::size_t>(found - all.offsets.begin()));
}

void require_documents(const CorpusParts& parts) {
  const std::size_t entries = parts.ids.size();
  if (parts.counts.size() != entries) {
    fail(Fault::data, "documents",
         fmt::format("have {} words and {} counts", entries, parts.counts.size()),
         "give every word its count");
  }
  if (parts.offsets.empty() || parts.offsets.front() != 0 || parts.offsets.back() != entries) {
    fail(Fault::data, "documents",
         parts.offsets.empty() ? "have no offsets, not even the first"
                               : fmt::format("begin at {} and end at {}, not at 0 and {}",
                                             parts.offsets.front(), parts.offsets.back(), entries),
         "give offsets from 0 to the number of words");
  }
  const auto falling = std::ranges::adjacent_find(parts.offsets, std::greater());
  if (falling != parts.offsets.end()) {
    fail(Fault::data, fmt::format("document {}", falling - parts.offsets.begin()),
         fmt::format("begins at {} and ends at {}", falling[0], falling[1]),
         "give ascending offsets");
  }
}

void require_words(const CorpusParts& parts, std::size_t document) {
  constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
  const auto refuse = [&](const std::string& problem, std::string_view remedy) {
    fail(Fault::data, fmt::format("document {}", document), problem, remedy);
  };
  for (std::uint64_t i = parts.offsets[document]; i < parts.offsets[document + 1]; ++i) {
    const std::uint32_t id = parts.ids[i], count = parts.counts[i];
    if (id >= parts.vocabulary.size()) {
      refuse(fmt::format("holds word {}, there are {}", static_cast<std::int32_t>(id),
                         parts.vocabulary.size()),
             "number words from 0");
    }
    if (i > parts.offsets[document] && parts.ids[i - 1] >= id) {
      refuse(parts.ids[i - 1] == id
                 ? fmt::format("holds word {} twice", id)
                 : fmt::format("holds word {} after word {}", id, parts.ids[i - 1]),
             "add up the counts of a word, and sort words by their numbers");
    }
    if (count == 0 || count > most) {
      refuse(fmt::format("word {} has the count {}", id, static_cast<std::int32_t>(count)),
             "counts are at least 1: leave out words that are not there");
    }
  }
}

/// Of the header that the writer would write.
std::uint64_t fingerprint_of(const CorpusParts& parts, std::uint64_t tokens) {
  std::uint64_t end = corpus_file::header_bytes;
  const auto next = [&](auto values) {
    constexpr std::size_t alignment = corpus_file::section_alignment;
    Checksum checksum;
    checksum.add(std::as_bytes(values));
    const Section section{(end + alignment - 1) / alignment * alignment, values.size(),
                          checksum.value()};
    end = section.begin + values.size_bytes();
    return section;
  };
  Header header;
  header.words = static_cast<std::uint32_t>(parts.vocabulary.size());
  header.tokens = tokens;
  header.ids = next(parts.ids);
  header.counts = next(parts.counts);
  header.offsets = next(parts.offsets);
  header.file_bytes = end;
  Checksum words;
  for (const std::string& word : parts.vocabulary) {
    words.add(std::as_bytes(std::span(word)));
    words.add(std::as_bytes(std::span("\n", 1)));
  }
  header.words_checksum = words.value();
  return corpus_file::header_checksum(header);
}

}  // namespace

struct Corpus::Owned {
  MappedFile file;
  std::vector<std::string> vocabulary;
};

std::uint64_t DocumentWords::tokens() const {
  return counts.empty() ? ids.size()
                        : std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

Corpus Corpus::open(const std::filesystem::path& folder) { return open(folder, CorpusTurns()); }

Corpus Corpus::open(const std::filesystem::path& folder, const CorpusTurns& turns) {
  const auto& [part, parts, take] = turns;
  TAIN_EXPECTS(part >= 0 && part < parts && (parts == 1 || take), "one of the parts");
  const std::filesystem::path path = folder / "corpus.bin";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && was_being_replaced(folder)) {
    fail(Fault::no_input, folder.string(), "was being replaced when that was stopped",
         "repeat the command that wrote it: nothing is lost");
  }
  if (!std::filesystem::exists(path, ignored)) {
    fail(Fault::no_input, folder.string(), "is no corpus (it has no corpus.bin)",
         "make one with `tain corpus import`");
  }
  const Reading reading;
  Corpus corpus;
  corpus.folder_ = folder;
  const auto owned = std::make_shared<Owned>();
  owned->file = MappedFile::open_read_only(path);
  const Header header = read_header(owned->file, path);
  corpus.order_ = header.has_text_order != 0 ? Order::text : Order::none;
  corpus.tokens_ = header.tokens;
  corpus.ids_ = section<std::uint32_t>(owned->file, header.ids, "words", path);
  corpus.counts_ = section<std::uint32_t>(owned->file, header.counts, "counts", path);
  corpus.offsets_ = section<std::uint64_t>(owned->file, header.offsets, "documents", path);
  const Stored all{corpus.ids_, corpus.counts_, corpus.offsets_};
  require_sizes(header, all, path);
  const std::size_t first = first_of_part(all, part, parts),
                    end = first_of_part(all, part + 1, parts);
  if (first > end) {
    damaged(path, "its documents do not follow one another");
  }
  require_sound(header, all, first, end, path);
  Sums sums;
  const auto add = [&] { all.slice(first, end).add_to(sums, part == 0); };
  if (parts == 1) {
    add();
  } else {
    take(std::as_writable_bytes(std::span(&sums, 1)), add);
  }
  require_sums(header, sums, path);
  owned->vocabulary = read_words(folder / "vocab.txt", header);
  corpus.vocabulary_ = owned->vocabulary;
  corpus.owned_ = owned;
  corpus.fingerprint_ = header.checksum;
  return corpus;
}

Corpus Corpus::over(CorpusParts parts) {
  require_documents(parts);
  for (std::size_t d = 0; d + 1 < parts.offsets.size(); ++d) {
    require_words(parts, d);
  }
  const auto broken = std::ranges::find_if(parts.vocabulary, [](const std::string& word) {
    return word.find('\n') != std::string::npos;
  });
  if (broken != parts.vocabulary.end()) {
    fail(Fault::data, fmt::format("word {}", broken - parts.vocabulary.begin()),
         "holds the end of a line", "words are one line each");
  }
  Corpus corpus;
  corpus.ids_ = parts.ids;
  corpus.counts_ = parts.counts;
  corpus.offsets_ = parts.offsets;
  corpus.tokens_ = std::accumulate(parts.counts.begin(), parts.counts.end(), std::uint64_t{0});
  corpus.fingerprint_ = fingerprint_of(parts, corpus.tokens_);
  corpus.owned_ = std::make_shared<Owned>(Owned{{}, std::move(parts.vocabulary)});
  corpus.vocabulary_ = corpus.owned_->vocabulary;
  return corpus;
}

void Corpus::require_whole() const { owned_->file.require_whole(); }

std::string Corpus::name() const { return folder_.empty() ? "corpus in memory" : folder_.string(); }

DocumentWords Corpus::document(std::uint64_t d) const {
  TAIN_EXPECTS(d < documents(), "a document of the corpus");
  const std::uint64_t begin = offsets_[d], size = offsets_[d + 1] - begin;
  require_whole();  // what was just read
  return {ids_.subspan(begin, size), counts_.empty() ? counts_ : counts_.subspan(begin, size)};
}

}  // namespace tain

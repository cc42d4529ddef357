// Fuzz target: any bytes as a corpus on disk. What opens keeps the laws of text/corpus.hpp.
//   Input: a byte of choices, the sizes of vocab.txt (two bytes) and documents.tsv (one byte, 0:
//   none), vocab.txt, documents.tsv, corpus.bin.
// Checksums keep random damage out, which would hide the checks behind them: unless the first
// choice says otherwise, checksums and the size of the file are made right before it is opened.
#include <cstring>

#include "support.hpp"
#include "tain/text/corpus.hpp"
#include "text/corpus_file.hpp"
#include "text/document_names.hpp"

namespace {

using namespace tain;
using fuzz::require;

void make_right(std::string& bytes, corpus_file::Section& section, std::size_t element_bytes) {
  if (section.begin <= bytes.size() &&
      section.elements <= (bytes.size() - section.begin) / element_bytes) {
    Checksum checksum;
    checksum.add(
        std::as_bytes(std::span(bytes.data() + section.begin, section.elements * element_bytes)));
    section.checksum = checksum.value();
  }
}

void make_right(std::string& bytes, std::string_view words) {
  if (bytes.size() < corpus_file::header_bytes) {
    return;
  }
  corpus_file::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  make_right(bytes, header.ids, sizeof(std::uint32_t));
  make_right(bytes, header.counts, sizeof(std::uint32_t));
  make_right(bytes, header.offsets, sizeof(std::uint64_t));
  header.file_bytes = bytes.size();
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(words)));
  header.words_checksum = checksum.value();
  header.checksum = corpus_file::header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof header);
}

void check_document(const Corpus& corpus, const DocumentWords& document) {
  require(document.counts.size() == (corpus.order() == Order::text ? 0 : document.ids.size()),
          "counts belong to words");
  for (std::size_t i = 0; i < document.ids.size(); ++i) {
    require(document.ids[i] < corpus.words(), "every id has a word");
    if (corpus.order() == Order::none) {
      require(i == 0 || document.ids[i - 1] < document.ids[i], "words ascend");
      require(document.counts[i] > 0, "words that are there are counted");
    }
  }
}

void check(const Corpus& corpus) {
  const DocumentNames names = DocumentNames::open(corpus);
  std::uint64_t tokens = 0;
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    check_document(corpus, corpus.document(d));
    for (const std::string_view name : {names.name(d), names.title(d)}) {
      require(name.find_first_of("\t\n") == std::string_view::npos, "names are one field");
    }
    tokens += corpus.document(d).tokens();
  }
  require(tokens == corpus.tokens(), "tokens add up");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) {
    return 0;
  }
  const std::string_view rest = fuzz::text_of(data + 4, size - 4);
  const std::string_view words = rest.substr(0, data[1] + 256U * data[2]);
  const std::string_view names = rest.substr(words.size()).substr(0, data[3]);
  std::string bytes(rest.substr(words.size() + names.size()));
  if (data[0] % 2 == 0) {
    make_right(bytes, words);
  }
  const std::filesystem::path& folder = fuzz::memory_folder();
  fuzz::put_file(folder / "corpus.bin", bytes);
  fuzz::put_file(folder / "vocab.txt", words);
  std::filesystem::remove(folder / "documents.tsv");
  if (!names.empty()) {
    fuzz::put_file(folder / "documents.tsv", names);
  }
  fuzz::allow_data_errors([&] { check(Corpus::open(folder)); }, folder.string());
  return 0;
}

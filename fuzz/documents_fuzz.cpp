// Fuzz target: any bytes as documents, one per line. The first byte chooses text or tsv.
#include <vector>

#include "support.hpp"
#include "text/documents.hpp"

namespace {

using namespace tain;
using fuzz::require;

struct Outcome {
  std::vector<std::string> fields;
  bool failed = true;
  bool operator==(const Outcome&) const = default;
};

Outcome read(Format format, std::string_view bytes, std::size_t piece) {
  Outcome outcome;
  fuzz::allow_data_errors([&] {
    const auto reader = read_documents(format, std::make_unique<fuzz::SmallPieces>(bytes, piece));
    Document document;
    while (reader->next(document)) {
      for (const std::string_view field : {document.id, document.title, document.text}) {
        require(field.find('\n') == std::string_view::npos, "a document is a line");
        require(format == Format::text || field.find('\t') == std::string_view::npos,
                "columns hold no tabs");
        outcome.fields.emplace_back(field);
      }
      const std::uint64_t number = reader->counts().documents;
      require(reader->where() == "fuzz:" + std::to_string(number), "a document has a place");
      require(format == Format::tsv || document.id == std::to_string(number), "ids are lines");
    }
    require(reader->consumed() == reader->size(), "all was read");
    outcome.failed = false;
  });
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const Format format = data[0] % 2 == 0 ? Format::text : Format::tsv;
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  require(read(format, bytes, std::size_t{1} << 20) == read(format, bytes, 3),
          "reads of any size agree");
  return 0;
}

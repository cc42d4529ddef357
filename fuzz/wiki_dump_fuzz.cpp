// Fuzz target: any bytes as a MediaWiki dump give the same articles whatever the sizes of the
// reads, or Error (data) that names the file.
#include <string>
#include <vector>

#include "support.hpp"
#include "text/documents.hpp"

namespace {

using namespace tain;

struct Outcome {
  std::vector<std::string> documents;
  bool failed = true;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view bytes, std::size_t piece) {
  Outcome outcome;
  fuzz::allow_data_errors([&] {
    const auto reader =
        read_documents(Format::wikipedia, std::make_unique<fuzz::SmallPieces>(bytes, piece));
    Document document;
    while (reader->next(document)) {
      outcome.documents.push_back(std::string(document.id) + '\n' + std::string(document.title) +
                                  '\n' + std::string(document.text));
      fuzz::require(reader->where().starts_with("fuzz:"), "a page has a place");
    }
    fuzz::require(reader->counts().documents == outcome.documents.size(), "articles are counted");
    outcome.failed = false;
  });
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::require(read(bytes, std::size_t{1} << 20) == read(bytes, 3), "reads of any size agree");
  return 0;
}

// Fuzz target: any bytes as a source of a corpus, of any format. Either a corpus stands there that
// can be opened and holds what the report says, or Error (data) names the source; nothing else
// stays. Input: a byte of choices (rule, threads, file or folder, vocabulary), a byte that chooses
// the format (or lets it be detected), the source.
#include <set>

#include "support.hpp"
#include "tain/text/corpus.hpp"
#include "text/import.hpp"

namespace {

using namespace tain;
using fuzz::require;
namespace fs = std::filesystem;

/// Headers may announce a million empty documents, which cost time and teach nothing.
constexpr std::uint64_t most_documents = 5000;

ImportSettings plan_of(std::uint8_t choices, std::uint8_t format) {
  ImportSettings plan;
  plan.source = fuzz::memory_folder() / "source";
  if (format % 16 < 8) {
    plan.format = static_cast<Format>(format % 16);
  }
  plan.tokenizer.rule = choices % 2 == 0 ? TokenRule::unicode : TokenRule::ascii;
  plan.tokenizer.min_characters = 1;
  plan.selection = {.min_documents = 1, .max_share = 1, .max_words = 100};
  plan.memory_bytes = std::size_t{1} << 20;
  if (choices & 8) {
    plan.vocabulary = fuzz::memory_folder() / "words";
    fuzz::put_file(*plan.vocabulary, "a\nb\nfoo\nbar\nthe\nof\nx\ny\n");
  }
  return plan;
}

void check(const ImportReport& report, const fs::path& folder) {
  const Corpus corpus = Corpus::open(folder);
  require(corpus.documents() == report.documents && corpus.tokens() == report.tokens &&
              corpus.words() == report.words,
          "the report says what was written");
  const auto words = corpus.vocabulary();
  require(std::set<std::string>(words.begin(), words.end()).size() == words.size(),
          "words stay apart on disk");
  std::uint64_t tokens = 0;
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    tokens += corpus.document(d).tokens();
  }
  require(tokens == report.tokens, "every token was written");
}

void put_source(const ImportSettings& plan, std::string_view bytes, bool in_folder) {
  fs::remove_all(plan.source);
  if (in_folder) {
    fs::create_directories(plan.source);
    fuzz::put_file(plan.source / "document", bytes);
  } else {
    fuzz::put_file(plan.source, bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  static Threads one(1), two(2);
  const bool in_folder = (data[0] & 6) == 6;
  const fs::path folder = fuzz::memory_folder() / "corpus";
  ImportSettings plan = plan_of(data[0], data[1]);
  if (in_folder) {
    plan.format = {};
  }
  put_source(plan, fuzz::text_of(data + 2, size - 2), in_folder);
  ImportObserver observer;
  observer.progress = [](const WorkProgress& progress) {
    return progress.documents > most_documents ? Next::stop : Next::go_on;
  };
  bool written = false;
  fuzz::allow_data_errors(
      [&] {
        const auto report = import_documents(plan, folder, Overwrite::yes,
                                             (data[0] & 16) == 0 ? one : two, observer);
        written = report.has_value();
        if (report) {
          check(*report, folder);
        }
      },
      fuzz::memory_folder().string());
  require(fs::exists(folder) == written, "a corpus appears whole or not at all");
  fs::remove_all(folder);
  for (const auto& left : fs::directory_iterator(fuzz::memory_folder())) {
    const std::string name = left.path().filename().string();
    require(name == "source" || name == "words", "no temporary file is left");
  }
  return 0;
}

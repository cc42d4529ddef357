// Fuzz target: any bytes as a list of words. What is read can be written, one word per line, and is
// then read as it is. The first byte chooses whether case is folded.
#include "support.hpp"
#include "text/vocabulary.hpp"

namespace {

using namespace tain;
using fuzz::require;

void check(std::string_view bytes, LetterCase letter_case) {
  const fuzz::MemoryFile file(bytes);
  fuzz::allow_data_errors(
      [&] {
        const Vocabulary words = read_vocabulary(file.path(), letter_case);
        require(words.size() > 0, "a list holds words");
        std::string written;
        for (std::uint32_t id = 0; id < words.size(); ++id) {
          require(!words.word(id).empty(), "words are not empty");
          require(words.find(words.word(id)) == id, "words are found");
          written += words.word(id);
          written += '\n';
        }
        if (detect_compression(written) != Compression::none) {
          return;  // the one word that begins like a compressed file
        }
        const fuzz::MemoryFile again(written);
        const Vocabulary same = read_vocabulary(again.path(), LetterCase::keep);
        require(same.size() == words.size(), "words stay apart");
        for (std::uint32_t id = 0; id < words.size(); ++id) {
          require(same.word(id) == words.word(id), "words stay what they are");
        }
      },
      file.path());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) {
    check(fuzz::text_of(data + 1, size - 1),
          data[0] % 2 == 0 ? LetterCase::fold : LetterCase::keep);
  }
  return 0;
}

// Fuzz target: any bytes as the temporary file of a count that outgrew its memory, as a failing
// disk would give it back: counts, or Error (io) that names the file.
#include "support.hpp"
#include "text/word_counter.hpp"

namespace {

using namespace tain;
using fuzz::require;

/// A counter that has written one run, since its only word is larger than the least memory.
WordCounter with_run(Scratch& scratch) {
  static const std::string word(std::size_t{3} << 19, 'x');
  WordCounter counter(scratch, "fuzz", 0);
  counter.add_token(word);
  counter.end_document();
  require(counter.runs() == 1, "a large table is written");
  return counter;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Scratch scratch(fuzz::memory_folder() / "scratch", {});
  WordCounter counter = with_run(scratch);
  const std::filesystem::path run = std::filesystem::directory_iterator(scratch.folder())->path();
  fuzz::put_file(run, fuzz::text_of(data, size));
  std::size_t bytes = 0;
  try {
    WordCounter::merge({&counter, 1}, [&](const WordCount& count) { bytes += count.word.size(); });
    require(bytes <= size, "words come from the file");
  } catch (const Error& error) {
    require(error.fault() == Fault::io, "damage to what was written is the disk's");
    require(std::string_view(error.what()).starts_with(run.string()), "messages name the file");
  }
  return 0;
}

// Writes a small synthetic corpus and its exports to a folder, for libraries that others use.
#include <filesystem>

#include "tain/text/synthesize.hpp"

int main(int, char** arguments) {
  using namespace tain;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Corpus corpus =
      synthesize_corpus(folder / "corpus", {.docs = 60,
                                            .topics = 4,
                                            .vocab_size = 50,
                                            .mean_length = 3,  // some documents have no words
                                            .base = BaseFrequencies::uniform,
                                            .proportions = true});
  for (const char* name :
       {"example.mm", "example.mm.gz", "example.ldac", "example.txt", "one.svmlight"}) {
    corpus.export_to(folder / name, {.overwrite = true});  // two have the same words beside them
  }
  corpus.export_to(folder / "zero.svmlight", {.first_id = FirstId::zero});
  corpus.export_to(folder / "docword.example.txt", {.format = "uci"});
}

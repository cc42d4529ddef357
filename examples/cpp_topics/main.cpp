// Topics of a corpus folder: trained, judged, and kept as a model.
#include <cstdio>
#include <tain/topics.hpp>

int main() {
  const tain::Corpus corpus = tain::Corpus::open("articles");
  const tain::Model model =
      tain::train(corpus, {.topics = 20, .output = "model", .overwrite = true});
  for (std::uint32_t k = 0; k < model.topics(); ++k, std::puts("")) {
    for (const tain::TopicWord& word : model.words(k)) {
      std::printf("%s ", word.word.c_str());
    }
  }
  return model.verdict().trust ? 0 : 2;
}

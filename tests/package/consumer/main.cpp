// A program outside the project: samples a Dirichlet posterior and checks one mean against the
// exact one; trains topics of a few texts and makes a page of them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <tain/reproduce.hpp>
#include <tain/tain.hpp>
#include <tain/topics.hpp>

namespace {

bool sampled() {
  const tain::Run run =
      tain::sample(tain::dirichlet({.counts = {4, 3, 1}}), {.warmup = 300, .draws = 500});
  const tain::ExactMoment mean = run.exact().front();
  std::printf("%s %.4f, exact %.4f, z %.2f\n", mean.name.c_str(), mean.estimate, mean.exact,
              mean.z);
  return std::abs(mean.z) < 5;
}

bool trained() {
  std::string place = (std::filesystem::temp_directory_path() / "tain-consumer-XXXXXX").string();
  if (::mkdtemp(place.data()) == nullptr) {
    return false;
  }
  const std::filesystem::path folder = place;
  std::ofstream texts(folder / "texts.txt");
  for (int i = 0; i < 50; ++i) {
    texts << "ball team goal match player\nbread butter oven flour sugar\n";
  }
  texts.close();
  const tain::Corpus corpus =
      tain::import_corpus(folder / "texts.txt", folder / "corpus", {.min_df = 1, .max_df = 1.0});
  const tain::Model model = tain::train(corpus, {.topics = 2});
  std::printf("%s\n", model.text().c_str());
  model.save(folder / "model");
  const bool shown = tain::report({folder / "model"}, folder / "page.html").size() == 1;
  std::filesystem::remove_all(folder);
  return shown && corpus.documents() == 100 && model.topics() == 2 && model.words(0).size() >= 5;
}

}  // namespace

int main() { return sampled() && trained() ? 0 : 1; }

// Writes a small synthetic corpus and its exports to a folder, for libraries that others use.
#include <filesystem>

#include "text/export.hpp"
#include "text/synthetic.hpp"

int main(int, char** arguments) {
  using namespace tain;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  SyntheticPlan plan;
  plan.documents = 60;
  plan.topics = 4;
  plan.words = 50;
  plan.mean_length = 3;  // some documents have no words
  plan.proportions = Proportions::write;
  Threads threads(1);
  const auto go_on = [](const DocumentProgress&) { return Next::go_on; };
  synthesize_corpus(plan, folder / "corpus", Overwrite::yes, threads, go_on);
  const Corpus corpus = Corpus::open(folder / "corpus");
  for (const ExportPlan& to :
       {ExportPlan{Format::mm, folder / "example.mm"},
        ExportPlan{Format::mm, folder / "example.mm.gz"},
        ExportPlan{Format::svmlight, folder / "one.svmlight"},
        ExportPlan{Format::svmlight, folder / "zero.svmlight", FirstId::zero},
        ExportPlan{Format::uci, folder / "docword.example.txt"},
        ExportPlan{Format::ldac, folder / "example.ldac"},
        ExportPlan{Format::text, folder / "example.txt"}}) {
    export_corpus(corpus, to, Overwrite::yes, go_on);
  }
}

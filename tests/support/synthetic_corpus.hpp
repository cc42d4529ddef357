// A synthetic corpus in a folder of its own.
#pragma once

#include "support/folder.hpp"
#include "tain/text/corpus.hpp"
#include "text/synthetic.hpp"

namespace tain::test {

class SyntheticCorpus {
 public:
  SyntheticCorpus(const std::string& name, const SyntheticPlan& plan)
      : folder_(name), corpus_(make(folder_.path() / "corpus", plan)) {}
  const Corpus& corpus() const { return corpus_; }
  /// Where the corpus lies beside whatever a test writes.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  static Corpus make(const std::filesystem::path& path, const SyntheticPlan& plan) {
    Threads threads(1);
    synthesize_corpus(plan, path, Overwrite::yes, threads,
                      [](const DocumentProgress&) { return Next::go_on; });
    return Corpus::open(path);
  }

  Folder folder_;
  Corpus corpus_;
};

}  // namespace tain::test

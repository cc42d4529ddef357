// A synthetic corpus in a folder of its own.
#pragma once

#include "support/folder.hpp"
#include "tain/text/synthesize.hpp"

namespace tain::test {

class SyntheticCorpus {
 public:
  SyntheticCorpus(const std::string& name, const SyntheticPlan& plan)
      : folder_(name), corpus_(synthesize_corpus(folder_.path() / "corpus", plan)) {}
  const Corpus& corpus() const { return corpus_; }
  /// Where the corpus lies beside whatever a test writes.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  Folder folder_;
  Corpus corpus_;
};

}  // namespace tain::test

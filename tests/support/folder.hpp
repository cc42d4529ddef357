// A folder for a test, and a synthetic corpus in one.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "tain/text/corpus.hpp"
#include "tain/text/synthetic.hpp"

namespace tain::test {

/// An empty folder, gone with the object.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("tain-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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

// Imports keep to the memory they are allowed, however large the text and its vocabulary.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/folder.hpp"
#include "support/zipf_text.hpp"
#include "text/import.hpp"

namespace tain::memory_test {
namespace {

namespace fs = std::filesystem;

class ImportMemory : public ::testing::TestWithParam<std::size_t> {
 protected:
  /// Most memory that a process which imports `source` had resident.
  std::size_t peak_of_import(const ImportSettings& plan, std::size_t num_threads) const {
    const pid_t child = ::fork();
    if (child == 0) {
      int code = 1;
      try {
        Threads threads(num_threads);
        code = import_documents(plan, folder_ / "corpus", Overwrite::yes, threads, {}) ? 0 : 1;
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      ::_exit(code);
    }
    int status = 0;
    struct rusage usage{};
    EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  }

  const test::Folder folder_{"memory"};
};

// 200 MB with some two million different words: their table alone would take 200 MiB.
TEST_P(ImportMemory, StaysBelowTheLimitWhereTheVocabularyDoesNot) {
  {
    std::ofstream out(folder_ / "text.txt", std::ios::binary);
    testing_support::ZipfText text(5e6);
    std::string line;
    for (std::size_t written = 0; written < 200'000'000; written += line.size()) {
      text.next(line);
      out << line;
    }
  }
  ImportSettings plan;
  plan.source = folder_ / "text.txt";
  plan.format = Format::text;
  plan.memory_bytes = std::size_t{64} << 20;
  EXPECT_LT(peak_of_import(plan, GetParam()), plan.memory_bytes);
}

INSTANTIATE_TEST_SUITE_P(Threads, ImportMemory, ::testing::Values(1, 2));

}  // namespace
}  // namespace tain::memory_test

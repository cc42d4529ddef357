#include "cli/progress.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

namespace tain::cli::progress_test {
namespace {

TEST(Progress, LineSaysWhereTheRunStands) {
  Progress progress;
  progress.step = 340;
  progress.total_steps = 2000;
  progress.step_size = 0.21;
  progress.acceptance = 0.81;
  EXPECT_EQ(progress_text(progress, {1000, 1000, 1.2e6, 3}),
            "sample  warm-up 340/1000  34 %  1.2 M steps/s  step 0.21  acceptance 0.81  "
            "divergences 0  eta 0:03");
  progress.warming_up = false;
  progress.step = 1500;
  progress.draws = 250;
  progress.divergences = 2;
  EXPECT_EQ(progress_text(progress, {1000, 500, 95, 75}),
            "sample  draws 250/500  50 %  95 steps/s  step 0.21  acceptance 0.81  divergences 2  "
            "eta 1:15");
}

TEST(Progress, JsonHasTheSameNumbers) {
  Progress progress;
  progress.step = 7;
  progress.total_steps = 9;
  const auto json = nlohmann::json::parse(progress_json(progress, {1000, 1000, 5, 2}));
  EXPECT_EQ(json["phase"], "warmup");
  EXPECT_EQ(json["step"], 7);
  EXPECT_EQ(json["total_steps"], 9);
  EXPECT_EQ(json["eta_seconds"], 2);
}

TEST(Progress, UnitsAndClocks) {
  EXPECT_EQ(with_unit(0), "0");
  EXPECT_EQ(with_unit(999), "999");
  EXPECT_EQ(with_unit(1000), "1.0 k");
  EXPECT_EQ(with_unit(12345), "12 k");
  EXPECT_EQ(with_unit(3.24e9), "3.2 G");
  EXPECT_EQ(clock_text(0.2), "0:00");
  EXPECT_EQ(clock_text(59.6), "1:00");
  EXPECT_EQ(clock_text(3675), "1:01:15");
}

/// Stderr as a pipe, from which a test reads what another thread writes.
class StderrPipe {
 public:
  StderrPipe() : kept_(::dup(STDERR_FILENO)) {
    int ends[2];
    if (::pipe(ends) != 0) {
      throw std::system_error(errno, std::generic_category());
    }
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    read_ = ends[0];
  }
  ~StderrPipe() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
    ::close(read_);
  }
  StderrPipe(const StderrPipe&) = delete;
  StderrPipe& operator=(const StderrPipe&) = delete;
  /// The next line, as soon as it is there.
  std::string line() const {
    std::string text;
    for (char letter; ::read(read_, &letter, 1) == 1 && letter != '\n';) {
      text += letter;
    }
    return text;
  }

 private:
  int kept_, read_ = -1;
};

TEST(ElapsedLine, SpeaksOfWhatTriesOnesPatience) {
  const StderrPipe seen;
  const ElapsedLine waiting(ProgressMode::json, "diagnose  reading draws", std::chrono::seconds(0));
  const auto json = nlohmann::json::parse(seen.line());
  EXPECT_EQ(json["phase"], "diagnose  reading draws");
  EXPECT_GE(json["seconds"], 0.0);
}

TEST(ElapsedLine, OfNothingElse) {
  const StderrPipe seen;
  const ElapsedLine patient(ProgressMode::json, "patient", std::chrono::hours(1000));
  const ElapsedLine silent(ProgressMode::none, "silent", std::chrono::seconds(0));
  const ElapsedLine speaks(ProgressMode::json, "speaks", std::chrono::seconds(0));
  for (int line = 0; line < 3; ++line) {  // meanwhile the others look at the clock too
    EXPECT_EQ(nlohmann::json::parse(seen.line())["phase"], "speaks");
  }
}

}  // namespace
}  // namespace tain::cli::progress_test

#include "progress.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

TEST(Waiting, SpeaksOnlyOfWhatTakesLong) {
  testing::internal::CaptureStderr();
  {
    const Waiting waiting(ProgressMode::json, "diagnose  reading draws");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

  testing::internal::CaptureStderr();
  {
    const Waiting waiting(ProgressMode::json, "diagnose  reading draws");
    std::this_thread::sleep_for(std::chrono::milliseconds(1600));
  }
  const std::string seen = testing::internal::GetCapturedStderr();
  const auto json = nlohmann::json::parse(seen.substr(0, seen.find('\n')));
  EXPECT_EQ(json["phase"], "diagnose  reading draws");
  EXPECT_GE(json["seconds"], 1.0);
}

TEST(Waiting, IsSilentIfAskedToBe) {
  testing::internal::CaptureStderr();
  {
    const Waiting waiting(ProgressMode::none, "x");
    std::this_thread::sleep_for(std::chrono::milliseconds(1400));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tain::cli::progress_test

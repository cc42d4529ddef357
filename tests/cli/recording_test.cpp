#include "recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace tain::cli::recording_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const DrawShape shape{2, 5, 3, 2};
const Json request{{"options", {{"seed", 1}, {"draws", 5}}}, {"inputs", Json::object()}};

TEST(Recording, RequestsAreComparedByKey) {
  EXPECT_NO_THROW(require_same_request(request, request, "here"));
  Json other = request;
  other["options"]["seed"] = 2;
  EXPECT_THAT(message_of(Fault::config, [&] { require_same_request(request, other, "here"); }),
              HasSubstr("here: seed was 1, now it is 2"));
  other = request;
  other["options"]["alpha"] = 2;
  EXPECT_THAT(message_of(Fault::config, [&] { require_same_request(request, other, "here"); }),
              HasSubstr("alpha was not given, now it is 2"));
  EXPECT_THAT(message_of(Fault::config, [&] { require_same_request(other, request, "here"); }),
              HasSubstr("alpha was 2, now it is not given"));
  other = request;
  other["inputs"]["/data.csv"] = "00";
  EXPECT_THAT(message_of(Fault::config, [&] { require_same_request(request, other, "here"); }),
              HasSubstr("/data.csv has changed"));
}

TEST(Recording, OneFilePerChainWhereTheNameAsks) {
  EXPECT_THAT(output_files("a/out.csv", 2), ElementsAre("a/out.csv"));
  EXPECT_THAT(output_files("a/out-%d.csv", 2), ElementsAre("a/out-1.csv", "a/out-2.csv"));
}

TEST(Recording, NothingIsLeftBehindWithoutACheckpoint) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "draws.npy";
  {
    const Recording recording = Recording::in_folder(output, shape, request, Continuation::fresh);
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Recording, AStoppedRunIsNotOverwrittenUnasked) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "draws.npy";
  fs::create_directory(folder.path() / "draws.npy.run");
  EXPECT_THAT(
      message_of(Fault::cannot_create,
                 [&] { Recording::in_folder(output, shape, request, Continuation::fresh); }),
      HasSubstr("give --resume to continue it or --force to start anew"));
  EXPECT_NO_THROW(Recording::in_folder(output, shape, request, Continuation::replace));
}

TEST(Recording, NothingToResumeIsSaidSo) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of(Fault::no_input,
                         [&] {
                           Recording::in_folder(folder.path() / "draws.npy", shape, request,
                                                Continuation::resume);
                         }),
              HasSubstr("no stopped run to resume"));
}

TEST(Recording, OneProcessAtATime) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "draws.npy";
  const Recording first = Recording::in_folder(output, shape, request, Continuation::fresh);
  for (const Continuation continuation : {Continuation::resume, Continuation::replace}) {
    EXPECT_THAT(message_of(Fault::cannot_create,
                           [&] { Recording::in_folder(output, shape, request, continuation); }),
                HasSubstr("another process"));
  }
}

TEST(Recording, AnExistingOutputIsKept) {
  const TemporaryFolder folder;
  const fs::path output = folder.write("draws.npy", "precious");
  message_of(Fault::cannot_create,
             [&] { Recording::in_folder(output, shape, request, Continuation::fresh); });
  EXPECT_EQ(fs::file_size(output), 8U);
  EXPECT_FALSE(fs::exists(folder.path() / "draws.npy.run"));
  EXPECT_NO_THROW(Recording::in_folder(output, shape, request, Continuation::replace));
}

}  // namespace
}  // namespace tain::cli::recording_test

#include "sampling/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::run_folder_test {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const DrawShape shape{2, 5, 3, 2};
const Json request{{"options", {{"seed", 1}, {"draws", 5}}}, {"inputs", Json::object()}};

TEST(RunFolder, RequestsAreComparedByKey) {
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

TEST(RunFolder, SetsAreShownAsPeopleCallThem) {
  const auto difference = [](const Json& was, const Json& now) {
    const auto with = [](const Json& options) {
      return Json{{"options", options}, {"inputs", Json::object()}};
    };
    return message_of(Fault::config, [&] { require_same_request(with(was), with(now), "here"); });
  };
  const Json simplex{{"target", "uniform"}, {"map", "simplex"}, {"dim", 4}};
  const Json positive{{"target", "uniform"}, {"map", "orthant"}, {"dim", 3}};
  EXPECT_THAT(difference(simplex, positive),
              HasSubstr("the set was simplex(4), now it is positive(3)"));
  Json wider = simplex;
  wider["dim"] = 5;
  EXPECT_THAT(difference(simplex, wider),
              HasSubstr("the set was simplex(4), now it is simplex(5)"));
  Json parts = simplex, others = simplex;
  parts["map"] =
      Json::parse(R"([{"name":"w","type":"simplex","dim":4},{"name":"s","type":"orthant"}])");
  EXPECT_THAT(difference(simplex, parts),
              HasSubstr("simplex(4), now it is product(w = simplex(4), s = positive)"));
  others["map"] = Json::parse(R"([{"type":"box","lower":0,"upper":1,"dim":4}])");
  parts["map"] = Json::parse(R"([{"type":"box","lower":0,"upper":2,"dim":4}])");
  EXPECT_THAT(difference(others, parts), HasSubstr("\"upper\":2"));
  EXPECT_THAT(
      difference(Json{{"target", "dirichlet"}}, Json{{"target", "dirichlet"}, {"map", "ball"}}),
      HasSubstr("the set was that of the target, now it is ball"));
}

TEST(RunFolder, OneFilePerChainWhereTheNameAsks) {
  EXPECT_THAT(output_files("a/out.csv", 2), ElementsAre("a/out.csv"));
  EXPECT_THAT(output_files("a/out-%d.csv", 2), ElementsAre("a/out-1.csv", "a/out-2.csv"));
}

TEST(RunFolder, NothingIsLeftBehindWithoutACheckpoint) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy";
  {
    const RunFolder run = RunFolder::in_folder(output, shape, request, Continuation::fresh);
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(RunFolder, AStoppedRunIsNotOverwrittenUnasked) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy";
  fs::create_directory(folder.path() / "draws.npy.run");
  std::ofstream(folder.path() / "draws.npy.run" / "request.json") << "{}";
  EXPECT_THAT(
      message_of(Fault::cannot_create,
                 [&] { RunFolder::in_folder(output, shape, request, Continuation::fresh); }),
      HasSubstr("give resume = true to continue it or overwrite = true to start anew"));
  EXPECT_NO_THROW(RunFolder::in_folder(output, shape, request, Continuation::replace));
}

TEST(RunFolder, AStoppedRunIsBackIfTheNextCannotBegin) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy", run = folder.path() / "draws.npy.run";
  fs::create_directory(run);
  std::ofstream(run / "request.json") << "precious";
  const DrawShape larger_than_disks{1000, std::uint64_t{1} << 40, 3, 2};
  message_of(Fault::io, [&] {
    RunFolder::in_folder(output, larger_than_disks, request, Continuation::replace);
  });
  EXPECT_EQ(read_file(run / "request.json"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(RunFolder, FilesOfOthersInItStay) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy", run = folder.path() / "draws.npy.run";
  {
    RunFolder fresh = RunFolder::in_folder(output, shape, request, Continuation::fresh);
    std::ofstream(run / "notes") << "mine";
    fresh.finish();
  }
  EXPECT_EQ(read_file(run / "notes"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(run), {}), 1);
  EXPECT_THAT(
      message_of(Fault::cannot_create,
                 [&] { RunFolder::in_folder(output, shape, request, Continuation::replace); }),
      HasSubstr("holds notes, which is no file of a run; move it away"));
}

TEST(RunFolder, NothingToResumeIsSaidSo) {
  const test::Folder folder("run_folder");
  EXPECT_THAT(message_of(Fault::no_input,
                         [&] {
                           RunFolder::in_folder(folder.path() / "draws.npy", shape, request,
                                                Continuation::resume);
                         }),
              HasSubstr("no stopped run to resume"));
}

TEST(RunFolder, OneProcessAtATime) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy";
  const RunFolder first = RunFolder::in_folder(output, shape, request, Continuation::fresh);
  for (const Continuation continuation : {Continuation::resume, Continuation::replace}) {
    EXPECT_THAT(message_of(Fault::cannot_create,
                           [&] { RunFolder::in_folder(output, shape, request, continuation); }),
                HasSubstr("another process"));
  }
}

TEST(RunFolder, AnExistingOutputIsKept) {
  const test::Folder folder("run_folder");
  const fs::path output = folder.path() / "draws.npy";
  std::ofstream(output) << "precious";
  message_of(Fault::cannot_create,
             [&] { RunFolder::in_folder(output, shape, request, Continuation::fresh); });
  EXPECT_EQ(fs::file_size(output), 8U);
  EXPECT_FALSE(fs::exists(folder.path() / "draws.npy.run"));
  EXPECT_NO_THROW(RunFolder::in_folder(output, shape, request, Continuation::replace));
}

}  // namespace
}  // namespace tain::run_folder_test

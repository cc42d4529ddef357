// The one call for topics, as users see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <numeric>

#include "bags.hpp"
#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/topics.hpp"

namespace tain::train_test {
namespace {

namespace fs = std::filesystem;
using test::message_of;

test::Bags some_documents() {
  test::Bags bags({"a", "b", "c", "d"});
  for (std::uint32_t d = 0; d < 80; ++d) {
    bags.add(d % 2 == 0 ? std::vector<std::uint32_t>{9 + d % 3, 6, d % 5, 0}
                        : std::vector<std::uint32_t>{0, d % 2, 7, 8 + d % 4});
  }
  return bags;
}

/// Of an error about an output, after its place: it must name the field `output`.
template <class Work>
std::string about_output(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::cannot_create) << error.what();
    EXPECT_EQ(error.field() ? error.field()->name : "none", "output") << error.what();
    const std::string text = error.what();
    return text.substr(text.find(": ") + 2);
  }
  return "no error";
}

class Train : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  TrainPlan plan(const std::string& output = {}) const {
    TrainPlan plan{.topics = 3, .steps = 60, .keep_draws = 2, .threads = 2};
    plan.output = output.empty() ? fs::path() : path(output);
    return plan;
  }
  std::string refused(const TrainPlan& plan, Fault fault) const {
    return message_of(fault, [&] { train(corpus_, plan); });
  }
  static void expect_same_bits(const fs::path& a, const fs::path& b) {
    for (const char* name :
         {"topics.npy", "dual.npy", "draws.npy", "draw_shares.npy", "vocab.txt"}) {
      EXPECT_EQ(read_file(a / name), read_file(b / name)) << name;
    }
  }

  test::Folder folder_{"train"};
  const test::Bags bags_ = some_documents();
  const Corpus corpus_ = bags_.corpus();
};

TEST_F(Train, InMemorySavedAndOpenedIsTheModelOfAFolder) {
  const Model written = train(corpus_, plan("model"));
  const Model model = train(corpus_, plan());
  EXPECT_TRUE(model.folder().empty() && model.finished());
  EXPECT_EQ(model.topics(), 3U);
  EXPECT_EQ(model.record().facts.steps, 60U);
  EXPECT_EQ(model.probabilities(1), written.probabilities(1));
  model.save(path("saved"));
  expect_same_bits(path("model"), path("saved"));
  const Model opened = Model::open(path("saved"));
  EXPECT_EQ(opened.probabilities(2), model.probabilities(2));
  EXPECT_EQ(opened.words(0).front().word, model.words(0).front().word);
  EXPECT_EQ(opened.verdict().headline, model.verdict().headline);
  EXPECT_EQ(opened.record().history.size(), model.record().history.size());
  EXPECT_EQ(opened.text().substr(opened.text().find('\n')),
            model.text().substr(model.text().find('\n')));
  opened.save(path("again"));
  expect_same_bits(path("saved"), path("again"));
  EXPECT_EQ(read_file(path("saved") / "README.md"), read_file(path("again") / "README.md"));
}

TEST_F(Train, StoppedAndResumedHasTheBitsOfOneThatWasNot) {
  train(corpus_, plan("whole"));
  TrainPlan stopping = plan("parts");
  stopping.progress = [](const TrainProgress& now) {
    return now.step == 25 ? Next::stop : Next::go_on;
  };
  const Model stopped = train(corpus_, stopping);
  EXPECT_FALSE(stopped.finished());
  EXPECT_EQ(stopped.record().facts.steps, 25U);
  EXPECT_FALSE(stopped.verdict().trust);
  const std::string unfinished =
      path("parts").string() +
      ": training has not finished; go on with its training by resume = true";
  EXPECT_EQ(message_of(Fault::no_input, [&] { stopped.words(0); }), unfinished);
  EXPECT_EQ(message_of(Fault::no_input, [&] { Model::open(path("parts")); }), unfinished);
  EXPECT_EQ(stopped.record().stop_reason, "interrupted");
  EXPECT_EQ(stopped.text().find("stopped by"), std::string::npos) << stopped.text();
  TrainPlan resumed;  // when to stop is in the checkpoint, as all else
  resumed.output = path("parts");
  resumed.resume = true;
  EXPECT_TRUE(train(corpus_, resumed).finished());
  expect_same_bits(path("whole"), path("parts"));
}

TEST_F(Train, StoppedInMemoryHasTheTopicsSoFarAndItsCheckpointGoesOn) {
  TrainPlan stopping = plan();
  stopping.checkpoint = path("check");
  stopping.progress = [](const TrainProgress& now) {
    return now.step == 25 ? Next::stop : Next::go_on;
  };
  const Model stopped = train(corpus_, stopping);
  EXPECT_FALSE(stopped.finished());
  EXPECT_FALSE(stopped.words(0).empty());
  TrainPlan resumed = plan();
  resumed.checkpoint = path("check");
  EXPECT_EQ(refused(resumed, Fault::cannot_create),
            "checkpoint " + path("check").string() +
                ": holds a stopped training; give resume = true to go on with it or overwrite = "
                "true to start anew");
  resumed.resume = true;
  EXPECT_EQ(train(corpus_, resumed).probabilities(0), train(corpus_, plan()).probabilities(0));
}

TEST_F(Train, WrongUseIsOneLine) {
  EXPECT_EQ(message_of(Fault::no_input, [&] { Corpus::open(path("none")); }),
            path("none").string() +
                ": is no corpus (it has no corpus.bin); make one with `tain corpus import`");
  EXPECT_EQ(refused({.topics = 0}, Fault::config), "topics: is 0; give at least 1");
  EXPECT_EQ(refused({.threads = 100'000}, Fault::config),
            "threads: is more than 1,024; give a smaller number");
  EXPECT_EQ(refused({.method = "smld-rot"}, Fault::config),
            "method: unknown value 'smld-rot'; did you mean 'smld-root'?");
  TrainPlan both = plan("model");
  both.resume = both.overwrite = true;
  EXPECT_EQ(refused(both, Fault::config), "resume: contradicts overwrite; give one of them");
  EXPECT_EQ(refused({.resume = true}, Fault::usage),
            "resume: needs the output of the stopped training; give output = FOLDER");
  train(corpus_, plan("model"));
  EXPECT_EQ(refused(plan("model"), Fault::cannot_create),
            "output " + path("model").string() +
                ": holds a model; give resume = true to go on with it or overwrite = true to "
                "start anew");
  TrainPlan other = plan("model");
  other.topics = 4;
  other.resume = true;
  EXPECT_TRUE(refused(other, Fault::config)
                  .ends_with("resume with the same options, or start anew with overwrite = true"))
      << refused(other, Fault::config);
}

TEST_F(Train, StreamsGiveModels) {
  const std::span<const std::string> words = corpus_.vocabulary();
  TopicStream stream({words.begin(), words.end()}, {.topics = 3, .keep_draws = 2}, 80);
  EXPECT_TRUE(stream.add(corpus_));
  EXPECT_EQ(stream.documents(), 80U);
  const Model model = stream.model();
  model.save(path("stream"));
  EXPECT_EQ(Model::open(path("stream")).probabilities(1), model.probabilities(1));
  EXPECT_EQ(message_of(Fault::config, [] { TopicStream({"a"}, {.passes = 2}); }),
            "passes: has no meaning for a stream; leave it out");
}

TEST_F(Train, AModelOfAStreamTellsWhatTheStreamSaw) {
  const std::span<const std::string> words = corpus_.vocabulary();
  TopicStream stream({words.begin(), words.end()}, {.topics = 3, .command = "my stream"}, 80);
  EXPECT_NE(message_of(Fault::data, [&] { stream.model(); }).find("no document with words"),
            std::string::npos);
  stream.add(corpus_);
  EXPECT_GT(stream.steps(), 0U);
  const Model model = stream.model();
  EXPECT_FALSE(model.verdict().trust);
  EXPECT_NE(model.verdict().headline.find("nothing tells how well they predict"),
            std::string::npos);
  const std::vector<double>& shares = model.record().shares;
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
  EXPECT_NE(shares[0], shares[1]);  // those of the prior are the same
  model.save(path("stream"));
  EXPECT_EQ(Model::open(path("stream")).record().shares, shares);
  EXPECT_NE(read_file(path("stream") / "README.md").find("my stream"), std::string::npos);
}

TEST_F(Train, ASavedStreamGoesOn) {
  const std::span<const std::string> words = corpus_.vocabulary();
  const TrainPlan plan{.topics = 3, .keep_draws = 2};
  TopicStream whole({words.begin(), words.end()}, plan, 160),
      first({words.begin(), words.end()}, plan, 160);
  whole.add(corpus_);
  whole.add(corpus_);
  first.add(corpus_);
  const std::string kept = first.save();
  TopicStream second = TopicStream::restore(kept);
  EXPECT_EQ(second.documents(), 80U);
  second.add(corpus_);
  whole.model().save(path("whole"));
  second.model().save(path("parts"));
  for (const char* name : {"topics.npy", "dual.npy", "draws.npy", "vocab.txt"}) {
    EXPECT_EQ(read_file(path("whole") / name), read_file(path("parts") / name)) << name;
  }
  for (std::size_t i = 0; i < kept.size(); i += 97) {
    std::string damaged = kept;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    message_of(Fault::data, [&] { TopicStream::restore(damaged); });
  }
  message_of(Fault::data, [&] { TopicStream::restore(kept.substr(0, kept.size() / 2)); });
}

TEST_F(Train, DocumentsAreInferredEvaluatedReportedAndExported) {
  const Model model = train(corpus_, plan());
  const Inferred found = model.infer(corpus_);
  EXPECT_EQ(found.proportions.size(), 80U * 3);
  EXPECT_EQ(model.evaluate(corpus_).documents, 8U);
  EXPECT_TRUE(model.evaluate(corpus_).held_out);
  EXPECT_EQ(model.table({.corpus = corpus_}).lines.size(), 3U);
  EXPECT_GT(model.report(path("page.html"), {.corpus = corpus_}).bytes, 1000U);
  EXPECT_EQ(model.export_to(path("other"), "gensim").files.size(), 8U);
  const auto stop = [](const WorkProgress&) { return Next::stop; };
  EXPECT_EQ(message_of(Fault::interrupted,
                       [&] {
                         InferPlan plan{.output = path("p.csv"), .progress = stop};
                         model.infer(corpus_, plan);
                       }),
            "stopped: nothing was written to " + path("p.csv").string());
  EXPECT_FALSE(fs::exists(path("p.csv")));
}

TEST_F(Train, ImportedTextsAreACorpus) {
  std::ofstream(path("a.txt")) << "cat dog cat\ndog bird\ncat bird\n";
  ImportReport report;
  const Corpus corpus = import_corpus(
      path("a.txt"), path("corpus"),
      {.min_df = 1, .max_df = 1, .report = [&](const ImportReport& done) { report = done; }});
  EXPECT_EQ(corpus.documents(), 3U);
  EXPECT_EQ(report.tokens, 7U);
  EXPECT_EQ(report.format, "text");
  EXPECT_EQ(message_of(Fault::cannot_create, [&] { import_corpus(path("a.txt"), path("corpus")); }),
            "output " + path("corpus").string() + ": exists; give overwrite = true to replace it");
}

TEST_F(Train, NobodyMakesTheFoldersAboveAnOutput) {
  const Model model = train(corpus_, plan());
  std::ofstream(path("a.txt")) << "cat dog cat\ndog bird\ncat bird\n";
  std::ofstream(path("file")) << "precious";
  const std::string missing = "folder " + path("no").string() + " does not exist; create it first";
  const std::string no_folder = path("file").string() + " is no folder; choose another place";
  for (const auto& [above, problem] : {std::pair("no", missing), std::pair("file", no_folder)}) {
    const fs::path output = path(above) / "it";
    EXPECT_EQ(about_output([&] { import_corpus(path("a.txt"), output); }), problem);
    TrainPlan asked = plan();
    asked.output = output;
    EXPECT_EQ(about_output([&] { train(corpus_, asked); }), problem);
    asked.output = output / "";  // a slash at the end is no folder more
    EXPECT_EQ(about_output([&] { train(corpus_, asked); }), problem);
    EXPECT_EQ(about_output([&] { model.save(output); }), problem);
    EXPECT_EQ(about_output([&] { model.report(output); }), problem);
    EXPECT_EQ(about_output([&] { model.export_to(output, "gensim"); }), problem);
    EXPECT_EQ(about_output([&] { model.infer(corpus_, {.format = "npy", .output = output}); }),
              problem);
    TrainPlan in_memory = plan();
    in_memory.checkpoint = output;
    EXPECT_EQ(refused(in_memory, Fault::cannot_create),
              "checkpoint " + output.string() + ": " + problem);
  }
  EXPECT_FALSE(fs::exists(path("no")));
  EXPECT_EQ(read_file(path("file")), "precious");
}

TEST_F(Train, WhatIsInTheWayOfAnOutputIsSaidBeforeAnyWork) {
  const Model model = train(corpus_, plan("model"));
  model.save(path("saved"));
  EXPECT_EQ(about_output([&] { model.save(path("saved")); }),
            "holds a model; give overwrite = true to replace it");
  EXPECT_EQ(about_output([&] { model.save(path("model"), Overwrite::yes); }),
            "is the model itself; choose another folder");
  TrainPlan stopping = plan("parts");
  stopping.progress = [](const TrainProgress&) { return Next::stop; };
  train(corpus_, stopping);
  EXPECT_EQ(about_output([&] { model.save(path("parts")); }),
            "holds a stopped training; give overwrite = true to replace it");
  model.save(path("parts"), Overwrite::yes);
  std::ofstream(path("page.html")) << "precious";
  const std::string exists = "exists; give overwrite = true to overwrite it";
  EXPECT_EQ(about_output([&] { model.report(path("page.html")); }), exists);
  EXPECT_EQ(
      about_output([&] { model.infer(corpus_, {.format = "npy", .output = path("page.html")}); }),
      exists);
  model.export_to(path("other"), "gensim");
  EXPECT_EQ(about_output([&] { model.export_to(path("other"), "gensim"); }), exists);
  // Not a word of the work before the error.
  std::vector<std::string> notes;
  const auto note = [&](std::string_view text) { notes.emplace_back(text); };
  TrainPlan again = plan("model");
  again.note = note;
  EXPECT_THAT(about_output([&] { train(corpus_, again); }), testing::StartsWith("holds a model"));
  std::ofstream(path("a.txt")) << "cat dog cat\ndog bird\ncat bird\n";
  EXPECT_EQ(about_output([&] {
              import_corpus(path("a.txt"), path("model"), {.overwrite = true, .note = note});
            }),
            "exists and is no corpus; choose another folder");
  EXPECT_EQ(about_output([&] { import_corpus(path("a.txt"), path("model"), {.note = note}); }),
            "exists and is no corpus; choose another folder");
  EXPECT_TRUE(notes.empty()) << notes.front();
}

TEST_F(Train, WhatThereIsNotIsOneFault) {
  EXPECT_EQ(message_of(Fault::no_input, [&] { Model::open(path("none")); }),
            path("none").string() +
                ": there is no such folder; give the folder that `tain lda train` wrote");
  fs::create_directory(path("empty"));
  message_of(Fault::no_input, [&] { Model::open(path("empty")); });
  const Model model = train(corpus_, plan());
  EXPECT_EQ(message_of(Fault::config, [&] { model.words(3); }),
            "topic: there is no topic 3; give 0 to 2");
  message_of(Fault::config, [&] { model.probabilities(3); });
  message_of(Fault::config, [&] { model.words(0, 5, 1.5); });
  message_of(Fault::config, [&] { model.table({.topics = {7}}); });
  TrainPlan all = plan();
  all.holdout = 80;
  message_of(Fault::config, [&] { train(corpus_, all); });
}

TEST_F(Train, AResumedTrainingThatHasAllThatIsAskedForSaysSoAndChangesNothing) {
  train(corpus_, plan("model"));
  const auto files = [&] {
    std::map<std::string, std::string> bytes;
    for (const fs::directory_entry& entry : fs::directory_iterator(path("model"))) {
      bytes[entry.path().filename().string()] = read_file(entry.path());
    }
    return bytes;
  };
  const auto before = files();
  std::string note;
  const auto resumed = [&](TrainPlan plan) {
    plan.output = path("model");
    plan.resume = true;
    plan.note = [&](std::string_view text) { note = text; };
    plan.progress = [](const TrainProgress&) {
      ADD_FAILURE() << "trained";
      return Next::stop;
    };
    return train(corpus_, plan);
  };
  const Model model = resumed({.steps = 20});
  EXPECT_EQ(note, "already past 20 steps, at 60 steps; nothing was trained");
  EXPECT_TRUE(model.finished());
  EXPECT_EQ(model.record().facts.steps, 60U);
  EXPECT_EQ(model.words(0).front().word, Model::open(path("model")).words(0).front().word);
  EXPECT_EQ(model.text(), Model::open(path("model")).text());
  resumed({});
  EXPECT_EQ(note, "already at 60 steps; nothing was trained");
  resumed({.passes = 1});
  EXPECT_THAT(note, testing::StartsWith("already past 1 pass, at "));
  resumed({.max_seconds = 1e-9});
  EXPECT_THAT(note, testing::StartsWith("already past "));
  EXPECT_EQ(files(), before);
}

TEST_F(Train, AStoppedTrainingThatIsPastTheRuleIsFinished) {
  TrainPlan stopping = plan("parts");
  stopping.progress = [](const TrainProgress& now) {
    return now.step == 25 ? Next::stop : Next::go_on;
  };
  train(corpus_, stopping);
  TrainPlan resumed{.steps = 20};
  resumed.output = path("parts");
  resumed.resume = true;
  EXPECT_EQ(train(corpus_, resumed).record().facts.steps, 25U);
  EXPECT_EQ(Model::open(path("parts")).record().facts.steps, 25U);
}

TEST_F(Train, SharesAreTheSameAfterOpening) {
  const Model model = train(corpus_, plan("model"));
  EXPECT_EQ(Model::open(path("model")).record().shares, model.record().shares);
  const std::span<const std::string> words = corpus_.vocabulary();
  TopicStream stream({words.begin(), words.end()}, {.topics = 3, .keep_draws = 2}, 80);
  stream.add(corpus_);
  const Model streamed = stream.model();
  streamed.save(path("stream"));
  EXPECT_EQ(Model::open(path("stream")).record().shares, streamed.record().shares);
  EXPECT_NE(streamed.record().shares[0], streamed.record().shares[1]);  // not those of the prior
  EXPECT_EQ(streamed.record().stop_reason, "end of the stream");
  EXPECT_THAT(streamed.text(), testing::HasSubstr("(end of the stream)"));
}

}  // namespace
}  // namespace tain::train_test

// Plans filled from flags: the table of flags and the members of plans say the same.
#include "cli/fill.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lda/inference/evaluate.hpp"
#include "lda/inference/inference.hpp"
#include "lda/training/train_plan.hpp"
#include "support.hpp"
#include "support/field_names.hpp"
#include "tain/reproduce/study.hpp"
#include "text/import_plan.hpp"
#include "text/synthetic.hpp"

namespace tain::cli::fill_test {
namespace {

using testing::UnorderedElementsAreArray;

std::string flag_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

/// What the program alone is concerned with.
const std::set<std::string> of_the_program{"output", "force",  "resume", "progress",
                                           "quiet",  "strict", "json",   "help"};

template <class Plan>
Plan from(std::string_view command, std::initializer_list<std::string_view> words, Plan plan = {}) {
  const RawOptions raw = parse(command, words);
  return filled(plan, Options(find_command(command), raw));
}

template <class Plan>
void expect_same_names(std::string_view name, const Plan& plan, std::set<std::string> others = {}) {
  const Command& command = find_command(name);
  const test::FieldNames fields = test::fields_of(plan);
  std::vector<std::string> of_the_plan, of_the_table;
  for (const std::string& field : fields.names) {
    of_the_plan.push_back(flag_of(field));
  }
  others.insert(of_the_program.begin(), of_the_program.end());
  for (const Flag& flag : command.flags) {
    if (!others.contains(std::string(flag.name))) {
      of_the_table.emplace_back(flag.name);
    }
  }
  EXPECT_THAT(of_the_plan, UnorderedElementsAreArray(of_the_table)) << name;
  for (const auto& [field, words] : fields.words) {
    const Flag* flag = find_flag(command, flag_of(field));
    ASSERT_NE(flag, nullptr) << field;
    EXPECT_THAT(words, UnorderedElementsAreArray(choices(*flag))) << field;
  }
}

TEST(Fill, EveryFlagIsAMemberAndEveryMemberAFlag) {
  expect_same_names("lda train", TrainPlan());
  expect_same_names("corpus import", ImportPlan(), {"threads"});
  expect_same_names("corpus synthesize", SyntheticPlan(), {"threads"});
  expect_same_names("corpus export", CorpusExportPlan());
  expect_same_names("lda evaluate", EvaluatePlan(), {"threads"});
  expect_same_names("reproduce synthetic", SyntheticStudyPlan(), {"threads"});
  expect_same_names("reproduce lda", LdaStudyPlan(), {"threads"});
  expect_same_names("lda infer", InferPlan(), {"threads"});
}

/// All defaults that help shows, as if they had been typed.
RawOptions typed_defaults(std::string_view name) {
  const Command& command = find_command(name);
  std::vector<std::string> words;
  for (const Flag& flag : command.flags) {
    if (!flag.fallback.empty() && flag.kind != Kind::on_off) {
      words.push_back("--" + std::string(flag.name) + "=" + std::string(flag.fallback));
    }
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  return parse_arguments(command, views);
}

template <class Plan>
Plan by_table(std::string_view name, Plan plan) {
  const RawOptions raw = typed_defaults(name);
  return filled(plan, Options(find_command(name), raw));
}

TEST(Fill, DefaultsThatHelpShowsAreThoseOfThePlans) {
  const std::vector<std::uint32_t> ids(40, 0), counts(40, 20);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t d = 0; d <= ids.size(); ++d) {
    offsets.push_back(d);
  }
  const Corpus corpus = Corpus::over({ids, counts, offsets, {"word"}});
  Alone alone;
  TrainPlan typed = by_table("lda train", TrainPlan()), plain;
  for (const std::string_view method : {"smld-root", "smld-approximate", "smld-preconditioned"}) {
    typed.method = plain.method = method;
    const TrainingRequest a = training_request(typed, {}, corpus, alone);
    const TrainingRequest b = training_request(plain, {}, corpus, alone);
    EXPECT_EQ(training_settings(corpus, a.plan, a.schedule),
              training_settings(corpus, b.plan, b.schedule));
  }
  EXPECT_EQ(typed.threads, plain.threads);
  EXPECT_EQ(typed.checkpoint_seconds, plain.checkpoint_seconds);
  EXPECT_EQ(by_table("lda infer", InferencePlan()).sweeps, InferencePlan().sweeps);
  EXPECT_EQ(by_table("lda infer", InferencePlan()).seed, InferencePlan().seed);
  EXPECT_EQ(by_table("lda evaluate", EvaluatePlan()).sweeps, EvaluatePlan().sweeps);
  const ImportReport report;
  EXPECT_EQ(import_manifest(import_settings(by_table("corpus import", ImportPlan()), "a"), report),
            import_manifest(import_settings(ImportPlan(), "a"), report));
  EXPECT_EQ(by_table("corpus import", ImportPlan()).memory,
            import_settings(ImportPlan(), "a").memory_bytes);
  const LdaStudyPlan study = by_table("reproduce lda", LdaStudyPlan());
  EXPECT_EQ(study.sweeps, LdaStudyPlan().sweeps);
  EXPECT_EQ(study.alpha, LdaStudyPlan().alpha);
  EXPECT_EQ(study.eta, LdaStudyPlan().eta);
  EXPECT_EQ(study.seed, LdaStudyPlan().seed);
  EXPECT_EQ(synthetic_manifest(by_table("corpus synthesize", SyntheticPlan()), {}),
            synthetic_manifest(SyntheticPlan(), {}));
}

TEST(Fill, TypedValuesReachThePlan) {
  const auto plan = from<TrainPlan>(
      "lda train",
      {"-k",        "7",       "--alpha",   "0.3",         "--optimize-alpha", "--method",
       "sgrld",     "--start", "documents", "--step-size", "0.1,100,0.5",      "--approximation",
       "quadratic", "--isa",   "avx2",      "--layout",    "sharded",          "--keep-draws",
       "0",         "-j",      "3"});
  EXPECT_EQ(plan.topics, 7U);
  EXPECT_EQ(plan.alpha, 0.3);
  EXPECT_EQ(plan.optimize_alpha, true);
  EXPECT_EQ(plan.method, "sgrld");
  EXPECT_EQ(plan.start, "documents");
  EXPECT_EQ(plan.step_size.values, (std::vector<double>{0.1, 100, 0.5}));
  EXPECT_EQ(plan.approximation, "quadratic");
  EXPECT_EQ(plan.isa, "avx2");
  EXPECT_EQ(plan.layout, "sharded");
  EXPECT_EQ(plan.keep_draws, 0U);
  EXPECT_EQ(plan.threads, 3U);
  EXPECT_FALSE(plan.eta || plan.seed || plan.steps || plan.passes || plan.holdout);
  EXPECT_EQ(from<TrainPlan>("lda train", {"--optimize-alpha=false"}).optimize_alpha, false);
  EXPECT_EQ(from<ImportPlan>("corpus import", {"--memory", "32M"}).memory, 33554432U);
  EXPECT_EQ(from<ImportPlan>("corpus import", {"--format", "wikipedia"}).format, "wikipedia");
}

TEST(Fill, WrongValuesAreOneLineOfUsage) {
  const auto train = [](std::initializer_list<std::string_view> words) {
    return message_of(Fault::usage, [&] { from<TrainPlan>("lda train", words); });
  };
  EXPECT_EQ(train({"-k", "0"}), "--topics: is 0; give at least 1");
  EXPECT_EQ(train({"-k", "70000"}), "--topics: is more than 65,520; give a smaller number");
  EXPECT_EQ(train({"-k", "many"}),
            "--topics: 'many' is not a whole number in range; give a whole number such as 1000");
  EXPECT_EQ(train({"--alpha", "-1"}), "--alpha: -1 is not positive; give a number above 0");
  EXPECT_EQ(train({"--alpha", "inf"}), "--alpha: inf is infinite; give a finite number");
  EXPECT_EQ(train({"--method", "sgrdl"}), "--method: unknown value 'sgrdl'; did you mean 'sgrld'?");
  EXPECT_EQ(train({"--step-size", "1,2"}),
            "--step-size: has 2 numbers; give one, or three: A,B,C for A(1 + t/B)^-C");
  EXPECT_EQ(train({"--step-size", "0"}),
            "--step-size: is not a falling sequence of positive numbers; give A > 0, B > 0 and C "
            ">= 0");
  EXPECT_EQ(train({"--checkpoint-seconds", "0"}),
            "--checkpoint-seconds: 0 is not positive; give a number above 0");
  EXPECT_EQ(message_of(Fault::usage, [] { from<InferencePlan>("lda infer", {"--sweeps", "1"}); }),
            "--sweeps: is 1; give 2 to 4096; the first half is forgotten");
  EXPECT_EQ(
      message_of(Fault::usage, [] { from<ImportPlan>("corpus import", {"--memory", "much"}); }),
      "--memory: 'much' is not a size; give a size such as 500M or 4G");
  EXPECT_EQ(message_of(Fault::usage,
                       [] { from<SyntheticPlan>("corpus synthesize", {"--topics", "3e9"}); }),
            "--topics: is more than 2,147,483,647; give a smaller number");
}

}  // namespace
}  // namespace tain::cli::fill_test

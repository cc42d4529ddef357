// Options of an import: what they come to, and which are refused.
#include "text/import_plan.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace tain::import_plan_test {
namespace {

using test::message_of;

TEST(ImportPlan, LeftOutAreThoseOfThePlan) {
  const ImportSettings plan = import_settings(ImportPlan(), "a.txt"), usual;
  EXPECT_EQ(plan.source, "a.txt");
  EXPECT_FALSE(plan.format || plan.vocabulary);
  EXPECT_EQ(plan.tokenizer.min_characters, usual.tokenizer.min_characters);
  EXPECT_EQ(plan.tokenizer.stop_words, usual.tokenizer.stop_words);
  EXPECT_EQ(plan.selection.max_words, usual.selection.max_words);
  EXPECT_EQ(plan.memory_bytes, usual.memory_bytes);
}

TEST(ImportPlan, ValuesOutOfRangeAreRefused) {
  const auto refused = [](const ImportPlan& options) {
    return message_of(Fault::config, [&] { import_settings(options, "a"); });
  };
  EXPECT_EQ(refused({.max_df = 3}),
            "max_df: is a share of the documents, at most 1; give 0.1 for a tenth of them");
  EXPECT_EQ(refused({.memory = 1000}), "memory: is too little to work in; give at least 16M");
  EXPECT_EQ(refused({.min_df = 0}), "min_df: is 0; give at least 1");
}

TEST(ImportPlan, WhatWouldDoNothingIsRefused) {
  const auto refused = [](const ImportPlan& options, Format format) {
    ImportReport report;
    report.format = format_name(format);
    return message_of(Fault::config, [&] { refuse_idle(options, report); });
  };
  EXPECT_EQ(refused({.stemmer = "english"}, Format::ldac),
            "stemmer: ldac holds counted words, there is no text to cut; leave it out");
  EXPECT_EQ(refused({.keep_case = false}, Format::vw),
            "keep_case: vw holds counted words, there is no text to cut; leave it out");
  EXPECT_EQ(refused({.min_df = 3}, Format::uci),
            "min_df: words of uci have their numbers, which are kept; leave it out, or import the "
            "texts");
  EXPECT_EQ(refused({.vocab = "words", .max_vocab = 3}, Format::text),
            "max_vocab: vocab says which words to keep; give one of them");
  EXPECT_EQ(refused({.first_id = FirstId::zero}, Format::text),
            "first_id: text fixes the number of its first word; leave it out");
  ImportReport report;
  report.format = "svmlight";
  EXPECT_NO_THROW(refuse_idle({.first_id = FirstId::zero}, report));
}

}  // namespace
}  // namespace tain::import_plan_test

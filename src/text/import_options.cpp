#include "text/import_options.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::array<std::string_view, 2> first_id_words{"0", "1"};
constexpr std::array<std::string_view, 2> token_rule_words{"unicode", "ascii"};

using Given = std::vector<std::pair<const char*, bool>>;

void refuse_given(const Given& options, const Phrase& problem, const char* remedy) {
  for (const auto& [name, given] : options) {
    if (given) {
      fail(Fault::config, Field{name}, problem, remedy);
    }
  }
}

}  // namespace

void ImportOptions::describe(Fields& fields) {
  std::vector<std::string_view> formats = format_names();
  formats.insert(formats.begin(), "auto");
  fields.choice_or_auto("format", formats, format);
  fields.choice("first_id", first_id_words, first_id);
  fields.choice("tokens", token_rule_words, tokens);
  fields.field("keep_case", keep_case);
  fields.count("min_length", min_length, 1);
  fields.count("max_length", max_length, 1);
  fields.field("stop_words", stop_words);
  fields.field("stemmer", stemmer);
  fields.field("vocab", vocab);
  fields.count("min_df", min_df, 1);
  fields.positive("max_df", max_df);
  if (max_df && *max_df > 1) {
    fields.refuse("max_df", "is a share of the documents, at most 1",
                  "give 0.1 for a tenth of them");
  }
  fields.count("max_vocab", max_vocab, 1);
  fields.bytes("memory", memory);
  if (memory && *memory < std::uint64_t{16} << 20) {
    fields.refuse("memory", "is too little to work in", "give at least 16M");
  }
}

ImportPlan ImportOptions::plan(std::filesystem::path source) const {
  require_in_range(*this);
  ImportPlan plan;
  plan.source = std::move(source);
  plan.format = format;
  plan.tokenizer.rule = tokens.value_or(plan.tokenizer.rule);
  plan.tokenizer.letter_case =
      keep_case.value_or(false) ? LetterCase::keep : plan.tokenizer.letter_case;
  plan.tokenizer.min_characters = min_length.value_or(plan.tokenizer.min_characters);
  plan.tokenizer.max_characters = max_length.value_or(plan.tokenizer.max_characters);
  plan.tokenizer.stop_words = stop_words.value_or(plan.tokenizer.stop_words);
  plan.tokenizer.stemmer = stemmer.value_or(plan.tokenizer.stemmer);
  plan.vocabulary = vocab;
  plan.selection.min_documents = min_df.value_or(plan.selection.min_documents);
  plan.selection.max_share = max_df.value_or(plan.selection.max_share);
  plan.selection.max_words = max_vocab.value_or(plan.selection.max_words);
  plan.svmlight_first_id = first_id.value_or(plan.svmlight_first_id);
  plan.memory_bytes = memory.value_or(plan.memory_bytes);
  return plan;
}

void ImportOptions::refuse_idle(const ImportReport& report) const {
  const Content content = content_of(report.format);
  const std::string name(format_name(report.format));
  const Given selecting{{"min_df", min_df.has_value()},
                        {"max_df", max_df.has_value()},
                        {"max_vocab", max_vocab.has_value()}};
  if (content != Content::text) {
    refuse_given({{"tokens", tokens.has_value()},
                  {"keep_case", keep_case.has_value()},
                  {"min_length", min_length.has_value()},
                  {"max_length", max_length.has_value()},
                  {"stop_words", stop_words.has_value()},
                  {"stemmer", stemmer.has_value()}},
                 fmt::format("{} holds counted words, there is no text to cut", name),
                 "leave it out");
  }
  if (content == Content::numbers) {
    refuse_given(selecting, fmt::format("words of {} have their numbers, which are kept", name),
                 "leave it out, or import the texts");
  }
  if (vocab) {
    refuse_given(selecting, Phrase(Field{"vocab"}, " says which words to keep"),
                 "give one of them");
  }
  if (!format_row(report.format).chooses_first_id) {
    refuse_given({{"first_id", first_id.has_value()}},
                 fmt::format("{} fixes the number of its first word", name), "leave it out");
  }
}

}  // namespace tain

#include "text/import_plan.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "core/fields.hpp"
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

void ImportPlan::describe(Fields& fields) {
  std::vector<std::string_view> formats = format_names();
  formats.insert(formats.begin(), "auto");
  fields.word("format", formats, format);
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
  fields.bytes("scratch", scratch);
}

ImportSettings import_settings(const ImportPlan& asked, std::filesystem::path source) {
  require_in_range(asked);
  ImportSettings settings;
  settings.source = std::move(source);
  if (asked.format && *asked.format != "auto") {
    settings.format = format_from_name(*asked.format);
  }
  settings.tokenizer.rule = asked.tokens.value_or(settings.tokenizer.rule);
  settings.tokenizer.letter_case =
      asked.keep_case.value_or(false) ? LetterCase::keep : settings.tokenizer.letter_case;
  settings.tokenizer.min_characters = asked.min_length.value_or(settings.tokenizer.min_characters);
  settings.tokenizer.max_characters = asked.max_length.value_or(settings.tokenizer.max_characters);
  settings.tokenizer.stop_words = asked.stop_words.value_or(settings.tokenizer.stop_words);
  settings.tokenizer.stemmer = asked.stemmer.value_or(settings.tokenizer.stemmer);
  settings.vocabulary = asked.vocab;
  settings.selection.min_documents = asked.min_df.value_or(settings.selection.min_documents);
  settings.selection.max_share = asked.max_df.value_or(settings.selection.max_share);
  settings.selection.max_words = asked.max_vocab.value_or(settings.selection.max_words);
  settings.svmlight_first_id = asked.first_id.value_or(settings.svmlight_first_id);
  settings.memory_bytes = asked.memory.value_or(settings.memory_bytes);
  settings.scratch_bytes = asked.scratch;
  return settings;
}

void refuse_idle(const ImportPlan& plan, const ImportReport& report) {
  const Content content = content_of(format_from_name(report.format));
  const std::string& name = report.format;
  const Given selecting{{"min_df", plan.min_df.has_value()},
                        {"max_df", plan.max_df.has_value()},
                        {"max_vocab", plan.max_vocab.has_value()}};
  if (content != Content::text) {
    refuse_given({{"tokens", plan.tokens.has_value()},
                  {"keep_case", plan.keep_case.has_value()},
                  {"min_length", plan.min_length.has_value()},
                  {"max_length", plan.max_length.has_value()},
                  {"stop_words", plan.stop_words.has_value()},
                  {"stemmer", plan.stemmer.has_value()}},
                 fmt::format("{} holds counted words, there is no text to cut", name),
                 "leave it out");
  }
  if (content == Content::numbers) {
    refuse_given(selecting, fmt::format("words of {} have their numbers, which are kept", name),
                 "leave it out, or import the texts");
  }
  if (plan.vocab) {
    refuse_given(selecting, Phrase(Field{"vocab"}, " says which words to keep"),
                 "give one of them");
  }
  if (!format_row(format_from_name(report.format)).chooses_first_id) {
    refuse_given({{"first_id", plan.first_id.has_value()}},
                 fmt::format("{} fixes the number of its first word", name), "leave it out");
  }
}

}  // namespace tain

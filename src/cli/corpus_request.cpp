#include "corpus_request.hpp"

#include <fmt/format.h>

#include <array>

#include "tain/report/text.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

constexpr std::array<std::string_view, 6> token_flags{"tokens",     "keep-case",  "min-length",
                                                      "max-length", "stop-words", "stemmer"};
constexpr std::array<std::string_view, 3> selection_flags{"min-df", "max-df", "max-vocab"};

TokenizerOptions tokenizer_options(const Options& options) {
  TokenizerOptions tokens;
  tokens.rule = token_rule(options.choice("tokens"));
  tokens.letter_case = options.on("keep-case") ? LetterCase::keep : LetterCase::fold;
  tokens.min_characters = options.positive_count("min-length");
  tokens.max_characters = options.positive_count("max-length");
  tokens.stop_words = options.text("stop-words").value();
  tokens.stemmer = options.text("stemmer").value();
  return tokens;
}

Selection selection(const Options& options) {
  Selection chosen{options.positive_count("min-df"), *options.positive_number("max-df"),
                   options.positive_count("max-vocab")};
  if (chosen.max_share > 1) {
    reject(options.value("max-df"), "is a share of the documents, at most 1",
           "give 0.1 for a tenth of them");
  }
  return chosen;
}

void refuse_given(const Options& options, std::span<const std::string_view> flags,
                  std::string_view problem, std::string_view remedy) {
  for (const std::string_view flag : flags) {
    if (options.given(flag)) {
      fail(Fault::config, fmt::format("--{}", flag), problem, remedy);
    }
  }
}

std::uint32_t positive_32(const Options& options, std::string_view flag) {
  const std::uint64_t count = options.positive_count(flag);
  if (count > 0x7FFF'FFFF) {
    reject(options.value(flag), "is more than 2,147,483,647", "give a smaller number");
  }
  return static_cast<std::uint32_t>(count);
}

/// The estimate comes before the work: topics and their tables are held whole.
void require_memory(const SyntheticPlan& plan) {
  const double needed = 12.0 * plan.topics * plan.words;
  const double machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, "--topics",
         fmt::format("{} topics of {} words take {}, the machine has {}", grouped(plan.topics),
                     grouped(plan.words), format_bytes(needed), format_bytes(machine)),
         "ask for fewer topics or a smaller --vocab-size");
  }
}

}  // namespace

ImportPlan import_plan(const Options& options, std::filesystem::path source) {
  constexpr std::uint64_t least_memory = std::uint64_t{16} << 20;
  ImportPlan plan;
  plan.source = std::move(source);
  if (options.choice("format") != "auto") {
    plan.format = format_from_name(options.choice("format"));
  }
  plan.tokenizer = tokenizer_options(options);
  plan.vocabulary = options.text("vocab");
  plan.selection = selection(options);
  plan.svmlight_first_id = options.choice("first-id") == "0" ? FirstId::zero : FirstId::one;
  plan.memory_bytes = parse_bytes(options.text("memory").value(), options.value("memory"));
  if (plan.memory_bytes < least_memory) {
    reject(options.value("memory"), "is too little to work in", "give at least 16M");
  }
  return plan;
}

void refuse_idle_import(const Options& options, const ImportReport& report) {
  const Content content = content_of(report.format);
  const std::string name(format_name(report.format));
  if (content != Content::text) {
    refuse_given(options, token_flags,
                 fmt::format("{} holds counted words, there is no text to cut", name),
                 "leave it out");
  }
  if (content == Content::numbers) {
    refuse_given(options, selection_flags,
                 fmt::format("words of {} have their numbers, which are kept", name),
                 "leave it out, or import the texts");
  }
  if (options.given("vocab")) {
    refuse_given(options, selection_flags, "--vocab says which words to keep", "give one of them");
  }
  if (report.format != Format::svmlight && options.given("first-id")) {
    fail(Fault::config, "--first-id", fmt::format("{} fixes the number of its first word", name),
         "leave it out");
  }
}

SyntheticPlan synthetic_plan(const Options& options) {
  SyntheticPlan plan;
  plan.documents = options.positive_count("docs");
  plan.topics = positive_32(options, "topics");
  plan.words = positive_32(options, "vocab-size");
  plan.mean_length = *options.positive_number("mean-length");
  plan.alpha = *options.positive_number("alpha");
  plan.eta = *options.positive_number("eta");
  plan.base = options.choice("base") == "zipf" ? BaseFrequencies::zipf : BaseFrequencies::uniform;
  plan.proportions = options.on("proportions") ? Proportions::write : Proportions::drop;
  plan.seed = *options.count("seed");
  require_memory(plan);
  return plan;
}

}  // namespace tain::cli

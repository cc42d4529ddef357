#include <fmt/format.h>

#include <array>

#include "corpus_job.hpp"
#include "program.hpp"
#include "tain/report/text.hpp"
#include "tain/text/import.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

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

ImportPlan make_plan(const Command& command, const RawOptions& raw, const Options& options) {
  constexpr std::uint64_t least_memory = std::uint64_t{16} << 20;
  ImportPlan plan;
  plan.source = required_argument(command, raw);
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

void refuse_given(const Options& options, std::span<const std::string_view> flags,
                  std::string_view problem, std::string_view remedy) {
  for (const std::string_view flag : flags) {
    if (options.given(flag)) {
      fail(Fault::config, fmt::format("--{}", flag), problem, remedy);
    }
  }
}

/// Options that would do nothing to this source are refused rather than ignored.
void refuse_idle_options(const Options& options, const ImportReport& report) {
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

std::string reading_text(const ImportReport& report) {
  if (report.folder) {
    return fmt::format("reading {}, a folder: every file is a document", report.source);
  }
  return fmt::format("reading {} as {}{}", report.source, format_name(report.format),
                     report.detection.empty() ? "" : fmt::format(": {}", report.detection));
}

/// "1,234 too short, 5 stop words"
std::string dropped_text(const ImportReport& report) {
  const std::array<std::pair<std::uint64_t, std::string_view>, 11> reasons{
      {{report.read.redirects, "redirects"},
       {report.read.other_pages, "pages outside the main namespace"},
       {report.read.not_files, "entries that are no files"},
       {report.text.too_short, "tokens too short"},
       {report.text.too_long, "tokens too long"},
       {report.text.stop_words, "stop words"},
       {report.unknown_tokens, "tokens outside the vocabulary"},
       {report.text.invalid_bytes, "bytes that are no UTF-8"},
       {report.rare_words, "words in too few documents"},
       {report.common_words, "words in too many documents"},
       {report.words_beyond_limit, "words beyond --max-vocab"}}};
  std::string text;
  for (const auto& [count, reason] : reasons) {
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ",\n           ", grouped(count), reason);
    }
  }
  return text.empty() ? "nothing" : text;
}

std::string report_text(const std::filesystem::path& folder, const ImportReport& report) {
  return fmt::format(
      "corpus     {}\ndocuments  {} ({} empty)\nwords      {}\ntokens     {}\ndropped    {}\n",
      folder.string(), grouped(report.documents), grouped(report.empty_documents),
      grouped(report.words), grouped(report.tokens), dropped_text(report));
}

}  // namespace

int import_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const ImportPlan plan = make_plan(command, raw, options);
  const std::filesystem::path folder = required_output(command, options);
  const Talk talk(options.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  Threads threads(*options.count("threads"));
  JobProgress progress("import", JobProgress::Unit::bytes, options);
  ImportObserver observer;
  observer.format_known = [&](const ImportReport& report) {
    refuse_idle_options(options, report);
    talk.say(reading_text(report));
  };
  observer.progress = [&](const ImportProgress& now) {
    return progress.show(now.phase, now.documents, now.consumed, now.size) ? Next::go_on
                                                                           : Next::stop;
  };
  const std::optional<ImportReport> report =
      import_corpus(plan, folder, overwrite(options), threads, observer);
  progress.clear();
  if (!report) {
    talk.say(fmt::format("stopped; nothing was written to {}", folder.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    Json object{{"corpus", folder.string()}, {"seconds", progress.seconds()}};
    object.update(Json::parse(import_manifest(plan, *report)));
    print(object.dump(2) + "\n");
  } else {
    print(report_text(folder, *report));
  }
  return 0;
}

}  // namespace tain::cli

// The card of a model: README.md in its folder.
#include <fmt/format.h>

#include <cmath>

#include "core/simd.hpp"
#include "lda/training/training_report.hpp"
#include "report/text.hpp"

namespace tain {
namespace {

/// Words stand in a table of Markdown.
std::string cell(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<') {
      text += '\\';
    }
    text += c;
  }
  return text;
}

std::string data_section(const TrainingRun& run) {
  const Corpus& corpus = run.corpus();
  return fmt::format(
      "## Data\n\n"
      "- corpus: {}, fingerprint {:016x}\n"
      "- {} documents, {} tokens, {} different words\n"
      "- {} documents trained on, {} held out (chosen by the seed, never trained on)\n\n",
      corpus.folder().empty() ? "in memory"
                              : fmt::format("`{}`", corpus.folder().filename().string()),
      corpus.fingerprint(), grouped(corpus.documents()), grouped(corpus.tokens()),
      grouped(corpus.words()), grouped(run.training_documents()), grouped(run.schedule().held_out));
}

std::string perplexity_section(const TrainingReport& report) {
  std::string text = "## Held-out perplexity\n\n";
  if (!report.perplexity) {
    return text + "Not measured: no tokens were held out.\n\n";
  }
  const Evaluation& last = report.history.rows().back();
  const auto line = [](std::string_view what, const Perplexity& perplexity) {
    return fmt::format("| {} | {} |\n", what,
                       std::isfinite(perplexity.value)
                           ? measured(perplexity.value, perplexity.standard_error)
                           : "infinite");
  };
  text += "| topics | perplexity ± standard error |\n|---|---|\n";
  text += line("the mean of the draws kept (`topics.npy`)", *report.perplexity);
  text += line("the last draw alone (`dual.npy`)", last.single);
  text += line(fmt::format("predictions averaged over {}", counted(last.averaged, "evaluation")),
               last.average);
  return text +
         "\nOf every held-out document each 10th token is predicted from the others: topic "
         "proportions by\nGibbs sampling on the observed tokens given the topics, p(w) = sum_k "
         "(n_dk + alpha_k)/(n_d + sum alpha) phi_kw,\nperplexity = exp(-mean log p) by natural "
         "logarithms over all test tokens. The standard error is over documents.\n\n";
}

std::string training_section(const TrainingRun& run, const TrainingReport& report,
                             std::string_view command) {
  const Training& training = run.training();
  std::string text = fmt::format(
      "## Training\n\n"
      "- {} over {} ({}), {}\n"
      "- `topics.npy` is the mean of {}\n"
      "- {} of which {} of CPU went into training\n",
      counted(training.steps(), "step"), counted(training.documents_seen(), "document"),
      passes_text(run.passes()), stop_text(stop_reason_name(report.stopped)),
      counted(report.draws_kept, "draw"), duration(run.time().seconds),
      duration(run.time().cpu_seconds));
  if (!command.empty()) {
    text += fmt::format("- made by `{}`\n", command);
  }
  text += "\n| option | value |\n|---|---|\n";
  for (const Setting& setting : training_settings(run.corpus(), training.plan(), run.schedule())) {
    text += fmt::format("| {} | {} |\n", setting.name, cell(setting.text()));
  }
  return text + "\n";
}

std::string topics_section(const TrainingRun& run, const TrainingReport& report) {
  std::string text =
      "## Topics\n\nNumbered as the rows of `topics.npy`, from 1; by falling share of the "
      "tokens.\n\n"
      "| topic | share | words |\n|---|---|---|\n";
  for (const std::uint32_t topic : topics_by_share(report.shares)) {
    std::string words;
    for (const std::uint32_t word : report.words[topic]) {
      words += (words.empty() ? "" : " ") + cell(run.corpus().word(word));
    }
    text += fmt::format("| {} | {:.2f} % | {} |\n", topic + 1, 100 * report.shares[topic], words);
  }
  return text + "\n";
}

std::string use_section(std::string_view name) {
  return fmt::format(
      "## Use\n\n"
      "    tain lda report {0} -o topics.html  a page to explore the topics\n"
      "    tain lda topics {0}                 words, weights and coherence of the topics\n"
      "    tain lda infer {0} texts.tsv        topic proportions of new texts\n"
      "    tain lda evaluate {0} CORPUS        perplexity on other documents\n"
      "    tain lda train CORPUS -o {0} --resume --passes 10     train on\n\n"
      "In Python: `topics = numpy.load(\"topics.npy\")`, one row per topic, one column per line of "
      "`vocab.txt`;\n`numpy.load(\"draws.npy\")`, if there, has single draws of the topics: draws "
      "x "
      "topics x words.\n\n",
      name);
}

}  // namespace

std::string model_card(const TrainingRun& run, const TrainingReport& report,
                       std::string_view command) {
  const TrainingPlan& plan = run.training().plan();
  std::string verdict = fmt::format("**{}**\n\n", report.verdict.headline);
  for (const VerdictLine& line : report.verdict.lines) {
    verdict += fmt::format("- {}{}\n", line.passed ? "" : "Warning: ", line.sentence);
  }
  return fmt::format(
             "# {}: {} topics of {} words\n\n"
             "Latent Dirichlet allocation, topics sampled by {} ({}), instruction set {}.\n\n",
             name_mark, plan.topics, grouped(run.corpus().words()), plan.method,
             fmt::format("seed {}", plan.seed), isa_name(current_isa())) +
         verdict + "\n" + data_section(run) + perplexity_section(report) +
         training_section(run, report, command) + topics_section(run, report) +
         use_section(name_mark) +
         "## Limits\n\n"
         "Topics are words that occur together, not meanings; they depend on the number of topics, "
         "the words kept\nat import and the seed. Words outside `vocab.txt` are unknown to the "
         "model.\n";
}

}  // namespace tain

// Commands that sample, and those that judge and plan it.
#include "cli/flag_rows.hpp"
#include "cli/kind_flags.hpp"
#include "cli/program.hpp"

namespace tain::cli {
namespace {

constexpr auto on_off = Kind::on_off;
constexpr auto draws = Shapes::draws;
constexpr auto manner = Shapes::manner;

constexpr std::string_view problem = "Problem";
constexpr std::string_view set = "Set";
constexpr std::string_view sampler = "Sampler";
constexpr std::string_view theory = "Theory";
constexpr std::string_view running = rows::run;
constexpr std::string_view output = rows::output;

// What to sample from; the numbers of targets and sets are rows of their kinds.
constexpr std::array target_choice{
    Flag{"target", 't', "NAME", "", "density to sample: a name of `tain targets`, or ./FILE.so",
         problem, Kind::word, draws},
    Flag{"target-arguments", 0, "TEXT", "", "text handed to a target from a shared library",
         problem, Kind::word, draws},
};
constexpr std::array set_choice{
    Flag{"set", 0, "NAME", "", "where x lives, a name of `tain sets` (default: by target)", set,
         Kind::word, draws},
    Flag{"dim", 'd', "N", "", "coordinates, where the target does not tell", set, Kind::count,
         draws},
    Flag{"names", 0, "LIST", "", "names of the coordinates, in files, tables and pages", set,
         Kind::words, draws},
};

std::vector<Flag> with_problem(std::span<const Flag> others) {
  std::vector<Flag> table;
  const auto add = [&](const auto& rows) { table.insert(table.end(), rows.begin(), rows.end()); };
  add(target_choice);
  add(target_flags(problem));
  add(set_choice);
  add(set_flags(set));
  add(others);
  return table;
}

constexpr std::array kernel_flags{
    Flag{"kernel", 'k', "NAME", "auto",
         "transition, a name of `tain kernels`; auto: hmc, or smld where --batch is given", sampler,
         Kind::word, draws},
    Flag{
        "step-size", 0, "auto|theory|B|A,B,C", "auto",
        "step size, or A(1 + t/B)^-C at step t; auto: chosen in warm-up; theory: that of Theorem 4",
        sampler, Kind::words, draws},
    Flag{"target-acceptance", 0, "P", "",
         "acceptance that the automatic step size aims at (default: the kernel's own)", sampler,
         Kind::number, draws},
    Flag{"trajectory-length", 0, "L", "", "hmc: length of a trajectory (default: adapted)", sampler,
         Kind::number, draws},
    Flag{"precondition", 0, "auto|none|diagonal", "auto", "scaling learnt in warm-up", sampler,
         Kind::choice, draws},
    Flag{"dual-form", 0, "auto|closed|generic", "auto",
         "dual density in closed form (paper 3.7) or through the map (3.3)", sampler, Kind::choice,
         draws},
    Flag{"on-non-finite", 0, "fail|reject", "fail", "mld: what a step to a non-finite point does",
         sampler, Kind::choice, draws},
    Flag{"control-variates", 0, "M", "",
         "smld: steps between anchors, whole gradients that batches correct (default: none)",
         sampler, Kind::count, draws},
    Flag{"smoothing", 0, "L", "",
         "myula: lambda, how softly the set confines its states (default: twice the step size)",
         sampler, Kind::number, draws},
};

// Where chains start and what gradients they take.
constexpr std::array gradient_flags{
    Flag{"batch", 0, "N|full", "full",
         "smld, sgrld, sgrhmc, scir: terms of the target that a step looks at", sampler, Kind::word,
         draws},
    Flag{"replacement", 0, "", "", "draw the terms of a batch with replacement", sampler, on_off,
         draws},
    Flag{"start", 0, "LIST", "",
         "point all chains start at, or @FILE (default: dispersed around the target's own)",
         sampler, Kind::numbers, draws},
};

constexpr std::array run_flags{
    Flag{"chains", 'c', "N", "4", "chains", running, Kind::count, draws},
    Flag{"warmup", 'w', "N", "1000", "warm-up steps, not kept", running, Kind::count, draws},
    Flag{"draws", 'n', "N", "1000", "draws kept per chain", running, Kind::count, draws},
    Flag{"thin", 0, "auto|N", "auto",
         "steps per draw; auto: 1 for hmc, four relaxation times (at most 256) for mld and mala",
         running, Kind::word, draws},
    rows::seed,
    rows::isa,
    rows::threads,
    Flag{"memory", 0, "SIZE", "",
         "refuse runs that need more, e.g. 4G (default: 80 % of the machine)", running, Kind::word,
         manner},
    Flag{"no-check-gradient", 0, "", "",
         "do not compare the gradient of a target of your own with differences first", running,
         on_off, manner},
    Flag{"resume", 0, "", "",
         "continue the stopped run that -o names; a finished one stays as it is", running, on_off,
         manner},
    Flag{"checkpoint-every", 0, "N", "", "draws between checkpoints (default: by time alone)",
         running, Kind::count, manner},
    Flag{"checkpoint-seconds", 0, "S", "30", "time between checkpoints", running, Kind::number,
         manner},
    Flag{"output", 'o', "FILE", "", "draws to FILE.nc, FILE.csv or FILE.npy", output,
         Kind::output_file, manner},
    Flag{"report", 0, "FILE", "", "page about the run, e.g. run.html", output, Kind::output_file,
         manner},
    Flag{"force", 'f', "", "", "overwrite the output, discard a stopped run", output, on_off,
         manner},
    Flag{"exact", 0, "", "", "compare with exact moments where they are known", output, on_off,
         manner},
    Flag{"max-rows", 0, "N", "30", "rows of the table", output, Kind::count, manner},
    rows::progress,
    rows::quiet,
    Flag{"strict", 0, "", "", "exit 2 unless the draws can be trusted", output, on_off, manner},
    rows::json,
    rows::help,
};

constexpr auto sample_flags = joined(kernel_flags, gradient_flags, run_flags);

constexpr auto plan_flags = joined(
    gradient_flags,
    std::array{
        Flag{"epsilon", 0, "LIST", "0.1,0.01", "accuracies: relative entropy to the target", theory,
             Kind::numbers, manner},
        Flag{"lipschitz", 0, "L", "", "Lipschitz constant of grad W (default: the target's own)",
             theory, Kind::number, manner},
        Flag{"gradient-variance", 0, "V", "",
             "variance of the batch's gradient (default: the target's own)", theory, Kind::number,
             manner},
        Flag{"start-distance", 0, "R", "",
             "squared Wasserstein distance of the start (default: from the target's moments)",
             theory, Kind::number, manner},
        rows::json,
        rows::help,
    });

/// Rows that every study has.
constexpr auto study_flags(std::string_view folder) {
  return std::array{
      rows::seed,
      rows::isa,
      rows::threads,
      Flag{"resume", 0, "", "", "go on with the stopped study that -o names", running, on_off,
           manner},
      Flag{"output", 'o', "DIR", folder, "folder of the page, the figures and the data", output,
           Kind::output_file, manner},
      Flag{"force", 'f', "", "", "replace the study in the folder", output, on_off, manner},
      rows::progress,
      rows::quiet,
      Flag{"json", 0, "", "", "print the findings as one JSON object", output, on_off, manner},
      rows::help,
  };
}

constexpr auto reproduce_synthetic_flags = joined(
    std::array{
        Flag{"quick", 0, "", "", "20,000 chains: a minute instead of most of an hour", running,
             on_off, draws},
        Flag{"chains", 'c', "N", "", "chains of the best curves (default 2,000,000)", running,
             Kind::count, draws},
        Flag{"grid-chains", 0, "N", "", "chains of the search for step sizes (default 100,000)",
             running, Kind::count, draws},
        Flag{"further-chains", 0, "N", "", "chains of the further samplers (default 200,000)",
             running, Kind::count, draws},
        Flag{"iterations", 0, "N", "", "steps of every chain (default 10,000)", running,
             Kind::count, draws}},
    study_flags("synthetic"));

constexpr auto reproduce_lda_flags = joined(
    std::array{
        Flag{"quick", 0, "", "",
             "4,000 documents of the corpus, or of a synthetic one where none is named: a minute",
             running, on_off, draws},
        Flag{"topics", 'k', "N", "", "topics; half of them against SGRHMC (default 100; quick: 40)",
             running, Kind::count, draws},
        Flag{"methods", 0, "NAMES", "", "only these methods, separated by commas", running,
             Kind::words, draws},
        Flag{"docs", 0, "N", "",
             "documents seen by every curve (default 100,000, at most one pass)", running,
             Kind::count, draws},
        Flag{"holdout", 0, "N", "", "documents kept for perplexity (default 1,000; quick: 200)",
             running, Kind::count, draws},
        Flag{"eval-every", 0, "N", "", "documents between looks (default 5,000; quick: 500)",
             running, Kind::count, draws},
        Flag{"runs", 0, "N", "", "seeds of the best step sizes (default 5; quick: 2)", running,
             Kind::count, draws},
        Flag{"sweeps", 0, "N", "20", "Gibbs sweeps over a batch, half of them kept", running,
             Kind::count, draws},
        Flag{"alpha", 'a', "A", "0.01", "prior weight of a topic in a document", running,
             Kind::number, draws},
        Flag{"eta", 0, "E", "0.01", "prior weight of a word in a topic", running, Kind::number,
             draws}},
    study_flags("lda-study"));

constexpr std::array diagnose_flags{
    Flag{"max-rows", 0, "N", "30", "rows of the table", output, Kind::count, manner},
    Flag{"threads", 'j', "N", "0", "threads (0: all)", output, Kind::count, manner},
    Flag{"strict", 0, "", "", "exit 2 unless the draws can be trusted", output, on_off, manner},
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array report_flags{
    Flag{"output", 'o', "FILE", "report.html", "the page", output, Kind::output_file, manner},
    Flag{"title", 0, "TEXT", "", "title of the page (default: by content)", output, Kind::word,
         manner},
    Flag{"lead", 0, "TEXT", "", "what stands under the title (default: by content)", output,
         Kind::word, manner},
    Flag{"notes", 0, "FILE", "",
         "remarks for the top of the page, one per line, under lines '# HEADING'", output,
         Kind::input_file, manner},
    Flag{"force", 'f', "", "", "replace the page", output, on_off, manner},
    Flag{"threads", 'j', "N", "0", "threads (0: all)", output, Kind::count, manner},
    rows::progress,
    rows::quiet,
    rows::help,
};

constexpr std::array sample_files{
    FileNote{"FILE.manifest.json",
             "every option of the run that wrote FILE; `tain sample` repeats it"},
    FileNote{"FILE.run", "folder of an unfinished run, for `--resume`"},
};

constexpr std::array study_files{
    FileNote{"DIR/index.html", "the page"},
    FileNote{"DIR/study.json", "all figures and findings"},
};

}  // namespace

std::span<const Command> sampling_commands() {
  static const std::vector<Flag> sample = with_problem(sample_flags),
                                 plan = with_problem(plan_flags);
  static const std::array table{
      Command{
          "sample", "[PROBLEM.toml | MANIFEST.json]", 1, "Draw from a density on a constrained set",
          "Runs warm-up and sampling, prints a table of summaries and a verdict on whether to "
          "trust them. Options come from a problem file, a manifest of an earlier run, or flags; "
          "flags win. With -o the run can be stopped and resumed to the same bits.",
          "tain sample --target dirichlet --counts 12,3,0,5 --alpha 0.5", sample, sample_command,
          sample_files, true},
      Command{
          "plan", "", 0, "Print the step size and steps that the theory promises an accuracy for",
          "Theorem 4 of the paper for a constant step: how small it must be and how many steps it "
          "takes, from the target's own constants or those given. Upper bounds, far from tight.",
          "tain plan --target dirichlet --counts 12,3,0,5 --alpha 0.5 --coordinates last", plan,
          plan_command},
      Command{
          "diagnose", "DRAWS...", 1000000, "Judge draws read from files",
          "Reads netCDF, Stan CSV (one file per chain or all in one) or npy and prints the table "
          "and the verdict of `tain sample`.",
          "tain diagnose draws.csv --strict", diagnose_flags, diagnose_command},
      Command{
          "report", "DRAWS|MODEL|STUDY...", 1000000,
          "Make a page of draws, topic models and studies",
          "Writes one HTML file that opens in any browser, offline. Draws are what `tain diagnose` "
          "reads: the verdict, the table, plots of every chain and pair of coordinates, and how "
          "they were made, if their manifest lies beside them. A model is shown as by `tain lda "
          "report`, a folder of `tain reproduce` as on its own page; several become chapters.",
          "tain report draws.csv -o draws.html --force", report_flags, report_command},
      Command{
          "reproduce synthetic", "", 0, "Repeat the paper's synthetic study and question it",
          "Total variation of coordinates 1 and 8 of the paper's sparse posterior against "
          "iterations for MLD, SGRLD and further samplers; leaves a page that says which of the "
          "paper's claims hold, with figures, CSV and JSON. A stopped study can be resumed.",
          "tain reproduce synthetic --quick -o study", reproduce_synthetic_flags,
          reproduce_synthetic_command, study_files},
      Command{
          "reproduce lda", "[CORPUS]", 1, "Repeat the paper's study of topic models",
          "Held-out perplexity against documents and time for SMLD-approximate, SGRLD, SGRHMC, "
          "SCIR and our own methods, over a grid of step sizes and several seeds; leaves a page "
          "that says which of the paper's claims hold, with figures, CSV and JSON. One thread "
          "per curve; a stopped study can be resumed.",
          "tain reproduce lda --quick -o study", reproduce_lda_flags, reproduce_lda_command,
          study_files},
  };
  return table;
}

}  // namespace tain::cli

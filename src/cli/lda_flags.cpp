// Commands that train topic models and use them.
#include "cli/flag_rows.hpp"
#include "cli/program.hpp"
#include "lda/engine/topic_sampler.hpp"

namespace tain::cli {
namespace {

constexpr auto on_off = Kind::on_off;
constexpr auto draws = Shapes::draws;
constexpr auto manner = Shapes::manner;

constexpr std::string_view model = "Model";
constexpr std::string_view sampler = "Sampler";
constexpr std::string_view length = "Length";
constexpr std::string_view evaluation = "Evaluation and averages";
constexpr std::string_view running = rows::run;
constexpr std::string_view output = rows::output;

constexpr std::array train_flags{
    Flag{"topics", 'k', "K", "100", "topics", model, Kind::count, draws},
    Flag{"alpha", 'a', "A", "",
         "Dirichlet parameter of a document's topics, per topic (default: 5 over the topics)",
         model, Kind::number, draws},
    Flag{"eta", 0, "E", "", "Dirichlet parameter of a topic's words, per word (default: 0.05)",
         model, Kind::number, draws},
    Flag{"optimize-alpha", 0, "", "",
         "learn an alpha for every topic in the first pass that samples topics", model, on_off,
         draws},
    Flag{"method", 'm', "", "smld-root", "sampler of topics", sampler, Kind::choice, draws,
         [] { return topic_methods(); }},
    Flag{"start", 0, "auto|random|documents|descent", "auto",
         "topics to start from: noise, a few documents each, or mirror descent; auto: by method",
         sampler, Kind::choice, draws},
    Flag{"descent", 0, "N", "", "documents of the descent (default: three fifths of the run)",
         sampler, Kind::count, draws},
    Flag{"descent-batch", 0, "B", "", "documents of a step of the descent (default: by corpus)",
         sampler, Kind::count, draws},
    Flag{"descent-rate", 0, "R", "", "first rate of the descent, up to 1 (default: 0.5)", sampler,
         Kind::number, draws},
    Flag{"assignments", 0, "auto|fresh|kept", "auto",
         "topics of tokens: drawn anew whenever a document is seen, as in the paper, or kept",
         sampler, Kind::choice, draws},
    Flag{"batch", 0, "B", "", "documents that a step samples (default: by method and corpus)",
         sampler, Kind::count, draws},
    Flag{
        "sweeps", 0, "S", "",
        "Gibbs sweeps over a batch; of fresh ones the first half is forgotten (default: by method)",
        sampler, Kind::count, draws},
    Flag{"step-size", 0, "A|A,B,C", "",
         "step size A(1 + t/B)^-C at step t, or A always (default: by method)", sampler,
         Kind::numbers, draws},
    Flag{"approximation", 0, "linear|quadratic", "linear",
         "smld-approximate: what stands for e^y, max{0, 1 + y} or one order more", sampler,
         Kind::choice, draws},
    Flag{"floor", 0, "E", "0", "smld-approximate: least weight of a word", sampler, Kind::number,
         draws},
    Flag{"warmup", 'w', "N", "200", "smld-preconditioned: steps during which it adapts", sampler,
         Kind::count, draws},
    Flag{"steps", 'n', "N", "", "stop after N steps in all", length, Kind::count, manner},
    Flag{"passes", 'p', "P", "",
         "stop after P passes over the documents in all (default: 5, more over small corpora)",
         length, Kind::number, manner},
    Flag{"max-seconds", 0, "T", "", "stop after T seconds of training in all", length, Kind::number,
         manner},
    Flag{"holdout", 0, "N", "",
         "documents kept from training to measure perplexity (default: 1000, at most a tenth)",
         evaluation, Kind::count, draws},
    Flag{"eval-every", 0, "E", "",
         "documents between evaluations (default: 16 in a run, at least 5 times --holdout apart)",
         evaluation, Kind::count, draws},
    Flag{"burn-in", 0, "N", "",
         "documents before draws are averaged (default: half of the run, and the descent)",
         evaluation, Kind::count, draws},
    Flag{"average-every", 0, "N", "",
         "documents between draws added to the mean (default: a batch if kept, else ten)",
         evaluation, Kind::count, draws},
    Flag{"keep-draws", 0, "N", "",
         "draws of the topics to keep beside their mean, the last one included; 0: none (default: "
         "10, or as many as 256 MB hold)",
         evaluation, Kind::count, draws},
    rows::seed,
    rows::isa,
    rows::threads,
    Flag{"layout", 0, "auto|replicated|sharded", "auto",
         "under mpirun: all topics on every rank, or the topics of some words each (auto: by "
         "memory); never changes the result",
         running, Kind::choice, manner},
    Flag{"resume", 0, "", "", "go on with the training that -o names; options may be left out",
         running, on_off, manner},
    Flag{"checkpoint-every", 0, "C", "", "documents between checkpoints (default: by time alone)",
         running, Kind::count, manner},
    Flag{"checkpoint-seconds", 0, "S", "30", "time between checkpoints", running, Kind::number,
         manner},
    Flag{"output", 'o', "DIR", "", "folder of the model", output, Kind::output_file, manner},
    Flag{"force", 'f', "", "", "replace the model in the folder", output, on_off, manner},
    rows::progress,
    rows::quiet,
    Flag{"strict", 0, "", "", "exit 2 unless the topics can be trusted", output, on_off, manner},
    rows::json,
    rows::help,
};

constexpr std::array model_files{
    FileNote{"DIR/topics.npy", "probabilities of words, a row per topic"},
    FileNote{"DIR/draws.npy", "single draws of these probabilities"},
    FileNote{"DIR/draw_shares.npy", "shares of the topics in each draw, where they are kept"},
    FileNote{"DIR/vocab.txt", "the words, one per line"},
    FileNote{"DIR/manifest.json", "every option, checksums, times, why it stopped"},
    FileNote{"DIR/history.csv", "perplexity by documents seen"},
    FileNote{"DIR/README.md", "the model's card"},
    FileNote{"DIR/checkpoint.bin", "what `--resume` goes on from"},
    FileNote{"DIR/checkpoint.*.part", "a part of it for every rank, under mpirun"},
};

constexpr std::array command_table{
    Command{"lda train", "CORPUS", 1, "Train a topic model on a corpus",
            "Samples topics by mini-batches of documents, measures held-out perplexity on the way "
            "and leaves a model: topics.npy (the mean of the draws kept), draws.npy (some of these "
            "draws), vocab.txt, history.csv, manifest.json and a card. The same bits for any "
            "number of threads, of ranks under mpirun, and after any kill and --resume. A finished "
            "model can be trained "
            "on: --resume with a larger --steps, --passes or --max-seconds.",
            "tain lda train articles -k 20 -o model", train_flags, train_command, model_files,
            true},
};

}  // namespace

std::span<const Command> lda_commands() { return command_table; }

}  // namespace tain::cli

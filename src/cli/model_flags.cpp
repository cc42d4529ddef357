// Commands that use topic models.
#include "cli/flag_rows.hpp"
#include "cli/program.hpp"
#include "text/formats.hpp"

namespace tain::cli {
namespace {

constexpr auto draws = Shapes::draws;
constexpr auto manner = Shapes::manner;

constexpr std::string_view input = "Input";
constexpr std::string_view words = "Words";
constexpr std::string_view running = rows::run;
constexpr std::string_view output = rows::output;

constexpr Flag corpus{"corpus",
                      'c',
                      "DIR",
                      "",
                      "documents to look at (default: those trained on, where they were)",
                      input,
                      Kind::input_file,
                      draws};
constexpr Flag sweeps{
    "sweeps", 0,           "S",  "50", "Gibbs sweeps over a document; the first half is forgotten",
    running,  Kind::count, draws};
constexpr Flag force{"force", 'f', "", "", "replace what -o names", output, Kind::on_off, manner};

constexpr std::array topics_flags{
    Flag{"words", 'n', "N", "10", "words of every topic", words, Kind::count, manner},
    Flag{"topic", 't', "K,...", "", "these topics only, counted from 1", words, Kind::words,
         manner},
    Flag{"lambda", 'l', "L", "1",
         "order words by relevance, L log p + (1 - L) log(p / mean p), p being their probability",
         words, Kind::number, manner},
    Flag{"corpus", 'c', "DIR", "",
         "documents for coherence and shares (default: coherence over those trained on, where "
         "they were; shares as training found them)",
         input, Kind::input_file, manner},
    rows::threads,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array evaluate_flags{
    Flag{"sweeps", 0, "S", "20", "Gibbs sweeps over a document; the first half is forgotten",
         running, Kind::count, draws},
    Flag{"seed", 's', "N", "", "seed of the sweeps (default: that of the training)", running,
         Kind::count, draws},
    rows::threads,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array infer_flags{
    Flag{"source-format", 0, "auto", "auto",
         "format of the source; auto: seen from its first bytes, and said", input, Kind::choice,
         draws, [] { return format_names(); }},
    Flag{"vocab", 0, "FILE", "",
         "numbered words: the words that the numbers stand for (default: the model's)", input,
         Kind::input_file, draws},
    Flag{"first-id", 0, "0|1", "1", "svmlight: number of the first word", input, Kind::choice,
         draws},
    sweeps,
    rows::seed,
    rows::threads,
    Flag{"output", 'o', "FILE", "",
         "file to write, or - for standard output; .gz, .bz2, .xz or .zst after .csv or .jsonl "
         "compresses",
         output, Kind::output_file, manner},
    Flag{"format", 0, "auto|npy|csv|jsonl", "auto", "format to write; auto: by the ending of -o",
         output, Kind::choice, manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array export_flags{
    corpus,
    sweeps,
    rows::seed,
    rows::threads,
    Flag{"format", 0, "pyldavis|mallet|gensim", "", "what to write", output, Kind::choice, draws},
    Flag{"output", 'o', "DIR", "", "folder to write to", output, Kind::output_file, manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array report_flags{
    rows::threads,
    Flag{"title", 0, "TEXT", "", "title of the page (default: by the corpus)", output, Kind::word,
         manner},
    Flag{"output", 'o', "FILE", "", "page to write, one HTML file", output, Kind::output_file,
         manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array command_table{
    Command{"lda topics", "MODEL", 1, "Print the topics of a model: words, shares, coherence",
            "Coherence is the mean normalised pointwise mutual information (NPMI) of the ten most "
            "probable words of a topic, counted over whole documents: 1 if they only occur "
            "together, 0 if independently, -1 if never. Exclusivity is the mean over these words "
            "of the topic's part in all topics' probability of the word.",
            "tain lda topics model", topics_flags, topics_command},
    Command{"lda evaluate", "MODEL CORPUS", 2, "Measure how well a model predicts held-out tokens",
            "Of every document each tenth token is to be predicted from the others; the "
            "perplexity is exp(- mean log p) over these tokens. Documents are those that training "
            "held out if CORPUS is what the model was trained on, else all of them; words that "
            "the model does not know are counted and left out.",
            "tain lda evaluate model articles", evaluate_flags, evaluate_command},
    Command{"lda infer", "MODEL SOURCE", 2, "Give the topic proportions of documents",
            "SOURCE is a corpus, or anything that `tain corpus import` reads: files, folders, "
            "dumps, - for standard input, compressed or not. Text is cut into words as it was for "
            "training; words that the model does not know are counted. The same document gets the "
            "same proportions in every source, for any number of threads.",
            "tain lda infer model news.txt -o proportions.csv", infer_flags, infer_command},
    Command{"lda export", "MODEL", 1, "Write a model for pyLDAvis, MALLET's tools or gensim",
            "pyldavis writes the arguments of pyLDAvis.prepare (pyldavis.npz), mallet "
            "doc-topics.txt and topic-keys.txt, gensim what gensim.models.LdaModel.load reads.",
            "tain lda export model --format gensim -o for-gensim", export_flags,
            model_export_command},
    Command{"lda report", "MODEL [CORPUS]", 2, "Write a page to explore the topics of a model",
            "One HTML file that works offline: the verdict of the training, a map of the topics, "
            "their words by relevance, their documents, shares and probabilities with intervals "
            "from the draws kept, and how all was made. CORPUS gives documents, shares and "
            "coherence (default: what the model was trained on, where it was). Topics have the "
            "numbers of the rows of topics.npy, from 1.",
            "tain lda report model -o topics.html", report_flags, lda_report_command},
};

}  // namespace

std::span<const Command> model_commands() { return command_table; }

}  // namespace tain::cli

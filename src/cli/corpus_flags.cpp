// Commands that make, show and write corpora.
#include "cli/flag_rows.hpp"
#include "cli/program.hpp"
#include "text/formats.hpp"

namespace tain::cli {
namespace {

constexpr auto on_off = Kind::on_off;
constexpr auto draws = Shapes::draws;
constexpr auto manner = Shapes::manner;

constexpr std::string_view input = "Input";
constexpr std::string_view tokens = "Tokens";
constexpr std::string_view vocabulary = "Vocabulary";
constexpr std::string_view model = "Model";
constexpr std::string_view output = rows::output;

constexpr Flag force{"force", 'f', "", "", "replace what -o names", output, on_off, manner};

constexpr std::array import_flags{
    Flag{"format", 0, "auto", "auto",
         "format of the source; auto: seen from its first bytes, and said", input, Kind::choice,
         draws, [] { return format_names(); }},
    Flag{"first-id", 0, "0|1", "1", "svmlight: number of the first word", input, Kind::choice,
         draws},
    Flag{"tokens", 0, "unicode|ascii", "unicode",
         "what a token is: a run of letters in any script, or the rule of Hoffman's online LDA",
         tokens, Kind::choice, draws},
    Flag{"keep-case", 0, "", "", "words that differ in case are different", tokens, on_off, draws},
    Flag{"min-length", 0, "N", "2", "drop tokens with fewer characters", tokens, Kind::count,
         draws},
    Flag{"max-length", 0, "N", "40", "drop tokens with more characters", tokens, Kind::count,
         draws},
    Flag{"stop-words", 0, "english|none|FILE", "english", "words to drop", tokens, Kind::word,
         draws},
    Flag{"stemmer", 0, "none|LANGUAGE", "none", "reduce words to stems, e.g. english", tokens,
         Kind::word, draws},
    Flag{"vocab", 0, "FILE", "",
         "the words to keep, one per line (default: chosen from the documents)", vocabulary,
         Kind::input_file, draws},
    Flag{"min-df", 0, "N", "20", "keep words that are in at least N documents", vocabulary,
         Kind::count, draws},
    Flag{"max-df", 0, "SHARE", "0.1", "keep words that are in at most this share of documents",
         vocabulary, Kind::number, draws},
    Flag{"max-vocab", 0, "N", "100000", "keep at most N words, those in most documents", vocabulary,
         Kind::count, draws},
    rows::threads,
    Flag{"memory", 0, "SIZE", "1G", "memory to stay below, whatever the size of the source",
         rows::run, Kind::word, manner},
    Flag{"scratch", 0, "SIZE", "",
         "disk for temporary files, in DIR (default: 80 % of what is free)", rows::run, Kind::word,
         manner},
    Flag{"output", 'o', "DIR", "", "folder of the corpus", output, Kind::output_file, manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array show_flags{
    Flag{"top", 'n', "N", "10", "how many of the most and least frequent words to list", output,
         Kind::count, manner},
    Flag{"threads", 'j', "N", "0", "threads (0: all)", output, Kind::count, manner},
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array export_flags{
    Flag{"format", 0, "auto", "auto", "format to write; auto: by the ending of -o", output,
         Kind::choice, draws, [] { return format_names(&FormatRow::written); }},
    Flag{"first-id", 0, "0|1", "1", "svmlight: number of the first word", output, Kind::choice,
         draws},
    Flag{"output", 'o', "FILE", "",
         "file to write, or - for standard output; .gz, .bz2, .xz or .zst at the end compresses",
         output, Kind::output_file, manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array synthesize_flags{
    Flag{"docs", 'n', "N", "1000", "documents", model, Kind::count, draws},
    Flag{"topics", 'k', "K", "10", "topics", model, Kind::count, draws},
    Flag{"vocab-size", 0, "W", "1000", "words", model, Kind::count, draws},
    Flag{"mean-length", 0, "L", "100", "tokens of a document, on average", model, Kind::number,
         draws},
    Flag{"alpha", 'a', "A", "0.1", "Dirichlet parameter of a document's topics, per topic", model,
         Kind::number, draws},
    Flag{"eta", 0, "E", "0.05", "Dirichlet parameter of a topic's words, per word", model,
         Kind::number, draws},
    Flag{"base", 0, "zipf|uniform", "zipf",
         "frequencies of words that topics vary around: as in language, or equal", model,
         Kind::choice, draws},
    rows::seed,
    rows::threads,
    Flag{"output", 'o', "DIR", "", "folder of the corpus", output, Kind::output_file, manner},
    Flag{"proportions", 0, "", "", "keep the topic proportions of every document too", output,
         on_off, manner},
    force,
    rows::progress,
    rows::quiet,
    rows::json,
    rows::help,
};

constexpr std::array corpus_files{
    FileNote{"DIR/manifest.json", "sizes, checksums and the options of the import"},
    FileNote{"DIR/vocab.txt", "the words, one per line"},
};

constexpr std::array synthetic_files{
    FileNote{"DIR/topics.npy", "the true topics, one row each"},
};

constexpr std::array command_table{
    Command{"corpus import", "SOURCE", 1, "Read text or bags of words into a corpus on disk",
            "SOURCE is a file, a folder (every file is a document) or - for standard input, plain "
            "or compressed by gzip, bzip2, xz or zstd: text (a document per line), tsv "
            "(id<TAB>title<TAB>text), a Wikipedia dump (pages-articles.xml), or bags of words "
            "(the other formats). The corpus does not depend on threads or memory.",
            "tain corpus import articles.tsv -o articles --min-df 5", import_flags, import_command,
            corpus_files},
    Command{"corpus show", "DIR", 1, "Print the sizes, words and document lengths of a corpus",
            "Counts every token anew, after checking the files against their checksums.",
            "tain corpus show articles", show_flags, show_command},
    Command{"corpus export", "DIR", 1, "Write a corpus in a format that others read",
            "Bags of numbered words get a list of their words beside them. What is written can be "
            "imported again and gives the same corpus.",
            "tain corpus export articles -o articles.mm", export_flags, export_command},
    Command{"corpus synthesize", "", 0, "Draw a corpus from the LDA model, with its true topics",
            "Every topic is a draw from a Dirichlet over words, every document one over topics; "
            "topics.npy in the folder holds the truth. Documents of a larger corpus with the same "
            "seed begin with those of a smaller one.",
            "tain corpus synthesize --docs 2000 --topics 20 -o synthetic", synthesize_flags,
            synthesize_command, synthetic_files},
};

}  // namespace

std::span<const Command> corpus_commands() { return command_table; }

}  // namespace tain::cli

// Speed of reading text, in MB/s of text on one core: the tokenizer on English-like text and on
// text of which a tenth of the words are not ASCII, the markup stripper, and Python's re.findall on
// the same text in the same run. With a file as first argument: on that file instead.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "text/bytes.hpp"
#include "text/stop_words.hpp"
#include "text/tokenizer.hpp"
#include "text/wiki_markup.hpp"

namespace {

using namespace tain;

constexpr std::size_t text_bytes = std::size_t{16} << 20;

struct Texts {
  std::string ascii;
  std::string mixed;
  std::string wikitext;
};

/// Word r of the language is drawn with a frequency like 1/r; the commonest are the stop words.
std::vector<std::string> language(std::mt19937& random) {
  std::vector<std::string> words;
  for (const std::string_view word : english_stop_words()) {
    words.emplace_back(word);
  }
  std::poisson_distribution<std::size_t> length(4.5);
  while (words.size() < 50'000) {
    std::string word;
    for (std::size_t i = 0, size = 2 + length(random); i < size; ++i) {
      word += static_cast<char>('a' + random() % 26);
    }
    words.push_back(std::move(word));
  }
  return words;
}

Texts write_texts() {
  static constexpr std::array<std::string_view, 6> other{"naïve", "Größe",           "слово",
                                                         "café",  "e\u0301te\u0301", "文字"};
  std::mt19937 random(1);
  const std::vector<std::string> words = language(random);
  std::uniform_real_distribution<double> uniform(0, std::log(static_cast<double>(words.size())));
  Texts texts;
  while (texts.ascii.size() < text_bytes) {
    const auto rank = static_cast<std::size_t>(std::exp(uniform(random)));
    const std::string& word = words[std::min(rank, words.size()) - 1];
    const auto chance = random() % 100;
    const std::string_view separator = chance < 85 ? " " : chance < 95 ? ", " : ". ";
    texts.ascii.append(word).append(separator);
    texts.mixed.append(random() % 10 == 0 ? other[random() % other.size()] : word)
        .append(separator);
    texts.wikitext
        .append(chance < 3   ? "[[" + word + "|" + word + "]]"
                : chance < 4 ? "{{cite|" + word + "}}"
                : chance < 6 ? "''" + word + "''"
                             : word)
        .append(chance == 99 ? "<ref>" + word + "</ref>\n\n" : separator);
  }
  return texts;
}

struct Counter final : TokenSink {
  std::uint64_t bytes = 0;
  void put(std::string_view token) override { bytes += token.size(); }
};

void tokenize(benchmark::State& state, const std::string& text, const TokenizerOptions& options) {
  Tokenizer tokenizer(options);
  Counter counter;
  for (auto _ : state) {
    tokenizer.tokens(text, counter);
  }
  benchmark::DoNotOptimize(counter.bytes);
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size() * state.iterations()));
}

void strip(benchmark::State& state, const std::string& text) {
  WikiMarkup markup;
  std::string plain;
  for (auto _ : state) {
    markup.strip(text, plain);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size() * state.iterations()));
}

/// Python times itself, without its start and without reading the file.
void python(benchmark::State& state, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tain_bench_tokens_" + std::to_string(getpid()) + ".txt");
  write_atomically(path, std::string_view(text));
  const std::string command =
      "python3 -c \"import re,time;t=open('" + path.string() +
      "',encoding='utf-8',errors='replace').read();a=time.process_time();"
      "n=len(re.findall(r'[a-z]+',t.lower()));print(time.process_time()-a)\"";
  for (auto _ : state) {
    double seconds = 0;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr || std::fscanf(pipe, "%lf", &seconds) != 1) {
      state.SkipWithError("python3 did not run");
    }
    if (pipe != nullptr) {
      pclose(pipe);
    }
    state.SetIterationTime(seconds);
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size() * state.iterations()));
}

std::string whole_text(const char* path) {
  const auto source = open_bytes(path);
  std::string text;
  std::vector<char> block(1 << 20);
  while (const std::size_t count = source->read(block)) {
    text.append(block.data(), count);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Texts texts;
  if (argc > 1) {
    texts.ascii = texts.mixed = texts.wikitext = whole_text(argv[1]);
  } else {
    texts = write_texts();
  }
  TokenizerOptions ascii_rule;
  ascii_rule.rule = TokenRule::ascii;
  TokenizerOptions stems;
  stems.stemmer = "english";
  benchmark::RegisterBenchmark("tokens/ascii_text", tokenize, texts.ascii, TokenizerOptions{});
  benchmark::RegisterBenchmark("tokens/mixed_text", tokenize, texts.mixed, TokenizerOptions{});
  benchmark::RegisterBenchmark("tokens/ascii_rule", tokenize, texts.mixed, ascii_rule);
  benchmark::RegisterBenchmark("tokens/stemmed", tokenize, texts.ascii, stems);
  benchmark::RegisterBenchmark("wiki_markup", strip, texts.wikitext);
  benchmark::RegisterBenchmark("python_re_findall", python, texts.ascii)->UseManualTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

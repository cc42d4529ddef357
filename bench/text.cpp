// Speed of reading: lines against memchr alone, every format of bags, every compression; beside
// them what users have at hand, wc and Python. Figure to read: bytes of decompressed input per
// second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "text/bag.hpp"
#include "text/bag_writer.hpp"
#include "text/lines.hpp"
#include "text/sources.hpp"

namespace {

using namespace tain;

constexpr std::uint32_t words = 7700;
constexpr std::size_t documents = 20'000;

/// Documents of 20 to 300 different words, the lower ids more often, most counts 1.
const std::vector<Bag>& bags() {
  static const std::vector<Bag> all = [] {
    std::vector<Bag> made(documents);
    std::uint64_t state = 1;
    const auto uniform = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    for (Bag& bag : made) {
      for (auto left = static_cast<std::size_t>(20 + 280 * uniform()); left > 0; --left) {
        const double u = uniform();
        bag.ids.push_back(static_cast<std::uint32_t>(u * u * words));
        bag.counts.push_back(1 + static_cast<std::uint32_t>(3 * uniform() * uniform()));
      }
      sort_and_merge(bag, "bench");
    }
    return made;
  }();
  return all;
}

std::string written(Format format) {
  BagTotals totals{documents, words, 0};
  for (const Bag& bag : bags()) {
    totals.entries += bag.ids.size();
  }
  std::ostringstream out;
  const auto writer = write_bags(format, out, "bench", totals);
  for (const Bag& bag : bags()) {
    writer->write(bag);
  }
  writer->finish();
  return out.str();
}

std::string written_words() {
  std::vector<std::string> names;
  for (std::uint32_t id = 0; id < words; ++id) {
    names.push_back(fmt::format("w{:x}", id * 2654435761u >> 4));
  }
  std::ostringstream out;
  const auto writer = write_word_bags(out, "bench");
  for (const Bag& bag : bags()) {
    WordBag named;
    for (const std::uint32_t id : bag.ids) {
      named.words.push_back(names[id]);
    }
    named.counts = bag.counts;
    writer->write(named);
  }
  writer->finish();
  return out.str();
}

const std::string& ldac() {
  static const std::string text = written(Format::ldac);
  return text;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void memchr_alone(benchmark::State& state) {
  for (auto _ : state) {
    std::size_t lines = 0;
    const char* at = ldac().data();
    const char* const end = at + ldac().size();
    while ((at = static_cast<const char*>(
                std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
      ++at;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  count_bytes(state, ldac().size());
}
BENCHMARK(memchr_alone);

void line_reader(benchmark::State& state) {
  for (auto _ : state) {
    MemoryBytes source(ldac(), "bench");
    LineReader reader(source);
    while (const auto line = reader.next()) {
      benchmark::DoNotOptimize(line->data());
    }
  }
  count_bytes(state, ldac().size());
}
BENCHMARK(line_reader);

void read_format(benchmark::State& state, Format format) {
  const std::string text = written(format);
  Bag bag;
  for (auto _ : state) {
    const auto reader = read_bags(format, std::make_unique<MemoryBytes>(text, "bench"));
    while (reader->next(bag)) {
      benchmark::DoNotOptimize(bag.ids.data());
    }
  }
  count_bytes(state, text.size());
}
BENCHMARK_CAPTURE(read_format, uci, Format::uci);
BENCHMARK_CAPTURE(read_format, ldac, Format::ldac);
BENCHMARK_CAPTURE(read_format, mm, Format::mm);
BENCHMARK_CAPTURE(read_format, svmlight, Format::svmlight);

void read_vw(benchmark::State& state) {
  const std::string text = written_words();
  WordBag bag;
  for (auto _ : state) {
    const auto reader = read_word_bags(std::make_unique<MemoryBytes>(text, "bench"));
    while (reader->next(bag)) {
      benchmark::DoNotOptimize(bag.words.data());
    }
  }
  count_bytes(state, text.size());
}
BENCHMARK(read_vw);

void write_ldac(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(written(Format::ldac).data());
  }
  count_bytes(state, ldac().size());
}
BENCHMARK(write_ldac);

void unpack(benchmark::State& state, Compression compression) {
  const std::string stored = testing_text::compress(compression, ldac());
  std::vector<char> piece(std::size_t{1} << 20);
  for (auto _ : state) {
    const auto source = decompress(std::make_unique<MemoryBytes>(stored, "bench"));
    while (source->read(piece) > 0) {
    }
  }
  count_bytes(state, ldac().size());
}
BENCHMARK_CAPTURE(unpack, gzip, Compression::gzip);
BENCHMARK_CAPTURE(unpack, bzip2, Compression::bzip2);
BENCHMARK_CAPTURE(unpack, xz, Compression::xz);
BENCHMARK_CAPTURE(unpack, zstd, Compression::zstd);

/// CPU seconds of the programs that have run.
double seconds_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Another program on the same bytes, as a file; its start is part of its CPU time.
void peer(benchmark::State& state, const char* command) {
  const auto path = std::filesystem::temp_directory_path() / "tain_bench_text.ldac";
  std::ofstream(path, std::ios::binary) << ldac();
  const std::string line = fmt::format(fmt::runtime(command), path.string());
  for (auto _ : state) {
    const double before = seconds_of_children();
    if (std::system(line.c_str()) != 0) {
      state.SkipWithError("did not run");
      break;
    }
    state.SetIterationTime(seconds_of_children() - before);
  }
  count_bytes(state, ldac().size());
  std::filesystem::remove(path);
}
BENCHMARK_CAPTURE(peer, wc, "wc -l {0} > /dev/null")->UseManualTime();
BENCHMARK_CAPTURE(
    peer, python_lines,
    "/usr/bin/python3 -c 'print(sum(1 for line in open(\"{0}\", \"rb\")))' > /dev/null")
    ->UseManualTime();
BENCHMARK_CAPTURE(peer, python_ldac,
                  "/usr/bin/python3 -c 'for line in open(\"{0}\"): "
                  "[tuple(map(int, pair.split(\":\"))) for pair in line.split()[1:]]'")
    ->UseManualTime();

}  // namespace

BENCHMARK_MAIN();

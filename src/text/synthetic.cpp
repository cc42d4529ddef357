#include "text/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/failpoint.hpp"
#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/machine.hpp"
#include "core/npy.hpp"
#include "core/parallel.hpp"
#include "core/sizes.hpp"
#include "tain/core/error.hpp"
#include "text/byte_sink.hpp"
#include "text/corpus_writer.hpp"
#include "text/synthetic_documents.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr double tokens_per_block = 65'536;
constexpr std::size_t blocks_per_thread = 4;  // so that threads finish together

void require_possible(const SyntheticPlan& plan) {
  require_in_range(plan);
  // The estimate comes before the work: topics and their tables are held whole.
  const double needed = 12.0 * plan.topics * plan.vocab_size, machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, Field{"topics"},
         fmt::format("{} topics of {} words take {}, the machine has {}", grouped(plan.topics),
                     grouped(plan.vocab_size), format_bytes(needed), format_bytes(machine)),
         Phrase("ask for fewer topics or a smaller ", Field{"vocab_size"}));
  }
}

class Synthesis {
 public:
  Synthesis(const SyntheticPlan& plan, const fs::path& folder)
      : plan_(plan),
        folder_(folder),
        threads_(plan.threads),
        writer_(folder, Order::text, plan.overwrite ? Overwrite::yes : Overwrite::no),
        model_(plan) {}

  SyntheticReport run() {
    draw_topics();
    draw_documents();
    report_.manifest = synthetic_manifest(plan_, report_);
    writer_.finish(synthetic_words(plan_.vocab_size), report_.manifest);
    return report_;
  }

 private:
  void show(std::string_view phase, std::uint64_t done, std::uint64_t size) const {
    failpoint_count("documents", done);
    if (plan_.progress && plan_.progress({phase, done, done, size}) == Next::stop) {
      fail_stopped(folder_);
    }
  }

  void draw_topics() {
    const std::uint64_t shape[] = {plan_.topics, plan_.vocab_size};
    const std::string header = npy_header("<f4", shape);
    const std::size_t values = std::size_t{plan_.topics} * plan_.vocab_size;
    const MappedFile file =
        MappedFile::create(writer_.beside("topics.npy"), header.size() + values * sizeof(float));
    std::memcpy(file.bytes().data(), header.data(), header.size());
    auto* const rows = reinterpret_cast<float*>(file.bytes().data() + header.size());
    const std::size_t group = threads_.count();
    for (std::size_t first = 0; first < plan_.topics; first += group) {
      show("drawing topics", first, plan_.topics);
      threads_.for_each(std::min<std::size_t>(group, plan_.topics - first), [&](std::size_t i) {
        const std::size_t k = first + i;
        model_.draw_topic(static_cast<std::uint32_t>(k),
                          {rows + k * plan_.vocab_size, std::size_t{plan_.vocab_size}});
      });
    }
    file.sync();
  }

  void draw_documents() {
    const auto per_block =
        static_cast<std::uint64_t>(std::clamp(tokens_per_block / plan_.mean_length, 1.0, 4096.0));
    std::vector<text::DocumentBlock> blocks(threads_.count() * blocks_per_thread);
    if (plan_.proportions) {
      const fs::path path = writer_.beside("proportions.npy");
      const std::uint64_t shape[] = {plan_.docs, plan_.topics};
      proportions_ = open_sink(path, Compression::none, path.string());
      proportions_->write(npy_header("<f4", shape));
    }
    for (std::uint64_t first = 0; first < plan_.docs; first += per_block * blocks.size()) {
      show("writing", first, plan_.docs);
      threads_.for_each(blocks.size(), [&](std::size_t b) {
        const std::uint64_t begin = std::min(first + b * per_block, plan_.docs);
        blocks[b].clear();
        model_.draw_documents(begin, std::min(begin + per_block, plan_.docs), blocks[b]);
      });
      for (const text::DocumentBlock& block : blocks) {
        write(block);
      }
    }
    if (proportions_) {
      proportions_->finish();
    }
    show("writing", plan_.docs, plan_.docs);
  }

  void write(const text::DocumentBlock& block) {
    const std::span<const std::uint32_t> tokens = block.tokens;
    std::size_t begin = 0;
    for (const std::size_t end : block.ends) {
      writer_.add(tokens.subspan(begin, end - begin), "", "");
      report_.empty_documents += begin == end ? 1 : 0;
      begin = end;
    }
    if (proportions_) {
      proportions_->write({reinterpret_cast<const char*>(block.proportions.data()),
                           block.proportions.size() * sizeof(float)});
    }
    report_.documents = writer_.documents();
    report_.tokens = writer_.tokens();
  }

  const SyntheticPlan& plan_;
  const fs::path& folder_;
  Threads threads_;
  CorpusWriter writer_;
  text::SyntheticModel model_;
  std::unique_ptr<ByteSink> proportions_;
  SyntheticReport report_;
};

}  // namespace

Corpus synthesize_corpus(const fs::path& folder, const SyntheticPlan& plan) {
  require_possible(plan);
  const SyntheticReport report = Synthesis(plan, folder).run();
  if (plan.report) {
    plan.report(report);
  }
  return Corpus::open(folder);
}

void SyntheticPlan::describe(Fields& fields) {
  constexpr std::uint64_t most_documents = (std::uint64_t{1} << 48) - 1;
  constexpr std::uint32_t most = 0x7FFF'FFFF;
  constexpr double longest_mean = 1e8;
  constexpr std::array<std::string_view, 2> bases{"uniform", "zipf"};
  fields.count("docs", docs, 1, most_documents);
  fields.count("topics", topics, 1, most);
  fields.count("vocab_size", vocab_size, 1, most);
  fields.positive("mean_length", mean_length);
  fields.positive("alpha", alpha);
  fields.positive("eta", eta);
  for (const auto& [name, value, largest] :
       {std::tuple("mean_length", mean_length, longest_mean),
        std::tuple("alpha", alpha, std::numeric_limits<double>::max()),
        std::tuple("eta", eta, std::numeric_limits<double>::max())}) {
    if (value > largest) {
      fields.refuse(name, fmt::format("is more than {:g}", largest), "give a smaller number");
    }
  }
  fields.choice("base", bases, base);
  fields.field("proportions", proportions);
  fields.field("seed", seed);
}

std::string synthetic_manifest(const SyntheticPlan& plan, const SyntheticReport& report) {
  const nlohmann::ordered_json json{
      {"source", "synthetic"},
      {"model", "latent Dirichlet allocation"},
      {"documents", report.documents},
      {"empty_documents", report.empty_documents},
      {"words", plan.vocab_size},
      {"tokens", report.tokens},
      {"topics", plan.topics},
      {"mean_length", plan.mean_length},
      {"alpha", plan.alpha},
      {"eta", plan.eta},
      {"base", plan.base == BaseFrequencies::zipf ? "zipf" : "uniform"},
      {"seed", plan.seed}};
  return json.dump(2) + "\n";
}

}  // namespace tain

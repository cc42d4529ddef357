#include "text/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/failpoint.hpp"
#include "core/machine.hpp"
#include "core/npy.hpp"
#include "core/sizes.hpp"
#include "tain/core/error.hpp"
#include "text/byte_sink.hpp"
#include "text/corpus_writer.hpp"
#include "text/synthetic_documents.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr double longest_mean = 1e8;
constexpr double tokens_per_block = 65'536;
constexpr std::size_t blocks_per_thread = 4;  // so that threads finish together

/// Thrown where the observer asks to stop; never leaves synthesize_corpus.
struct Stopped {};

void require(bool condition, const char* field, std::string_view problem) {
  if (!condition) {
    fail(Fault::config, Field{field}, problem, "choose another value");
  }
}

void require_possible(const SyntheticPlan& plan) {
  require(plan.documents < std::uint64_t{1} << 48, "docs", "must be fewer than 2^48");
  require(plan.topics > 0, "topics", "must be at least 1");
  require(plan.words > 0 && plan.words < 0x8000'0000, "vocab_size", "must be from 1 to 2^31 - 1");
  require(plan.mean_length > 0 && plan.mean_length <= longest_mean, "mean_length",
          "must be positive and at most 1e8");
  require(plan.alpha > 0 && std::isfinite(plan.alpha), "alpha", "must be positive");
  require(plan.eta > 0 && std::isfinite(plan.eta), "eta", "must be positive");
  // The estimate comes before the work: topics and their tables are held whole.
  const double needed = 12.0 * plan.topics * plan.words, machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, Field{"topics"},
         fmt::format("{} topics of {} words take {}, the machine has {}", grouped(plan.topics),
                     grouped(plan.words), format_bytes(needed), format_bytes(machine)),
         Phrase("ask for fewer topics or a smaller ", Field{"vocab_size"}));
  }
}

class Synthesis {
 public:
  Synthesis(const SyntheticPlan& plan, const fs::path& folder, Overwrite overwrite,
            Threads& threads, const DocumentObserver& observer)
      : plan_(plan),
        threads_(threads),
        observer_(observer),
        writer_(folder, Order::text, overwrite),
        model_(plan) {}

  SyntheticReport run() {
    draw_topics();
    draw_documents();
    writer_.finish(synthetic_words(plan_.words), synthetic_manifest(plan_, report_));
    return report_;
  }

 private:
  void show(const DocumentProgress& progress) const {
    failpoint_count("documents", progress.documents);
    if (observer_(progress) == Next::stop) {
      throw Stopped{};
    }
  }

  void draw_topics() {
    const std::uint64_t shape[] = {plan_.topics, plan_.words};
    const std::string header = npy_header("<f4", shape);
    const std::size_t values = std::size_t{plan_.topics} * plan_.words;
    const MappedFile file =
        MappedFile::create(writer_.beside("topics.npy"), header.size() + values * sizeof(float));
    std::memcpy(file.bytes().data(), header.data(), header.size());
    auto* const rows = reinterpret_cast<float*>(file.bytes().data() + header.size());
    const std::size_t group = threads_.count();
    for (std::size_t first = 0; first < plan_.topics; first += group) {
      show({"drawing topics", first, plan_.topics});
      threads_.for_each(std::min<std::size_t>(group, plan_.topics - first), [&](std::size_t i) {
        const std::size_t k = first + i;
        model_.draw_topic(static_cast<std::uint32_t>(k),
                          {rows + k * plan_.words, std::size_t{plan_.words}});
      });
    }
    file.sync();
  }

  void draw_documents() {
    const auto per_block =
        static_cast<std::uint64_t>(std::clamp(tokens_per_block / plan_.mean_length, 1.0, 4096.0));
    std::vector<text::DocumentBlock> blocks(threads_.count() * blocks_per_thread);
    if (plan_.proportions == Proportions::write) {
      const fs::path path = writer_.beside("proportions.npy");
      const std::uint64_t shape[] = {plan_.documents, plan_.topics};
      proportions_ = open_sink(path, Compression::none, path.string());
      proportions_->write(npy_header("<f4", shape));
    }
    for (std::uint64_t first = 0; first < plan_.documents; first += per_block * blocks.size()) {
      show({"writing", first, plan_.documents});
      threads_.for_each(blocks.size(), [&](std::size_t b) {
        const std::uint64_t begin = std::min(first + b * per_block, plan_.documents);
        blocks[b].clear();
        model_.draw_documents(begin, std::min(begin + per_block, plan_.documents), blocks[b]);
      });
      for (const text::DocumentBlock& block : blocks) {
        write(block);
      }
    }
    if (proportions_) {
      proportions_->finish();
    }
    show({"writing", plan_.documents, plan_.documents});
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
  Threads& threads_;
  const DocumentObserver& observer_;
  CorpusWriter writer_;
  text::SyntheticModel model_;
  std::unique_ptr<ByteSink> proportions_;
  SyntheticReport report_;
};

}  // namespace

std::optional<SyntheticReport> synthesize_corpus(const SyntheticPlan& plan, const fs::path& folder,
                                                 Overwrite overwrite, Threads& threads,
                                                 const DocumentObserver& observer) {
  require_possible(plan);
  try {
    return Synthesis(plan, folder, overwrite, threads, observer).run();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

SyntheticPlan SyntheticPlan::usual() {
  return {.documents = 1000, .topics = 10, .words = 1000, .base = BaseFrequencies::zipf};
}

void SyntheticPlan::describe(Fields& fields) {
  constexpr std::uint32_t most = 0x7FFF'FFFF;
  constexpr std::array<std::string_view, 2> bases{"uniform", "zipf"};
  fields.count("docs", documents, 1);
  fields.count("topics", topics, 1, most);
  fields.count("vocab_size", words, 1, most);
  fields.positive("mean_length", mean_length);
  fields.positive("alpha", alpha);
  fields.positive("eta", eta);
  fields.choice("base", bases, base);
  bool written = proportions == Proportions::write;
  fields.field("proportions", written);
  proportions = written ? Proportions::write : Proportions::drop;
  fields.field("seed", seed);
}

std::string synthetic_manifest(const SyntheticPlan& plan, const SyntheticReport& report) {
  const nlohmann::ordered_json json{
      {"source", "synthetic"},
      {"model", "latent Dirichlet allocation"},
      {"documents", report.documents},
      {"empty_documents", report.empty_documents},
      {"words", plan.words},
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

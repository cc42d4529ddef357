// What ranks send each other while topics are trained, beside what the model of scale_model.hpp
// says: ranks are threads of this process, so that any number of them can be counted on one
// machine.
//
// usage: tain_bench_lda_ranks [--topics K] [--batch B] [--descent-batch B] [--ranks N,N,...]
// [CORPUS]
//
// One process trains until the topics are at rest. From its state every number of ranks, in both
// layouts, goes on for some steps that are counted. Constants of the model are measured on the one
// process (how many tokens change their topic, and among how many topics those of a word change)
// and, for the descent, on two ranks; everything else is predicted. Without CORPUS a synthetic one.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "comm/thread_ranks.hpp"
#include "core/archive.hpp"
#include "lda/engine/exchange/topic_rows.hpp"
#include "lda/training/training.hpp"
#include "scale_model.hpp"
#include "tain/core/error.hpp"
#include "text/synthetic.hpp"

namespace {

using namespace tain;

constexpr std::uint64_t steps_counted = 6;
constexpr double passes_of_descent = 0.6;

struct Options {
  std::uint32_t topics = 100, batch = 1000, descent_batch = 500;
  std::vector<int> ranks{2, 3, 4, 8, 16, 64};
  std::string corpus;
};

/// A training at rest, and one in the middle of its descent, as a process by itself left them.
struct States {
  TrainingPlan plan;
  std::string descending, resting;
};

TrainingDocuments all_documents(const Corpus& corpus) {
  return TrainingDocuments(corpus, HeldOut(corpus, 0, NoiseField(1)));
}

std::string saved(Training& training) {
  Archive a;
  training.archive(a);
  return a.finish();
}

States train(const Corpus& corpus, const Options& options, Threads& threads) {
  States states;
  states.plan = suggested_plan("smld-root", options.topics, corpus, corpus.documents(), 1);
  states.plan.batch = options.batch;
  states.plan.descent_batch = options.descent_batch;
  states.plan.descent = static_cast<std::uint64_t>(passes_of_descent * double(corpus.documents()));
  Training training(corpus, all_documents(corpus), states.plan, threads);
  while (training.documents_seen() < states.plan.descent / 2) {
    training.step();
  }
  states.descending = saved(training);
  while (training.documents_seen() < states.plan.descent + 2 * corpus.documents()) {
    training.step();
  }
  states.resting = saved(training);
  return states;
}

/// Topics of all tokens, and their counts.
struct Kept {
  std::vector<std::uint16_t> topics;
  std::vector<std::uint32_t> counts;
  explicit Kept(const Training& training) {
    for (std::size_t place = 0; place < training.places().end; ++place) {
      const auto own = training.kept()->of(place);
      topics.insert(topics.end(), own.begin(), own.end());
    }
    const auto sums = training.kept()->counts().sums.view().flat();
    counts.assign(sums.begin(), sums.end());
  }
};

template <class A, class B>
std::size_t differing(const A& a, const B& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += a[i] != b[i] ? 1 : 0;
  }
  return count;
}

/// What batches of a size change, on one process.
struct Change {
  double documents = 0;  ///< of a batch
  double tokens = 0;     ///< share of those that get another topic
  double counts = 0;     ///< by word and topic, of a batch
};

Change measure_change(const Corpus& corpus, const States& states, std::uint32_t batch,
                      Threads& threads) {
  TrainingPlan plan = states.plan;
  plan.batch = batch;
  Training training(corpus, all_documents(corpus), plan, threads);
  Archive a(states.resting, "state");
  training.archive(a);
  const std::uint64_t drawn = training.tokens_drawn(), documents = training.documents_seen();
  Change change;
  Kept before(training);
  for (std::uint64_t step = 0; step < steps_counted; ++step) {
    training.step();
    Kept now(training);
    change.tokens += static_cast<double>(differing(before.topics, now.topics));
    change.counts += static_cast<double>(differing(before.counts, now.counts)) / steps_counted;
    before = std::move(now);
  }
  change.tokens /= static_cast<double>(training.tokens_drawn() - drawn) / plan.sweeps;
  change.documents = static_cast<double>(training.documents_seen() - documents) / steps_counted;
  return change;
}

/// Topics among which the tokens of a word change, so that the model says what was counted.
double effective_topics(const scale::WordLaw& law, const Change& change, double topics) {
  scale::Constants constants{.changed = change.tokens};
  double low = 1, high = topics;
  for (int i = 0; i < 50; ++i) {
    constants.topics = (low + high) / 2;
    const double said = count_changes(law, constants, topics, change.documents).changes;
    (said < change.counts ? low : high) = constants.topics;
  }
  return constants.topics;
}

/// Those of the sampling, from one process and batches of two sizes.
scale::Constants measure(const Corpus& corpus, const States& states, const scale::WordLaw& law,
                         Threads& threads) {
  const double topics = states.plan.topics;
  const Change large = measure_change(corpus, states, states.plan.batch, threads);
  const Change small =
      measure_change(corpus, states, std::max(states.plan.batch / 16, 8U), threads);
  const double many = effective_topics(law, large, topics),
               few = effective_topics(law, small, topics);
  scale::Constants constants{.changed = large.tokens};
  constants.growth = std::log(many / few) / std::log(large.documents / small.documents);
  constants.topics = many * std::pow(1000 / large.documents, constants.growth);
  fmt::print(
      "constants: {:.3f} of the tokens change their topic; {:.0f} and {:.0f} changes by word and "
      "topic "
      "in batches of {:.0f} and {:.0f}, as among {:.1f} and {:.1f} topics\n",
      constants.changed, large.counts, small.counts, large.documents, small.documents, many, few);
  return constants;
}

/// The state of one process, on a rank of several.
void restore(Training& training, std::uint64_t documents, const std::string& state) {
  Archive a(state, "state");
  training.archive_common(a);
  training.archive_words(a, {0, training.sharding().all_words()});
  training.archive_documents(a, {0, documents});
  training.restored(a);
}

/// Bytes per step and rank, by the mean over ranks; and the most that a rank got.
struct Counted {
  double mean = 0, most = 0;
};

Counted count(const Corpus& corpus, const TrainingPlan& plan, const std::string& state, int ranks,
              Layout layout) {
  std::vector<double> bytes(static_cast<std::size_t>(ranks), 0.0);
  run_thread_ranks(ranks, [&](Comm& comm) {
    Threads threads(1);
    const Sharding sharding(comm, layout, corpus.words());
    Training training(corpus, all_documents(corpus), plan, sharding, threads);
    restore(training, corpus.documents(), state);
    const std::uint64_t before = comm.traffic().bytes;
    for (std::uint64_t step = 0; step < steps_counted; ++step) {
      training.step();
    }
    bytes[static_cast<std::size_t>(comm.rank())] =
        static_cast<double>(comm.traffic().bytes - before) / steps_counted;
  });
  Counted counted;
  for (const double own : bytes) {
    counted.mean += own / ranks;
    counted.most = std::max(counted.most, own);
  }
  return counted;
}

/// Topics of a document that are above the prior, from what two ranks send.
double explained_topics(const scale::WordLaw& law, scale::Constants constants, scale::Step step,
                        double bytes) {
  double low = 0, high = step.topics;
  for (int i = 0; i < 50; ++i) {
    constants.explained = (low + high) / 2;
    (descent_bytes(law, constants, step).total() < bytes ? low : high) = constants.explained;
  }
  return constants.explained;
}

/// Pieces as the ranks agree on them, which takes no rank's Comm but their number.
double pieces(const Corpus& corpus, const scale::Step& step) {
  double result = 0;
  run_thread_ranks(step.ranks, [&](Comm& comm) {
    const Sharding sharding(comm, step.layout, corpus.words());
    const double entries = static_cast<double>(corpus.entries_before(corpus.documents())) /
                           static_cast<double>(corpus.documents());
    if (comm.is_root()) {
      result =
          static_cast<double>(pieces_of_a_batch(sharding, static_cast<std::uint32_t>(step.topics),
                                                static_cast<std::uint64_t>(step.batch), entries));
    }
  });
  return result;
}

struct Row {
  const char* phase;
  scale::Step step;
  Counted counted;
  scale::Bytes said;
};

void print(const Row& row) {
  fmt::print(
      "{:<9} {:<10} {:>5} ranks {:>6.0f} documents {:>3.0f} pieces {:>12.0f} bytes, {:>12.0f} "
      "said, "
      "{:6.3f}  (most {:.2f}, rows {:.0f} %)\n",
      row.phase, row.step.layout == Layout::replicated ? "replicated" : "sharded", row.step.ranks,
      row.step.batch, row.step.pieces, row.counted.mean, row.said.total(),
      row.said.total() / row.counted.mean, row.counted.most / row.counted.mean,
      100 * row.said.rows / row.said.total());
}

/// The largest relative error of the model.
double compare(const Corpus& corpus, const Options& options, Threads& threads) {
  const scale::WordLaw law = scale::WordLaw::of(corpus);
  fmt::print("{}: {} documents of {:.1f} tokens, {:.1f} different words; {} words, {} topics\n",
             corpus.name(), corpus.documents(), law.tokens, law.entries, corpus.words(),
             options.topics);
  const States states = train(corpus, options, threads);
  scale::Constants constants = measure(corpus, states, law, threads);
  double worst = 0;
  for (const bool descent : {true, false}) {
    for (const Layout layout : {Layout::replicated, Layout::sharded}) {
      for (const int ranks : options.ranks) {
        scale::Step step{.layout = layout,
                         .ranks = ranks,
                         .topics = double(options.topics),
                         .words = double(corpus.words()),
                         .batch = double(descent ? options.descent_batch : options.batch)};
        step.pieces = pieces(corpus, step);
        const Counted counted =
            count(corpus, states.plan, descent ? states.descending : states.resting, ranks, layout);
        if (descent && constants.explained == 0) {
          constants.explained = explained_topics(law, constants, step, counted.mean);
          fmt::print("constants: {:.1f} topics of a document above the prior\n",
                     constants.explained);
        }
        const scale::Bytes said =
            descent ? descent_bytes(law, constants, step) : sampling_bytes(law, constants, step);
        print({descent ? "descent" : "sampling", step, counted, said});
        worst = std::max(worst, std::abs(said.total() / counted.mean - 1));
      }
    }
  }
  return worst;
}

std::vector<int> numbers(const std::string& text) {
  std::vector<int> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    result.push_back(std::stoi(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      options.corpus = word;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    if (word == "--topics") {
      options.topics = static_cast<std::uint32_t>(std::stoul(value));
    } else if (word == "--batch") {
      options.batch = static_cast<std::uint32_t>(std::stoul(value));
    } else if (word == "--descent-batch") {
      options.descent_batch = static_cast<std::uint32_t>(std::stoul(value));
    } else if (word == "--ranks") {
      options.ranks = numbers(value);
    } else {
      fail(Fault::usage, "command line", fmt::format("unknown flag '{}'", word), "see the source");
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options = parse(argc, argv);
    Threads threads;
    std::optional<std::filesystem::path> made;
    if (options.corpus.empty()) {
      made = std::filesystem::temp_directory_path() / fmt::format("tain-ranks-{}", ::getpid());
      const SyntheticPlan plan{.docs = 12'000,
                               .topics = 50,
                               .vocab_size = 8'000,
                               .mean_length = 150,
                               .base = BaseFrequencies::zipf};
      synthesize_corpus(*made, plan);
      options.corpus = made->string();
    }
    const double worst = compare(Corpus::open(options.corpus), options, threads);
    if (made) {
      std::filesystem::remove_all(*made);
    }
    fmt::print("the model is within {:.1f} % of what was counted\n", 100 * worst);
    return worst <= 0.1 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

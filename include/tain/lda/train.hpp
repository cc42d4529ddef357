// The one call for topics: from a corpus to a model, and whether to trust it.
//
//     tain::Model model = tain::train(tain::Corpus::open("articles"), {.topics = 20});
//     std::puts(model.text().c_str());
//
// Definition: train() samples the topics of latent Dirichlet allocation, measures them on documents
//   held out, judges them, and writes the output that the plan names. What the plan leaves out is
//   decided by method, corpus and length of the run. A training that its progress function stopped
//   gives a model that is not finished; with an output or a checkpoint it can be resumed, and gives
//   the bits of one that was not stopped.
// Laws: bits depend on corpus, plan and instruction set; not on threads, ranks, checkpoints and
//   stops.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tain/comm/comm.hpp"
#include "tain/core/next.hpp"
#include "tain/core/numbers.hpp"
#include "tain/lda/model.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

struct TrainProgress {
  std::uint64_t step = 0, documents = 0, tokens_drawn = 0;
  double passes = 0;
  double share = 0;  ///< of the way to the stop rule
  TrainingTime time = {};
  std::string_view phase;            ///< "descent", "burn-in" or "averaging"
  const Evaluation* last = nullptr;  ///< null before the first
  StopRule stop = {};
};

/// Every option of `tain lda train` by its name.
struct TrainPlan {
  std::optional<std::uint64_t> topics = {};  ///< 100
  std::optional<double> alpha = {};          ///< per topic; 5 over the topics
  std::optional<double> eta = {};            ///< per word; 0.05
  std::optional<bool> optimize_alpha = {};   ///< no

  /// smld-root, gibbs, smld, smld-approximate, smld-preconditioned, sgrld, sgrhmc or scir; smld-root
  std::optional<std::string> method = {};
  std::optional<std::string> start = {};                          ///< random, documents or descent
  std::optional<std::uint64_t> descent = {}, descent_batch = {};  ///< documents
  std::optional<double> descent_rate = {};
  std::optional<std::string> assignments = {};  ///< of topics to tokens: fresh or kept
  std::optional<std::uint64_t> batch = {}, sweeps = {};
  Numbers step_size = {};                         ///< A, or A, B, C for A(1 + t/B)^-C
  std::optional<std::string> approximation = {};  ///< smld-approximate: linear or quadratic
  std::optional<double> floor = {};               ///< smld-approximate: 0
  std::optional<std::uint64_t> warmup = {};       ///< smld-preconditioned: 200

  std::optional<std::uint64_t> steps = {};  ///< at most one of the three says when to stop
  std::optional<double> passes = {}, max_seconds = {};

  std::optional<std::uint64_t> holdout = {}, eval_every = {}, burn_in = {}, average_every = {};
  std::optional<std::uint64_t> keep_draws = {};

  std::optional<std::uint64_t> seed = {};  ///< 1
  std::optional<std::string> isa = {};     ///< pins the instruction set of the process
  std::optional<std::string> layout = {};  ///< over ranks: replicated or sharded; by memory

  // How it is done.
  std::size_t threads = 0;                ///< 0: all cores
  std::filesystem::path output = {};      ///< folder of the model; none: it is in memory
  bool resume = false;                    ///< goes on with the stopped training of the output
  bool overwrite = false;                 ///< replaces what is in the output
  std::filesystem::path checkpoint = {};  ///< without an output: a file to resume from
  std::optional<std::uint64_t> checkpoint_every = {};  ///< documents; by time alone
  double checkpoint_seconds = 30;
  std::function<Next(const TrainProgress&)> progress = {};  ///< may stop it; asked after each step
  std::function<void(std::string_view)> note = {};  ///< what was decided or done, a line each
  std::string command = {};  ///< as one would write it again; for manifest and card

  /// But for output, resume, overwrite, checkpoint, functions and the command.
  void describe(Fields& fields);
};

/// Throws Error: data if the corpus has no words, config naming the option that is wrong,
/// cannot_create if something is in the way of the output.
Model train(const Corpus& corpus, const TrainPlan& plan = {});
/// One rank's part: the model, its files and what was found are those of rank 0. Collective.
Model train(const Corpus& corpus, const TrainPlan& plan, Comm& ranks);

/// Topics of documents as they come, each seen once, without end.
class TopicStream {
 public:
  /// All corpora have these words. The plan's topics, alpha, eta, method (smld-root or scir),
  /// batch, sweeps, descent, keep_draws, seed and threads are meant; others are refused.
  explicit TopicStream(std::vector<std::string> vocabulary, const TrainPlan& plan = {},
                       std::uint64_t total_documents = 1'000'000);

  /// Documents in their order; how they are cut into calls changes nothing. False if `progress`,
  /// told the documents taken in this call, stopped it.
  bool add(const Corpus& corpus, const std::function<Next(std::uint64_t)>& progress = {});
  /// With those that wait for others to make a batch.
  std::uint64_t documents() const;
  std::uint64_t steps() const;
  /// As if the stream ended here; its draws are made when they are first asked for. Throws Error
  /// (data) if there was no document with words.
  Model model() const;

  /// All of it, with a checksum: what goes on with the bits of one that was not saved.
  std::string save() const;
  /// Throws Error (data) if the bytes are damaged, or of another version of the library.
  static TopicStream restore(std::string_view bytes);

 private:
  struct State;
  explicit TopicStream(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace tain

// A topic model: topics as distributions of words, in memory or in a folder, and what they say of
// documents.
//
//     const tain::Model model = tain::Model::open("model");
//     for (const tain::TopicWord& word : model.words(0)) std::puts(word.word.c_str());
//
// Laws: topics count from 0 here, and from 1 in texts for people. A model that is saved and opened
//   gives the same bits. Results depend on model, documents and plan, not on threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/overwrite.hpp"
#include "tain/core/progress.hpp"
#include "tain/core/text_style.hpp"
#include "tain/lda/record.hpp"
#include "tain/text/import.hpp"

namespace tain {

struct Chapter;

struct TopicWord {
  std::string word;
  double probability = 0;  ///< in the topic
  double relevance = 0;    ///< lambda log p(w | topic) + (1 - lambda) log(p(w | topic) / p(w))
};

struct EvaluatePlan {
  std::uint32_t sweeps = 20;               ///< over a document; the first half is forgotten
  std::optional<std::uint64_t> seed = {};  ///< of the sweeps; that of the training
  std::size_t threads = 0;                 ///< 0: all cores
  bool seen = false;  ///< ask documents that were trained on, where none was held out
  std::function<void(std::string_view)> note = {};  ///< what is to be done, before it is

  /// But for threads, `seen` and functions.
  void describe(Fields& fields);
};

struct Evaluated {
  Perplexity perplexity;
  std::uint64_t documents = 0, test_tokens = 0;
  std::uint64_t unknown_tokens = 0;  ///< of words that the model does not have
  bool held_out = false;             ///< documents that were kept from the training
};

struct InferPlan {
  std::uint32_t sweeps = 50;  ///< from 2; the first half is forgotten
  std::uint64_t seed = 1;
  std::optional<std::string> source_format = {};  ///< as ImportPlan::format
  std::optional<std::string> vocab = {};          ///< words of a source that numbers them: a file
  std::optional<FirstId> first_id = {};           ///< svmlight: one
  std::optional<std::string> format = {};         ///< of the output: npy, csv, jsonl; by its ending

  std::filesystem::path output = {};  ///< a file, or "-" for standard output; none: in memory
  bool overwrite = false;
  std::size_t threads = 0;  ///< 0: all cores
  WorkWatch progress = {};
  std::function<void(std::string_view)> note = {};  ///< what the source was taken for

  void describe(Fields& fields);
};

struct Inferred {
  std::uint64_t documents = 0, tokens = 0, unknown_tokens = 0;
  std::uint64_t without_words = 0;  ///< documents that got the prior mean
  /// Documents x topics, rows sum to 1; empty where there is an output.
  std::vector<float> proportions = {};
};

struct TopicTablePlan {
  /// Documents that topics are judged by; none: those trained on, if they are where they were.
  std::optional<Corpus> corpus = {};
  std::vector<std::uint32_t> topics = {};  ///< to show, from 0; none: all
  std::size_t words = 10;                  ///< of each topic
  double lambda = 1;                       ///< 1: the most probable ones, 0: the most special ones
  std::size_t threads = 0;                 ///< 0: all cores
  WorkWatch progress = {};
};

struct TopicTable {
  struct Line {
    std::uint32_t topic = 0;
    double share = 0;
    std::optional<double> coherence = {};  ///< none without documents
    double exclusivity = 0;
    std::vector<TopicWord> words = {};
  };
  std::string model, method, corpus;    ///< folders; corpus: that coherence is of
  std::uint64_t corpus_documents = 0;   ///< 0: there are none
  std::uint32_t topics = 0, words = 0;  ///< of the model
  bool shares_of_corpus = false;        ///< else of the tokens trained on
  bool shares_of_prior = false;         ///< nothing better is known
  std::optional<double> mean_coherence = {};
  double mean_exclusivity = 0;
  std::vector<Line> lines = {};

  std::string text(const TextStyle& style = {}) const;
};

struct TopicPagePlan {
  /// Documents that the page names; none: those trained on, if they are where they were.
  std::optional<Corpus> corpus = {};
  std::optional<std::string> title = {};
  std::size_t threads = 0;  ///< 0: all cores
  WorkWatch progress = {};
  std::function<void(std::string_view)> note = {};  ///< what the page will lack
};

struct TopicPage {
  std::size_t bytes = 0;
  std::uint32_t topics = 0;
  std::uint64_t draws = 0;
  bool shares_of_prior = false;
  std::uint64_t documents = 0, documents_shown = 0;  ///< 0: there are none
  std::array<double, 2> explained = {};              ///< by the axes of the map of topics
};

struct ModelExportPlan {
  /// Documents, for formats that have some; none: those trained on.
  std::optional<Corpus> corpus = {};
  std::optional<std::uint64_t> sweeps = {};  ///< over a document: 50
  std::optional<std::uint64_t> seed = {};    ///< 1
  bool overwrite = false;
  std::size_t threads = 0;  ///< 0: all cores
  WorkWatch progress = {};

  /// Sweeps and seed.
  void describe(Fields& fields);
};

struct ExportedModel {
  std::vector<std::filesystem::path> files;
  std::filesystem::path corpus = {};  ///< of the documents; empty where the format has none
  std::uint64_t documents = 0, unknown_tokens = 0;
};

/// Copies share the topics.
class Model {
 public:
  /// Throws Error: no_input where there is no model, or none yet since its training was stopped,
  /// data with what is wrong with which file.
  static Model open(const std::filesystem::path& folder);
  /// As the folder that open() reads. Throws Error (cannot_create, of the field `output`; io).
  void save(const std::filesystem::path& folder, Overwrite overwrite = Overwrite::no) const;
  /// Empty: it is in memory.
  const std::filesystem::path& folder() const;

  /// Did its training come to its end? One that was stopped has the topics it had come to if it is
  /// in memory; in a folder it can be resumed, and until then what asks for topics throws Error
  /// (no_input).
  bool finished() const;
  const TrainRecord& record() const;
  const Verdict& verdict() const { return record().verdict; }
  /// How it was trained, the topics that occur most, and the verdict.
  std::string text(const TextStyle& style = {}) const;

  std::uint32_t topics() const;
  std::span<const std::string> vocabulary() const;
  /// p(w | topic) for every word.
  std::vector<float> probabilities(std::uint32_t topic) const;
  /// The first by relevance.
  std::vector<TopicWord> words(std::uint32_t topic, std::size_t count = 10,
                               double lambda = 1) const;
  TopicTable table(const TopicTablePlan& plan = {}) const;

  // Topics that there are not throw Error (config). An output that cannot be is Error
  // (cannot_create) of the field `output`, before any work. Work that is stopped by its progress
  // function throws Error (interrupted) and leaves nothing.

  /// Held-out perplexity: of the documents held out if the corpus is the one trained on, else of
  /// all.
  Evaluated evaluate(const Corpus& corpus, const EvaluatePlan& plan = {}) const;
  /// Topic proportions of documents.
  Inferred infer(const Corpus& documents, const InferPlan& plan = {}) const;
  /// Of a corpus folder, or of whatever import_corpus reads.
  Inferred infer(const std::filesystem::path& source, const InferPlan& plan = {}) const;
  /// A page to explore the topics.
  TopicPage report(const std::filesystem::path& page, const TopicPagePlan& plan = {},
                   Overwrite overwrite = Overwrite::no) const;
  /// The same as a part of a page.
  Chapter chapter(const TopicPagePlan& plan = {}) const;
  /// For other programs: pyldavis, mallet or gensim.
  ExportedModel export_to(const std::filesystem::path& folder, std::string_view format,
                          const ModelExportPlan& plan = {}) const;

  struct State;
  explicit Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace tain

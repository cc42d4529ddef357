#include "lda/training/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lda/engine/exchange/count_exchange.hpp"
#include "lda/engine/exchange/topic_rows.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Of documents that have no topics yet and keep them: a few, to leave the first fill behind.
constexpr std::uint32_t first_sweeps = 4;

TopicSamplerOptions sampler_options(const TrainingPlan& plan, std::uint32_t words) {
  return {.topics = plan.topics,
          .words = words,
          .eta = plan.eta,
          .seed = plan.seed,
          .warmup = plan.warmup,
          .approximation = plan.approximation,
          .floor = plan.floor,
          .first_weight = plan.first_weight};
}

void require(const TrainingPlan& plan) {
  const auto refuse = [](const char* what, const std::string& problem, const char* remedy) {
    fail(Fault::config, what, problem, remedy);
  };
  if (plan.batch == 0 || plan.descent_batch == 0) {
    refuse("batch", "is empty", "take at least one document");
  }
  if (!(plan.descent_rate > 0) || plan.descent_rate > 1) {
    refuse("descent rate", fmt::format("{} is not in (0, 1]", plan.descent_rate), "0.5 suits most");
  }
  if ((plan.descent > 0) != (plan.start == Start::descent)) {
    refuse("descent",
           plan.descent > 0 ? "has documents, but the start is another"
                            : "is the start, but has no documents",
           "give it some, or another start");
  }
}

}  // namespace

Training::Training(const Corpus& corpus, TrainingDocuments documents, const TrainingPlan& plan,
                   Threads& threads)
    : Training(corpus, std::move(documents), plan, Sharding(corpus.words()), threads) {}

Training::Training(const Corpus& corpus, TrainingDocuments documents, const TrainingPlan& plan,
                   const Sharding& sharding, Threads& threads)
    : corpus_(corpus),
      documents_(std::move(documents)),
      plan_((require(plan), plan)),
      sharding_(sharding),
      places_(documents_.part(corpus, sharding.comm().rank(), sharding.comm().ranks())),
      threads_(threads),
      noise_(plan.seed),
      order_(DocumentOrder(noise_, documents_.size()), places_),
      steps_(plan.method, sampler_options(plan, corpus.words()), plan.alpha, sharding) {
  if (!sharding.comm().alone()) {
    exchange_ = std::make_unique<CountExchange>(sharding);
  }
  if (plan.assignments == Assignments::kept) {
    kept_.emplace(corpus_, documents_, places_, plan.topics, sharding.words());
  }
  if (plan.start == Start::random) {
    steps_.sampler().start(threads_);
    return;
  }
  topics_from_documents(corpus_, documents_, plan.eta, noise_, sharding, threads_,
                        steps_.sampler().first_weights());
  if (plan.start == Start::documents) {
    steps_.sampler().take_weights(threads_);
  }
}

Training::~Training() = default;

void Training::gather(std::uint64_t position, std::uint64_t count) {
  order_.find(position, count, threads_, visits_);
  chosen_.clear();
  turns_.clear();
  for (const RangeOrder::Visit& visit : visits_) {
    chosen_.push_back(visit.document);
    turns_.push_back(visit.position - position);
  }
}

std::size_t Training::pieces(std::uint64_t count) const {
  const double entries = static_cast<double>(corpus_.entries_before(corpus_.documents())) /
                         static_cast<double>(corpus_.documents());
  return pieces_of_a_batch(sharding_, plan_.topics, count, entries);
}

void Training::step() {
  if (descending()) {
    descend();
  } else {
    sample();
  }
}

void Training::descend() {
  const std::uint64_t left = plan_.descent - documents_seen();
  const std::uint64_t count = std::min<std::uint64_t>(plan_.descent_batch, left);
  gather(documents_seen(), count);
  words_.clear();
  for (const std::uint64_t place : chosen_) {
    words_.push_back(corpus_.document(documents_[place]));
  }
  const double rate = plan_.descent_rate * static_cast<double>(left) / double(plan_.descent);
  steps_.descend({.documents = words_, .turns = turns_, .size = count, .pieces = pieces(count)},
                 double(documents_.size()) / double(count), rate, threads_);
  steps_.end_batch(count);
  if (!descending()) {
    steps_.sampler().take_weights(threads_);
  }
}

// Every pass of kept topics visits every document once: whether they have topics follows from how
// many were visited.
void Training::sample() {
  const std::uint64_t n = documents_.size();
  const std::uint64_t sampled = documents_seen() - plan_.descent;
  // Topics are kept of a document once: it must not be in a batch twice.
  const std::uint64_t count =
      kept_ ? std::min<std::uint64_t>(plan_.batch, n - sampled % n) : plan_.batch;
  gather((plan_.descent + n - 1) / n * n + sampled, count);
  const bool complete = !kept_ || sampled + count >= n;
  learns_alpha_ = complete && sampled < plan_.optimize_alpha;
  const bool first_pass = kept_ && sampled < n;
  draw_documents({.sweeps = first_pass ? std::max(plan_.sweeps, first_sweeps) : plan_.sweeps,
                  .burn_in = kept_ ? 0 : plan_.sweeps_burn_in},
                 count);
  if (learns_alpha_) {
    steps_.fit_alpha();
  }
  if (complete) {
    steps_.sample(kept_ ? kept_->counts() : counts_,
                  kept_ ? 1.0 : static_cast<double>(n) / double(count),
                  plan_.step_size(steps_.updates()), threads_);
  }
  steps_.end_batch(count);
}

void Training::draw_documents(const GibbsPlan& plan, std::uint64_t count) {
  const std::size_t pieces = this->pieces(count);
  const auto piece = [&](std::size_t p) { return piece_of(chosen_.size(), p, pieces); };
  if (TopicRows* rows = steps_.rows()) {
    rows->begin();
    for (std::size_t p = 0; p < pieces; ++p) {
      for (std::uint64_t i = piece(p).first; i < piece(p).end; ++i) {
        rows->want(corpus_.document(documents_[chosen_[i]]).ids);
      }
      rows->end_piece();
    }
    rows->ask();
  }
  if (exchange_) {
    exchange_->begin(pieces);
  }
  for (std::size_t p = 0; p < pieces; ++p) {
    fill_batch(piece(p));
    steps_.draw(batch_.documents(), plan, kept_ ? nullptr : &counts_, threads_);
    if (learns_alpha_) {
      steps_.add_to_alpha(batch_.documents());
    }
    if (exchange_) {
      send_counts(piece(p), plan);
    } else if (kept_) {
      keep_topics(piece(p));
    }
  }
  if (exchange_) {
    receive_counts();
  }
}

// Documents [first, end) of this rank's of the batch.
void Training::fill_batch(Range piece) {
  batch_.clear();
  for (std::uint64_t i = piece.first; i < piece.end; ++i) {
    const std::uint64_t place = chosen_[i];
    batch_.add(documents_[place], corpus_.document(documents_[place]));
    if (kept_ && kept_->is_known(place)) {
      batch_.documents().back().start = kept_->of(place);
    }
  }
  if (kept_ || plan_.optimize_alpha > 0) {
    batch_.place_topics();
  }
  if (TopicRows* rows = steps_.rows()) {
    rows->take(threads_);
    batch_.renumber(*rows);
  }
}

void Training::keep_topics(Range piece) {
  const std::span<const GibbsDocument> batch = batch_.documents();
  constexpr std::size_t together = 16;  // a task for each would cost more than its work
  threads_.for_each((batch.size() + together - 1) / together, [&](std::size_t task) {
    for (std::size_t i = task * together; i < std::min(batch.size(), (task + 1) * together); ++i) {
      kept_->replace(chosen_[piece.first + i], batch[i].words, batch[i].last);
    }
  });
}

void Training::send_counts(Range piece, const GibbsPlan& plan) {
  const std::span<const GibbsDocument> batch = batch_.documents();
  const TopicRows* const rows = steps_.rows();
  const auto names = rows ? rows->words() : std::span<const std::uint32_t>();
  std::uint64_t tokens = 0;
  for (const GibbsDocument& document : batch) {
    tokens += document.words.size() * plan.sweeps;
  }
  if (!kept_) {
    return exchange_->send_sums(counts_, names, tokens, threads_);
  }
  changed_.clear();
  for (const GibbsDocument& document : batch) {
    changed_.push_back({document.words, document.start, document.last});
  }
  exchange_->send_changes(changed_, names, tokens, threads_);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    kept_->set(chosen_[piece.first + i], batch[i].last);
  }
}

void Training::receive_counts() {
  steps_.note_drawn(exchange_->receive());
  if (!kept_) {
    return exchange_->add_up(counts_, steps_.topics().row_length(), threads_);
  }
  const auto lists = exchange_->lists();
  const auto read = [&](std::size_t i, const auto& add) {
    std::uint32_t word = 0;
    read_counts(
        lists[i], [&](std::uint32_t next) { word = next; },
        [&](std::uint32_t topic, std::int64_t by) { add(word, topic, by); });
  };
  if (threads_.count() == 1) {  // adding alone is faster than by atomics
    for (std::size_t i = 0; i < lists.size(); ++i) {
      read(i, [&](auto... change) { kept_->add(change...); });
    }
    return;
  }
  threads_.for_each(lists.size(), [&](std::size_t i) {
    read(i, [&](auto... change) { kept_->add_together(change...); });
  });
}

std::vector<std::uint64_t> Training::tokens_by_topic() const {
  std::vector<std::uint64_t> totals;
  if (kept_) {
    const BasicBlock<const std::uint32_t> counts = kept_->counts().sums.view();
    totals.assign(plan_.topics, 0);
    for (std::size_t w = 0; w < counts.rows(); ++w) {
      for (std::size_t k = 0; k < totals.size(); ++k) {
        totals[k] += counts.at(w, k);
      }
    }
    sharding_.shards().sum(totals);
  }
  return totals;
}

void Training::archive(Archive& a) {
  archive_common(a);
  archive_words(a, sharding_.words());
  archive_documents(a, places_);
  if (a.reading()) {
    restored(a);
  }
}

void Training::archive_common(Archive& a) {
  steps_.archive_common(a);
  // Every batch has at least one document, and at most all that it takes.
  const std::uint64_t largest = std::max(plan_.batch, plan_.descent_batch);
  a.require(documents_seen() / largest <= steps_.steps(),
            "counts more documents than its steps have seen");
}

void Training::archive_words(Archive& a, Range part) { steps_.archive_words(a, part); }

void Training::archive_documents(Archive& a, Range part) {
  if (kept_) {
    kept_->archive(a, part);
  }
}

// Over ranks as if all documents had got their topics just now.
void Training::restored(const Archive& a) {
  steps_.require_consistent(a, threads_);
  if (!kept_) {
    return;
  }
  if (!exchange_) {
    return kept_->recount(threads_);
  }
  kept_->forget_counts();
  constexpr std::uint64_t together = std::uint64_t{1} << 20;  // tokens of a rank
  const std::uint64_t own = corpus_.tokens() / static_cast<std::uint64_t>(sharding_.comm().ranks());
  std::vector<std::vector<std::uint32_t>> expanded;
  for (std::size_t p = 0, pieces = own / together + 1; p < pieces; ++p) {
    const Range piece = piece_of(places_.size(), p, pieces);
    const std::uint64_t first = places_.first + piece.first;
    changed_.clear();
    expanded.resize(std::max<std::size_t>(expanded.size(), piece.size()));
    for (std::uint64_t i = 0; i < piece.size(); ++i) {
      if (kept_->is_known(first + i)) {
        const DocumentWords words = corpus_.document(documents_[first + i]);
        changed_.push_back({document_tokens(words, expanded[i]), {}, kept_->of(first + i)});
      }
    }
    exchange_->begin(1);
    exchange_->send_changes(changed_, {}, 0, threads_);
    receive_counts();
  }
}

std::uint64_t training_state_bytes(const TrainingPlan& plan, std::uint32_t words,
                                   std::uint64_t documents, std::uint64_t tokens, int ranks,
                                   Layout layout) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const auto share = [&](std::uint64_t all) { return (all + parts - 1) / parts; };
  const bool kept = plan.assignments == Assignments::kept;
  const bool sharded = layout == Layout::sharded && ranks > 1;
  const auto own_words = static_cast<std::uint32_t>(sharded ? share(words) : words);
  const std::uint64_t row = padded_topics(plan.topics) * sizeof(float);
  const std::uint64_t mean_length = tokens / std::max<std::uint64_t>(documents, 1) + 1;
  const std::uint64_t batch = share(plan.batch), descent_batch = share(plan.descent_batch);
  // Topics of the tokens of a batch, its counts; two rows per document that descends.
  std::uint64_t bytes = batch * mean_length * 2 * (kept ? 1 : plan.sweeps + 1);
  bytes += kept ? 0 : std::min<std::uint64_t>(own_words, plan.batch * mean_length) * row;
  if (plan.start == Start::descent) {
    bytes += plan.descent_batch * (2 * row + 12 * mean_length) + 4 * std::uint64_t{own_words};
  }
  if (kept) {
    bytes += kept_topics_bytes(share(documents), share(tokens), plan.topics, own_words);
  }
  if (ranks > 1) {
    bytes += 8 * share(documents);  // when they are visited
    // What travels: changes of counts, to and from; shares and ratios of documents that descend.
    const std::uint64_t largest =
        std::max<std::uint64_t>(batch * mean_length * 2, descent_batch * mean_length * 6);
    bytes += largest * (1 + parts) + batch * mean_length * 16;
  }
  if (sharded) {
    // Rows on loan: the table, those on their way in and out; and where each word's row is.
    const std::uint64_t wanted =
        std::min<std::uint64_t>(words, std::max(batch, descent_batch) * mean_length) * row;
    bytes += 3 * std::min(wanted, row_budget) + 9 * std::uint64_t{words};
  }
  return bytes + topic_sampler_bytes(plan.method, plan.topics, own_words);
}

}  // namespace tain

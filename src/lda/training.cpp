#include "tain/lda/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
          .warm_up = plan.warm_up,
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

double StepSchedule::at(std::uint64_t t) const {
  return a * std::pow(1 + static_cast<double>(t) / b, -c);
}

Training::Training(const Corpus& corpus, std::vector<std::uint32_t> documents,
                   const TrainingPlan& plan, Threads& threads)
    : corpus_(corpus),
      documents_(std::move(documents)),
      plan_((require(plan), plan)),
      threads_(threads),
      noise_(plan.seed),
      order_(noise_, documents_.size()),
      steps_(plan.method, sampler_options(plan, corpus.words()), plan.alpha) {
  if (plan.assignments == Assignments::kept) {
    kept_.emplace(corpus_, documents_, plan.topics);
  }
  if (plan.start == Start::random) {
    steps_.sampler().start(threads_);
    return;
  }
  topics_from_documents(corpus_, documents_, plan.eta, noise_, threads_,
                        steps_.sampler().first_weights());
  if (plan.start == Start::documents) {
    steps_.sampler().take_weights(threads_);
  }
}

void Training::gather(std::uint64_t position, std::uint64_t count) {
  chosen_.resize(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    chosen_[i] = static_cast<std::uint32_t>(order_.at(position + i));
  }
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
  for (const std::uint32_t place : chosen_) {
    words_.push_back(corpus_.document(documents_[place]));
  }
  const double rate = plan_.descent_rate * static_cast<double>(left) / double(plan_.descent);
  steps_.descend(words_, double(documents_.size()) / double(count), rate, threads_);
  steps_.end_batch(count);
  if (!descending()) {
    steps_.sampler().take_weights(threads_);
  }
}

void Training::sample() {
  const std::uint64_t n = documents_.size();
  const std::uint64_t sampled = documents_seen() - plan_.descent;
  // Topics are kept of a document once: it must not be in a batch twice.
  const std::uint64_t count =
      kept_ ? std::min<std::uint64_t>(plan_.batch, n - sampled % n) : plan_.batch;
  gather((plan_.descent + n - 1) / n * n + sampled, count);
  draw_documents();
  if (kept_) {
    keep_topics(batch_.documents());
  }
  const bool complete = !kept_ || kept_->known() == n;
  if (complete && sampled < plan_.learn_alpha) {
    steps_.fit_alpha(batch_.documents());
  }
  if (complete) {
    steps_.sample(kept_ ? kept_->counts() : counts_,
                  kept_ ? 1.0 : static_cast<double>(n) / double(count),
                  plan_.step_size.at(steps_.updates()), threads_);
  }
  steps_.end_batch(count);
}

void Training::draw_documents() {
  GibbsPlan plan{.sweeps = plan_.sweeps, .burn_in = kept_ ? 0 : plan_.burn_in};
  batch_.clear();
  for (const std::uint32_t place : chosen_) {
    batch_.add(documents_[place], corpus_.document(documents_[place]));
    if (kept_ && kept_->is_known(place)) {
      batch_.documents().back().start = kept_->of(place);
    } else if (kept_) {
      plan.sweeps = std::max(plan_.sweeps, first_sweeps);
    }
  }
  if (kept_ || plan_.learn_alpha > 0) {
    batch_.place_topics();
  }
  steps_.draw(batch_.documents(), plan, kept_ ? nullptr : &counts_, threads_);
}

void Training::keep_topics(std::span<const GibbsDocument> batch) {
  std::uint64_t unknown = 0;
  for (const std::uint32_t place : chosen_) {
    unknown += kept_->is_known(place) ? 0 : 1;
  }
  constexpr std::size_t together = 16;  // a task for each would cost more than its work
  threads_.for_each((batch.size() + together - 1) / together, [&](std::size_t task) {
    for (std::size_t i = task * together; i < std::min(batch.size(), (task + 1) * together); ++i) {
      kept_->replace(chosen_[i], batch[i].words, batch[i].last);
    }
  });
  kept_->note_known(unknown);
}

void Training::archive(Archive& a) {
  steps_.archive(a);
  if (kept_) {
    kept_->archive(a, threads_);
  }
}

std::uint64_t training_state_bytes(const TrainingPlan& plan, std::uint32_t words,
                                   std::uint64_t documents, std::uint64_t tokens) {
  const std::uint64_t row = padded_topics(plan.topics) * sizeof(float);
  const std::uint64_t mean_length = tokens / std::max<std::uint64_t>(documents, 1) + 1;
  // Topics of the tokens of a batch, its counts; two rows per document that descends.
  const std::uint64_t drawn =
      plan.batch * mean_length * 2 * (plan.assignments == Assignments::kept ? 1 : plan.sweeps + 1);
  const std::uint64_t counts = std::min<std::uint64_t>(words, plan.batch * mean_length) *
                               (plan.assignments == Assignments::kept ? 0 : row);
  const std::uint64_t descent = plan.start == Start::descent
                                    ? plan.descent_batch * (2 * row + 12 * mean_length) + 4 * words
                                    : 0;
  const std::uint64_t kept = plan.assignments == Assignments::kept
                                 ? kept_topics_bytes(documents, tokens, plan.topics, words)
                                 : 0;
  return topic_sampler_bytes(plan.method, plan.topics, words) + 4 * documents + drawn + counts +
         descent + kept;
}

}  // namespace tain

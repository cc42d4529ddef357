#include "lda/engine/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lda/engine/document_order.hpp"
#include "tain/core/error.hpp"
#include "text/vocabulary.hpp"

namespace tain {
namespace {

/// Fisher and Yates, by the document's noise.
void permute(std::vector<std::uint32_t>& tokens, const NoiseField& field, std::uint64_t document) {
  Stream stream(field, Purpose::holdout, document >> 32, static_cast<std::uint32_t>(document));
  for (std::size_t left = tokens.size(); left > 1; --left) {
    const auto chosen = static_cast<std::size_t>(stream.uniform() * static_cast<double>(left));
    std::swap(tokens[left - 1], tokens[chosen]);
  }
}

}  // namespace

void ordered_tokens(const Corpus& corpus, std::uint64_t document, const NoiseField& field,
                    std::vector<std::uint32_t>& tokens) {
  const DocumentWords words = corpus.document(document);
  tokens.clear();
  if (corpus.order() == Order::text) {
    tokens.assign(words.ids.begin(), words.ids.end());
    return;
  }
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    tokens.insert(tokens.end(), words.counts[i], words.ids[i]);
  }
  permute(tokens, field, document);
}

HeldOut::HeldOut(const Corpus& corpus, std::uint64_t count, const NoiseField& field) {
  if (count > corpus.documents()) {
    fail(Fault::config, corpus.name(),
         fmt::format("has {} documents, {} are to be held out", corpus.documents(), count),
         "hold out fewer");
  }
  if (count > 0) {
    // The last pass there is: one that training never gets to.
    const DocumentOrder order(field, corpus.documents());
    const std::uint64_t last_pass = ~std::uint64_t{0} / corpus.documents() - 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      documents_.push_back(order.at(last_pass * corpus.documents() + i));
    }
    std::ranges::sort(documents_);
  }
  std::vector<std::uint32_t> tokens;
  for (const std::uint64_t document : documents_) {
    ordered_tokens(corpus, document, field, tokens);
    cut(tokens);
  }
}

HeldOut::HeldOut(const Corpus& corpus, std::span<const std::uint32_t> numbers,
                 const NoiseField& field) {
  TAIN_EXPECTS(numbers.size() == corpus.words(), "a number for every word");
  std::vector<std::uint32_t> tokens;
  for (std::uint64_t document = 0; document < corpus.documents(); ++document) {
    documents_.push_back(document);
    ordered_tokens(corpus, document, field, tokens);
    std::ranges::transform(tokens, tokens.begin(),
                           [&](std::uint32_t word) { return numbers[word]; });
    dropped_ += std::erase(tokens, Vocabulary::none);
    cut(tokens);
  }
}

void HeldOut::cut(std::span<const std::uint32_t> tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Tokens& part = i % test_token_interval == test_token_interval - 1 ? test_ : observed_;
    part.tokens.push_back(tokens[i]);
  }
  observed_.ends.push_back(observed_.tokens.size());
  test_.ends.push_back(test_.tokens.size());
}

TrainingDocuments::TrainingDocuments(const Corpus& corpus, const HeldOut& held_out)
    : size_(corpus.documents() - held_out.documents().size()) {
  left_out_.reserve(held_out.documents().size());
  for (const std::uint64_t document : held_out.documents()) {
    left_out_.push_back(document - left_out_.size());
  }
}

TrainingDocuments::TrainingDocuments(std::vector<std::uint32_t> numbers)
    : size_(numbers.size()), listed_(std::move(numbers)) {
  TAIN_EXPECTS(std::ranges::is_sorted(listed_), "documents in ascending order");
}

std::uint32_t TrainingDocuments::operator[](std::uint64_t place) const {
  TAIN_EXPECTS(place < size_, "a document that is trained on");
  if (!listed_.empty()) {
    return listed_[place];
  }
  const auto before = std::ranges::upper_bound(left_out_, place) - left_out_.begin();
  return static_cast<std::uint32_t>(place + static_cast<std::uint64_t>(before));
}

// A document counts as its entries and one more, so that empty ones are divided too.
Range TrainingDocuments::part(const Corpus& corpus, int part, int parts) const {
  const auto before = [&](std::uint64_t place) {
    const std::uint64_t document = (*this)[place];
    return corpus.entries_before(document) + document;
  };
  const std::uint64_t all = corpus.entries_before(corpus.documents()) + corpus.documents();
  const auto bound = [&](int i) {
    const double wanted = static_cast<double>(all) * i / parts;
    std::uint64_t first = 0, end = i == 0 ? 0 : size_;
    while (i < parts && first < end) {
      const std::uint64_t middle = first + (end - first) / 2;
      if (static_cast<double>(before(middle)) < wanted) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return end;
  };
  return {bound(part), bound(part + 1)};
}

}  // namespace tain

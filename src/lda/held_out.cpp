#include "tain/lda/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tain/core/error.hpp"
#include "tain/lda/document_order.hpp"
#include "tain/text/vocabulary.hpp"

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

std::vector<std::uint32_t> training_documents(const Corpus& corpus, const HeldOut& held_out) {
  std::vector<std::uint32_t> documents;
  documents.reserve(corpus.documents() - held_out.documents().size());
  auto next = held_out.documents().begin();
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    if (next != held_out.documents().end() && *next == d) {
      ++next;
    } else {
      documents.push_back(static_cast<std::uint32_t>(d));
    }
  }
  return documents;
}

}  // namespace tain

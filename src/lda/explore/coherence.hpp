// Coherence of topics: do their words occur together in documents?
//
// Definition: with D documents, D(u) of them containing the word u and D(u, v) both, the normalised
//   pointwise mutual information of two words (Bouma 2009) is
//     npmi(u, v) = log(D(u, v) D / (D(u) D(v))) / log(D / D(u, v)),
//   from -1 (never together; also where a word does not occur at all) over 0 (independent) to 1
//   (only together; also where both are in every document, the limit of that). The window is the
//   whole document. The coherence of a topic is the mean over all pairs of its words; a topic of
//   less than two words has 0.
// Laws: counts are integers: the same for any number of threads.
// Cost: one pass over the corpus; memory 4 KiB per topic and thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/model/topic_words.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// From counts of documents: with both words, with each, and of all. At least one of all.
double normalised_information(std::uint64_t both, std::uint64_t first, std::uint64_t second,
                              std::uint64_t documents);

/// One number per topic. Each topic is at most `judged_words` different words, by their numbers in
/// the corpus; a word that the corpus does not know is Vocabulary::none.
std::vector<double> coherence(const Corpus& corpus,
                              std::span<const std::vector<std::uint32_t>> topics, Threads& threads);

}  // namespace tain

// The arguments of pyLDAvis.prepare.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lda/export/export_formats.hpp"
#include "lda/export/npz_writer.hpp"
#include "text/vocabulary.hpp"

namespace tain {
namespace {

/// Code points of a word; bytes that are no UTF-8 become U+FFFD.
std::vector<std::uint32_t> code_points(std::string_view word) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < word.size();) {
    const auto first = static_cast<unsigned char>(word[i]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC0 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF8 ? 4
                                              : 0;
    std::uint32_t point = length == 1 ? first : first & (0x7FU >> length);
    bool whole = length > 0 && i + length <= word.size();
    for (std::size_t j = 1; whole && j < length; ++j) {
      const auto next = static_cast<unsigned char>(word[i + j]);
      whole = (next & 0xC0) == 0x80;
      point = point << 6 | (next & 0x3F);
    }
    points.push_back(whole && point < 0x11'0000 ? point : 0xFFFD);
    i += whole ? length : 1;
  }
  return points;
}

/// Unicode strings of NumPy: code points in 32 bits, filled up with zeros.
void write_words(NpzWriter& npz, std::span<const std::string> vocabulary) {
  std::size_t longest = 1;
  for (const std::string& word : vocabulary) {
    longest = std::max(longest, code_points(word).size());
  }
  const std::array<std::uint64_t, 1> shape{vocabulary.size()};
  npz.begin("vocab", fmt::format("<U{}", longest), shape);
  for (const std::string& word : vocabulary) {
    std::vector<std::uint32_t> points = code_points(word);
    points.resize(longest, 0);
    npz.write(std::span<const std::uint32_t>(points));
  }
  npz.end();
}

/// How often each word of the model occurs in the corpus.
std::vector<std::uint64_t> frequencies(const ModelData& model, const Corpus& corpus) {
  const std::vector<std::uint32_t> numbers = known_words(model.vocabulary(), corpus.vocabulary());
  std::vector<std::uint64_t> counts(model.vocabulary().size(), 0);
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const DocumentWords words = corpus.document(d);
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      if (const std::uint32_t word = numbers[words.ids[i]]; word != Vocabulary::none) {
        counts[word] += words.counts.empty() ? 1 : words.counts[i];
      }
    }
  }
  return counts;
}

void write_counts(NpzWriter& npz, std::string_view name, std::span<const std::uint64_t> counts) {
  const std::array<std::uint64_t, 1> shape{counts.size()};
  npz.begin(name, "<i8", shape);
  npz.write(counts);
  npz.end();
}

}  // namespace

std::optional<InferenceReport> export_pyldavis(const ModelExportRun& run) {
  const ModelData& model = run.request.model;
  std::optional<InferenceReport> report;
  write_whole(run, "pyldavis.npz", [&](OutputFile& file) {
    NpzWriter npz(file);
    const std::array<std::uint64_t, 2> cells{model.topics().topics(), model.topics().words()};
    npz.begin("topic_term_dists", "<f4", cells);
    for (std::uint32_t k = 0; k < cells[0]; ++k) {
      npz.write(std::span<const float>(model.row(k)));
    }
    npz.end();
    const std::array<std::uint64_t, 2> shape{run.corpus->documents(), model.topics().topics()};
    npz.begin("doc_topic_dists", "<f4", shape);
    std::vector<std::uint64_t> lengths;
    const auto documents = read_corpus(*run.corpus, model);
    report = run.infer(*documents, [&](const InferredDocument& document) {
      npz.write(document.topics);
      lengths.push_back(document.tokens);
    });
    npz.end();
    write_counts(npz, "doc_lengths", lengths);
    write_words(npz, model.vocabulary());
    write_counts(npz, "term_frequency", frequencies(model, *run.corpus));
    npz.finish();
  });
  return report;
}

}  // namespace tain

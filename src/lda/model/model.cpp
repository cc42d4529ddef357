#include "lda/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/file.hpp"
#include "core/npy.hpp"
#include "lda/model/checksummed_file.hpp"
#include "lda/model/model_manifest.hpp"
#include "lda/model/published_model.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using model_manifest::FileChecksum;
using model_manifest::Manifest;

static_assert(std::endian::native == std::endian::little, "npy files are little-endian");

enum class Rows { weights, probabilities };

/// A topic-major array of `value` of each phi.
template <class Value>
void write_topics(SealedFile& file, const TopicSource& source, std::uint32_t topics, Rows rows,
                  const Value& value) {
  TopicGroups groups(source, topics);
  const std::size_t words = groups.words();
  const std::array<std::uint64_t, 2> shape{topics, words};
  file.write(npy_header("<f4", shape));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::span<float> group = groups.read(g);
    const std::vector<double> sums = rows == Rows::weights
                                         ? topic_sums(group, words, groups.first_topic(g))
                                         : std::vector<double>(groups.topics_of(g), 1.0);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (float& cell : group.subspan(i * words, words)) {
        cell = value(static_cast<double>(cell) / sums[i]);
      }
    }
    file.write(std::as_bytes(group));
  }
}

/// What ranks that write nothing add to write_topics.
void lend_topics(const TopicSource& source, std::uint32_t topics) {
  TopicGroups groups(source, topics);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups.read(g);
  }
}

/// The array's bytes, if it has the manifest's shape.
std::span<const std::byte> topic_array(const MappedFile& file, const Manifest& manifest,
                                       const fs::path& path) {
  const NpyHead head = parse_npy_head(text_of(file), path.string());
  const std::array<std::uint64_t, 2> shape{manifest.topics, manifest.words};
  if (head.type != "<f4" || !std::ranges::equal(head.shape, shape)) {
    damaged_file(path, fmt::format("is no array of {} topics and {} words in float32",
                                   manifest.topics, manifest.words));
  }
  const std::span<const std::byte> data = file.bytes().subspan(head.data_offset);
  npy_items(head, data.size(), sizeof(float), path.string());
  return data;
}

/// Topic-major file to word-major weights, a cache line of topics at a time.
void read_topics(std::span<const std::byte> data, TopicWeights& topics, const fs::path& path) {
  const std::size_t words = topics.words();
  const FloatBlock cells = topics.weights();
  for (std::size_t first = 0; first < topics.topics(); first += row_alignment) {
    const std::size_t count = std::min<std::size_t>(row_alignment, topics.topics() - first);
    std::array<double, row_alignment> sums{};
    bool negative = false;
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t i = 0; i < count; ++i) {
        float value = 0;
        std::memcpy(&value, data.data() + ((first + i) * words + w) * sizeof value, sizeof value);
        cells.at(w, first + i) = value;
        sums[i] += static_cast<double>(value);
        negative = negative || value < 0;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (negative || !(std::abs(sums[i] - 1) <= row_tolerance)) {
        damaged_file(path, fmt::format("topic {} is no distribution: its words sum to {}",
                                       first + i + 1, sums[i]));
      }
      topics.inverse_sums()[first + i] = static_cast<float>(1 / sums[i]);
    }
  }
}

std::vector<std::string> read_words(std::string_view text, std::uint32_t count,
                                    const fs::path& path) {
  std::vector<std::string> words;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end + 1)) {
    end = text.find('\n');
    if (end == std::string_view::npos) {
      damaged_file(path, "its last line has no end");
    }
    words.emplace_back(text.substr(0, end));
  }
  if (words.size() != count) {
    damaged_file(path, fmt::format("has {} words, the topics {}", words.size(), count));
  }
  return words;
}

/// What a model of an earlier training left and this one does not replace.
void remove_stale(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) {
    fail(Fault::io, path.string(), error.message(), "remove it by hand");
  }
}

void write_draws(const fs::path& folder, const ModelFiles& files, Manifest& manifest) {
  const DrawFiles& kept = files.draws;
  const fs::path draws = folder / model_manifest::draws_file,
                 shares = folder / model_manifest::draw_shares_file;
  TAIN_EXPECTS(kept.documents.size() == kept.draws.size(), "documents for every draw");
  manifest.facts.draw_documents = kept.documents;
  if (kept.draws.empty()) {
    remove_stale(draws);
  } else {
    manifest.draws = write_sealed(draws, [&](SealedFile& file) {
      const std::array<std::uint64_t, 3> shape{kept.draws.size(), manifest.topics, manifest.words};
      file.write(npy_header("<f4", shape));
      for (const std::span<const float> draw : kept.draws) {
        file.write(std::as_bytes(draw));
      }
    });
  }
  if (kept.shares.empty()) {
    remove_stale(shares);
  } else {
    manifest.draw_shares = write_sealed(shares, [&](SealedFile& file) {
      const std::array<std::uint64_t, 2> shape{kept.draws.size(), manifest.topics};
      file.write(npy_header("<f8", shape));
      file.write(std::as_bytes(std::span(kept.shares)));
    });
  }
}

bool fits(const TopicSource& source, std::uint32_t topics, std::size_t words) {
  return source.words() == words && source.rows.lanes() == padded_topics(topics);
}

void write_files(const fs::path& folder, const ModelFiles& files, Rows rows) {
  const auto topics = static_cast<std::uint32_t>(files.facts.alpha.size());
  TAIN_EXPECTS(topics > 0 && fits(files.topics, topics, files.vocabulary.size()) &&
                   fits(files.last_draw, topics, files.vocabulary.size()),
               "an alpha for every topic, and a word for every row");
  if (!files.topics.is_root()) {
    lend_topics(files.topics, topics);
    lend_topics(files.last_draw, topics);
    return;
  }
  Manifest manifest;
  manifest.facts = files.facts;
  manifest.topics = topics;
  manifest.words = static_cast<std::uint32_t>(files.vocabulary.size());
  manifest.seals[0] = write_sealed(folder / "topics.npy", [&](SealedFile& file) {
    write_topics(file, files.topics, topics, rows,
                 [](double phi) { return static_cast<float>(phi); });
  });
  manifest.seals[1] = write_sealed(folder / "dual.npy", [&](SealedFile& file) {
    write_topics(file, files.last_draw, topics, rows,
                 [](double phi) { return static_cast<float>(std::log(phi)); });
  });
  manifest.seals[2] = write_sealed(folder / "vocab.txt", [&](SealedFile& file) {
    for (const std::string& word : files.vocabulary) {
      TAIN_EXPECTS(word.find('\n') == std::string::npos, "words are one line each");
      file.write(word);
      file.write("\n");
    }
  });
  write_draws(folder, files, manifest);
  write_atomically(folder / "history.csv", files.history);
  write_atomically(folder / "README.md", files.card);
  write_atomically(folder / "manifest.json", model_manifest::write(manifest, files.details));
}

/// Why a folder without manifest is no model.
[[noreturn]] void refuse(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail(Fault::no_input, folder.string(),
         fs::exists(folder, error) ? "is no folder, so no model" : "there is no such folder",
         "give the folder that `tain lda train` wrote");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(checkpoint_prefix)) {
      fail(Fault::data, folder.string(), "training has not finished",
           Phrase("go on with its training by ", Field{"resume", "true"}));
    }
  }
  fail(Fault::no_input, folder.string(), "is no model (it has no manifest.json)",
       "make one with `tain lda train`");
}

}  // namespace

void describe_corpus(const Corpus& corpus, ModelFacts& facts) {
  facts.corpus_fingerprint = corpus.fingerprint();
  facts.corpus_documents = corpus.documents();
  if (corpus.folder().empty()) {
    facts.corpus_folder = "memory";
    facts.corpus_manifest.clear();
    return;
  }
  std::error_code error;
  const fs::path folder = fs::absolute(corpus.folder(), error);
  facts.corpus_folder = (error ? corpus.folder() : folder.lexically_normal()).string();
  const fs::path manifest = corpus.folder() / "manifest.json";
  facts.corpus_manifest = fs::exists(manifest, error) ? read_file(manifest) : std::string();
}

void write_model(const fs::path& folder, const ModelFiles& files) {
  write_files(folder, files, Rows::weights);
}

void write_published_model(const fs::path& folder, const ModelFiles& files) {
  write_files(folder, files, Rows::probabilities);
}

Model Model::open(const fs::path& folder) {
  const fs::path path = folder / "manifest.json";
  std::error_code error;
  if (!fs::exists(path, error)) {
    refuse(folder);
  }
  std::string text = read_file(path);
  const Manifest manifest = model_manifest::parse(text, path.string());
  const auto& names = model_manifest::sealed_files;
  // Before any memory is taken: an array of this shape is there.
  const MappedFile topics = open_sealed(folder / names[0], manifest.seals[0]);
  const std::span<const std::byte> array = topic_array(topics, manifest, folder / names[0]);
  topic_array(open_sealed(folder / names[1], manifest.seals[1]), manifest, folder / names[1]);
  Model model(manifest.topics, manifest.words);
  model.folder_ = folder;
  model.facts_ = manifest.facts;
  model.manifest_ = std::move(text);
  read_topics(array, model.topics_, folder / names[0]);
  model.vocabulary_ = read_words(text_of(open_sealed(folder / names[2], manifest.seals[2])),
                                 manifest.words, folder / names[2]);
  return model;
}

std::optional<Corpus> recorded_corpus(const Model& model) {
  try {
    Corpus corpus = Corpus::open(model.facts().corpus_folder);
    if (corpus.fingerprint() == model.facts().corpus_fingerprint) {
      return corpus;
    }
  } catch (const Error&) {
    // Gone, or no longer a corpus: that is nobody's mistake.
  }
  return std::nullopt;
}

}  // namespace tain

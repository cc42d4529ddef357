#include "lda/model/model_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/file.hpp"
#include "core/input.hpp"
#include "core/npy.hpp"
#include "core/output_folder.hpp"
#include "lda/model/checksummed_file.hpp"
#include "lda/model/model_manifest.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using model_manifest::FileChecksum;
using model_manifest::Manifest;

static_assert(std::endian::native == std::endian::little, "npy files are little-endian");

/// Gives groups of rows of `value` of each phi, topic after topic. Collective; rank 0 gets them.
template <class Value, class Take>
void for_rows(const TopicSource& source, std::uint32_t topics, bool published, const Value& value,
              const Take& take) {
  TopicGroups groups(source, topics);
  const std::size_t words = groups.words();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::span<float> group = groups.read(g);
    if (group.empty()) {
      continue;
    }
    const std::vector<double> sums = published ? std::vector<double>(groups.topics_of(g), 1.0)
                                               : topic_sums(group, words, groups.first_topic(g));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (float& cell : group.subspan(i * words, words)) {
        cell = value(static_cast<double>(cell) / sums[i]);
      }
    }
    take(group);
  }
}

/// A topic-major array of `value` of each phi.
template <class Value>
void write_topics(SealedFile& file, const TopicSource& source, std::uint32_t topics, bool published,
                  const Value& value) {
  const std::array<std::uint64_t, 2> shape{topics, source.words()};
  file.write(npy_header("<f4", shape));
  for_rows(source, topics, published, value,
           [&](std::span<const float> group) { file.write(std::as_bytes(group)); });
}

float phi_itself(double phi) { return static_cast<float>(phi); }
float log_of(double phi) { return static_cast<float>(std::log(phi)); }

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

void write_draws(const fs::path& folder, const ModelFiles& files, Manifest& manifest) {
  const DrawFiles& kept = files.draws;
  const fs::path draws = folder / model_manifest::draws_file,
                 shares = folder / model_manifest::draw_shares_file;
  TAIN_EXPECTS(kept.documents.size() == kept.draws.size(), "documents for every draw");
  manifest.facts.draw_documents = kept.documents;
  if (!kept.draws.empty()) {
    manifest.draws = write_sealed(draws, [&](SealedFile& file) {
      const std::array<std::uint64_t, 3> shape{kept.draws.size(), manifest.topics, manifest.words};
      file.write(npy_header("<f4", shape));
      for (const std::span<const float> draw : kept.draws) {
        file.write(std::as_bytes(draw));
      }
    });
  }
  if (!kept.shares.empty()) {
    manifest.draw_shares = write_sealed(shares, [&](SealedFile& file) {
      const std::array<std::uint64_t, 2> shape{kept.draws.size(), manifest.topics};
      file.write(npy_header("<f8", shape));
      file.write(std::as_bytes(std::span(kept.shares)));
    });
  }
}

template <class Value>
std::vector<float> rows_of(const TopicSource& source, std::uint32_t topics, const Value& value) {
  std::vector<float> rows;
  for_rows(source, topics, false, value, [&](std::span<const float> group) {
    rows.insert(rows.end(), group.begin(), group.end());
  });
  return rows;
}

bool fits(const TopicSource& source, std::uint32_t topics, std::size_t words) {
  return source.words() == words && source.rows.lanes() == padded_topics(topics);
}

}  // namespace

void write_model(const fs::path& folder, const ModelFiles& files) {
  const auto topics = static_cast<std::uint32_t>(files.facts.alpha.size());
  TAIN_EXPECTS(topics > 0 && fits(files.topics, topics, files.vocabulary.size()) &&
                   (!files.dual.empty() || fits(files.last_draw, topics, files.vocabulary.size())),
               "an alpha for every topic, and a word for every row");
  if (!files.topics.is_root()) {
    for (const TopicSource& source : {files.topics, files.last_draw}) {
      for_rows(source, topics, true, phi_itself, [](std::span<const float>) {});
    }
    return;
  }
  Manifest manifest;
  manifest.facts = files.facts;
  manifest.topics = topics;
  manifest.words = static_cast<std::uint32_t>(files.vocabulary.size());
  manifest.seals[0] = write_sealed(folder / "topics.npy", [&](SealedFile& file) {
    write_topics(file, files.topics, topics, files.published, phi_itself);
  });
  manifest.seals[1] = write_sealed(folder / "dual.npy", [&](SealedFile& file) {
    if (files.dual.empty()) {
      write_topics(file, files.last_draw, topics, false, log_of);
      return;
    }
    const std::array<std::uint64_t, 2> shape{topics, files.vocabulary.size()};
    file.write(npy_header("<f4", shape));
    file.write(std::as_bytes(files.dual));
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

namespace {

/// Why a folder without manifest is no model.
[[noreturn]] void refuse(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail(Fault::no_input, folder.string(),
         fs::exists(folder, error) ? "is no folder, so no model" : "there is no such folder",
         "give the folder that `tain lda train` wrote");
  }
  if (was_being_replaced(folder)) {
    fail(Fault::no_input, folder.string(), "was being replaced when that was stopped",
         "repeat the command that wrote it: nothing is lost");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(checkpoint_prefix)) {
      fail(Fault::no_input, folder.string(), "training has not finished",
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
  facts.corpus_manifest =
      fs::exists(manifest, error) ? read_file(manifest, most_record_bytes) : std::string();
}

std::vector<float> published_rows(const TopicSource& source, std::uint32_t topics) {
  return rows_of(source, topics, phi_itself);
}

std::vector<float> dual_rows(const TopicSource& last_draw, std::uint32_t topics) {
  return rows_of(last_draw, topics, log_of);
}

/// A cache line of topics at a time.
TopicWeights topics_of_rows(std::span<const std::byte> rows, std::uint32_t count,
                            std::uint32_t words,
                            const std::function<void(const std::string&)>& refuse) {
  TopicWeights topics(count, words);
  const FloatBlock cells = topics.weights();
  for (std::size_t first = 0; first < count; first += row_alignment) {
    const std::size_t group = std::min<std::size_t>(row_alignment, count - first);
    std::array<double, row_alignment> sums{};
    bool negative = false;
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t i = 0; i < group; ++i) {
        float value = 0;
        std::memcpy(&value, rows.data() + ((first + i) * words + w) * sizeof value, sizeof value);
        cells.at(w, first + i) = value;
        sums[i] += static_cast<double>(value);
        negative = negative || value < 0;
      }
    }
    for (std::size_t i = 0; i < group; ++i) {
      if (negative || !(std::abs(sums[i] - 1) <= row_tolerance)) {
        refuse(fmt::format("topic {} is no distribution: its words sum to {}", first + i + 1,
                           sums[i]));
      }
      topics.inverse_sums()[first + i] = static_cast<float>(1 / sums[i]);
    }
  }
  return topics;
}

ModelData::ModelData(ModelFacts facts, std::vector<std::string> vocabulary, TopicWeights topics,
                     std::string manifest, std::string history)
    : facts_(std::move(facts)),
      topics_(std::move(topics)),
      vocabulary_(std::move(vocabulary)),
      manifest_(std::move(manifest)),
      history_(std::move(history)) {}

ModelData ModelData::open(const fs::path& folder) {
  const fs::path path = folder / "manifest.json";
  std::error_code error;
  if (!fs::exists(path, error)) {
    refuse(folder);
  }
  const Reading reading;
  std::string text = read_file(path, most_record_bytes);
  const Manifest manifest = model_manifest::parse(text, path.string());
  const auto& names = model_manifest::sealed_files;
  // Before any memory is taken: an array of this shape is there.
  const MappedFile topics = open_sealed(folder / names[0], manifest.seals[0]);
  const std::span<const std::byte> array = topic_array(topics, manifest, folder / names[0]);
  topic_array(open_sealed(folder / names[1], manifest.seals[1]), manifest, folder / names[1]);
  const fs::path history = folder / "history.csv";
  ModelData model(
      manifest.facts,
      read_words(text_of(open_sealed(folder / names[2], manifest.seals[2])), manifest.words,
                 folder / names[2]),
      topics_of_rows(array, manifest.topics, manifest.words,
                     [&](const std::string& problem) { damaged_file(folder / names[0], problem); }),
      std::move(text),
      fs::exists(history, error) ? read_file(history, most_record_bytes) : std::string());
  model.folder_ = folder;
  return model;
}

std::vector<float> ModelData::row(std::uint32_t topic) const {
  const ConstFloatBlock cells = topics_.weights();
  std::vector<float> row(cells.rows());
  for (std::size_t w = 0; w < row.size(); ++w) {
    row[w] = cells.at(w, topic);
  }
  return row;
}

std::vector<float> ModelData::read_dual() const {
  const fs::path path = folder_ / model_manifest::sealed_files[1];
  const Manifest manifest = model_manifest::parse(manifest_, (folder_ / "manifest.json").string());
  const MappedFile file = open_sealed(path, manifest.seals[1]);
  const std::span<const std::byte> data = topic_array(file, manifest, path);
  std::vector<float> dual(data.size() / sizeof(float));
  std::memcpy(dual.data(), data.data(), data.size());
  return dual;
}

std::optional<Corpus> recorded_corpus(const ModelData& model) {
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

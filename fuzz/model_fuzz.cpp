// Fuzz target: any bytes as a part of a topic model. What opens keeps the laws of lda/model.hpp.
//   Input: a byte of choices, then manifest.json (even), topics.npy (1 of 4) or draws.npy (3 of 4)
//   of a model of 2 topics and 3 words, with 2 draws.
// Checksums keep random damage out, which would hide the checks behind them: they are made right
// before the model is opened.
#include <cmath>
#include <span>

#include "core/checksum.hpp"
#include "lda/model/model_data.hpp"
#include "lda/model/model_manifest.hpp"
#include "lda/model/topic_draws.hpp"
#include "support.hpp"

namespace {

using namespace tain;
using fuzz::require;

model_manifest::FileChecksum seal_of(std::string_view bytes) {
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(bytes)));
  return {bytes.size(), checksum.value()};
}

void check(const ModelData& model) {
  const TopicWeights& topics = model.topics();
  require(model.facts().alpha.size() == topics.topics(), "an alpha for every topic");
  require(model.vocabulary().size() == topics.words(), "a word for every row");
  for (std::uint32_t k = 0; k < topics.topics(); ++k) {
    double sum = 0;
    for (std::uint32_t w = 0; w < topics.words(); ++w) {
      require(topics.weights().at(w, k) >= 0, "weights are not negative");
      sum += static_cast<double>(topics.weights().at(w, k));
    }
    require(std::abs(sum - 1) < 1e-5, "topics are distributions");
  }
}

void open_with_topics(std::string_view topics) {
  const std::filesystem::path& folder = fuzz::memory_folder();
  constexpr std::string_view words = "one\ntwo\nthree\n";
  model_manifest::Manifest manifest;
  manifest.facts.alpha = {0.1F, 0.2F};
  manifest.topics = 2;
  manifest.words = 3;
  manifest.seals = {seal_of(topics), seal_of(topics), seal_of(words)};
  fuzz::put_file(folder / "topics.npy", topics);
  fuzz::put_file(folder / "dual.npy", topics);
  fuzz::put_file(folder / "vocab.txt", words);
  fuzz::put_file(folder / "manifest.json", model_manifest::write(manifest, "{}"));
  fuzz::allow_data_errors([&] { check(ModelData::open(folder)); }, folder.string());
}

void open_with_draws(std::string_view draws) {
  const std::filesystem::path& folder = fuzz::memory_folder();
  model_manifest::Manifest manifest;
  manifest.facts.alpha = {0.1F, 0.2F};
  manifest.facts.draw_documents = {10, 20};
  manifest.topics = 2;
  manifest.words = 3;
  manifest.draws = seal_of(draws);
  fuzz::put_file(folder / "draws.npy", draws);
  fuzz::put_file(folder / "manifest.json", model_manifest::write(manifest, "{}"));
  fuzz::allow_data_errors(
      [&] {
        const std::optional<TopicDraws> opened = TopicDraws::open(folder);
        require(opened && opened->draws() == 2, "the draws are there");
        for (std::uint64_t s = 0; s < 2; ++s) {
          for (std::uint32_t k = 0; k < 2; ++k) {
            double sum = 0;
            for (const float phi : opened->topic(s, k)) {
              require(phi >= 0, "probabilities are not negative");
              sum += static_cast<double>(phi);
            }
            require(std::abs(sum - 1) < 1e-5, "topics are distributions");
          }
        }
      },
      folder.string());
}

void parse_manifest(std::string text) {
  model_manifest::seal(text);
  fuzz::allow_data_errors([&] {
    const model_manifest::Manifest manifest = model_manifest::parse(text, "fuzz");
    require(manifest.facts.alpha.size() == manifest.topics, "an alpha for every topic");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view rest = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    parse_manifest(std::string(rest));
  } else if (data[0] % 4 == 1) {
    open_with_topics(rest);
  } else {
    open_with_draws(rest);
  }
  return 0;
}

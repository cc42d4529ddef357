#include "lda/model/model_manifest.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/checksum.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "sampling/json_text.hpp"
#include "tain/core/error.hpp"

namespace tain::model_manifest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "tain topic model";
constexpr std::string_view before_checksum = "\"checksum\": \"";
constexpr std::string_view after_checksum = "\"\n}\n";
constexpr std::size_t digits = 16;

std::string hexadecimal(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::uint64_t number(const Json& text) {
  const auto& hex = text.get_ref<const std::string&>();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  if (error != std::errc() || end != hex.data() + hex.size()) {
    throw std::invalid_argument("a checksum that is no number");
  }
  return value;
}

/// A number that no conversion changes.
template <class T>
T count(const Json& json) {
  if (!json.is_number_unsigned() ||
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<T>::max()}) {
    throw std::invalid_argument("a count that is none");
  }
  return json.get<T>();
}

double real(const Json& json) {
  if (!json.is_number()) {
    throw std::invalid_argument("a number that is none");
  }
  return json.get<double>();
}

/// Where the digits of the text's checksum begin; npos if it does not end with one.
std::size_t place_of_checksum(std::string_view text) {
  constexpr std::size_t tail = before_checksum.size() + digits + after_checksum.size();
  if (text.size() < tail || !text.ends_with(after_checksum) ||
      !text.substr(text.size() - tail).starts_with(before_checksum)) {
    return std::string_view::npos;
  }
  return text.size() - digits - after_checksum.size();
}

/// Of all bytes but the checksum's own digits.
std::string checksum_of(std::string_view text, std::size_t place) {
  Checksum checksum;
  for (const std::string_view part : {text.substr(0, place), text.substr(place + digits)}) {
    checksum.add(std::as_bytes(std::span(part)));
  }
  return hexadecimal(checksum.value());
}

/// 0.1F as 0.1, not as the double it is: the shortest text that is this float.
double shortest(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

Json facts_json(const ModelFacts& facts) {
  Json alpha = Json::array();
  for (const float a : facts.alpha) {
    alpha.push_back(shortest(a));
  }
  Json corpus{{"folder", facts.corpus_folder},
              {"fingerprint", hexadecimal(facts.corpus_fingerprint)},
              {"documents", facts.corpus_documents},
              {"held_out", facts.held_out}};
  const Json manifest = parse_json(facts.corpus_manifest);
  if (manifest.is_object()) {
    corpus["manifest"] = manifest;
  }
  return {{"method", facts.method},
          {"seed", facts.seed},
          {"steps", facts.steps},
          {"documents_seen", facts.documents_seen},
          {"draws_kept", facts.draws_kept},
          {"eta", facts.eta},
          {"alpha", std::move(alpha)},
          {"corpus", std::move(corpus)},
          {"draws", {{"documents", facts.draw_documents}}}};
}

FileChecksum seal_of(const Json& file) {
  return {count<std::uint64_t>(file.at("bytes")), number(file.at("checksum"))};
}

std::optional<FileChecksum> optional_seal(const Json& files, std::string_view name) {
  const auto found = files.find(name);
  return found == files.end() ? std::nullopt : std::optional(seal_of(*found));
}

Json seal_json(const FileChecksum& seal) {
  return {{"bytes", seal.bytes}, {"checksum", hexadecimal(seal.checksum)}};
}

ModelFacts facts_of(const Json& json) {
  ModelFacts facts;
  facts.method = json.at("method");
  facts.seed = count<std::uint64_t>(json.at("seed"));
  facts.steps = count<std::uint64_t>(json.at("steps"));
  facts.documents_seen = count<std::uint64_t>(json.at("documents_seen"));
  facts.draws_kept = count<std::uint64_t>(json.at("draws_kept"));
  facts.eta = real(json.at("eta"));
  for (const Json& a : json.at("alpha")) {
    facts.alpha.push_back(static_cast<float>(real(a)));
  }
  const Json& corpus = json.at("corpus");
  facts.corpus_folder = corpus.at("folder");
  facts.corpus_fingerprint = number(corpus.at("fingerprint"));
  facts.corpus_documents = count<std::uint64_t>(corpus.at("documents"));
  facts.held_out = count<std::uint64_t>(corpus.at("held_out"));
  if (corpus.contains("manifest")) {
    facts.corpus_manifest = corpus["manifest"].dump();
  }
  if (json.contains("draws")) {  // models of earlier versions have none
    for (const Json& documents : json["draws"].at("documents")) {
      facts.draw_documents.push_back(count<std::uint64_t>(documents));
    }
  }
  return facts;
}

Manifest manifest_of(const Json& json) {
  Manifest manifest;
  manifest.facts = facts_of(json);
  manifest.topics = count<std::uint32_t>(json.at("topics"));
  manifest.words = count<std::uint32_t>(json.at("words"));
  for (std::size_t i = 0; i < sealed_files.size(); ++i) {
    manifest.seals[i] = seal_of(json.at("files").at(sealed_files[i]));
  }
  manifest.draws = optional_seal(json["files"], draws_file);
  manifest.draw_shares = optional_seal(json["files"], draw_shares_file);
  return manifest;
}

[[noreturn]] void damaged(std::string_view name, std::string_view problem) {
  fail(Fault::data, name, problem, "train the model again, or take a copy of it");
}

void require_sound(const Manifest& manifest, std::string_view name) {
  const ModelFacts& facts = manifest.facts;
  if (manifest.topics == 0 || manifest.topics > most_topics || manifest.words == 0) {
    damaged(name, fmt::format("speaks of {} topics of {} words", manifest.topics, manifest.words));
  }
  if (facts.alpha.size() != manifest.topics) {
    damaged(name, fmt::format("has {} topics, but {} weights alpha", manifest.topics,
                              facts.alpha.size()));
  }
  for (const float a : facts.alpha) {
    if (!(a > 0) || !std::isfinite(a)) {
      damaged(name, fmt::format("has a weight alpha of {}", a));
    }
  }
  if (facts.held_out > facts.corpus_documents) {
    damaged(name,
            fmt::format("holds out {} of {} documents", facts.held_out, facts.corpus_documents));
  }
}

}  // namespace

std::string write(const Manifest& manifest, std::string_view details) {
  Json json{{"format", format},
            {"version", version},
            {"topics", manifest.topics},
            {"words", manifest.words}};
  json.update(facts_json(manifest.facts));
  if (const Json more = parse_json(details); more.is_object()) {
    for (const auto& [key, value] : more.items()) {
      if (!json.contains(key) && key != "files" && key != "checksum") {
        json[key] = value;
      }
    }
  }
  for (std::size_t i = 0; i < sealed_files.size(); ++i) {
    json["files"][std::string(sealed_files[i])] = seal_json(manifest.seals[i]);
  }
  if (manifest.draws) {
    json["files"][std::string(draws_file)] = seal_json(*manifest.draws);
  }
  if (manifest.draw_shares) {
    json["files"][std::string(draw_shares_file)] = seal_json(*manifest.draw_shares);
  }
  json["checksum"] = std::string(digits, '0');
  // Names of folders need not be UTF-8; JSON must be.
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const bool sealed = seal(text);
  TAIN_EXPECTS(sealed, "the checksum comes last");
  return text;
}

bool seal(std::string& text) {
  const std::size_t place = place_of_checksum(text);
  if (place == std::string_view::npos) {
    return false;
  }
  text.replace(place, digits, checksum_of(text, place));
  return true;
}

Manifest parse(std::string_view text, std::string_view name) {
  const Json json = parse_json(text);
  const std::size_t place = place_of_checksum(text);
  if (json.is_object() && json.value("format", Json()) != Json(format)) {
    fail(Fault::data, name, "is not the manifest of a model",
         "give the folder that `tain lda train` wrote");
  }
  if (!json.is_object() || place == std::string_view::npos) {
    damaged(name, "is cut or damaged");
  }
  if (json.value("version", Json()) != Json(version)) {
    fail(Fault::data, name,
         fmt::format("has format {} of models, this program reads {}",
                     json.value("version", Json()).dump(), version),
         "use the version of the program that wrote it");
  }
  if (text.substr(place, digits) != checksum_of(text, place)) {
    damaged(name, "is damaged (wrong checksum)");
  }
  try {
    Manifest manifest = manifest_of(json);
    require_sound(manifest, name);
    return manifest;
  } catch (const Json::exception& error) {
    damaged(name, fmt::format("lacks what a model needs ({})", error.what()));
  } catch (const std::invalid_argument& error) {
    damaged(name, fmt::format("has {}", error.what()));
  }
}

}  // namespace tain::model_manifest

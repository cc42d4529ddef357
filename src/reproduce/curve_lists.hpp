// Lists of curves in the file of a study.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/file.hpp"
#include "sampling/json_text.hpp"
#include "tain/core/error.hpp"

namespace tain {

template <class Curve, class ToJson>
nlohmann::ordered_json curves_json(const std::vector<Curve>& curves, ToJson to_json) {
  auto list = nlohmann::ordered_json::array();
  for (const Curve& curve : curves) {
    list.push_back(to_json(curve));
  }
  return list;
}

/// Throws Error (data) naming the list if a curve is not whole.
template <class Curve, class FromJson, class IsWhole>
void read_curves(const nlohmann::ordered_json& json, const char* name,
                 const std::filesystem::path& path, FromJson from_json, IsWhole is_whole,
                 std::vector<Curve>& curves) {
  for (const nlohmann::ordered_json& curve : json.at(name)) {
    curves.push_back(from_json(curve));
    if (!is_whole(curves.back())) {
      fail(Fault::data, path.string(), fmt::format("a curve of '{}' is not complete", name),
           Phrase("start afresh with ", Field{"overwrite", "true"}));
    }
  }
}

/// Which study a file is of stands in it under this key.
inline constexpr const char* study_kind_key = "study";

inline nlohmann::ordered_json read_study_file(const std::filesystem::path& path) {
  return read_json(read_file(path, most_record_bytes), path.string(),
                   "give a folder that 'tain reproduce' has written");
}

/// read(json of the file). Throws Error (data) for what is no study of this kind.
template <class Read>
void read_study_json(const std::filesystem::path& path, std::string_view kind, Read read) {
  try {
    const auto json = read_study_file(path);
    if (json.at(study_kind_key) != kind) {
      fail(Fault::data, path.string(), fmt::format("is no study of kind '{}'", kind),
           "give the folder of another study");
    }
    read(json);
  } catch (const nlohmann::ordered_json::exception& error) {
    fail(Fault::data, path.string(), fmt::format("is no study ({})", error.what()),
         Phrase("start afresh with ", Field{"overwrite", "true"}));
  }
}

/// Throws Error (data) unless the plans, as JSON, are the same.
inline void require_same_plan(const std::filesystem::path& path, const nlohmann::ordered_json& is,
                              const nlohmann::ordered_json& expected) {
  if (is != expected) {
    fail(Fault::data, path.string(), "belongs to a study with other options",
         "give the options of the first run, or another folder");
  }
}

}  // namespace tain

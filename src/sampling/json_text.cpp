#include "sampling/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/file.hpp"
#include "core/sizes.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

/// What is wrong with JSON that is JSON.
struct TooMuch {
  std::string problem;
};

/// Looks at every value before there is any of it.
class Bounds {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json&) {
    if (depth > deepest_json) {
      throw TooMuch{"is nested too deeply"};
    }
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      members_[level + 1] = 0;
    } else if (event == Json::parse_event_t::key && ++members_[level] > most_members) {
      throw TooMuch{fmt::format("has an object of more than {} members", grouped(most_members))};
    }
    return true;
  }

 private:
  std::array<std::size_t, deepest_json + 2> members_{};  // of the object whose keys are so deep
};

/// "name:line:column", both counted from 1, of a byte counted from 1.
std::string place_of(std::string_view text, std::size_t byte, std::string_view name) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const std::size_t last = before.rfind('\n');  // npos + 1 is 0
  return fmt::format("{}:{}:{}", name, 1 + std::ranges::count(before, '\n'),
                     before.size() - (last + 1) + 1);
}

}  // namespace

Json read_json(std::string_view text, std::string_view name, const Phrase& remedy) {
  if (text.size() > most_record_bytes) {
    fail(Fault::data, name,
         fmt::format("is larger than {}", format_bytes(static_cast<double>(most_record_bytes))),
         remedy);
  }
  try {
    return Json::parse(text, Bounds());
  } catch (const TooMuch& bound) {
    fail(Fault::data, name, bound.problem, remedy);
  } catch (const Json::parse_error& error) {
    fail(Fault::data, place_of(text, error.byte, name), "is not valid JSON", remedy);
  } catch (const Json::out_of_range&) {
    fail(Fault::data, name, "has a number that is too large", remedy);
  }
}

Json parse_json(std::string_view text) {
  try {
    return read_json(text, "JSON");
  } catch (const Error&) {
    return nullptr;
  }
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tain

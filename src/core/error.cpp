#include "tain/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tain {
namespace {

std::string library_spelling(const Field& field) {
  return field.value.empty() ? field.name : fmt::format("{} = {}", field.name, field.value);
}

/// What a file says is shown in a line on a terminal: without characters that steer it, and not at
/// any length.
std::string shown(std::string text) {
  constexpr std::size_t most = 1000;
  if (text.size() > most) {
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      --end;  // not inside a character
    }
    text.resize(end);
    text += "...";
  }
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

std::string joined(const Phrase& where, const Phrase& problem, const Phrase& remedy,
                   const Spelling& spelling, const Spelling& culprit) {
  std::string text =
      fmt::format("{}: {}", shown(where.text(culprit)), shown(problem.text(spelling)));
  return remedy.empty() ? text : fmt::format("{}; {}", text, shown(remedy.text(spelling)));
}

}  // namespace

Phrase& Phrase::add(const Phrase& more) {
  parts_.insert(parts_.end(), more.parts_.begin(), more.parts_.end());
  return *this;
}

bool Phrase::empty() const {
  return std::ranges::all_of(parts_, [](const Part& part) {
    const auto* text = std::get_if<std::string>(&part);
    return text != nullptr && text->empty();
  });
}

std::string Phrase::text(const Spelling& spelling) const {
  std::string text;
  for (const Part& part : parts_) {
    const auto* field = std::get_if<Field>(&part);
    text += field ? spelling(*field) : std::get<std::string>(part);
  }
  return text;
}

std::optional<Field> Phrase::field() const {
  for (const Part& part : parts_) {
    if (const auto* field = std::get_if<Field>(&part)) {
      return *field;
    }
  }
  return std::nullopt;
}

Error::Error(Fault fault, Phrase where, Phrase problem, Phrase remedy)
    : std::runtime_error(joined(where, problem, remedy, library_spelling, library_spelling)),
      parts_(std::make_shared<const Parts>(
          Parts{fault, std::move(where), std::move(problem), std::move(remedy)})) {}

Error Error::at(const Phrase& where) const {
  return {parts_->fault, where, parts_->problem, parts_->remedy};
}

Error Error::with_remedy(const Phrase& remedy) const {
  return {parts_->fault, parts_->where, parts_->problem, remedy};
}

std::string Error::message(const Spelling& spelling, const Spelling& culprit) const {
  return joined(parts_->where, parts_->problem, parts_->remedy, spelling,
                culprit ? culprit : spelling);
}

void fail(Fault fault, Phrase where, Phrase problem, Phrase remedy) {
  throw Error(fault, std::move(where), std::move(problem), std::move(remedy));
}

}  // namespace tain

#include "lda/training/checkpoint_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "core/draft.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

void archive_range(Archive& a, Range& range) {
  a.field(range.first);
  a.field(range.end);
}

/// Takes a number and the dot after it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest == end || *rest != '.') {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(rest + 1 - text.data()));
  return number;
}

/// The save that a part is of, or that the draft of a part was for.
std::optional<std::uint64_t> save_of_part(const fs::path& checkpoint, std::string_view name) {
  if (name.starts_with('.') && name.ends_with(draft_ending)) {
    name.remove_prefix(1);
    name.remove_suffix(draft_ending.size());
  }
  const std::string stem = checkpoint.stem().string() + ".";
  if (!name.starts_with(stem)) {
    return std::nullopt;
  }
  name.remove_prefix(stem.size());
  const std::optional<std::uint64_t> save = take_number(name);
  return save && take_number(name) && name == "part" ? save : std::nullopt;
}

std::vector<std::string> names_beside(const fs::path& checkpoint) {
  const fs::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code ignored;  // what stays is in nobody's way, and goes next time
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

/// Non-empty ranges must follow each other from 0 to the end.
bool tile(std::span<const CheckpointPart> parts, Range CheckpointPart::* range, std::uint64_t end) {
  std::uint64_t next = 0;
  for (const CheckpointPart& part : parts) {
    const Range here = part.*range;
    if (here.empty()) {
      continue;
    }
    if (here.first != next || here.end < here.first) {
      return false;
    }
    next = here.end;
  }
  return next == end;
}

}  // namespace

void archive_parts(Archive& a, std::vector<CheckpointPart>& parts) {
  std::uint64_t count = parts.size();
  a.field(count);
  if (a.reading()) {
    parts.clear();
  }
  for (std::uint64_t i = 0; i < count; ++i) {  // one by one: a wrong count runs into the end
    CheckpointPart& part = a.reading() ? parts.emplace_back() : parts[i];
    archive_range(a, part.words);
    archive_range(a, part.places);
    a.field(part.file.bytes);
    a.field(part.file.checksum);
  }
}

void require_all(std::span<const CheckpointPart> parts, std::uint64_t words, std::uint64_t places,
                 const fs::path& checkpoint) {
  if (!tile(parts, &CheckpointPart::words, words) ||
      !tile(parts, &CheckpointPart::places, places)) {
    fail(Fault::data, checkpoint.string(), "its parts are not all words and documents",
         Phrase("start anew with ", Field{"overwrite", "true"}));
  }
}

fs::path part_file(const fs::path& checkpoint, std::uint64_t save, std::uint64_t rank) {
  return checkpoint.parent_path() /
         fmt::format("{}.{}.{}.part", checkpoint.stem().string(), save, rank);
}

Archive open_part(const fs::path& file, const CheckpointPart& listed) {
  const auto refuse = [&](const char* problem) {
    fail(Fault::data, file.string(), problem,
         Phrase("put it back, or start anew with ", Field{"overwrite", "true"}));
  };
  std::error_code error;
  if (!fs::exists(file, error)) {
    refuse("is missing, a part of the checkpoint");
  }
  Archive a(file);
  if (a.file() != listed.file) {
    refuse("is a part of another checkpoint");
  }
  return a;
}

std::uint64_t last_save(const fs::path& checkpoint) {
  std::uint64_t last = 0;
  for (const std::string& name : names_beside(checkpoint)) {
    last = std::max(last, save_of_part(checkpoint, name).value_or(0));
  }
  return last;
}

void remove_other_parts(const fs::path& checkpoint, std::uint64_t save, std::uint64_t ranks) {
  std::vector<std::string> current;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    current.push_back(part_file(checkpoint, save, rank).filename().string());
  }
  std::ranges::sort(current);
  for (const std::string& name : names_beside(checkpoint)) {
    if (save_of_part(checkpoint, name) && !std::ranges::binary_search(current, name)) {
      std::error_code ignored;
      fs::remove_all(checkpoint.parent_path() / name, ignored);
    }
  }
}

}  // namespace tain

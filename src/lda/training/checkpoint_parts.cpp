#include "lda/training/checkpoint_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

void archive_range(Archive& a, Range& range) {
  a.field(range.first);
  a.field(range.end);
}

/// Takes a number and the dot after it.
bool take_number(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits == text.size() || text[digits] != '.') {
    return false;
  }
  text.remove_prefix(digits + 1);
  return true;
}

/// Is a name that of a part, or of one that was being written?
bool names_part(const fs::path& checkpoint, std::string_view name) {
  const bool unfinished = name.starts_with(".") && name.ends_with(".tmp");
  name.remove_prefix(unfinished ? 1 : 0);
  const std::string stem = checkpoint.stem().string() + ".";
  if (!name.starts_with(stem)) {
    return false;
  }
  name.remove_prefix(stem.size());
  const bool numbered = take_number(name);  // of the save, then of the rank
  return numbered && take_number(name) && (unfinished ? name.starts_with("part.") : name == "part");
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

void remove_other_parts(const fs::path& checkpoint, std::uint64_t save, std::uint64_t ranks) {
  const fs::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : fs::path(".");
  std::vector<std::string> current;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    current.push_back(part_file(checkpoint, save, rank).filename().string());
  }
  std::ranges::sort(current);
  std::vector<fs::path> others;
  std::error_code ignored;  // what stays is in nobody's way, and goes next time
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (names_part(checkpoint, name) && !std::ranges::binary_search(current, name)) {
      others.push_back(entry.path());
    }
  }
  for (const fs::path& other : others) {
    fs::remove(other, ignored);
  }
}

}  // namespace tain

#include "lda/training/waiting_documents.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "tain/core/error.hpp"

namespace tain {
namespace {

template <class T>
void archive_vector(Archive& a, std::vector<T>& values) {
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  a.field(bytes);
  a.require(bytes.size() % sizeof(T) == 0, "has half a number");
  values.resize(bytes.size() / sizeof(T));
  std::ranges::copy(std::as_bytes(std::span(bytes)).first(values.size() * sizeof(T)),
                    std::as_writable_bytes(std::span(values)).begin());
}

}  // namespace

void WaitingDocuments::add(const DocumentWords& words) {
  if (!words.counts.empty()) {
    ids_.insert(ids_.end(), words.ids.begin(), words.ids.end());
    counts_.insert(counts_.end(), words.counts.begin(), words.counts.end());
  } else {
    sorted_.assign(words.ids.begin(), words.ids.end());
    std::ranges::sort(sorted_);
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      if (i > 0 && sorted_[i] == sorted_[i - 1]) {
        ++counts_.back();
      } else {
        ids_.push_back(sorted_[i]);
        counts_.push_back(1);
      }
    }
  }
  offsets_.push_back(ids_.size());
}

DocumentWords WaitingDocuments::document(std::uint64_t d) const {
  const std::uint64_t begin = offsets_[first_ + d], size = offsets_[first_ + d + 1] - begin;
  return {std::span(ids_).subspan(begin, size), std::span(counts_).subspan(begin, size)};
}

Corpus WaitingDocuments::corpus(std::uint64_t count, std::uint32_t words) const {
  TAIN_EXPECTS(first_ == 0, "documents that wait for the start");
  return Corpus::over({.ids = std::span(ids_).first(offsets_[count]),
                       .counts = std::span(counts_).first(offsets_[count]),
                       .offsets = std::span(offsets_).first(count + 1),
                       .vocabulary = std::vector<std::string>(words)});
}

void WaitingDocuments::drop(std::uint64_t count) {
  first_ += count;
  if (first_ >= documents()) {
    forget_dropped();
  }
}

void WaitingDocuments::forget_dropped() {
  const std::uint64_t begin = offsets_[first_];
  const auto cut = [](auto& values, std::uint64_t count) {
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  cut(ids_, begin);
  cut(counts_, begin);
  cut(offsets_, first_);
  for (std::uint64_t& offset : offsets_) {
    offset -= begin;
  }
  first_ = 0;
}

void WaitingDocuments::archive(Archive& a, std::uint32_t words) {
  forget_dropped();  // what is gone is no part of the state
  archive_vector(a, ids_);
  archive_vector(a, counts_);
  archive_vector(a, offsets_);
  a.require(are_bags(words), "has documents that are no bags of words");
}

bool WaitingDocuments::are_bags(std::uint32_t words) const {
  if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != ids_.size() ||
      counts_.size() != ids_.size() || !std::ranges::is_sorted(offsets_)) {
    return false;
  }
  for (std::uint64_t d = 0; d < documents(); ++d) {
    const DocumentWords own = document(d);
    if (own.ids.empty() ||
        std::ranges::adjacent_find(own.ids, std::greater_equal<>()) != own.ids.end() ||
        own.ids.back() >= words) {
      return false;
    }
  }
  constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
  return std::ranges::all_of(counts_,
                             [](std::uint32_t count) { return count >= 1 && count <= most; });
}

}  // namespace tain

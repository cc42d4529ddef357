#include "text/scratch.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/descriptor.hpp"
#include "core/sizes.hpp"
#include "core/space.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Others write too, and the corpus comes beside.
constexpr double usual_share = 0.8;

std::uint64_t usual_limit(const std::filesystem::path& folder) {
  const std::optional<std::uint64_t> free = free_space(folder);
  return free ? static_cast<std::uint64_t>(usual_share * static_cast<double>(*free))
              : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

Scratch::Scratch(std::filesystem::path folder, std::optional<std::uint64_t> limit)
    : folder_(std::move(folder)),
      limit_(limit.value_or(usual_limit(folder_))),
      given_(limit.has_value()) {
  std::error_code error;
  std::filesystem::create_directory(folder_, error);
  if (error) {
    fail_errno(Fault::cannot_create, folder_, error.value());
  }
}

Scratch::~Scratch() {
  std::error_code ignored;  // the next import removes what stays
  std::filesystem::remove_all(folder_, ignored);
}

void Scratch::take(std::uint64_t bytes) {
  if (taken_.fetch_add(bytes) + bytes > limit_) {
    fail(Fault::config, Field{"scratch"},
         fmt::format("temporary files take more than {}{}", format_bytes(double(limit_)),
                     given_ ? "" : ", the most of what is free"),
         "give more of it, or a source that has an end and is no pipe");
  }
}

}  // namespace tain

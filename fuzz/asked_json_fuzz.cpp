// Fuzz target: any JSON as what a draws file keeps of its run; sets and targets come of it, or an
// Error. Lists of numbers in files are not opened.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sampling/asked_json.hpp"
#include "sampling/problem.hpp"
#include "tain/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const tain::Json asked = tain::Json::parse(text, nullptr, false);
  if (!asked.is_object() || text.find('@') != std::string_view::npos) {
    return 0;
  }
  try {
    const tain::Set set = tain::set_from(asked, 3);
    static_cast<void>(set.text());
    if (set.dim().value_or(3) < 1000) {
      tain::build_problem(set, tain::target_from(asked), {});
    }
  } catch (const tain::Error&) {
  }
  return 0;
}

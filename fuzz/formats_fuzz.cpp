// Fuzz target: the detection of formats takes any bytes, and gives a reason.
#include "support.hpp"
#include "text/formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto line_end = bytes.find('\n');
  const tain::Detection detection = tain::detect_format(bytes, bytes.substr(0, line_end));
  tain::fuzz::require(!detection.reason.empty(), "a reason is given");
  tain::fuzz::require(
      tain::format_from_name(tain::format_name(detection.format)) == detection.format,
      "formats have names");
  return 0;
}

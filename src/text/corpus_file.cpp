#include "text/corpus_file.hpp"

namespace tain::corpus_file {

std::uint64_t header_checksum(const Header& header) {
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
  return checksum.value();
}

}  // namespace tain::corpus_file

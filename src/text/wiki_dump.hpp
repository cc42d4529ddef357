// Articles of a MediaWiki dump.
#pragma once

#include <memory>

#include "text/documents.hpp"

namespace tain {

std::unique_ptr<DocumentReader> read_wiki_dump(std::unique_ptr<ByteSource> source);

}  // namespace tain

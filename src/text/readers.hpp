// The reader of each format, and the writers of numbered words.
#pragma once

#include <memory>

#include "text/bag_writer.hpp"
#include "text/documents.hpp"

namespace tain::text {

ReadDocuments line_documents, tab_documents;
ReadBags uci_reader, ldac_reader, matrix_market_reader, svmlight_reader;
WriteBags uci_writer, ldac_writer, matrix_market_writer, svmlight_writer;

}  // namespace tain::text

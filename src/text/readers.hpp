// The reader of each format of numbered words.
#pragma once

#include <memory>

#include "text/bag.hpp"

namespace tain::text {

std::unique_ptr<BagReader> uci_reader(std::unique_ptr<ByteSource> source,
                                      const BagOptions& options);
std::unique_ptr<BagReader> ldac_reader(std::unique_ptr<ByteSource> source,
                                       const BagOptions& options);
std::unique_ptr<BagReader> matrix_market_reader(std::unique_ptr<ByteSource> source,
                                                const BagOptions& options);
std::unique_ptr<BagReader> svmlight_reader(std::unique_ptr<ByteSource> source,
                                           const BagOptions& options);

}  // namespace tain::text

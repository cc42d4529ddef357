// A corpus as Python holds it: mapped from a folder, or over the arrays of a sparse matrix.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tain/text/corpus.hpp"

namespace tain::python {

using Int32Array = pybind11::array_t<std::int32_t, pybind11::array::c_style>;
using Int64Array = pybind11::array_t<std::int64_t, pybind11::array::c_style>;

/// Compressed rows of counts: nothing of `indices` and `counts` is copied.
struct Matrix {
  Int64Array offsets;
  Int32Array indices, counts;
};

struct HeldCorpus {
  /// Columns ascending and different in every row, counts from 1; Error (data) otherwise.
  HeldCorpus(Matrix matrix, std::vector<std::string> vocabulary);
  explicit HeldCorpus(const std::string& folder);

  Matrix matrix = {};  ///< keeps alive what the corpus looks at
  Corpus corpus;
};

/// Values of arrays that Python calls signed.
std::span<const std::uint32_t> unsigned_view(const Int32Array& array);
std::span<const std::uint64_t> unsigned_view(const Int64Array& array);

}  // namespace tain::python

// Errors of the library in the words of the function that was called.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tain/core/error.hpp"

namespace tain::python {

/// Options that a function calls otherwise than the library does: {"topics", "n_components"}.
using Keywords = std::vector<std::pair<std::string_view, std::string_view>>;

/// Of functions that write a folder.
inline const Keywords folder_words{{"output", "folder"}};

struct KeywordError {
  Error error;
  Keywords keywords;
};

/// What `work` returns; errors name options as `keywords` say.
template <class Work>
auto in_words_of(const Keywords& keywords, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw KeywordError{error, keywords};
  }
}

}  // namespace tain::python

// Options in messages of the library, as whoever runs the program wrote them.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {

/// From now on an option that is wrong is named by where it was written: a flag, or a line of a
/// problem file.
void remember_origins(const RawOptions& options);

/// `<where>: <problem>; <what to do>` with flags: --step-size 0.1.
std::string flag_message(const Error& error);

}  // namespace tain::cli

// What to do about work that is already where new work is to be written.
#pragma once

namespace tain {

enum class Continuation { fresh, resume, replace };

}  // namespace tain

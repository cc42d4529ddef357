// Which instruction set the vector code runs on. Chosen at run time; may be pinned once at
// start-up.
#pragma once

#include <string_view>
#include <vector>

namespace tain {

enum class Isa { baseline, avx2, avx512 };

/// What this machine can run, widest last.
std::vector<Isa> supported_isas();
/// What the vector code runs on now.
Isa current_isa();
/// Pins the instruction set. Throws Error (config) when the machine lacks it. Not thread-safe: call
/// it before the first run.
void pin_isa(Isa isa);
std::string_view isa_name(Isa isa);
/// Inverse of isa_name; throws Error (usage) for an unknown name.
Isa parse_isa(std::string_view name);

}  // namespace tain

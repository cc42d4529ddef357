// What a plug-in shows to the program: how to become one of several ranks.
#pragma once

#include <cstdint>

#include "tain/comm/comm.hpp"

namespace tain {

/// Changes whenever this file or comm.hpp does.
inline constexpr std::uint32_t rank_plug_in_version = 1;

struct RankPlugIn {
  std::uint32_t version;  ///< that of the header it was compiled with
  /// Joins the others; once in a process, which it lasts as long as. `waiting` is called now and
  /// then with the seconds that an operation has waited for others.
  Comm* (*join)(void (*waiting)(double seconds));
  /// Waits until all ranks are here; no operation afterwards.
  void (*leave)();
  /// Ends all ranks at once, with this exit code.
  void (*abort)(int code);
};

}  // namespace tain

/// The one symbol of a plug-in.
extern "C" const tain::RankPlugIn* tain_rank_plug_in();

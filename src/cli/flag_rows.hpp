// Rows that several tables of commands share, and how to join rows to a table.
#pragma once

#include <algorithm>
#include <array>

#include "cli/flags.hpp"

namespace tain::cli {

/// Rows of several tables, in order.
template <std::size_t... sizes>
constexpr auto joined(const std::array<Flag, sizes>&... parts) {
  std::array<Flag, (sizes + ...)> rows{};
  auto place = rows.begin();
  ((place = std::ranges::copy(parts, place).out), ...);
  return rows;
}

namespace rows {

inline constexpr std::string_view run = "Run";
inline constexpr std::string_view output = "Output";

inline constexpr Flag seed{"seed", 's',         "N",          "1", "seed of all randomness",
                           run,    Kind::count, Shapes::draws};
inline constexpr Flag isa{
    "isa",        0, "auto|baseline|avx2|avx512", "auto", "instruction set", run, Kind::choice,
    Shapes::draws};
inline constexpr Flag threads{
    "threads", 'j',         "N",           "0", "threads (0: all); never changes the result",
    run,       Kind::count, Shapes::manner};
inline constexpr Flag progress{"progress",           0,      "auto|none|json", "auto",
                               "progress on stderr", output, Kind::choice,     Shapes::manner};
inline constexpr Flag quiet{"quiet",      'q',           "", "", "no talk on stderr", output,
                            Kind::on_off, Shapes::manner};
inline constexpr Flag json{"json",        0, "", "", "print one JSON object", output, Kind::on_off,
                           Shapes::manner};
inline constexpr Flag help{"help",           'h',    "",           "",
                           "show this help", output, Kind::on_off, Shapes::manner};

}  // namespace rows

// The tables, one per area; commands() puts them together.
std::span<const Command> sampling_commands();
std::span<const Command> corpus_commands();
std::span<const Command> lda_commands();
std::span<const Command> model_commands();

}  // namespace tain::cli

// The program without its main(): commands by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace tain::cli {

/// Runs the command that the arguments name (program name not included) and gives the exit code.
/// Throws Error for whatever the user can mend.
int run_program(std::span<const std::string_view> arguments);

/// The command line as one could type it again, without some of its words.
std::string shell_text(std::span<const std::string_view> arguments,
                       std::initializer_list<std::string_view> without = {});

/// The command that goes on with what a command began: the same with --resume and without --force.
std::string resume_command(const std::string& command_line);

int sample_command(const Command& command, RawOptions options,
                   std::span<const std::string_view> words);
int plan_command(const Command& command, const RawOptions& options);
int reproduce_synthetic_command(const Command& command, const RawOptions& options,
                                const std::string& command_line);
int reproduce_lda_command(const Command& command, const RawOptions& options,
                          const std::string& command_line);
int diagnose_command(const Command& command, const RawOptions& options);
int report_command(const Command& command, const RawOptions& options);
int import_command(const Command& command, const RawOptions& options);
int show_command(const Command& command, const RawOptions& options);
int export_command(const Command& command, const RawOptions& options);
int synthesize_command(const Command& command, const RawOptions& options);
int topics_command(const Command& command, const RawOptions& options);
int evaluate_command(const Command& command, const RawOptions& options);
int infer_command(const Command& command, const RawOptions& options);
int model_export_command(const Command& command, const RawOptions& options);
int lda_report_command(const Command& command, const RawOptions& options);
int train_command(const Command& command, const RawOptions& options,
                  const std::string& command_line);

}  // namespace tain::cli

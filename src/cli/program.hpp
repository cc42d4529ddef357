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

// What the rows of the commands run.
RunCommand sample_command, plan_command, diagnose_command, report_command;
RunCommand reproduce_synthetic_command, reproduce_lda_command;
RunCommand import_command, show_command, export_command, synthesize_command;
RunCommand train_command, topics_command, evaluate_command, infer_command, model_export_command;
RunCommand lda_report_command, list_sets, list_targets, list_kernels, generate_command;

}  // namespace tain::cli

// The flag table: the single source of what the program understands.
//
// Parsing, --help, the man page, shell completions, the markdown reference and the keys of problem
// files and manifests all come from these rows; a flag that is not here does not exist anywhere.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tain::cli {

enum class Kind {
  on_off,       ///< takes no value on the command line; true or false in files
  word,         ///< any text
  words,        ///< comma-separated, may be repeated
  choice,       ///< one of the words in metavar, separated by '|'
  count,        ///< a non-negative integer
  number,       ///< a real number
  numbers,      ///< comma-separated numbers, or @FILE; may be repeated
  input_file,   ///< in a problem file: relative to that file
  matrix,       ///< an input file; in a problem file rows of numbers, too
  output_file,  ///< relative to the working directory
};

/// What a flag can change: the draws themselves, or only how the run is done and shown. A resumed
/// run must agree on the former.
enum class Shapes { draws, manner };

struct Flag {
  std::string_view name;      ///< without the dashes
  char letter;                ///< short form, or 0
  std::string_view metavar;   ///< e.g. "N", or the choices of Kind::choice
  std::string_view fallback;  ///< default as text; empty: none
  std::string_view help;      ///< one sentence, no full stop
  std::string_view group;     ///< heading in the help
  Kind kind;
  Shapes shapes;
  /// Further choices: the names of a table.
  std::vector<std::string_view> (*names)() = nullptr;
};

/// A name with its meaning: a file that a command leaves, a variable that the program heeds.
struct FileNote {
  std::string_view name;
  std::string_view meaning;  ///< no full stop
};

struct RawOptions;
struct Command;
using RunCommand = int(const Command&, const RawOptions&);  ///< gives the exit code

struct Command {
  std::string_view name;       ///< one word, or two
  std::string_view arguments;  ///< synopsis of the positional arguments
  std::size_t max_arguments;   ///< how many it takes at most
  std::string_view summary;    ///< one line
  std::string_view details;    ///< paragraph for --help and the man page
  std::string_view example;    ///< a command that runs as it stands
  std::span<const Flag> flags;
  RunCommand* run;
  std::span<const FileNote> files = {};  ///< what it leaves beside what -o names, and finds again
  bool over_ranks = false;               ///< may several processes run it together?
};

/// Those of two words (`corpus import`) form a group by their first.
std::span<const Command> commands();
/// Throws Error (usage) that suggests the nearest command.
const Command& find_command(std::string_view name);

struct Invocation {
  const Command& command;
  std::span<const std::string_view> arguments;
};
/// The command that the first word, or the first two, name. Throws as find_command.
Invocation find_invocation(std::span<const std::string_view> words);

/// First word of a command of two; empty if it has one.
std::string_view group_of(const Command& command);
/// Second words of a group's commands; none if there is no such group.
std::vector<std::string_view> commands_of_group(std::string_view group);
/// What may come after `tain`: commands of one word, and groups.
std::vector<std::string_view> first_words();

/// First argument of a command where it is one of a few words; else none.
std::vector<std::string_view> argument_choices(const Command& command);

/// Null if the command has no such flag.
const Flag* find_flag(const Command& command, std::string_view name);
const Flag* find_flag(const Command& command, char letter);
std::vector<std::string_view> flag_names(const Command& command);
/// How a member of a plan, a set or a target is spelled: step_size is step-size, and overwrite,
/// which reads well in a call, is the force that people type.
std::string flag_of(std::string_view field);
/// "a|b|c" as its parts.
std::vector<std::string_view> alternatives(std::string_view text);
/// Choices of a Kind::choice flag.
std::vector<std::string_view> choices(const Flag& flag);
/// What may stand behind the flag: "N", or its choices.
std::string metavar(const Flag& flag);

/// What to tell someone who typed `word`: "did you mean '...'?" if a name is near, else
/// `otherwise`.
std::string suggestion(std::string_view word, std::span<const std::string_view> names,
                       std::string_view otherwise);

/// Exit codes for man pages and the reference: every Fault, and success.
struct ExitCode {
  int code;
  std::string_view fault;    ///< name of the Fault; empty for success
  std::string_view meaning;  ///< no full stop
  std::string_view remedy;
};
std::span<const ExitCode> exit_codes();

/// Variables of the environment that the program heeds.
std::span<const FileNote> environment_variables();

}  // namespace tain::cli

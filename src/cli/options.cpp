#include "cli/options.hpp"

#include <fmt/format.h>

#include "core/names.hpp"
#include "maps/set_kind.hpp"

namespace tain::cli {
namespace {

bool is_list(const Flag& flag) { return flag.kind == Kind::numbers || flag.kind == Kind::words; }

[[noreturn]] void unknown_flag(const Command& command, std::string_view written,
                               std::string_view name) {
  const std::vector<std::string_view> names = flag_names(command);
  const std::string_view near = nearest_name(name, names);
  fail(Fault::usage, "command line", fmt::format("unknown flag '{}'", written),
       !near.empty() ? fmt::format("did you mean '--{}'?", near)
                     : fmt::format("see `tain {} --help`", command.name));
}

void store(RawOptions& options, const Flag& flag, std::string_view text) {
  RawValue& value = options.values[std::string(flag.name)];
  value.origin = fmt::format("--{}", flag.name);
  value.fault = Fault::usage;
  if (is_list(flag) && !text.starts_with('@')) {
    for (std::string& part : split_list(text, value)) {
      value.parts.push_back(std::move(part));
    }
  } else {
    value.parts = {std::string(text)};
  }
}

/// Walks over the arguments; a flag may consume the one after it.
class Arguments {
 public:
  Arguments(const Command& command, std::span<const std::string_view> words)
      : command_(command), words_(words) {}

  RawOptions parse() {
    while (at_ < words_.size()) {
      const std::string_view word = words_[at_++];
      if (word == "--") {
        for (; at_ < words_.size(); ++at_) {
          positional(words_[at_]);
        }
      } else if (word.starts_with("--")) {
        long_flag(word);
      } else if (word.size() > 1 && word[0] == '-') {
        short_flag(word);
      } else {
        positional(word);
      }
    }
    if (!former_.empty() && set_) {
      fail(Fault::usage, former_, "is an old name of --set, which is given too", "leave it out");
    }
    rename_sets(options_);
    return std::move(options_);
  }

 private:
  void long_flag(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name =
        word.substr(2, equals == std::string_view::npos ? equals : equals - 2);
    const Flag* flag = name == "map" ? former_map("--map") : find_flag(command_, name);
    if (!flag && former_check(name)) {
      return;
    }
    if (!flag) {
      unknown_flag(command_, word.substr(0, equals), name);
    }
    set_ = set_ || name == "set";
    if (equals != std::string_view::npos) {
      store(options_, *flag, word.substr(equals + 1));
    } else {
      store(options_, *flag, flag->kind == Kind::on_off ? "true" : following(*flag));
    }
  }

  void short_flag(std::string_view word) {
    const Flag* flag = find_flag(command_, word[1]);
    flag = !flag && word[1] == 'm' ? former_map("-m") : flag;
    if (!flag) {
      unknown_flag(command_, word, word.substr(1));
    }
    if (flag->kind != Kind::on_off) {
      store(options_, *flag, word.size() > 2 ? word.substr(2) : following(*flag));
    } else if (word.size() > 2) {
      unknown_flag(command_, word, word.substr(1));
    } else {
      store(options_, *flag, "true");
    }
  }

  /// --set by the name it had; null if the command has none.
  const Flag* former_map(std::string_view written) {
    const Flag* flag = find_flag(command_, "set");
    if (flag) {
      former_ = written;
      options_.hints.push_back(old_name(written, "--set"));
    }
    return flag;
  }

  /// --check-gradient switched on what is on by itself now.
  bool former_check(std::string_view name) {
    const bool known = name == "check-gradient" && find_flag(command_, "no-check-gradient");
    if (known) {
      options_.hints.push_back(always_checked("--check-gradient"));
    }
    return known;
  }

  std::string_view following(const Flag& flag) {
    // "-1" and "-inf,0" are values; "--draws" is the next flag, so this one has no value.
    if (at_ == words_.size() || words_[at_].starts_with("--")) {
      fail(Fault::usage, fmt::format("--{}", flag.name), "has no value",
           fmt::format("give --{} {}", flag.name, metavar(flag)));
    }
    return words_[at_++];
  }

  void positional(std::string_view word) {
    if (options_.arguments.size() == command_.max_arguments) {
      fail(Fault::usage, "command line", fmt::format("unexpected argument '{}'", word),
           fmt::format("see `tain {} --help`", command_.name));
    }
    options_.arguments.emplace_back(word);
  }

  const Command& command_;
  std::span<const std::string_view> words_;
  std::size_t at_ = 0;
  RawOptions options_;
  std::string_view former_;  // how --set was written by the name it had
  bool set_ = false;         // was it by its own?
};

}  // namespace

std::vector<std::string> split_list(std::string_view text, const RawValue& value) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (parts.back().empty()) {
      reject(value, fmt::format("element {} of the list is empty", parts.size()),
             "separate elements by single commas");
    }
    if (comma == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(comma + 1);
  }
}

RawOptions parse_arguments(const Command& command, std::span<const std::string_view> arguments) {
  return Arguments(command, arguments).parse();
}

std::string old_name(std::string_view where, std::string_view now) {
  return fmt::format("{}: is an old name; write {}", where, now);
}

std::string always_checked(std::string_view where) {
  return fmt::format("{}: gradients are checked by themselves; leave it out", where);
}

void rename_sets(RawOptions& options) {
  const auto rename = [&](RawTable& table, std::string_view key) {
    const auto found = table.find(key);
    const SetEntry* entry = found == table.end() ? nullptr : find_set(found->second.parts.front());
    if (entry && found->second.parts.front() != entry->name) {
      options.hints.push_back(old_name(
          fmt::format("{} {}", found->second.origin, found->second.parts.front()), entry->name));
      found->second.parts.front() = entry->name;
    }
  };
  rename(options.values, "set");
  for (RawTable& table : options.sets) {
    rename(table, "type");
  }
}

RawOptions merge(RawOptions base, RawOptions above) {
  if (above.values.contains("set")) {
    base.sets.clear();
  }
  base.hints.insert(base.hints.end(), above.hints.begin(), above.hints.end());
  for (auto& [name, value] : above.values) {
    base.values[name] = std::move(value);
  }
  base.arguments = std::move(above.arguments);
  return base;
}

void reject(const RawValue& value, std::string_view problem, std::string_view remedy) {
  fail(value.fault, value.origin, problem, remedy);
}

}  // namespace tain::cli

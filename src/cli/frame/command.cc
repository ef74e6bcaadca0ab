#include "cli/frame/command.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/number_text.h"

namespace bunraku {
namespace {

// Parses "-e, --execute CODE".
CommandOption parse_names(std::string_view names) {
  CommandOption option;
  while (!names.empty()) {
    const size_t space = names.find(' ');
    std::string_view word = names.substr(0, space);
    names.remove_prefix(space == std::string_view::npos ? names.size() : space + 1);
    if (!word.empty() && word.back() == ',') word.remove_suffix(1);
    if (word.substr(0, 2) == "--") {
      option.name = word;
    } else if (word.size() == 2 && word[0] == '-') {
      option.letter = word[1];
    } else {
      option.value_name = word;
    }
  }
  return option;
}

}  // namespace

Command::Command(std::string name, std::string summary)
    : name_(std::move(name)), summary_(std::move(summary)) {}

CommandOption& Command::add_option(std::string_view names, std::string help) {
  options_.push_back(parse_names(names));
  options_.back().help = std::move(help);
  return options_.back();
}

void Command::option(std::string_view names, std::string help, std::string& target) {
  add_option(names, std::move(help)).store = [&target](std::string_view value) { target = value; };
}

void Command::option(std::string_view names, std::string help, std::optional<std::string>& target) {
  add_option(names, std::move(help)).store = [&target](std::string_view value) { target = value; };
}

void Command::option(std::string_view names, std::string help, std::vector<std::string>& target) {
  add_option(names, std::move(help)).store = [&target](std::string_view value) {
    target.emplace_back(value);
  };
}

void Command::option(std::string_view names, std::string help, int64_t& target) {
  add_option(names, std::move(help)).store = [&target](std::string_view value) {
    std::optional<int64_t> number = parse_integer(value);
    if (!number) throw UsageError(fmt::format("'{}' is not an integer", value));
    target = *number;
  };
}

void Command::choice(std::string_view names, std::vector<std::string> choices, std::string help,
                     std::string& target) {
  option(names, std::move(help), target);
  options_.back().choices = std::move(choices);
}

void Command::flag(std::string_view names, std::string help, bool& target) {
  add_option(names, std::move(help)).store = [&target](std::string_view value) {
    target = value == "true";
  };
}

// Parses a name such as "[FILES...]".
CommandArgument& Command::add_argument(std::string_view name, std::string help) {
  CommandArgument argument;
  argument.is_required = name.front() != '[';
  if (!argument.is_required) name = name.substr(1, name.size() - 2);
  argument.is_repeated = name.size() > 3 && name.substr(name.size() - 3) == "...";
  if (argument.is_repeated) name.remove_suffix(3);
  argument.name = name;
  argument.help = std::move(help);
  arguments_.push_back(std::move(argument));
  return arguments_.back();
}

void Command::argument(std::string_view name, std::string help, std::string& target) {
  add_argument(name, std::move(help)).store = [&target](std::string_view value) { target = value; };
}

void Command::argument(std::string_view name, std::string help, std::vector<std::string>& target) {
  add_argument(name, std::move(help)).store = [&target](std::string_view value) {
    target.emplace_back(value);
  };
}

void Command::example(std::string command, std::string explanation) {
  examples_.push_back({std::move(command), std::move(explanation)});
}

bool Command::shows(OptionGroup group) const {
  return group == OptionGroup::kGeneral || std::ranges::find(groups_, group) != groups_.end();
}

}  // namespace bunraku

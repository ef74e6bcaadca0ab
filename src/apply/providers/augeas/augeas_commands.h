// Commands of augeas resources: "set /files/etc/hosts/1/alias[1] name".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/reports/datum.h"

namespace bunraku::apply {

// A command and its arguments; paths that are relative have the context before them.
struct AugeasCommand {
  std::string name;
  std::vector<std::string> arguments;
};

// Reads lines of a text, or elements of lists in lists, with a command each. Throws Failure.
std::vector<AugeasCommand> parse_augeas_commands(const Datum& commands, std::string context);

// A list of quoted texts, as conditions have it: ['a', "b\n"]. Nothing when it is none.
std::optional<std::vector<std::string>> parse_quoted_list(std::string_view text);

// Arguments as messages show them: ["/files/etc/hosts", "x"].
std::string shown_arguments(const std::vector<std::string>& arguments);

}  // namespace bunraku::apply

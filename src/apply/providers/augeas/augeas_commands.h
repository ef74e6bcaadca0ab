// Commands of augeas resources: "set /files/etc/hosts/1/alias[1] name".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/reports/datum.h"

namespace bunraku::apply {

// A command and its arguments. Relative paths have the context in front.
struct AugeasCommand {
  std::string name;
  std::vector<std::string> arguments;
};

// Parses the commands in the lines of a text or the elements of nested lists. Throws Failure.
std::vector<AugeasCommand> parse_augeas_commands(const Datum& commands, std::string context);

// Parses a list of quoted texts in a condition: ['a', "b\n"]. Returns no value for other text.
std::optional<std::vector<std::string>> parse_quoted_list(std::string_view text);

// The arguments in messages: ["/files/etc/hosts", "x"].
std::string shown_arguments(const std::vector<std::string>& arguments);

}  // namespace bunraku::apply

// Lists of problems in files, in the forms that people and other programs read.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

class Command;
class Session;

// Declares the option --format of commands that list problems: text, one-line, json, sarif, github
// and gitlab.
void take_problem_formats(Command& command);

// Prints the problems in the format that was asked for. Text goes to standard error, all others to
// standard output; without a problem `json`, `sarif` and `gitlab` are empty documents.
void print_problems(std::span<const Diagnostic> problems, Session& session);

}  // namespace bunraku

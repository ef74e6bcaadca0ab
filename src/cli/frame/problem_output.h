// Prints lists of problems in files, in formats for people and for programs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

class Command;
class Session;

// Declares --format for commands that list problems: text, one-line, json, sarif, github and
// gitlab.
void take_problem_formats(Command& command);

// Prints the problems in the requested format. Text is written to standard error, other formats to
// standard output; without problems `json`, `sarif` and `gitlab` are empty documents.
void print_problems(std::span<const Diagnostic> problems, Session& session);

}  // namespace bunraku

// Diagnostics as text: with source lines and carets for people, on one line in the reference's
// wording for programs that match on it, and in machine-readable formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

class JsonWriter;

// A range as file, line and column; zeros for unknown parts.
struct FilePlace {
  std::string file;
  Position begin;
  Position end;  // after the last character
};
FilePlace place_of(const Range& range);

// Returns " (file: F, line: L, column: C)" with the known parts, in the reference's form; empty
// when none is known.
std::string place_text(std::string_view file, uint32_t line, uint32_t column);
std::string place_text(const Range& range);

// "Unknown variable: 'x'. (file: /x/site.pp, line: 3, column: 5)"
std::string one_line(const Diagnostic& diagnostic);

struct SnippetOptions {
  bool color = false;
  uint32_t width = 100;  // of the terminal; longer source lines are clipped around the marked part
  std::string_view directory = {};  // paths below it are shown relative to it
};
// Several lines, with line ends: the message, the source with carets and labels, notes and fixes.
std::string snippet(const Diagnostic& diagnostic, const SnippetOptions& options);

// Writes one object, as in the list of `parser validate`.
void write_json(JsonWriter& json, const Diagnostic& diagnostic);
// Writes the members that describe an error: code and place of the innermost cause, `message` as
// given, the chain of causes (`cause`, innermost first), labels, notes and fixes.
void write_error_members(JsonWriter& json, const Diagnostic& diagnostic, ErrorKind kind,
                         std::string_view message);

// A complete SARIF 2.1.0 log with one run.
std::string sarif(std::span<const Diagnostic> diagnostics, std::string_view version);

// Escapes a value in a GitHub workflow command; `is_property` for one before the text.
std::string github_escaped(std::string_view text, bool is_property);
// One workflow command that GitHub shows at a line of a pull request, with its line end.
std::string github_annotation(const Diagnostic& diagnostic);

// "error", "warning", "deprecation", "ignore"
std::string_view name_of(Severity severity);

}  // namespace bunraku

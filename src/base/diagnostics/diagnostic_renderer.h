// Diagnostics as text: with source lines and carets for people, on one line in the reference's
// wording for what matches on it, and in the forms that other programs read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

class JsonWriter;

// A range as file, line and column; zeros where nothing is known.
struct FilePlace {
  std::string file;
  Position begin;
  Position end;  // behind the last character
};
FilePlace place_of(const Range& range);

// " (file: F, line: L, column: C)" with what is known of it, as the reference appends it; empty
// when nothing is.
std::string place_text(std::string_view file, uint32_t line, uint32_t column);
std::string place_text(const Range& range);

// "Unknown variable: 'x'. (file: /x/site.pp, line: 3, column: 5)"
std::string one_line(const Diagnostic& diagnostic);

struct SnippetOptions {
  bool color = false;
  uint32_t width = 100;  // of the terminal; longer source lines are clipped around what matters
  std::string_view directory = {};  // paths below it are shown relative to it
};
// Several lines, each ended: the message, the source with carets and labels, notes and fixes.
std::string snippet(const Diagnostic& diagnostic, const SnippetOptions& options);

// One object, as `parser validate` lists them.
void write_json(JsonWriter& json, const Diagnostic& diagnostic);
// The members that describe an error: code and place of the innermost cause, `message` as given,
// the chain of causes (`cause`, innermost first), labels, notes and fixes.
void write_error_members(JsonWriter& json, const Diagnostic& diagnostic, ErrorKind kind,
                         std::string_view message);

// A whole SARIF 2.1.0 log with one run.
std::string sarif(std::span<const Diagnostic> diagnostics, std::string_view version);

// A value within a workflow command of GitHub's; `is_property` when it stands before the text.
std::string github_escaped(std::string_view text, bool is_property);
// One workflow command that GitHub shows at the line of a pull request, with its line end.
std::string github_annotation(const Diagnostic& diagnostic);

// "error", "warning", "deprecation", "ignore"
std::string_view name_of(Severity severity);

}  // namespace bunraku

// Strings and regular expressions as Ruby's inspect and dump show them, and as literals of the
// language.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// String#inspect of Ruby: "a\n\u00E4\#{x}" (printable characters stay).
void append_ruby_inspect(std::string& out, std::string_view text);
// String#dump of Ruby: as inspect, with all that is not ASCII escaped.
void append_ruby_dump(std::string& out, std::string_view text);
// Regexp#to_s: (?-mix:a\/b).
void append_regexp_group(std::string& out, std::string_view source);
// Regexp#inspect: /a\/b/.
void append_ruby_inspect_regexp(std::string& out, std::string_view source);
// As the language shows them: /a\/b/; /(?-mix:é)/ where it is not ASCII alone.
void append_regexp_literal(std::string& out, std::string_view source);
// The same without delimiters: a/b, (?-imx:é).
std::string regexp_text(std::string_view source);

// A string as a literal of the language: 'it\'s', or "a\tb" when it holds control characters
// (always in double quotes when `double_quotes`).
void append_quoted(std::string& out, std::string_view text, bool double_quotes = false);

}  // namespace bunraku

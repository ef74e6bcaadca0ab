// Strings and regular expressions as shown by Ruby's inspect and dump, and as literals of the
// language.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Ruby's String#inspect: "a\n\u00E4\#{x}" (printable characters are unchanged).
void append_ruby_inspect(std::string& out, std::string_view text);
// Ruby's String#dump: like inspect, with all characters beyond ASCII escaped.
void append_ruby_dump(std::string& out, std::string_view text);
// Returns whether Ruby shows an ASCII character of a text in ASCII by its number, as "\x05": a
// control character whose escape has no letter.
bool has_byte_escape(char c);
// Regexp#to_s: (?-mix:a\/b).
void append_regexp_group(std::string& out, std::string_view source);
// Regexp#inspect: /a\/b/.
void append_ruby_inspect_regexp(std::string& out, std::string_view source);
// The literal of the language: /a\/b/; /(?-mix:é)/ when it has characters beyond ASCII.
void append_regexp_literal(std::string& out, std::string_view source);
// The same without delimiters: a/b, (?-imx:é).
std::string regexp_text(std::string_view source);

// A string literal of the language: 'it\'s', or "a\tb" when it has control characters (always in
// double quotes when `double_quotes`).
void append_quoted(std::string& out, std::string_view text, bool double_quotes = false);

}  // namespace bunraku

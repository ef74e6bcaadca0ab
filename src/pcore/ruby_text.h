// Values as Ruby's own to_s and inspect show them. They come to light in the %s and %p of format
// strings, in 3.x functions and in some messages.
#pragma once

#include <string>
#include <string_view>

#include "pcore/value.h"

namespace bunraku {

// "a", 1.0e+20, ["x", nil], {"a"=>1}; undef is empty.
void append_ruby_to_s(std::string& out, Value value);
// "\"a\"", nil, :default.
void append_ruby_inspect(std::string& out, Value value);
std::string ruby_inspect(Value value);
// String#inspect of Ruby: "a\n\u00E4\#{x}" (printable characters stay).
void append_ruby_inspect(std::string& out, std::string_view text);
// String#dump of Ruby: as inspect, with all that is not ASCII escaped.
void append_ruby_dump(std::string& out, std::string_view text);
// Regexp#inspect: /a\/b/.
void append_ruby_inspect_regexp(std::string& out, std::string_view source);
// As the language shows them: /a\/b/; /(?-mix:é)/ where it is not ASCII alone.
void append_regexp_literal(std::string& out, std::string_view source);
// The same without delimiters: a/b, (?-imx:é).
std::string regexp_text(std::string_view source);

// A string as a literal of the language: 'it\'s', or "a\tb" when it holds control characters
// (always in double quotes when `double_quotes`).
void append_quoted(std::string& out, std::string_view text, bool double_quotes = false);

// The name of the Ruby class that the reference has for a value (Integer, Array,
// Puppet::Pops::Time::Timespan), as it stands in some messages.
std::string_view ruby_class_name(Value value);

}  // namespace bunraku

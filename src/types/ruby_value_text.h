// Values as text by Ruby's own to_s and inspect, which are visible in the %s and %p of format
// strings, in 3.x functions and in some messages.
#pragma once

#include <string>
#include <string_view>

#include "base/text/ruby_text.h"
#include "values/value.h"

namespace bunraku {

// "a", 1.0e+20, ["x", nil], {"a"=>1}; undef is empty.
void append_ruby_to_s(std::string& out, Value value);
// "\"a\"", nil, :default.
void append_ruby_inspect(std::string& out, Value value);
std::string ruby_inspect(Value value);

// The name of the reference's Ruby class for a value (Integer, Array,
// Puppet::Pops::Time::Timespan), for some messages.
std::string_view ruby_class_name(Value value);
// A value in Ruby's errors of conversions: "nil", "true", "false" or its class.
std::string_view ruby_noun(Value value);

}  // namespace bunraku

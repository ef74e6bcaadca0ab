// Data of the application phase in Ruby's Marshal format (version 4.8): the wire form between a run
// and the process in which types of modules live. Unlike the values of a compilation
// (ruby/worker/marshal.h), symbols and bytes stay what they are.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "apply/reports/datum.h"

namespace bunraku::ruby_types {

// The message is none, or holds what plain data does not have.
class MarshalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string to_marshal(const apply::Datum& datum);

// Throws MarshalError; also for data nested more deeply than any attribute is.
apply::Datum from_marshal(std::string_view bytes);

}  // namespace bunraku::ruby_types

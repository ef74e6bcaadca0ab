// Data of a run in Ruby's Marshal format (version 4.8): the wire form between a run and the process
// that holds types of modules. Unlike in a compilation (ruby/worker/marshal.h), symbols and bytes
// are kept as such.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "apply/reports/datum.h"

namespace bunraku::ruby_types {

// The message is malformed, or holds something that plain data cannot represent.
class MarshalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string to_marshal(const apply::Datum& datum);

// Throws MarshalError, also for data nested more deeply than any attribute is.
apply::Datum from_marshal(std::string_view bytes);

}  // namespace bunraku::ruby_types

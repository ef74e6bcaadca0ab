// The usual text of state.yaml, as both programs write it: a line for each resource, and below it a
// line for each time. It is read and written without libyaml, which takes as long for a thousand
// resources as checking them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/reports/datum.h"

namespace bunraku::apply {

using StateValues = std::vector<std::pair<std::string, Datum>>;

// Receives the name of a resource and its values.
using StateEntry = std::function<void(std::string_view, StateValues)>;

// Parses the text. An entry in another form is passed to `read_other`, as a document with this one
// entry; it may refuse it. Returns false for a text of another form, and then the entries passed on
// so far are invalid.
bool read_state_text(std::string_view text, const StateEntry& take,
                     const std::function<bool(std::string_view)>& read_other);

// Appends the entry of a resource. Returns false and appends nothing when it needs another form.
bool append_state_entry(std::string_view resource, const StateValues& values, std::string& to);

}  // namespace bunraku::apply

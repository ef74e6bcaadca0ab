// The text of state.yaml as both programs write it nearly always: a line for each resource, below
// it a line for each moment. It is read and written without libyaml, which takes as long for a
// thousand resources as looking at them does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/reports/datum.h"

namespace bunraku::apply {

using StateValues = std::vector<std::pair<std::string, Datum>>;

// Receives the name of a resource and what is remembered of it.
using StateEntry = std::function<void(std::string_view, StateValues)>;

// Entries in another form are read by `read_other`, which gets the text of a document with this one
// entry and may refuse it. False when the whole is not such a text; what was taken by then does
// not count.
bool read_state_text(std::string_view text, const StateEntry& take,
                     const std::function<bool(std::string_view)>& read_other);

// Appends the entry of a resource; false, and nothing is appended, when it has another form.
bool append_state_entry(std::string_view resource, const StateValues& values, std::string& to);

}  // namespace bunraku::apply

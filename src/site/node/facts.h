// Facts of nodes, from the files that people keep them in.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

class DataNode;

// A node's facts as a hash. The text is JSON or YAML: an object of facts (`facter --json`), or
// saved facts as agents and `puppet facts show` have them, with the facts under `values`. What is
// neither number, boolean, string, array nor hash becomes a string, as in the reference. `name` is
// the file's in messages. Throws EvaluationError.
Value read_facts(Arena& arena, std::string_view text, std::string_view name);
// The same of a hash that has been read already.
Value facts_from(Arena& arena, const DataNode& hash);

// Data as it is, with symbols and integers beyond 64 bits as text.
Value value_of_data(Arena& arena, const DataNode& node);

// Any JSON or YAML hash, such as trusted data or a classifier's answer. Symbols become strings.
Value read_data_hash(Arena& arena, std::string_view text, std::string_view name);

}  // namespace bunraku

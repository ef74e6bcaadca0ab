// Facts of nodes from files.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

class DataNode;

// Parses a node's facts into a hash. The text is JSON or YAML: an object of facts (`facter
// --json`), or facts as agents and `puppet facts show` save them, under `values`. As in the
// reference, other values than numbers, booleans, strings, arrays and hashes become strings. `name`
// is that of the file for messages. Throws EvaluationError.
Value read_facts(Arena& arena, std::string_view text, std::string_view name);
// Converts a hash that has been parsed already.
Value facts_from(Arena& arena, const DataNode& hash);

// Converts data; symbols and integers beyond 64 bits become text.
Value value_of_data(Arena& arena, const DataNode& node);

// Parses any JSON or YAML hash, such as trusted data or a classifier's answer. Symbols become
// strings.
Value read_data_hash(Arena& arena, std::string_view text, std::string_view name);

}  // namespace bunraku

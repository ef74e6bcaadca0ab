// Names of fields, and the text of queries' values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "store/query/entities.h"

namespace bunraku::store {

struct DottedStep {
  std::string name;  // or the pattern of match("...")
  bool is_index = false;
  bool is_expression = false;
  int64_t index = 0;
};

// The parsed form of facts.os."quoted.part".list[0].
struct DottedName {
  std::string field;
  std::vector<DottedStep> steps;
};
// Returns no value for a name without a dot or with a mistake. Digits in brackets are an index.
std::optional<DottedName> split_dotted_name(std::string_view name);
// ["os","list",0]
std::string path_json(const std::vector<DottedStep>& steps);
// The steps in the form of bk_path_matches: expressions and indexes.
std::string path_pattern_json(const std::vector<DottedStep>& steps);

// "'x' is not a queryable object for nodes. Known queryable objects are 'a', 'b', and 'c'"
std::string unknown_field_message(const Entity& entity, std::string_view name);
// "Can't extract unknown 'nodes' field 'x'. Acceptable fields are 'a', 'b', and 'c'"
std::string unknown_projection_message(const Entity& entity, std::string_view name);

// A value of the tree as JSON, and as text for messages: strings without quotes.
std::string json_of(const DataNode& value);
std::string plain_text(const DataNode& value);
// A query in the form of messages: ["=","a"] with blanks between.
std::string ast_text(const DataNode& node);

}  // namespace bunraku::store

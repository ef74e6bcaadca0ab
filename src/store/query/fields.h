// Names of fields, and how values of queries are shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "store/query/entities.h"

namespace bunraku::store {

struct DottedStep {
  std::string name;  // or the expression of match("...")
  bool is_index = false;
  bool is_expression = false;
  int64_t index = 0;
};

// facts.os."quoted.part".list[0]
struct DottedName {
  std::string field;
  std::vector<DottedStep> steps;
};
// Nothing for a name without a dot or with a mistake. A name that is digits within brackets is an
// index.
std::optional<DottedName> split_dotted_name(std::string_view name);
// ["os","list",0]
std::string path_json(const std::vector<DottedStep>& steps);
// The steps as bk_path_matches takes them: expressions and indexes.
std::string path_pattern_json(const std::vector<DottedStep>& steps);

// "'x' is not a queryable object for nodes. Known queryable objects are 'a', 'b', and 'c'"
std::string unknown_field_message(const Entity& entity, std::string_view name);
// "Can't extract unknown 'nodes' field 'x'. Acceptable fields are 'a', 'b', and 'c'"
std::string unknown_projection_message(const Entity& entity, std::string_view name);

// A value of the tree as JSON, and as people see it in messages: strings without quotes.
std::string json_of(const DataNode& value);
std::string plain_text(const DataNode& value);
// As messages show a query: ["=","a"] with blanks between.
std::string ast_text(const DataNode& node);

}  // namespace bunraku::store

// JSON and YAML text of values, as Ruby's to_json, JSON.pretty_generate and to_yaml write it.
#pragma once

#include <string>
#include <string_view>

#include "base/formats/yaml_writer.h"
#include "evaluation/function.h"

namespace bunraku::stdlib {

// The options of JSON.generate.
struct JsonLayout {
  std::string_view indent, space, space_before, object_line_end, array_line_end;
  int64_t max_nesting = 100;  // 0: no bound
  bool allows_nan = false;
};

// Returns whether JSON can represent the value with all its parts.
bool is_plain_data(Value value);
// Fails for values that JSON cannot represent.
std::string to_json_text(const Call& call, Value value, const JsonLayout& layout);

// Thrown for Ruby objects in YAML, and for text that is not UTF-8, which only Ruby can write.
struct NeedsRubysYaml {};
std::string to_yaml_text(const Call& call, Value value, const YamlLayout& layout);
// The keys of the hash are written as symbols, those of hashes within it are not.
std::string to_symbolized_yaml_text(const Call& call, const HashObject& hash);

}  // namespace bunraku::stdlib

// Values as JSON and YAML text, as Ruby's to_json, JSON.pretty_generate and to_yaml write them.
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

// Has the value a form of its own in JSON, with all that is in it?
bool is_plain_data(Value value);
// Fails for what JSON cannot hold.
std::string to_json_text(const Call& call, Value value, const JsonLayout& layout);

// Thrown for objects of Ruby's own in YAML, and for text that is not UTF-8.
struct NeedsRubysYaml {};
std::string to_yaml_text(const Call& call, Value value, const YamlLayout& layout);

}  // namespace bunraku::stdlib

// The answer to "why is this in the catalog, and why with this value?", made of what a Provenance
// has recorded and of the code itself: which variables a value was made of, and where those came
// from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/compiler/provenance.h"

namespace bunraku {

class Compiler;
class JsonWriter;

// One step of an explanation, with the steps that led to it.
struct Reason {
  // attribute, declaration, override, data, variable, container, include ...: see name_of(Origin)
  // and kind_name() of requests.
  std::string kind;
  std::string name;  // of the attribute, variable, key, resource, class
  std::optional<Value> value;
  std::string code;   // as it is written there
  std::string layer;  // of data
  std::string level;
  std::string file;  // empty: none
  uint32_t line = 0;
  std::vector<Reason> because;
};

// Without `attribute`, of all of them. The root is of kind "resource"; it leads to who asked for
// the resource, its containers from the innermost, and its attributes. `attribute` must be one that
// the resource has.
Reason explain(const Compiler& compiler, const Provenance& provenance, const Resource& resource,
               std::optional<Name> attribute);

std::string explanation_text(const Reason& reason);
void write_explanation(JsonWriter& json, const Reason& reason);
// Only kinds, names and places: values and code may hold what is secret.
void write_explanation_outline(JsonWriter& json, const Reason& reason);

}  // namespace bunraku

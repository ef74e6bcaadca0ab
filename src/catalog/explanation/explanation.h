// The answer to "why is this in the catalog, and why with this value?", made from a Provenance and
// from the code itself: the variables that a value was made of, and where those came from.
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
  // For example attribute, declaration, override, data, variable, container, include: see
  // name_of(Origin) and the kind_name() of requests.
  std::string kind;
  std::string name;  // of the attribute, variable, key, resource, class
  std::optional<Value> value;
  std::string code;   // as written in the file
  std::string layer;  // of kind "data": its layer and level
  std::string level;
  std::string file;  // empty when unknown
  uint32_t line = 0;
  std::vector<Reason> because;
};

// Explains one attribute of the resource, or all without `attribute`. The root is of kind
// "resource"; below it are the requests for the resource, its containers from the innermost, and
// its attributes. The resource must have `attribute`.
Reason explain(const Compiler& compiler, const Provenance& provenance, const Resource& resource,
               std::optional<Name> attribute);

std::string explanation_text(const Reason& reason);
void write_explanation(JsonWriter& json, const Reason& reason);
// Writes only kinds, names and places, because values and code may hold secrets.
void write_explanation_outline(JsonWriter& json, const Reason& reason);

}  // namespace bunraku

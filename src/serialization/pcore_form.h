// Types as objects in catalogs: {"__ptype": "Pcore::IntegerType", "from": 1}.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

struct PcoreForm {
  std::string_view name;  // "Pcore::IntegerType"
  // Name => value; nested types are Type values, elements of a Struct are hashes of `key_type` and
  // `value_type`.
  Value attributes;
};

PcoreForm pcore_form_of(Arena& arena, const Type* type);

// Makes the type from the read attributes. Throws EvaluationError when they are invalid.
const Type* type_of_form(Arena& arena, std::string_view name, const HashObject& attributes,
                         TypeResolver* resolver);

}  // namespace bunraku

// Types as the objects that catalogs hold: {"__ptype": "Pcore::IntegerType", "from": 1}.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

struct PcoreForm {
  std::string_view name;  // "Pcore::IntegerType"
  // Name => value; types among them are types still, elements of a Struct are hashes of
  // `key_type` and `value_type`.
  Value attributes;
};

PcoreForm pcore_form_of(Arena& arena, const Type* type);

// The type of a form whose attributes have been read. Throws EvaluationError when it is none.
const Type* type_of_form(Arena& arena, std::string_view name, const HashObject& attributes,
                         TypeResolver* resolver);

}  // namespace bunraku

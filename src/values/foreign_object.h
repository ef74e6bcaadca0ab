// Objects of the modules' Ruby code that have no counterpart in the language: an instance of a
// class in a module, a Ruby class, a Set. As in the reference, code can pass them on, compare them,
// show their text and ask for their type; only Ruby code can do more with them.
#pragma once

#include <cstdint>
#include <string_view>

#include "values/type.h"

namespace bunraku {

// `type` is Runtime['ruby', CLASS], or for a Ruby class the type of that. Stored in the arena of
// the compilation; the Ruby object lives in the worker until the compilation ends.
struct ForeignObject : ObjectInstance {
  std::string_view text;  // the result of Ruby's to_s
  // The number by which a worker process finds the object, and the process.
  int64_t number;
  int64_t process;
};

// Returns null for an instance of an Object type. Thread-safe.
inline const ForeignObject* as_foreign(const ObjectInstance& object) {
  const bool is_foreign =
      object.type->kind == TypeKind::kRuntime || object.type->kind == TypeKind::kType;
  return is_foreign ? static_cast<const ForeignObject*>(&object) : nullptr;
}

// Returns null for every other value.
inline const ForeignObject* foreign_object(Value value) {
  return value.is_object() ? as_foreign(value.as_object()) : nullptr;
}

}  // namespace bunraku

// Objects of the modules' Ruby code that no value of the language stands for: an instance of a
// class of their own, a Ruby class, a Set. As in the reference, code hands them on, compares them,
// shows their text and asks for their type; only Ruby code can do more with them.
#pragma once

#include <cstdint>
#include <string_view>

#include "values/type.h"

namespace bunraku {

// `type` is Runtime['ruby', CLASS], or for a Ruby class the type of that. Lives in the arena of the
// compilation; the object itself lives in the Ruby process until the compilation ends.
struct ForeignObject : ObjectInstance {
  std::string_view text;  // what Ruby's to_s returned
  // Under which number which process keeps it.
  int64_t number;
  int64_t process;
};

// Null for an instance of an Object type. Safe from any thread.
inline const ForeignObject* as_foreign(const ObjectInstance& object) {
  const bool is_foreign =
      object.type->kind == TypeKind::kRuntime || object.type->kind == TypeKind::kType;
  return is_foreign ? static_cast<const ForeignObject*>(&object) : nullptr;
}

// Null for every other value.
inline const ForeignObject* foreign_object(Value value) {
  return value.is_object() ? as_foreign(value.as_object()) : nullptr;
}

}  // namespace bunraku

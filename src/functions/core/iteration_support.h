// Shared parts of iterating functions: walking an Iterable value, and calling a lambda for it.
#pragma once

#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/core/iterators.h"
#include "values/type.h"

namespace bunraku {

[[noreturn]] void fail_not_iterable(const Call& call, std::string_view function, Value value);

inline Value pair(Arena& arena, Value first, Value second) {
  Value* items = arena.make_array<Value>(2);
  items[0] = first;
  items[1] = second;
  return Value::array({items, 2});
}

// Calls `visit(element)` for each element until it returns false. The elements of a hash are arrays
// of key and value. `function` is the name in the message for a value that is not Iterable.
template <typename Visit>
void walk(const Call& call, std::string_view function, Value iterable, Visit&& visit) {
  Arena& arena = call.arena();
  switch (iterable.kind()) {
    case ValueKind::kArray:
      for (Value element : iterable.as_array()) {
        if (!visit(element)) return;
      }
      return;
    case ValueKind::kHash:
      for (const HashEntry& entry : iterable.as_hash()) {
        if (!visit(pair(arena, entry.key, entry.value))) return;
      }
      return;
    case ValueKind::kInteger:
      if (iterable.as_integer() < 0) fail_not_iterable(call, function, iterable);
      for (int64_t i = 0; i < iterable.as_integer(); ++i) {
        if (!visit(Value::integer(i))) return;
      }
      return;
    case ValueKind::kString: {
      std::string_view text = iterable.as_string();
      for (size_t at = 0; at < text.size();) {
        size_t begin = at;
        next_character(text, at);
        if (!visit(Value::string(text.substr(begin, at - begin)))) return;
      }
      return;
    }
    default: {
      IteratorObject* iterator = make_iterator(arena, iterable);
      if (iterator == nullptr) fail_not_iterable(call, function, iterable);
      Value element;
      while (iterator->next(arena, element)) {
        if (!visit(element)) return;
      }
    }
  }
}

// The lambda of a call, with one or two arguments.
inline Value yield(const Call& call, Value argument) {
  return call.block->call({&argument, 1});
}
inline Value yield(const Call& call, Value first, Value second) {
  Value arguments[] = {first, second};
  return call.block->call(arguments);
}

// An iteration that lambdas may leave: `visit(...)` returns the lambda's result.
//
// Not every function of the reference catches `break`: where the loop is one of Ruby's own, the
// `break` passes through to the enclosing code.
class Loop {
 public:
  explicit Loop(bool catches_break) : catches_break_(catches_break) {}
  // Returns false when the iteration is over.
  bool goes_on(Value result) {
    if (!result.is_control()) return true;
    if (!catches_break_ || result.as_control() != Control::kBreak) leaving_ = result;
    return false;
  }
  bool is_leaving() const { return leaving_.is_control(); }
  Value leaving() const { return leaving_; }

 private:
  bool catches_break_;
  Value leaving_;
};

// Returns whether the reference's loops over this value end at a `break`, for functions that do not
// catch it themselves.
inline bool loop_of_value_catches_break(Value iterable) {
  if (iterable.is_iterator()) return iterable.as_iterator().catches_break();
  if (iterable.is_type()) return resolve_alias(iterable.as_type())->kind == TypeKind::kInteger;
  return iterable.is_integer();
}

}  // namespace bunraku

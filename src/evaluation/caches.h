// What the evaluator keeps so as not to find it out again. Not for other rooms.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/regex/regex.h"
#include "evaluation/evaluator.h"
#include "evaluation/growing.h"
#include "evaluation/pointer_table.h"

namespace bunraku {

// A lambda, function or template with what its parameters say of it.
struct ClosureInfo {
  const Program* program;
  std::string_view name;  // as messages have it: "lambda", or the function's
  ParameterList parameters;
  const Expression* body;         // null when empty
  const Expression* return_type;  // null when there is none
  uint32_t required = 0;
  size_t maximum = 0;    // SIZE_MAX when the last parameter captures the rest
  bool is_plain = true;  // no types, defaults or captured rest
  bool has_types = false;
  bool has_constant_types = true;
  Name reserved;  // of a parameter that cannot be bound; no name where all can
  mutable const Signature* signature = nullptr;  // made when asked for, kept when constant
};

struct QualifiedVariable {
  Name class_name;  // no name: the top scope
  Name variable;
};

struct Evaluator::Caches {
  PointerTable<const Type*> types;            // by the text of a Name
  PointerTable<const Function*> functions;    // by the text of a Name
  PointerTable<const ClosureInfo*> closures;  // by the LambdaExpression or FunctionDefinition
  PointerTable<QualifiedVariable> qualified;  // by the text of a Name
  PointerTable<const Regex*> regexes;         // by a pattern's characters
  std::vector<std::shared_ptr<const Regex>> kept_regexes;  // which `regexes` points to
  PointerTable<Value> constants;  // by Expression; a control value: it is none
  std::string text;               // of interpolation, used as a stack
  Captures captures;
  GrowingArray growing_array;
  GrowingHash growing_hash;
  GrowingText growing_text;
  std::map<std::pair<const void*, const ObjectType*>, Value> annotations;
  std::vector<Value>* epp_parts = nullptr;  // of the template that is being rendered
  std::shared_ptr<void> template_memory;    // see template_memory.h
};

}  // namespace bunraku

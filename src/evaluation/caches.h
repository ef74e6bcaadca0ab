// Results that the evaluator caches. Internal to this room.
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

// A lambda, function or template, with derived data of its parameters.
struct ClosureInfo {
  const Program* program;
  std::string_view name;  // as in messages: "lambda", or the function's name
  ParameterList parameters;
  const Expression* body;         // null when empty
  const Expression* return_type;  // null when there is none
  uint32_t required = 0;
  size_t maximum = 0;    // SIZE_MAX when the last parameter captures the rest
  bool is_plain = true;  // no types, defaults or captured rest
  bool has_types = false;
  bool has_constant_types = true;
  Name reserved;  // the name of a parameter that cannot be bound; no name when there is none
  mutable const Signature* signature = nullptr;  // created on demand; cached when constant
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
  PointerTable<const Regex*> regexes;         // by the address of a pattern's characters
  std::vector<std::shared_ptr<const Regex>> kept_regexes;  // the owner of those in `regexes`
  PointerTable<Value> constants;  // by Expression; a control value: not a constant
  std::string text;               // a stack of texts in interpolation
  Captures captures;
  GrowingArray growing_array;
  GrowingHash growing_hash;
  GrowingText growing_text;
  std::map<std::pair<const void*, const ObjectType*>, Value> annotations;
  std::vector<Value>* epp_parts = nullptr;  // of the template being rendered
  std::shared_ptr<void> template_memory;    // see template_memory.h
};

}  // namespace bunraku

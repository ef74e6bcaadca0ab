// Types from syntax trees, as the reference's type parser makes them.
#pragma once

#include <string>
#include <vector>

#include "syntax/tree.h"
#include "types/type_text.h"

namespace bunraku {

// Interprets the expressions of one program.
class TypeInterpreter {
 public:
  TypeInterpreter(Arena& arena, const Program& program, TypeResolver* resolver)
      : arena_(arena), program_(program), resolver_(resolver) {}

  const Type* type(const Expression& expression);
  // The value of a literal or type expression.
  Value value(const Expression& expression);

 private:
  const Type* named(const QualifiedReference& reference);
  Value list(const LiteralList& expression);
  Value hash(const LiteralHash& expression);
  Value access(const AccessExpression& expression);
  const Type* access_builtin(const Type* type, const AccessExpression& expression,
                             std::vector<Value>& keys);
  const Type* access_named(const QualifiedReference& reference, const AccessExpression& expression,
                           std::span<const Value> keys);
  const Type* access_range(const Type* type, const AccessExpression& expression,
                           std::span<const Value> keys);
  const Type* access_array(const AccessExpression& expression, std::span<const Value> keys);
  const Type* access_hash(const AccessExpression& expression, std::span<const Value> keys);
  const Type* access_tuple(const AccessExpression& expression, std::vector<Value>& keys);
  const Type* access_resource(const AccessExpression& expression, std::span<const Value> keys);
  const Type* single_type(std::string_view name, const AccessExpression& expression,
                          std::span<const Value> keys);
  const Type* single_type_or_string(std::string_view name, const AccessExpression& expression,
                                    std::span<const Value> keys);
  IntegerRange size(const AccessExpression& expression, std::span<const Value> keys);
  const Type* assert_type(const AccessExpression& expression, Value key);

  std::string text_of(const Expression& expression) const;
  [[noreturn]] void fail_invalid(const Expression& expression) const;

  Arena& arena_;
  const Program& program_;
  TypeResolver* resolver_;
  Nesting nesting_;
};

}  // namespace bunraku

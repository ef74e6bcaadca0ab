// Calls of functions, methods and types.

#include <optional>

#include "evaluation/closure.h"
#include "evaluation/evaluation.h"
#include "evaluation/object_code.h"
#include "values/object.h"
#include "values/uri.h"

namespace bunraku {

namespace {

const Name kNew("new");

}  // namespace

Value Evaluation::call_by_name(Name name, std::span<const Value> arguments,
                               const LambdaExpression* lambda, const Expression& at) {
  if (lambda == nullptr) {
    return evaluator_.call_function(name, arguments, nullptr, scope_, place(at));
  }
  LambdaBlock block(evaluator_, scope_, *lambda);
  return evaluator_.call_function(name, arguments, &block, scope_, place(at));
}

Value Evaluation::call(const CallNamedFunctionExpression& expression) {
  const Expression& functor = *expression.functor;
  ArgumentList arguments(arena());
  Name name;
  if (const auto* qualified_name = functor.try_as<QualifiedName>()) {
    name = qualified_name->name;
  } else {
    const auto* access = functor.try_as<AccessExpression>();
    const bool is_type = functor.kind == NodeKind::kQualifiedReference ||
                         (access && access->left->kind == NodeKind::kQualifiedReference);
    if (functor.kind == NodeKind::kRenderStringExpression) {
      fail(Issue::kIllegalEppParameters, expression);
    }
    if (!is_type) {
      // Validation rejects any other functor.
      fail_unexpected(functor);
    }
    Value type = evaluate(functor);
    if (type.is_control()) return type;
    arguments.push(type);
    name = kNew;
  }
  Value control = evaluate_all(expression.arguments, arguments);
  if (control.is_control()) return control;
  return call_by_name(name, arguments.values(), expression.lambda, expression);
}

Value Evaluation::call_method(const CallMethodExpression& expression) {
  const Expression* receiver = expression.functor->left;
  const auto* name = expression.functor->right->try_as<QualifiedName>();
  if (name == nullptr) {
    // Validation rejects any other accessor.
    fail_unexpected(*expression.functor->right);
  }
  ArgumentList arguments(arena());
  Value control;
  if (name->name.text() == "dig" || name->name.text() == "get") {
    // These functions record the read part of the facts themselves.
    Value value = evaluate_accessed(without_parentheses(*receiver));
    if (value.is_control()) return value;
    arguments.push(value);
  } else {
    control = evaluate_all({&receiver, 1}, arguments);
    if (control.is_control()) return control;
  }
  if (arguments.size() > 0) {
    const Value object = arguments[0];
    Value result;
    const bool may_have_members = object.is_object() || object.is(ValueKind::kUri);
    if (may_have_members && call_member(object, name->name, expression, result)) return result;
  }
  control = evaluate_all(expression.arguments, arguments);
  if (control.is_control()) return control;
  return call_by_name(name->name, arguments.values(), expression.lambda, expression);
}

// --- members of objects --------------------------------------------------------------------------

namespace {

Value text_or_undef(std::string_view text) {
  return text.data() == nullptr ? Value::undef() : Value::string(text);
}

Value port_of(const Uri& uri) {
  const std::string_view digits = uri.port.empty() ? default_port(uri.scheme) : uri.port;
  if (digits.empty()) return Value::undef();
  int64_t port = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9' || port > 99'999) return Value::string(uri.port);
    port = port * 10 + (c - '0');
  }
  return Value::integer(port);
}

// An FTP path is relative to the login directory, except that %2F means the root of the server.
Value path_of(Arena& arena, const Uri& uri) {
  std::string_view path = uri.path;
  if (uri.scheme != "ftp" || !path.starts_with('/')) return text_or_undef(path);
  path.remove_prefix(1);
  if (!path.starts_with("%2F")) return Value::string(path);
  return Value::string(arena, "/" + std::string(path.substr(3)));
}

// Returns false when URIs have no part of the name.
bool uri_part(Arena& arena, const Uri& uri, std::string_view name, Value& part) {
  if (name == "scheme") return part = text_or_undef(uri.scheme), true;
  if (name == "userinfo") return part = text_or_undef(uri.userinfo), true;
  if (name == "host") return part = text_or_undef(uri.host), true;
  if (name == "port") return part = port_of(uri), true;
  if (name == "path") return part = path_of(arena, uri), true;
  if (name == "query") return part = text_or_undef(uri.query), true;
  if (name == "fragment") return part = text_or_undef(uri.fragment), true;
  if (name == "opaque") return part = text_or_undef(uri.opaque), true;
  return false;
}

}  // namespace

template <typename Answer>
Value Evaluation::with_call(const CallMethodExpression& expression, Answer&& answer) {
  ArgumentList arguments(arena());
  Value control = evaluate_all(expression.arguments, arguments);
  if (control.is_control()) return control;
  std::optional<LambdaBlock> block;
  if (expression.lambda != nullptr) block.emplace(evaluator_, scope_, *expression.lambda);
  Call call{evaluator_, scope_, arguments.values(), block ? &*block : nullptr, place(expression)};
  return answer(call);
}

bool Evaluation::call_member(Value receiver, Name name, const CallMethodExpression& expression,
                             Value& result) {
  if (receiver.is(ValueKind::kUri))
    return uri_part(arena(), receiver.as_uri(), name.text(), result);
  const ObjectInstance& object = receiver.as_object();
  const ObjectType* type = object_type_of(object.type);
  const ObjectMember* member = type ? find_member(*type, name.text()) : nullptr;
  if (member == nullptr) return false;
  result =
      with_call(expression, [&](Call& call) { return call_object_member(object, *member, call); });
  return true;
}

}  // namespace bunraku

#include "types/interpretation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "syntax/parser.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/type_error.h"
#include "types/type_keys.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

[[noreturn]] void fail_count(std::string_view type, std::string_view required, size_t given) {
  fail_with(Issue::kInvalidTypeText,
            {"Invalid number of type parameters specified: " + std::string(type) + " requires " +
             std::string(required) + ", " + std::to_string(given) + " provided"});
}

void check_count(std::string_view type, size_t given, size_t min, size_t max,
                 std::string_view required) {
  if (given < min || given > max) fail_count(type, required, given);
}

}  // namespace

namespace {

// The source range of an expression and all below it. The location of some expressions is only that
// of their operator or name.
class Extent {
 public:
  explicit Extent(const Expression& expression) { include(expression); }
  uint32_t begin() const { return begin_; }
  uint32_t length() const { return end_ - begin_; }

 private:
  void include(const Expression& expression) {
    const NestingGuard guard(nesting_, "a type");
    begin_ = std::min(begin_, expression.location.offset);
    end_ = std::max(end_, expression.location.offset + expression.location.length);
    if (const auto* access = expression.try_as<AccessExpression>()) {
      include(*access->left);
      for (const Expression* key : access->keys) include(*key);
    } else if (const auto* list = expression.try_as<LiteralList>()) {
      for (const Expression* item : list->values) include(*item);
    } else if (const auto* hash = expression.try_as<LiteralHash>()) {
      for (const KeyedEntry* entry : hash->entries) {
        include(*entry->key);
        include(*entry->value);
      }
    } else if (const auto* minus = expression.try_as<UnaryMinusExpression>()) {
      include(*minus->expression);
    } else if (const auto* arithmetic = expression.try_as<ArithmeticExpression>()) {
      include(*arithmetic->left);
      include(*arithmetic->right);
    } else if (const auto* named = expression.try_as<NamedAccessExpression>()) {
      include(*named->left);
      include(*named->right);
    } else if (const auto* call = expression.try_as<CallMethodExpression>()) {
      include(*call->functor);
    }
  }

  uint32_t begin_ = UINT32_MAX;
  uint32_t end_ = 0;
  Nesting nesting_;
};

}  // namespace

std::string TypeInterpreter::text_of(const Expression& expression) const {
  const Extent extent(expression);
  return std::string(program_.source()->text().substr(extent.begin(), extent.length()));
}

void TypeInterpreter::fail_invalid(const Expression& expression) const {
  fail_with(Issue::kInvalidTypeText,
            {"The expression <" + text_of(expression) + "> is not a valid type specification."});
}

const Type* TypeInterpreter::type(const Expression& expression) {
  const Value result = value(expression);
  if (!result.is_type()) fail_invalid(expression);
  return result.as_type();
}

Value TypeInterpreter::value(const Expression& expression) {
  const NestingGuard guard(nesting_, "a type");
  switch (expression.kind) {
    case NodeKind::kLiteralUndef:
      return Value::undef();
    case NodeKind::kLiteralDefault:
      return Value::default_value();
    case NodeKind::kLiteralBoolean:
      return Value::boolean(expression.as<LiteralBoolean>().value);
    case NodeKind::kLiteralInteger:
      return Value::integer(expression.as<LiteralInteger>().value);
    case NodeKind::kLiteralFloat:
      return Value::floating(expression.as<LiteralFloat>().value);
    case NodeKind::kLiteralString:
      return Value::string(arena_, expression.as<LiteralString>().value);
    case NodeKind::kLiteralRegularExpression:
      return Value::regexp(arena_.copy(expression.as<LiteralRegularExpression>().pattern));
    case NodeKind::kQualifiedName:
      return Value::string(expression.as<QualifiedName>().name.text());
    case NodeKind::kLiteralList:
      return list(expression.as<LiteralList>());
    case NodeKind::kLiteralHash:
      return hash(expression.as<LiteralHash>());
    case NodeKind::kHeredocExpression:
      return value(*expression.as<HeredocExpression>().text);
    case NodeKind::kUnaryMinusExpression: {
      const Value operand = value(*expression.as<UnaryMinusExpression>().expression);
      if (operand.is_integer() && operand.as_integer() != kMinInteger) {
        return Value::integer(-operand.as_integer());
      }
      if (operand.is_float()) return Value::floating(-operand.as_float());
      fail_invalid(expression);
    }
    case NodeKind::kQualifiedReference:
      return Value::type(named(expression.as<QualifiedReference>()));
    case NodeKind::kAccessExpression:
      return access(expression.as<AccessExpression>());
    case NodeKind::kBlockExpression: {
      const auto& block = expression.as<BlockExpression>();
      if (block.statements.size() == 1) return value(*block.statements[0]);
      fail_invalid(expression);
    }
    default:
      fail_invalid(expression);
  }
}

Value TypeInterpreter::list(const LiteralList& expression) {
  ArrayBuilder items(arena_, expression.values.size());
  for (const Expression* item : expression.values) items.push(value(*item));
  return items.finish();
}

Value TypeInterpreter::hash(const LiteralHash& expression) {
  HashBuilder hash(arena_, expression.entries.size());
  for (const KeyedEntry* entry : expression.entries) {
    const Value key = value(*entry->key);
    hash.set(key, value(*entry->value));
  }
  return hash.finish();
}

const Type* TypeInterpreter::named(const QualifiedReference& reference) {
  std::string_view name = reference.name.text();
  if (name.starts_with("::")) name.remove_prefix(2);
  if (const Type* builtin = types::find_builtin(name)) return builtin;
  if (resolver_ != nullptr) {
    if (const Type* found = resolver_->find_type(reference.cased.text())) {
      resolve_declared_type(arena_, found, resolver_);
      return found;
    }
  }
  return types::reference(arena_, reference.cased.text());
}

const Type* TypeInterpreter::assert_type(const AccessExpression& expression, Value key) {
  if (!key.is_type()) fail_invalid(expression);
  return key.as_type();
}

// Reads one Integer type, or one or two integers.
IntegerRange TypeInterpreter::size(const AccessExpression& expression,
                                   std::span<const Value> keys) {
  if (keys.size() == 1 && keys[0].is_type()) {
    if (const auto* integer = keys[0].as_type()->try_as<IntegerType>()) {
      return as_given_size(integer->range);
    }
  }
  for (const Value key : keys) {
    if (!is_range_key(key)) fail_invalid(expression);
  }
  return as_given_size(range_of(keys[0], keys.size() > 1 ? keys[1] : Value()));
}

const Type* TypeInterpreter::single_type(std::string_view name, const AccessExpression& expression,
                                         std::span<const Value> keys) {
  if (keys.size() != 1) fail_count(name, "1", keys.size());
  return assert_type(expression, keys[0]);
}

const Type* TypeInterpreter::single_type_or_string(std::string_view name,
                                                   const AccessExpression& expression,
                                                   std::span<const Value> keys) {
  if (keys.size() == 1 && keys[0].is_string()) {
    return types::string_value(arena_, keys[0].as_string());
  }
  return single_type(name, expression, keys);
}

namespace {

bool is_bound(TypeKind kind, Value key) {
  return key.is_integer() || key.is_default() || (kind == TypeKind::kFloat && key.is_float());
}

}  // namespace

Value TypeInterpreter::access(const AccessExpression& expression) {
  std::vector<Value> keys;
  for (const Expression* key : expression.keys) keys.push_back(value(*key));
  const auto* reference = expression.left->try_as<QualifiedReference>();
  if (reference == nullptr) fail_invalid(expression);
  const Type* builtin = types::find_builtin(reference->name.text());
  if (builtin == nullptr) return Value::type(access_named(*reference, expression, keys));
  const bool is_range = builtin->kind == TypeKind::kInteger || builtin->kind == TypeKind::kFloat;
  // A single invalid bound makes no type; the caller that needs one reports it.
  if (is_range && keys.size() == 1 && !is_bound(builtin->kind, keys[0])) return Value::undef();
  return Value::type(access_builtin(builtin, expression, keys));
}

// Types defined by modules or declarations.
const Type* TypeInterpreter::access_named(const QualifiedReference& reference,
                                          const AccessExpression& expression,
                                          std::span<const Value> keys) {
  const Type* type = named(reference);
  if (type->kind == TypeKind::kTypeReference) return types::reference(arena_, text_of(expression));
  if (const auto* resource = type->try_as<ResourceType>()) {
    check_count(reference.cased.text(), keys.size(), 1, 1, "1");
    if (!keys[0].is_string()) fail_invalid(expression);
    return types::resource(arena_, resource->type_name.text(), keys[0].as_string());
  }
  if (const auto* object = type->try_as<ObjectType>()) {
    return parameterize_object(arena_, *object, keys);
  }
  fail_with(Issue::kInvalidTypeText, {"Not a parameterized type <" + text_of(reference) + ">"});
}

const Type* TypeInterpreter::access_range(const Type* type, const AccessExpression& expression,
                                          std::span<const Value> keys) {
  const std::string_view name = name_of(type->kind);
  check_count(name, keys.size(), 1, 2, "1 or 2");
  for (const Value key : keys) {
    const bool allowed = is_bound(type->kind, key) || key.is_undef() || is_range_key(key);
    if (!allowed) fail_invalid(expression);
  }
  const Value to = keys.size() > 1 ? keys[1] : Value();
  if (type->kind == TypeKind::kFloat) return float_range(arena_, keys[0], to);
  const IntegerRange range = range_of(keys[0], to);
  return types::integer(arena_, range.from, range.to);
}

const Type* TypeInterpreter::access_array(const AccessExpression& expression,
                                          std::span<const Value> keys) {
  check_count("Array", keys.size(), 1, 3, "1 to 3");
  if (keys.size() == 2 && !keys[0].is_type()) {
    return types::array(arena_, types::kAny, size(expression, keys));
  }
  const Type* element = assert_type(expression, keys[0]);
  if (keys.size() == 1) return types::array(arena_, element);
  return types::array(arena_, element, size(expression, keys.subspan(1)));
}

const Type* TypeInterpreter::access_hash(const AccessExpression& expression,
                                         std::span<const Value> keys) {
  check_count("Hash", keys.size(), 2, 4, "2 to 4");
  if (keys.size() == 2 && !(keys[0].is_type() && keys[1].is_type())) {
    return types::hash(arena_, types::kAny, types::kAny, size(expression, keys));
  }
  const Type* key = assert_type(expression, keys[0]);
  const Type* value = assert_type(expression, keys[1]);
  if (keys.size() == 2) return types::hash(arena_, key, value);
  return types::hash(arena_, key, value, size(expression, keys.subspan(2)));
}

const Type* TypeInterpreter::access_tuple(const AccessExpression& expression,
                                          std::vector<Value>& keys) {
  check_count("Tuple", keys.size(), 1, SIZE_MAX, "1 or more");
  std::optional<IntegerRange> size = take_size(keys);
  std::vector<const Type*> types;
  for (const Value key : keys) types.push_back(assert_type(expression, key));
  return types::tuple(arena_, types, size ? &*size : nullptr);
}

const Type* TypeInterpreter::access_resource(const AccessExpression& expression,
                                             std::span<const Value> keys) {
  check_count("Resource", keys.size(), 1, 2, "1 or 2");
  std::string name;
  std::string_view title;
  const bool has_title = keys.size() == 2;
  if (has_title && !keys[1].is_string()) fail_invalid(expression);
  if (has_title) title = keys[1].as_string();
  if (keys[0].is_string()) {
    append_capitalized_segments(name, keys[0].as_string());
  } else if (keys[0].is_type() && keys[0].as_type()->kind == TypeKind::kResource) {
    name = keys[0].as_type()->as<ResourceType>().type_name.text();
  } else if (keys[0].is_type() && keys[0].as_type()->kind == TypeKind::kTypeReference) {
    name = keys[0].as_type()->as<TypeReferenceType>().text;
  } else {
    fail_invalid(expression);
  }
  if (!is_class_reference(name))
    fail_with(Issue::kInvalidTypeText, {"Illegal type name '" + name + "'"});
  return has_title ? types::resource(arena_, name, title) : types::resource(arena_, name);
}

const Type* TypeInterpreter::access_builtin(const Type* type, const AccessExpression& expression,
                                            std::vector<Value>& keys) {
  const size_t count = keys.size();
  switch (type->kind) {
    case TypeKind::kArray:
      return access_array(expression, keys);
    case TypeKind::kHash:
      return access_hash(expression, keys);
    case TypeKind::kTuple:
      return access_tuple(expression, keys);
    case TypeKind::kInteger:
    case TypeKind::kFloat:
      return access_range(type, expression, keys);
    case TypeKind::kCollection:
      check_count("Collection", count, 1, 2, "1 to 2");
      return types::collection(arena_, size(expression, keys));
    case TypeKind::kString:
      check_count("String", count, 1, 2, "1 to 2");
      return types::string_size(arena_, size(expression, keys));
    case TypeKind::kClass:
      check_count("Class", count, 1, 1, "1");
      if (!keys[0].is_string()) fail_invalid(expression);
      return types::class_type(arena_, keys[0].as_string());
    case TypeKind::kResource: {
      const auto& resource = type->as<ResourceType>();
      if (!resource.key) return access_resource(expression, keys);
      return access_named(expression.left->as<QualifiedReference>(), expression, keys);
    }
    case TypeKind::kRegexp:
      check_count("Regexp", count, 1, 1, "1");
      if (!keys[0].is_string() && !keys[0].is_regexp()) fail_invalid(expression);
      return types::regexp(arena_, keys[0].is_string() ? keys[0].as_string() : keys[0].as_regexp());
    case TypeKind::kEnum: {
      const bool case_insensitive =
          !keys.empty() && keys.back().is_boolean() && keys.back().as_boolean();
      if (!keys.empty() && keys.back().is_boolean()) keys.pop_back();
      check_count("Enum", keys.size(), 1, SIZE_MAX, "1 or more");
      std::vector<std::string_view> values;
      for (const Value key : keys) {
        if (!key.is_string())
          fail_with(Issue::kInvalidTypeText, {"Enum parameters must be identifiers or strings"});
        values.push_back(key.as_string());
      }
      return types::enumeration(arena_, values, case_insensitive);
    }
    case TypeKind::kPattern:
      check_count("Pattern", count, 1, SIZE_MAX, "1 or more");
      for (const Value key : keys) {
        const bool is_type = key.is_type() && (key.as_type()->kind == TypeKind::kPattern ||
                                               key.as_type()->kind == TypeKind::kRegexp);
        if (key.is_string() || key.is_regexp() || is_type) continue;
        fail_with(Issue::kInvalidTypeText,
                  {"Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '" +
                   value_class_name(key)});
      }
      return pattern_type(arena_, keys);
    case TypeKind::kUri:
      check_count("URI", count, 1, 1, "1");
      if (!is_uri_parameter(keys[0])) fail_invalid(expression);
      return uri_type(arena_, keys[0]);
    case TypeKind::kVariant: {
      check_count("Variant", count, 1, SIZE_MAX, "1 or more");
      std::vector<const Type*> options;
      for (const Value key : keys) options.push_back(assert_type(expression, key));
      return types::variant(arena_, options);
    }
    case TypeKind::kCallable:
      if (count > 1 && keys[0].is_array()) {
        check_count("callable", count, 2, 2, "2 when first parameter is an array");
      }
      return callable_type(arena_, keys);
    case TypeKind::kStruct:
      check_count("Struct", count, 1, 1, "1");
      if (!keys[0].is_hash()) fail_invalid(expression);
      return struct_type(arena_, keys[0].as_hash());
    case TypeKind::kBoolean:
      check_count("Boolean", count, 1, 1, "1");
      if (!keys[0].is_boolean())
        fail_with(Issue::kInvalidTypeText, {"Boolean parameter must be true or false"});
      return boolean_type(arena_, keys[0].as_boolean());
    case TypeKind::kObject: {
      const auto& object = type->as<ObjectType>();
      if (!object.name.empty()) return parameterize_object(arena_, object, keys);
      check_count("Object", count, 1, 1, "1");
      return object_type(arena_, keys[0]);
    }
    case TypeKind::kTypeSet:
      check_count("Object", count, 1, 1, "1");
      return type_set_type(arena_, keys[0], resolver_);
    case TypeKind::kInit:
      if (keys.empty()) fail_invalid(expression);
      return init_type(arena_, assert_type(expression, keys[0]), std::span(keys).subspan(1));
    case TypeKind::kIterable:
      return types::iterable(arena_, single_type("Iterable", expression, keys));
    case TypeKind::kIterator:
      return types::iterator(arena_, single_type("Iterator", expression, keys));
    case TypeKind::kType:
      return types::type_of_type(arena_, single_type("Type", expression, keys));
    case TypeKind::kSensitive:
      if (keys.empty()) return types::kSensitive;
      check_count("Sensitive", count, 1, 1, "0 to 1");
      return types::sensitive(arena_, assert_type(expression, keys[0]));
    case TypeKind::kOptional:
      return types::optional(arena_, single_type_or_string("Optional", expression, keys));
    case TypeKind::kNotUndef:
      if (keys.empty()) return types::kNotUndef;
      check_count("NotUndef", count, 1, 1, "0 to 1");
      return types::not_undef(arena_, single_type_or_string("NotUndef", expression, keys));
    case TypeKind::kRuntime:
      check_count("Runtime", count, 2, 2, "2");
      return runtime_type(arena_, keys[0], keys[1]);
    case TypeKind::kTimespan:
    case TypeKind::kTimestamp:
      check_count(name_of(type->kind), count, 0, 2, "0 to 2");
      return time_type(arena_, type->kind, keys);
    case TypeKind::kSemVer:
      check_count("SemVer", count, 1, SIZE_MAX, "1 or more");
      for (const Value key : keys) {
        if (!key.is_string() && !key.is(ValueKind::kSemVerRange)) fail_invalid(expression);
      }
      return sem_ver_type(arena_, keys);
    default:
      fail_with(Issue::kInvalidTypeText,
                {"Not a parameterized type <" + text_of(*expression.left) + ">"});
  }
}

const Type* interpret_type(Arena& arena, const Program& program, const Expression& expression,
                           TypeResolver* resolver) {
  return TypeInterpreter(arena, program, resolver).type(expression);
}

const Type* parse_type(Arena& arena, std::string_view text, TypeResolver* resolver) {
  auto source = std::make_shared<SourceFile>(std::string(), std::string(text));
  DiagnosticList mistakes;
  const std::shared_ptr<Program> program = parse(source, ParseOptions{}, mistakes);
  for (Diagnostic& mistake : mistakes.all) {
    if (mistake.severity != Severity::kError) continue;
    // The end of the text is not a place, and the reference reports none for a regular expression.
    const bool has_place = !mistake.primary.is_whole_file && mistake.issue != Issue::kIllegalRegex;
    if (!has_place) fail_with(Issue::kInvalidTypeText, {mistake.message()});
    throw EvaluationError(std::move(mistake), ErrorKind::kError);
  }
  // The type does not point into the program, because texts were copied.
  return TypeInterpreter(arena, *program, resolver).type(*program->body);
}

}  // namespace bunraku

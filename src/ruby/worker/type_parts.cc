#include "ruby/worker/type_parts.h"

#include <cmath>
#include <vector>

#include "types/built_in_types.h"

namespace bunraku {
namespace {

class Parts {
 public:
  explicit Parts(Arena& arena) : arena_(arena), parts_(arena) {}

  void add(std::string_view name, Value value) { parts_.set(name, value); }
  void add(std::string_view name, const Type* type) {
    add(name, type == nullptr ? Value() : Value::type(type));
  }
  void add(std::string_view name, std::span<const Type* const> types) {
    ArrayBuilder items(arena_, types.size());
    for (const Type* type : types) items.push(Value::type(type));
    add(name, items.finish());
  }
  void add(std::string_view name, std::span<const std::string_view> texts) {
    ArrayBuilder items(arena_, texts.size());
    for (const std::string_view text : texts) items.push(Value::string(text));
    add(name, items.finish());
  }
  void add_range(int64_t from, int64_t to) {
    add("from", from == kMinInteger ? Value() : Value::integer(from));
    add("to", to == kMaxInteger ? Value() : Value::integer(to));
  }
  void add_size(IntegerRange size) {
    if (!is_size_given(size)) return;
    add("size_type", types::integer(arena_, size_from(size), size.to));
  }
  void add_element(const StructElement& element) {
    const Value element_parts[] = {Value::string(element.name), Value::type(element.key),
                                   Value::type(element.value)};
    elements_.push_back(Value::array(arena_.copy(std::span<const Value>(element_parts))));
  }
  Value finish() {
    if (!elements_.empty()) {
      add("elements", Value::array(arena_.copy(std::span<const Value>(elements_))));
    }
    return parts_.finish();
  }

 private:
  Arena& arena_;
  HashBuilder parts_;
  std::vector<Value> elements_;
};

void add_parts(Parts& parts, const Type* type) {
  switch (type->kind) {
    case TypeKind::kInteger: {
      const IntegerRange range = type->as<IntegerType>().range;
      return parts.add_range(range.from, range.to);
    }
    case TypeKind::kFloat: {
      const auto& range = type->as<FloatType>();
      parts.add("from", std::isinf(range.from) ? Value() : Value::floating(range.from));
      return parts.add("to", std::isinf(range.to) ? Value() : Value::floating(range.to));
    }
    case TypeKind::kString:
      return parts.add_size(type->as<StringType>().size);
    case TypeKind::kEnum:
      return parts.add("values", type->as<EnumType>().values);
    case TypeKind::kPattern:
      return parts.add("patterns", type->as<PatternType>().patterns);
    case TypeKind::kRegexp:
      return parts.add("pattern", type->as<RegexpType>().pattern == nullptr
                                      ? Value()
                                      : Value::string(*type->as<RegexpType>().pattern));
    case TypeKind::kCollection:
      return parts.add_size(type->as<CollectionType>().size);
    case TypeKind::kArray:
      parts.add("element_type", type->as<ArrayType>().element);
      return parts.add_size(type->as<ArrayType>().size);
    case TypeKind::kHash:
      parts.add("key_type", type->as<HashType>().key);
      parts.add("value_type", type->as<HashType>().value);
      return parts.add_size(type->as<HashType>().size);
    case TypeKind::kTuple:
      parts.add("types", type->as<TupleType>().types);
      if (type->as<TupleType>().size_given) parts.add_size(type->as<TupleType>().size);
      return;
    case TypeKind::kStruct:
      for (const StructElement& element : type->as<StructType>().elements) {
        parts.add_element(element);
      }
      return;
    case TypeKind::kVariant:
      return parts.add("types", type->as<VariantType>().types);
    case TypeKind::kOptional:
      return parts.add("type", type->as<OptionalType>().contained);
    case TypeKind::kNotUndef:
      return parts.add("type", type->as<NotUndefType>().contained);
    case TypeKind::kIterable:
      return parts.add("element_type", type->as<IterableType>().contained);
    case TypeKind::kIterator:
      return parts.add("element_type", type->as<IteratorType>().contained);
    case TypeKind::kType:
      return parts.add("type", type->as<TypeType>().contained);
    case TypeKind::kSensitive:
      return parts.add("type", type->as<SensitiveType>().contained);
    case TypeKind::kCallable: {
      const auto& callable = type->as<CallableType>();
      parts.add("param_types", callable.parameters);
      parts.add("block_type", callable.block);
      return parts.add("return_type", callable.return_type);
    }
    case TypeKind::kTypeAlias:
      return parts.add("resolved_type", resolve_alias(type));
    case TypeKind::kTypeReference:
      return parts.add("type_string", Value::string(type->as<TypeReferenceType>().text));
    default:
      return;
  }
}

}  // namespace

Value type_parts(Arena& arena, const Type* type) {
  Parts parts(arena);
  add_parts(parts, type);
  return parts.finish();
}

}  // namespace bunraku

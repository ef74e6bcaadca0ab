#include "serialization/pcore_form.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/text/ascii.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/type_text.h"
#include "values/conversion_error.h"
#include "values/object.h"

namespace bunraku {

namespace {

// Collects the attributes of one type.
class FormBuilder {
 public:
  explicit FormBuilder(Arena& arena) : arena_(arena), hash_(arena) {}

  void set(std::string_view name, Value value) { hash_.set(name, value); }
  void set(std::string_view name, const Type* type) { hash_.set(name, Value::type(type)); }
  void set_if(std::string_view name, const Type* type) {
    if (type) set(name, type);
  }
  void set_or_null(std::string_view name, const Type* type) {
    hash_.set(name, type ? Value::type(type) : Value());
  }
  void set_types(std::string_view name, std::span<const Type* const> types) {
    ArrayBuilder items(arena_, types.size());
    for (const Type* type : types) items.push(Value::type(type));
    hash_.set(name, items.finish());
  }
  // Sets a range from its known ends; nothing when both are open.
  void set_range(Value from, Value to) {
    if (from.is_undef() && to.is_undef()) return;
    set("from", from);
    if (!to.is_undef()) set("to", to);
  }
  void set_size(std::string_view name, IntegerRange size) {
    if (is_size_given(size)) set(name, types::integer(arena_, size_from(size), size.to));
  }
  void set_texts(std::string_view name, std::span<const std::string_view> texts) {
    ArrayBuilder items(arena_, texts.size());
    for (const std::string_view text : texts) items.push(Value::string(text));
    hash_.set(name, items.finish());
  }
  Value finish() { return hash_.finish(); }

 private:
  Arena& arena_;
  HashBuilder hash_;
};

Value bound(int64_t value, int64_t open) {
  return value == open ? Value() : Value::integer(value);
}

bool is_any(const Type* type) {
  return type->kind == TypeKind::kAny;
}

void add_elements(Arena& arena, FormBuilder& form, const StructType& type) {
  ArrayBuilder elements(arena, type.elements.size());
  for (const StructElement& element : type.elements) {
    const Type* key = element.key;
    if (const auto* not_undef = key->try_as<NotUndefType>()) key = not_undef->contained;
    HashBuilder hash(arena, 2);
    hash.set("key_type", Value::type(key));
    hash.set("value_type", Value::type(element.value));
    elements.push(hash.finish());
  }
  form.set("elements", elements.finish());
}

void add_init_hash(Arena& arena, FormBuilder& form, const ObjectType& type) {
  const bool is_plain = type.name.empty() && type.members.empty() && !type.parent;
  form.set("_pcore_init_hash",
           is_plain ? HashBuilder(arena).finish() : object_definition(arena, type, true));
}

void add_time_range(FormBuilder& form, IntegerRange range, Value (*make)(int64_t)) {
  const Value from = range.from == kMinInteger ? Value() : make(range.from);
  // The end of Timespan[1] is open.
  const Value to = range.to == kMaxInteger ? Value() : make(range.to);
  form.set_range(from, to);
}

std::string_view form_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTypeAlias:
      return "TypeAlias";
    case TypeKind::kTypeReference:
      return "TypeReference";
    default:
      return name_of(kind);
  }
}

}  // namespace

PcoreForm pcore_form_of(Arena& arena, const Type* type) {
  FormBuilder form(arena);
  switch (type->kind) {
    case TypeKind::kInteger: {
      const IntegerRange range = type->as<IntegerType>().range;
      form.set_range(bound(range.from, kMinInteger), bound(range.to, kMaxInteger));
      break;
    }
    case TypeKind::kFloat: {
      const auto& range = type->as<FloatType>();
      form.set_range(std::isinf(range.from) ? Value() : Value::floating(range.from),
                     std::isinf(range.to) ? Value() : Value::floating(range.to));
      break;
    }
    case TypeKind::kString: {
      const auto& string = type->as<StringType>();
      if (string.value) {
        form.set("size_type_or_value", Value::string(*string.value));
      } else {
        form.set_size("size_type_or_value", string.size);
      }
      break;
    }
    case TypeKind::kEnum: {
      const auto& names = type->as<EnumType>();
      form.set_texts("values", names.values);
      if (names.case_insensitive) form.set("case_insensitive", Value::boolean(true));
      break;
    }
    case TypeKind::kPattern: {
      std::vector<const Type*> patterns;
      for (const std::string_view pattern : type->as<PatternType>().patterns) {
        patterns.push_back(types::regexp(arena, pattern));
      }
      form.set_types("patterns", patterns);
      break;
    }
    case TypeKind::kRegexp: {
      const std::string_view* pattern = type->as<RegexpType>().pattern;
      if (pattern) form.set("pattern", Value::string(*pattern));
      break;
    }
    case TypeKind::kCollection:
      form.set_size("size_type", type->as<CollectionType>().size);
      break;
    case TypeKind::kArray: {
      const auto& array = type->as<ArrayType>();
      const bool has_size = is_size_given(array.size);
      if (has_size || !is_any(array.element)) form.set("element_type", array.element);
      form.set_size("size_type", array.size);
      break;
    }
    case TypeKind::kHash: {
      const auto& hash = type->as<HashType>();
      const bool has_value = is_size_given(hash.size) || !is_any(hash.value);
      if (has_value || !is_any(hash.key)) form.set("key_type", hash.key);
      if (has_value) form.set("value_type", hash.value);
      form.set_size("size_type", hash.size);
      break;
    }
    case TypeKind::kTuple: {
      const auto& tuple = type->as<TupleType>();
      form.set_types("types", tuple.types);
      if (tuple.size_given) {
        form.set("size_type", types::integer(arena, size_from(tuple.size), tuple.size.to));
      }
      break;
    }
    case TypeKind::kStruct:
      add_elements(arena, form, type->as<StructType>());
      break;
    case TypeKind::kVariant:
      form.set_types("types", type->as<VariantType>().types);
      break;
    case TypeKind::kOptional:
      form.set_if("type", type->as<OptionalType>().contained);
      break;
    case TypeKind::kNotUndef:
      form.set_if("type", type->as<NotUndefType>().contained);
      break;
    case TypeKind::kIterable:
      form.set_if("type", type->as<IterableType>().contained);
      break;
    case TypeKind::kIterator:
      form.set_if("type", type->as<IteratorType>().contained);
      break;
    case TypeKind::kType:
      form.set_if("type", type->as<TypeType>().contained);
      break;
    case TypeKind::kCallable: {
      const auto& callable = type->as<CallableType>();
      form.set_or_null("param_types", callable.parameters);
      form.set_or_null("block_type", callable.block);
      form.set_or_null("return_type", callable.return_type);
      break;
    }
    case TypeKind::kInit: {
      const auto& init = type->as<InitType>();
      form.set_if("type", init.contained);
      if (!init.arguments.empty()) form.set("init_args", Value::array(init.arguments));
      break;
    }
    case TypeKind::kSemVer: {
      ArrayBuilder ranges(arena);
      for (const SemVerRange* range : type->as<SemVerType>().ranges) {
        ranges.push(Value::sem_ver_range(range));
      }
      if (ranges.size() > 0) form.set("ranges", ranges.finish());
      break;
    }
    case TypeKind::kTimespan:
      add_time_range(form, type->as<TimespanType>().range, Value::timespan);
      break;
    case TypeKind::kTimestamp:
      add_time_range(form, type->as<TimestampType>().range, Value::timestamp);
      break;
    case TypeKind::kUri: {
      const Value parameters = type->as<UriType>().parameters;
      if (!parameters.is_undef()) form.set("parameters", parameters);
      break;
    }
    case TypeKind::kRuntime: {
      const auto& runtime = type->as<RuntimeType>();
      if (runtime.runtime.data()) form.set("runtime", Value::string(runtime.runtime));
      if (runtime.is_mapping) {
        form.set("name_or_pattern", Value::array(arena, {Value::regexp(runtime.name),
                                                         Value::string(runtime.name_replacement)}));
      } else if (runtime.name.data()) {
        form.set("name_or_pattern", Value::string(runtime.name));
      }
      break;
    }
    case TypeKind::kClass: {
      const Name name = type->as<ClassType>().class_name;
      if (name) form.set("class_name", Value::string(name.text()));
      break;
    }
    case TypeKind::kResource: {
      const auto& resource = type->as<ResourceType>();
      if (resource.type_name) form.set("type_name", Value::string(resource.type_name.text()));
      if (resource.title != nullptr) form.set("title", Value::string(*resource.title));
      break;
    }
    case TypeKind::kObject:
      add_init_hash(arena, form, type->as<ObjectType>());
      break;
    case TypeKind::kTypeSet:
      form.set("_pcore_init_hash", type_set_definition(arena, type->as<TypeSetType>()));
      break;
    case TypeKind::kTypeAlias: {
      const auto& alias = type->as<TypeAliasType>();
      form.set("name", Value::string(alias.name));
      form.set("type_expr", Value());
      form.set("resolved_type", resolve_alias(type));
      break;
    }
    case TypeKind::kTypeReference:
      form.set("type_string", Value::string(type->as<TypeReferenceType>().text));
      break;
    default:
      break;
  }
  return {arena.copy(fmt::format("Pcore::{}Type", form_name(type->kind))), form.finish()};
}

// --- reading ------------------------------------------------------------------------------------

namespace {

class FormReader {
 public:
  FormReader(Arena& arena, const HashObject& attributes, TypeResolver* resolver)
      : arena_(arena), attributes_(attributes), resolver_(resolver) {}

  const Type* read(TypeKind kind, const Type* plain) {
    switch (kind) {
      case TypeKind::kInteger:
      case TypeKind::kFloat:
      case TypeKind::kTimespan:
      case TypeKind::kTimestamp:
        range();
        break;
      case TypeKind::kString: {
        const Value size = attribute("size_type_or_value");
        if (size.is_string()) return types::string_value(arena_, size.as_string());
        add_size(size);
        break;
      }
      case TypeKind::kEnum:
        add_all(attribute("values"));
        if (attribute("case_insensitive").is_boolean()) keys_.push_back(Value::boolean(true));
        break;
      case TypeKind::kPattern:
        add_all(attribute("patterns"));
        break;
      case TypeKind::kRegexp:
        add(attribute("pattern"));
        break;
      case TypeKind::kCollection:
        add_size(attribute("size_type"));
        break;
      case TypeKind::kArray:
        return array();
      case TypeKind::kHash:
        return hash();
      case TypeKind::kTuple:
        return tuple();
      case TypeKind::kStruct:
        return structure();
      case TypeKind::kVariant:
        add_all(attribute("types"));
        break;
      case TypeKind::kOptional:
      case TypeKind::kNotUndef:
      case TypeKind::kIterable:
      case TypeKind::kIterator:
      case TypeKind::kSensitive:
      case TypeKind::kType:
        add(attribute("type"));
        break;
      case TypeKind::kCallable:
        return callable();
      case TypeKind::kInit:
        add(attribute("type"));
        add_all(attribute("init_args"));
        break;
      case TypeKind::kSemVer:
        add_all(attribute("ranges"));
        break;
      case TypeKind::kUri:
        add(attribute("parameters"));
        break;
      case TypeKind::kRuntime:
        add(attribute("runtime"));
        add(attribute("name_or_pattern"));
        break;
      case TypeKind::kClass:
        add(attribute("class_name"));
        break;
      case TypeKind::kResource:
        add(attribute("type_name"));
        add(attribute("title"));
        break;
      case TypeKind::kObject:
        return object(plain);
      case TypeKind::kTypeSet:
        return type_set();
      case TypeKind::kTypeAlias:
        return alias();
      case TypeKind::kTypeReference:
        return types::reference(arena_, text("type_string"));
      default:
        break;
    }
    return keys_.empty() ? plain : parameterize(arena_, plain, keys_, resolver_);
  }

 private:
  Value attribute(std::string_view name) const {
    const Value* found = attributes_.find(name);
    return found ? *found : Value();
  }
  std::string_view text(std::string_view name) const {
    const Value value = attribute(name);
    if (!value.is_string())
      fail_conversion(Issue::kInvalidRichData, {fmt::format("The type lacks its '{}'", name)});
    return value.as_string();
  }
  const Type* type(std::string_view name) const {
    const Value value = attribute(name);
    if (value.is_undef()) return nullptr;
    if (!value.is_type())
      fail_conversion(Issue::kInvalidRichData,
                      {fmt::format("The '{}' of the type is no type", name)});
    return value.as_type();
  }

  void add(Value value) {
    if (!value.is_undef()) keys_.push_back(value);
  }
  void add_all(Value values) {
    if (!values.is_array()) return;
    keys_.insert(keys_.end(), values.as_array().begin(), values.as_array().end());
  }
  void range() {
    const Value from = attribute("from");
    const Value to = attribute("to");
    if (from.is_undef() && to.is_undef()) return;
    keys_.push_back(from.is_undef() ? Value::default_value() : from);
    if (!to.is_undef()) keys_.push_back(to);
  }
  static IntegerRange size_of(Value size) {
    const auto* range =
        size.is_type() ? resolve_alias(size.as_type())->try_as<IntegerType>() : nullptr;
    if (!range) fail_conversion(Issue::kInvalidRichData, {"The size of the type is no range"});
    IntegerRange result = range->range;
    if (result.from <= 0 && result.to == kMaxInteger) return kGivenAnySize;
    return result;
  }
  void add_size(Value size) {
    if (size.is_undef()) return;
    const IntegerRange range = size_of(size);
    keys_.push_back(Value::integer(size_from(range)));
    if (range.to != kMaxInteger) keys_.push_back(Value::integer(range.to));
  }

  const Type* array() {
    const Type* element = type("element_type");
    const Value size = attribute("size_type");
    if (!element && size.is_undef()) return types::kArray;
    return types::array(arena_, element ? element : types::kAny,
                        size.is_undef() ? kAnySize : size_of(size));
  }
  const Type* hash() {
    const Type* key = type("key_type");
    const Type* value = type("value_type");
    const Value size = attribute("size_type");
    if (!key && !value && size.is_undef()) return types::kHash;
    return types::hash(arena_, key ? key : types::kAny, value ? value : types::kAny,
                       size.is_undef() ? kAnySize : size_of(size));
  }
  const TupleType* tuple() {
    std::vector<const Type*> members;
    const Value listed = attribute("types");
    if (listed.is_array()) {
      for (const Value member : listed.as_array()) {
        if (!member.is_type())
          fail_conversion(Issue::kInvalidRichData, {"A type of the Tuple is no type"});
        members.push_back(member.as_type());
      }
    }
    const Value size = attribute("size_type");
    IntegerRange given = size.is_undef() ? kAnySize : size_of(size);
    return static_cast<const TupleType*>(
        types::tuple(arena_, members, size.is_undef() ? nullptr : &given));
  }
  const Type* structure() {
    std::vector<StructElement> elements;
    const Value listed = attribute("elements");
    if (listed.is_array()) {
      for (const Value element : listed.as_array()) elements.push_back(struct_element(element));
    }
    return types::structure(arena_, elements);
  }
  StructElement struct_element(Value element) {
    const Value* key = element.is_hash() ? element.as_hash().find("key_type") : nullptr;
    const Value* value = element.is_hash() ? element.as_hash().find("value_type") : nullptr;
    if (!key || !value || !key->is_type() || !value->is_type()) {
      fail_conversion(Issue::kInvalidRichData, {"An element of the Struct lacks its type"});
    }
    const Type* name = key->as_type();
    const auto* optional = name->try_as<OptionalType>();
    if (optional) name = optional->contained;
    const auto* string = name ? name->try_as<StringType>() : nullptr;
    if (!string || !string->value)
      fail_conversion(Issue::kInvalidRichData, {"A key of the Struct is no string"});
    return types::struct_element(arena_, *string->value, optional != nullptr, value->as_type());
  }
  const Type* callable() {
    const Type* parameters = type("param_types");
    const TupleType* tuple = parameters ? parameters->try_as<TupleType>() : nullptr;
    return types::callable(arena_, tuple, type("block_type"), type("return_type"));
  }
  const Type* object(const Type* plain) {
    const Value definition = attribute("_pcore_init_hash");
    if (!definition.is_hash() || definition.as_hash().size == 0) return plain;
    auto* object = arena_.make<ObjectType>();
    object->kind = TypeKind::kObject;
    define_object(arena_, *object, definition);
    return object;
  }
  const Type* type_set() {
    auto* set = arena_.make<TypeSetType>();
    set->kind = TypeKind::kTypeSet;
    define_type_set(arena_, *set, attribute("_pcore_init_hash"), resolver_);
    return set;
  }
  const Type* alias() {
    auto* alias = arena_.make<TypeAliasType>();
    alias->kind = TypeKind::kTypeAlias;
    alias->name = text("name");
    alias->resolved = type("resolved_type");
    if (!alias->resolved)
      fail_conversion(Issue::kInvalidRichData, {"The type alias lacks what it stands for"});
    return alias;
  }

  Arena& arena_;
  const HashObject& attributes_;
  TypeResolver* resolver_;
  std::vector<Value> keys_;
};

}  // namespace

const Type* type_of_form(Arena& arena, std::string_view name, const HashObject& attributes,
                         TypeResolver* resolver) {
  std::string_view short_name = name;
  if (short_name.starts_with("Pcore::")) short_name.remove_prefix(7);
  if (short_name.ends_with("Type") && short_name.size() > 4) short_name.remove_suffix(4);
  FormReader reader(arena, attributes, resolver);
  if (short_name == "TypeAlias") return reader.read(TypeKind::kTypeAlias, nullptr);
  if (short_name == "TypeReference") return reader.read(TypeKind::kTypeReference, nullptr);
  if (short_name == "Type") return reader.read(TypeKind::kType, types::kType);
  if (short_name == "Unit") return types::kUnit;
  const Type* plain = types::find_builtin(to_lower(short_name));
  if (!plain) {
    fail_conversion(Issue::kInvalidRichData,
                    {fmt::format("No implementation mapping found for Puppet Type {}", name)});
  }
  return reader.read(plain->kind, plain);
}

}  // namespace bunraku

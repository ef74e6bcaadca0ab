// Object types from their definition hashes.

#include <algorithm>
#include <string>
#include <vector>

#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/object_schema.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/object.h"

namespace bunraku {
namespace {

std::string label(const ObjectType& type) {
  return std::string(type.name.empty() ? "Object" : type.name);
}

enum class Feature : uint8_t { kAttribute, kTypeParameter, kFunction };

std::string_view name_of(Feature feature) {
  switch (feature) {
    case Feature::kAttribute:
      return "attribute";
    case Feature::kTypeParameter:
      return "type_parameter";
    case Feature::kFunction:
      return "function";
  }
  return {};
}

std::string label(Feature feature, const ObjectType& type, std::string_view name) {
  const std::string text(name_of(feature));
  return text + " " + label(type) + "[" + std::string(name) + "]";
}

std::string label(const ObjectMember& member) {
  const Feature feature = member.is_function ? Feature::kFunction : Feature::kAttribute;
  return label(feature, *object_type_of(member.owner), member.name);
}

AttributeKind kind_named(std::string_view name) {
  if (name == "constant") return AttributeKind::kConstant;
  if (name == "derived") return AttributeKind::kDerived;
  if (name == "given_or_derived") return AttributeKind::kGivenOrDerived;
  return AttributeKind::kReference;
}

// Converts one definition to a type.
class ObjectDefinition {
 public:
  ObjectDefinition(Arena& arena, ObjectType& type, const HashObject& hash)
      : arena_(arena), type_(type), hash_(hash) {}

  void define() {
    if (type_.name.empty()) {
      if (const Value* name = hash_.find("name")) type_.name = name->as_string();
    }
    define_parent();
    define_type_parameters();
    define_attributes();
    define_functions();
    type_.members = arena_.copy(std::span<const ObjectMember>(members_));
    define_equality();
    if (const Value* checks = hash_.find("checks")) type_.checks = *checks;
    if (const Value* annotations = hash_.find("annotations")) type_.annotations = *annotations;
  }

 private:
  // Returns null when the definition has no value for the key, or undef.
  const Value* given(std::string_view key) const {
    const Value* value = hash_.find(key);
    return value == nullptr || value->is_undef() ? nullptr : value;
  }

  void define_parent() {
    const Value* parent = given("parent");
    if (parent == nullptr) return;
    const Type* resolved = resolve_alias(parent->as_type());
    for (const ObjectType* at = object_type_of(resolved); at != nullptr;
         at = object_type_of(at->parent)) {
      if (at == &type_)
        fail_with(Issue::kInvalidObjectType,
                  {"The Object type '" + label(type_) + "' inherits from itself"});
    }
    if (const auto* reference = resolved->try_as<TypeReferenceType>()) {
      fail_with(Issue::kInvalidObjectType,
                {"reference to unresolved type '" + std::string(reference->text) + "'"});
    }
    type_.parent = parent->as_type();
    parent_ = ancestor_with_members(type_);
  }

  const ObjectMember* inherited(std::string_view name) const {
    return parent_ == nullptr ? nullptr : find_member(*parent_, name);
  }

  void define_type_parameters() {
    const Value* given_parameters = given("type_parameters");
    if (given_parameters == nullptr) return;
    std::vector<ObjectMember> parameters;
    for (const HashEntry& entry : given_parameters->as_hash()) {
      const ObjectMember parameter = type_parameter(entry.key.as_string(), entry.value);
      check_parameter_override(parameter);
      parameters.push_back(parameter);
    }
    type_.type_parameters = arena_.copy(std::span<const ObjectMember>(parameters));
  }

  ObjectMember type_parameter(std::string_view name, Value specification) const {
    ObjectMember parameter{};
    parameter.name = name;
    parameter.owner = &type_;
    const std::string text = label(Feature::kTypeParameter, type_, name);
    Value type = specification;
    const Value* value = nullptr;
    if (specification.is_hash()) {
      const Value* found = specification.as_hash().find("type");
      type = found == nullptr ? Value::undef() : *found;
      value = specification.as_hash().find("value");
    }
    assert_instance_of(text, types::kType, type);
    parameter.type = type.as_type()->kind == TypeKind::kOptional
                         ? type.as_type()
                         : types::optional(arena_, type.as_type());
    check_name_is_free(name);
    if (value != nullptr && !value->is_default()) {
      assert_instance_of(text + " value", parameter.type, *value);
    }
    parameter.has_value = value != nullptr && !value->is_undef();
    if (parameter.has_value) parameter.value = *value;
    return parameter;
  }

  // A type parameter cannot be marked as overriding another.
  void check_parameter_override(const ObjectMember& parameter) const {
    if (parent_ == nullptr) return;
    for (const ObjectMember* other : type_parameters_of(*parent_)) {
      if (other->name != parameter.name) continue;
      fail_with(Issue::kInvalidObjectType,
                {label(Feature::kTypeParameter, type_, parameter.name) + " attempts to override " +
                 label(Feature::kTypeParameter, *object_type_of(other->owner), other->name) +
                 " without having override => true"});
    }
  }

  static void check_name_is_free(std::string_view name) {
    if (name == "__ptype" || name == "__pvalue") {
      fail_with(Issue::kInvalidObjectType,
                {"The attribute '" + std::string(name) + "' is reserved and cannot be used"});
    }
  }

  void define_attributes() {
    const Value* attributes = given("attributes");
    const Value* constants = given("constants");
    if (constants != nullptr && attributes != nullptr) {
      for (const HashEntry& entry : constants->as_hash()) {
        if (attributes->as_hash().find(entry.key) == nullptr) continue;
        fail_with(Issue::kInvalidObjectType,
                  {"attribute " + label(type_) + "[" + std::string(entry.key.as_string()) +
                   "] is defined as both a constant and an attribute"});
      }
    }
    if (attributes != nullptr) {
      for (const HashEntry& entry : attributes->as_hash()) {
        add_attribute(entry.key.as_string(), entry.value);
      }
    }
    if (constants != nullptr) {
      for (const HashEntry& entry : constants->as_hash()) add_constant(entry);
    }
  }

  void add_constant(const HashEntry& entry) {
    ObjectMember constant{};
    constant.name = entry.key.as_string();
    check_name_is_free(constant.name);
    constant.owner = &type_;
    constant.type = generalize(arena_, infer(arena_, entry.value));
    constant.kind = AttributeKind::kConstant;
    constant.is_final = true;
    constant.has_value = true;
    constant.value = entry.value;
    constant.is_override = inherited(constant.name) != nullptr;
    add(constant);
  }

  void add_attribute(std::string_view name, Value specification) {
    ObjectMember attribute{};
    attribute.name = name;
    attribute.owner = &type_;
    if (!specification.is_hash()) {
      assert_instance_of(label(Feature::kAttribute, type_, name), types::kType, specification);
      check_name_is_free(name);
      attribute.type = specification.as_type();
      attribute.has_value = attribute.type->kind == TypeKind::kOptional;
      return add(attribute);
    }
    const std::string text = label(Feature::kAttribute, type_, name);
    assert_instance_of("initializer for " + text, object_schema().attribute, specification);
    check_name_is_free(name);
    const HashObject& hash = specification.as_hash();
    read_flags(attribute, hash);
    read_kind(attribute, hash, text);
    read_value(attribute, hash, text);
    add(attribute);
  }

  static void read_flags(ObjectMember& member, const HashObject& hash) {
    member.type = hash.find("type")->as_type();
    if (const Value* flag = hash.find("override")) member.is_override = flag->as_boolean();
    if (const Value* flag = hash.find("final")) member.is_final = flag->as_boolean();
    if (const Value* annotations = hash.find("annotations")) member.annotations = *annotations;
  }

  static void read_kind(ObjectMember& attribute, const HashObject& hash, const std::string& text) {
    const Value* kind = hash.find("kind");
    if (kind == nullptr) return;
    attribute.kind = kind_named(kind->as_string());
    if (attribute.kind != AttributeKind::kConstant) return;
    if (hash.find("final") != nullptr && !attribute.is_final) {
      fail_with(Issue::kInvalidObjectType,
                {text + " of kind 'constant' cannot be combined with final => false"});
    }
    attribute.is_final = true;
  }

  static void read_value(ObjectMember& attribute, const HashObject& hash, const std::string& text) {
    const Value* value = hash.find("value");
    if (value == nullptr) {
      if (attribute.kind == AttributeKind::kConstant) {
        fail_with(Issue::kInvalidObjectType, {text + " of kind 'constant' requires a value"});
      }
      return;
    }
    if (attribute.kind == AttributeKind::kDerived ||
        attribute.kind == AttributeKind::kGivenOrDerived) {
      fail_with(Issue::kInvalidObjectType,
                {text + " of kind '" + std::string(hash.find("kind")->as_string()) +
                 "' cannot be combined with an attribute value"});
    }
    if (!value->is_default()) assert_instance_of(text + " value", attribute.type, *value);
    attribute.has_value = true;
    attribute.value = *value;
  }

  void define_functions() {
    const Value* functions = given("functions");
    if (functions == nullptr) return;
    for (const HashEntry& entry : functions->as_hash()) {
      ObjectMember function{};
      function.name = entry.key.as_string();
      function.owner = &type_;
      function.is_function = true;
      if (entry.value.is_hash()) {
        assert_instance_of("initializer for function '" + std::string(function.name) + "'",
                           object_schema().function, entry.value);
        read_flags(function, entry.value.as_hash());
      } else {
        assert_instance_of(label(Feature::kFunction, type_, function.name),
                           object_schema().function_type, entry.value);
        function.type = entry.value.as_type();
      }
      if (own(function.name) != nullptr) {
        fail_with(Issue::kInvalidObjectType,
                  {label(function) + " conflicts with attribute with the same name"});
      }
      add(function);
    }
  }

  const ObjectMember* own(std::string_view name) const {
    auto found = std::ranges::find_if(
        members_, [&](const ObjectMember& member) { return member.name == name; });
    return found == members_.end() ? nullptr : &*found;
  }

  void add(const ObjectMember& member) {
    check_override(member, inherited(member.name));
    members_.push_back(member);
  }

  static void check_override(const ObjectMember& member, const ObjectMember* inherited) {
    const std::string_view feature = member.is_function ? "function" : "attribute";
    if (inherited == nullptr) {
      if (!member.is_override) return;
      fail_with(Issue::kInvalidObjectType,
                {"expected " + label(member) + " to override an inherited " + std::string(feature) +
                 ", but no such " + std::string(feature) + " was found"});
    }
    const std::string attempt = label(member) + " attempts to override ";
    if (inherited->is_function != member.is_function)
      fail_with(Issue::kInvalidObjectType, {attempt + label(*inherited)});
    const bool both_constant =
        inherited->kind == AttributeKind::kConstant && member.kind == AttributeKind::kConstant;
    if (inherited->is_final && !both_constant)
      fail_with(Issue::kInvalidObjectType, {attempt + "final " + label(*inherited)});
    if (!member.is_override) {
      fail_with(Issue::kInvalidObjectType,
                {attempt + label(*inherited) + " without having override => true"});
    }
    if (!is_assignable(inherited->type, member.type)) {
      fail_with(Issue::kInvalidObjectType,
                {attempt + label(*inherited) + " with a type that does not match"});
    }
  }

  void define_equality() {
    const Value* include = given("equality_include_type");
    type_.equality_include_type = include == nullptr || include->as_boolean();
    const Value* equality = given("equality");
    if (equality == nullptr) return;
    std::vector<std::string_view> names;
    if (equality->is_string()) {
      names.push_back(equality->as_string());
    } else {
      for (const Value name : equality->as_array()) names.push_back(name.as_string());
    }
    if (!names.empty() && !type_.equality_include_type) {
      fail_with(Issue::kInvalidObjectType, {"equality_include_type = false cannot be combined with "
                                            "non empty equality specification"});
    }
    for (const std::string_view name : names) check_equality(name);
    type_.equality_given = true;
    type_.equality = arena_.copy(std::span<const std::string_view>(names));
  }

  static bool is_part_of_equality(const ObjectType& type, const ObjectMember& member) {
    const ObjectType* owner = object_type_of(member.owner);
    if (!owner->equality_given) return member.kind != AttributeKind::kConstant;
    return std::ranges::find(owner->equality, member.name) != owner->equality.end() &&
           find_member(type, member.name) != nullptr;
  }

  void check_equality(std::string_view name) const {
    const ObjectMember* member = inherited(name);
    if (member == nullptr) {
      member = own(name);
    } else if (!member->is_function && is_part_of_equality(*parent_, *member)) {
      fail_with(Issue::kInvalidObjectType,
                {label(type_) + " equality is referencing " + label(*member) +
                 " which is included in equality of " + label(*object_type_of(member->owner))});
    }
    if (member == nullptr) {
      fail_with(Issue::kInvalidObjectType,
                {label(type_) + " equality is referencing non existent attribute '" +
                 std::string(name) + "'"});
    }
    if (member->is_function) {
      fail_with(Issue::kInvalidObjectType,
                {label(type_) + " equality is referencing " + label(*member) +
                 ". Only attribute references are allowed"});
    }
    if (member->kind == AttributeKind::kConstant) {
      fail_with(Issue::kInvalidObjectType,
                {label(type_) + " equality is referencing constant " + label(*member) +
                 ". Reference to constant is not allowed in equality"});
    }
  }

  Arena& arena_;
  ObjectType& type_;
  const HashObject& hash_;
  const ObjectType* parent_ = nullptr;
  std::vector<ObjectMember> members_;
};

std::string_view name_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kNormal:
      return {};
    case AttributeKind::kConstant:
      return "constant";
    case AttributeKind::kDerived:
      return "derived";
    case AttributeKind::kGivenOrDerived:
      return "given_or_derived";
    case AttributeKind::kReference:
      return "reference";
  }
  return {};
}

// The definition of a member: only its type, when it has no other properties.
Value member_definition(Arena& arena, const ObjectMember& member) {
  HashBuilder features(arena);
  const bool is_constant = member.kind == AttributeKind::kConstant;
  features.set("type", Value::type(member.type));
  if (member.is_final && !is_constant) features.set("final", Value::boolean(true));
  if (member.is_override) features.set("override", Value::boolean(true));
  if (!member.annotations.is_undef()) features.set("annotations", member.annotations);
  if (member.kind != AttributeKind::kNormal) {
    features.set("kind", Value::string(name_of(member.kind)));
  }
  if (member.has_value) features.set("value", member.value);
  return features.size() == 1 ? Value::type(member.type) : features.finish();
}

Value parameter_definitions(Arena& arena, std::span<const ObjectMember> parameters) {
  HashBuilder hash(arena, parameters.size());
  for (const ObjectMember& parameter : parameters) {
    const Type* type = parameter.type->as<OptionalType>().contained;
    if (type == nullptr) type = parameter.type;
    if (!parameter.has_value) {
      hash.set(parameter.name, Value::type(type));
      continue;
    }
    HashBuilder definition(arena);
    definition.set("type", Value::type(type));
    definition.set("value", parameter.value);
    hash.set(parameter.name, definition.finish());
  }
  return hash.finish();
}

// A constant whose type follows from its value is written without the type.
bool is_plain_constant(Arena& arena, const ObjectMember& member) {
  return !member.is_function && member.kind == AttributeKind::kConstant &&
         same_type(member.type, generalize(arena, infer(arena, member.value)));
}

}  // namespace

void define_object(Arena& arena, ObjectType& type, Value definition) {
  assert_instance_of("object initializer", object_schema().object, definition);
  ObjectDefinition(arena, type, definition.as_hash()).define();
}

Value object_definition(Arena& arena, const ObjectType& type, bool with_name) {
  HashBuilder result(arena);
  if (!type.annotations.is_undef()) result.set("annotations", type.annotations);
  if (with_name && !type.name.empty()) result.set("name", Value::string(type.name));
  if (type.parent != nullptr) result.set("parent", Value::type(type.parent));
  if (!type.type_parameters.empty()) {
    result.set("type_parameters", parameter_definitions(arena, type.type_parameters));
  }
  HashBuilder attributes(arena), constants(arena), functions(arena);
  for (const ObjectMember& member : type.members) {
    if (is_plain_constant(arena, member)) {
      constants.set(member.name, member.value);
    } else {
      HashBuilder& members = member.is_function ? functions : attributes;
      members.set(member.name, member_definition(arena, member));
    }
  }
  if (attributes.size() > 0) result.set("attributes", attributes.finish());
  if (constants.size() > 0) result.set("constants", constants.finish());
  if (functions.size() > 0) result.set("functions", functions.finish());
  if (type.equality_given) {
    ArrayBuilder names(arena, type.equality.size());
    for (const std::string_view name : type.equality) names.push(Value::string(name));
    result.set("equality", names.finish());
  }
  if (!type.checks.is_undef()) result.set("checks", type.checks);
  return result.finish();
}

namespace {

// Compares by value: 1.0 equals a default of 1, too.
bool has_default(const ObjectMember& attribute, Value value) {
  if (!attribute.has_value) return false;
  if (attribute.value.is_numeric() && value.is_numeric()) return equal(attribute.value, value);
  return identical(attribute.value, value);
}

}  // namespace

// An overridden attribute is omitted only when the value is also the default of the ancestor's
// attribute.
Value init_hash_of(Arena& arena, const ObjectInstance& object) {
  const ObjectType& type = *object_type_of(object.type);
  const std::span<const ObjectMember* const> held = attributes_of(arena, type);
  HashBuilder hash(arena, held.size());
  for (const ObjectType* ancestor : lineage_of(type)) {
    for (const ObjectMember& attribute : ancestor->members) {
      if (!is_given(attribute)) continue;
      for (size_t i = 0; i < held.size() && i < object.attributes.size(); ++i) {
        if (held[i]->name != attribute.name) continue;
        if (has_default(attribute, object.attributes[i])) continue;
        hash.set(attribute.name, object.attributes[i]);
      }
    }
  }
  return hash.finish();
}

const StructType* init_hash_type(Arena& arena, const ObjectType& type) {
  std::vector<StructElement> elements;
  for (const ObjectMember* attribute : attributes_of(arena, type)) {
    if (attribute->kind == AttributeKind::kDerived) continue;
    const bool may_be_absent =
        attribute->has_value || is_assignable(attribute->type, types::kUndef);
    elements.push_back(
        types::struct_element(arena, attribute->name, may_be_absent, attribute->type));
  }
  return &types::structure(arena, elements)->as<StructType>();
}

const Type* parameterize_object(Arena& arena, const ObjectType& type, std::span<const Value> keys) {
  std::vector<const ObjectMember*> parameters = type_parameters_of(type);
  const std::string name = label(type);
  if (parameters.empty())
    fail_with(Issue::kInvalidObjectType,
              {"The " + name + "-Type cannot be parameterized using []"});
  std::vector<Value> values(parameters.size(), Value::default_value());
  bool any_given = false;
  auto set = [&](size_t index, Value value) {
    if (value.is_default()) return;
    const ObjectMember& parameter = *parameters[index];
    const std::string text =
        label(Feature::kTypeParameter, *object_type_of(parameter.owner), parameter.name);
    assert_instance_of(text, parameter.type, value);
    values[index] = value;
    any_given = true;
  };
  const bool by_name =
      keys.size() == 1 && keys[0].is_hash() && !is_instance(parameters[0]->type, keys[0]);
  if (by_name) {
    for (const HashEntry& entry : keys[0].as_hash()) {
      size_t index = 0;
      while (index < parameters.size() &&
             !(entry.key.is_string() && parameters[index]->name == entry.key.as_string())) {
        ++index;
      }
      if (index == parameters.size()) {
        std::string key;
        append_value_text(key, entry.key);
        if (entry.key.is_string()) key = entry.key.as_string();
        fail_with(Issue::kInvalidObjectType,
                  {"'" + key + "' is not a known type parameter for " + name + "-Type"});
      }
      set(index, entry.value);
    }
  } else {
    for (size_t i = 0; i < keys.size() && i < parameters.size(); ++i) set(i, keys[i]);
  }
  if (!any_given) {
    fail_with(Issue::kInvalidObjectType,
              {"The " + name + "-Type cannot be parameterized using an empty parameter list"});
  }
  ObjectType use = type;
  use.base = &type;
  use.parameter_values = arena.copy(std::span<const Value>(values));
  return arena.make<ObjectType>(use);
}

}  // namespace bunraku

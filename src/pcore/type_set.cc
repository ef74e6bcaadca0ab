// Type sets from the hashes that define them.

#include <algorithm>
#include <string>
#include <vector>

#include "pcore/object_init.h"
#include "pcore/object_schema.h"
#include "pcore/sem_ver.h"
#include "pcore/type_error.h"
#include "pcore/type_text.h"

namespace bunraku {
namespace {

constexpr std::string_view kPcoreUri = "http://puppet.com/2016.1/pcore";
constexpr std::string_view kRuntimeAuthority = "http://puppet.com/2016.1/runtime";

const SemVer* version_of(Arena& arena, Value value) {
  if (value.is(ValueKind::kSemVer)) return &value.as_sem_ver();
  const SemVer* version = parse_sem_ver(arena, value.as_string());
  if (version == nullptr) {
    fail_with("Unable to parse '" + std::string(value.as_string()) +
              "' as a semantic version identifier");
  }
  return version;
}

Value text_of_version(Arena& arena, Value value) {
  if (!value.is(ValueKind::kSemVer)) return value;
  std::string text;
  append_text(text, value.as_sem_ver());
  return Value::string(arena, text);
}

const SemVerRange* range_of(Arena& arena, Value value) {
  if (value.is(ValueKind::kSemVerRange)) return &value.as_sem_ver_range();
  return parse_sem_ver_range(arena, value.as_string());
}

// Finds what a definition's `references` name.
class References {
 public:
  References(Arena& arena, const TypeSetType& set, TypeResolver* resolver)
      : arena_(arena), set_(set), resolver_(resolver) {}

  std::span<const HashEntry> resolve(const HashObject& references, const HashObject* types) {
    std::vector<HashEntry> resolved;
    for (const HashEntry& entry : references) {
      if (types != nullptr && types->find(entry.key) != nullptr) {
        fail_with("TypeSet '" + std::string(set_.name) + "' references a TypeSet using alias '" +
                  std::string(entry.key.as_string()) +
                  "'. The alias collides with the name of a declared type");
      }
      resolved.push_back({entry.key, Value::type(resolve_one(entry.value.as_hash()))});
    }
    return arena_.copy(std::span<const HashEntry>(resolved));
  }

 private:
  const Type* resolve_one(const HashObject& reference) {
    std::string name(reference.find("name")->as_string());
    std::string label =
        "TypeSet '" + std::string(set_.name) + "' reference to TypeSet named '" + name + "'";
    const Type* found = resolver_ == nullptr ? nullptr : resolver_->find_type(name);
    if (found == nullptr) fail_with(label + " cannot be resolved");
    const auto* set = found->try_as<TypeSetType>();
    if (set == nullptr) fail_with(label + " resolves to a " + to_text(found));
    resolve_declared_type(arena_, set, resolver_);
    const SemVerRange* range = range_of(arena_, *reference.find("version_range"));
    const Value* version =
        set->init_hash.is_hash() ? set->init_hash.as_hash().find("version") : nullptr;
    if (version == nullptr || !includes(*range, *version_of(arena_, *version))) {
      fail_with(label + " resolves to an incompatible version. Expected " +
                std::string(range->text) + ", got " +
                (version == nullptr ? std::string() : text_of(*version)));
    }
    return set;
  }

  std::string text_of(Value version) {
    return std::string(text_of_version(arena_, version).as_string());
  }

  Arena& arena_;
  const TypeSetType& set_;
  TypeResolver* resolver_;
};

void check_pcore_version(Arena& arena, const TypeSetType& type, Value given) {
  const SemVer* version = version_of(arena, given);
  if (version->major == 1) return;
  std::string text;
  append_text(text, *version);
  fail_with("The pcore version for TypeSet '" + std::string(type.name) +
            "' is not understood by this runtime. Expected range 1.x, got " + text);
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

const Type* find_entry(std::span<const HashEntry> entries, std::string_view name) {
  for (const HashEntry& entry : entries) {
    if (entry.value.is_type() && same_ignoring_case(entry.key.as_string(), name)) {
      return entry.value.as_type();
    }
  }
  return nullptr;
}

}  // namespace

void define_type_set(Arena& arena, TypeSetType& type, Value definition, TypeResolver* resolver) {
  assert_instance_of("TypeSet initializer", object_schema().type_set, definition);
  const HashObject& hash = definition.as_hash();
  if (const Value* name = hash.find("name"); name != nullptr && type.name.empty()) {
    type.name = name->as_string();
  }
  check_pcore_version(arena, type, *hash.find("pcore_version"));
  if (const Value* version = hash.find("version")) version_of(arena, *version);
  type.init_hash = definition;
  const Value* types = hash.find("types");
  if (types != nullptr && type.types.empty()) {
    std::vector<HashEntry> entries;
    for (const HashEntry& entry : types->as_hash()) {
      Value declared = entry.value;
      if (declared.is_hash()) {
        auto* object = arena.make<ObjectType>(bunraku::types::kObject->as<ObjectType>());
        object->name = arena.copy(
            std::string_view(std::string(type.name) + "::" + std::string(entry.key.as_string())));
        define_object(arena, *object, declared);
        declared = Value::type(object);
      }
      entries.push_back({entry.key, declared});
    }
    type.types = arena.copy(std::span<const HashEntry>(entries));
  }
  if (const Value* references = hash.find("references")) {
    type.references = References(arena, type, resolver)
                          .resolve(references->as_hash(), types ? &types->as_hash() : nullptr);
  }
}

Value type_set_definition(Arena& arena, const TypeSetType& type) {
  HashBuilder result(arena);
  if (!type.init_hash.is_hash()) {
    result.set("pcore_uri", Value::string(kPcoreUri));
    result.set("pcore_version", Value::string("1.0.0"));
    result.set("name_authority", Value::string(kRuntimeAuthority));
    result.set("name", Value::string(type.name));
    result.set("version", Value::string("0.0.0"));
    return result.finish();
  }
  const HashObject& hash = type.init_hash.as_hash();
  auto copy = [&](std::string_view key, bool is_version) {
    const Value* value = hash.find(key);
    if (value == nullptr || value->is_undef()) return;
    result.set(key, is_version ? text_of_version(arena, *value) : *value);
  };
  copy("annotations", false);
  copy("pcore_uri", false);
  copy("pcore_version", true);
  const Value* authority = hash.find("name_authority");
  // What is declared in code belongs to the runtime.
  Value implied = type.name.empty() || hash.find("name") != nullptr
                      ? Value::undef()
                      : Value::string(kRuntimeAuthority);
  Value shown = authority != nullptr ? *authority : implied;
  if (!shown.is_undef()) result.set("name_authority", shown);
  result.set("name", type.name.empty() ? Value::undef() : Value::string(type.name));
  copy("version", true);
  if (!type.types.empty()) {
    HashBuilder types(arena, type.types.size());
    for (const HashEntry& entry : type.types) types.set(entry.key, entry.value);
    result.set("types", types.finish());
  }
  copy("references", false);
  return result.finish();
}

const Type* find_in_type_set(const TypeSetType& set, std::string_view name) {
  constexpr int kMaxReferences = 100;
  const TypeSetType* at = &set;
  for (int i = 0; i < kMaxReferences; ++i) {
    if (const Type* found = find_entry(at->types, name)) return found;
    size_t colons = name.find("::");
    const Type* reference = find_entry(at->references, name.substr(0, colons));
    if (reference == nullptr || colons == std::string_view::npos) return reference;
    name.remove_prefix(colons + 2);
    at = &reference->as<TypeSetType>();
  }
  return nullptr;
}

}  // namespace bunraku

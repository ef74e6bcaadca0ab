// Type sets from their definition hashes.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/object_schema.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/sem_ver.h"

namespace bunraku {
namespace {

constexpr std::string_view kPcoreUri = "http://puppet.com/2016.1/pcore";

const SemVer* version_of(Arena& arena, Value value) {
  if (value.is(ValueKind::kSemVer)) return &value.as_sem_ver();
  const SemVer* version = parse_sem_ver(arena, value.as_string());
  if (version == nullptr) {
    fail_with(Issue::kInvalidTypeSet, {"Unable to parse '" + std::string(value.as_string()) +
                                       "' as a semantic version identifier"});
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

// Finds the type sets in a definition's `references`.
class References {
 public:
  References(Arena& arena, const TypeSetType& set, TypeResolver* resolver)
      : arena_(arena), set_(set), resolver_(resolver) {}

  // Checks all entries before the first one is searched.
  void check(const HashObject& references, const HashObject* types) const {
    std::set<std::string> seen;
    for (const HashEntry& entry : references) {
      const HashObject& reference = entry.value.as_hash();
      range_of(arena_, *reference.find("version_range"));
      const std::string full_name = std::string(authority_of(reference)) + "/" +
                                    std::string(reference.find("name")->as_string());
      // The reference treats any two version ranges as overlapping.
      if (!seen.insert(full_name).second) {
        fail_with(Issue::kInvalidTypeSet,
                  {"TypeSet '" + std::string(set_.name) + "' references TypeSet '" + full_name +
                   "' more than once using overlapping version ranges"});
      }
      if (types != nullptr && types->find(entry.key) != nullptr) {
        fail_with(Issue::kInvalidTypeSet,
                  {"TypeSet '" + std::string(set_.name) + "' references a TypeSet using alias '" +
                   std::string(entry.key.as_string()) +
                   "'. The alias collides with the name of a declared type"});
      }
    }
  }

  std::span<const HashEntry> resolve(const HashObject& references) {
    std::vector<HashEntry> resolved;
    for (const HashEntry& entry : references) {
      resolved.push_back({entry.key, Value::type(resolve_one(entry.value.as_hash()))});
    }
    return arena_.copy(std::span<const HashEntry>(resolved));
  }

 private:
  std::string_view authority_of(const HashObject& reference) const {
    const Value* authority = reference.find("name_authority");
    if (authority == nullptr) authority = set_.init_hash.as_hash().find("name_authority");
    return authority == nullptr ? std::string_view() : authority->as_string();
  }

  // All types that code can name are of the runtime authority.
  const Type* find_set(const HashObject& reference, std::string_view name) const {
    const std::string_view authority = authority_of(reference);
    const bool is_ours = authority.empty() || authority == kRuntimeAuthority;
    return resolver_ == nullptr || !is_ours ? nullptr : resolver_->find_type(name);
  }

  const Type* resolve_one(const HashObject& reference) {
    const std::string name(reference.find("name")->as_string());
    const std::string label =
        "TypeSet '" + std::string(set_.name) + "' reference to TypeSet named '" + name + "'";
    const Type* found = find_set(reference, name);
    if (found == nullptr) fail_with(Issue::kInvalidTypeSet, {label + " cannot be resolved"});
    const auto* set = found->try_as<TypeSetType>();
    if (set == nullptr)
      fail_with(Issue::kInvalidTypeSet, {label + " resolves to a " + to_text(found)});
    resolve_declared_type(arena_, set, resolver_);
    const SemVerRange* range = range_of(arena_, *reference.find("version_range"));
    const Value* version =
        set->init_hash.is_hash() ? set->init_hash.as_hash().find("version") : nullptr;
    if (version == nullptr || !includes(*range, *version_of(arena_, *version))) {
      fail_with(Issue::kInvalidTypeSet, {label + " resolves to an incompatible version. Expected " +
                                         std::string(range->text) + ", got " +
                                         (version == nullptr ? std::string() : text_of(*version))});
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
  if (version->major == 1 && includes(*parse_sem_ver_range(arena, "1.x"), *version)) return;
  std::string text;
  append_text(text, *version);
  fail_with(Issue::kInvalidTypeSet,
            {"The pcore version for TypeSet '" + std::string(type.name) +
             "' is not understood by this runtime. Expected range 1.x, got " + text});
}

Value with_authority(Arena& arena, const HashObject& definition, std::string_view authority) {
  HashBuilder result(arena, definition.size + 1);
  for (const HashEntry& entry : definition) result.set(entry.key, entry.value);
  result.set("name_authority", Value::string(authority));
  return result.finish();
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
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

void define_type_set(Arena& arena, TypeSetType& type, Value definition, TypeResolver* resolver,
                     std::string_view authority) {
  assert_instance_of("TypeSet initializer", object_schema().type_set, definition);
  const HashObject& hash = definition.as_hash();
  if (const Value* name = hash.find("name"); name != nullptr && type.name.empty()) {
    type.name = name->as_string();
  }
  check_pcore_version(arena, type, *hash.find("pcore_version"));
  if (const Value* version = hash.find("version")) version_of(arena, *version);
  type.init_hash = authority.empty() ? definition : with_authority(arena, hash, authority);
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
    References known(arena, type, resolver);
    known.check(references->as_hash(), types ? &types->as_hash() : nullptr);
    type.references = known.resolve(references->as_hash());
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
  copy("name_authority", false);
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
    const size_t colons = name.find("::");
    const Type* reference = find_entry(at->references, name.substr(0, colons));
    if (reference == nullptr || colons == std::string_view::npos) return reference;
    name.remove_prefix(colons + 2);
    at = &reference->as<TypeSetType>();
  }
  return nullptr;
}

}  // namespace bunraku

#include "resource_types/native_type.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/regex/regex.h"

namespace bunraku {
namespace {

std::vector<Name> names_in(std::string_view list) {
  std::vector<Name> names;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

NativeType make_type(std::string_view name, std::string_view digest, bool is_isomorphic,
                     std::string_view keys, std::string_view properties,
                     std::string_view parameters) {
  NativeType type{Name(name),           digest, is_isomorphic,
                  names_in(keys),       {},     names_in(properties),
                  names_in(parameters), {}};
  type.sorted_key_attributes = type.key_attributes;
  std::ranges::sort(type.sorted_key_attributes, [](Name a, Name b) { return a.text() < b.text(); });
  return type;
}

void add_pattern(NativeType& type, std::string_view pattern, bool dot_matches_lines,
                 std::string_view captures) {
  const bool whole = pattern == "(.*)" && dot_matches_lines;
  const std::string source = (dot_matches_lines ? "(?m)" : "") + std::string(pattern);
  type.title_patterns.push_back({whole ? nullptr : Regex::compile(source), names_in(captures)});
}

struct Registry {
  std::vector<NativeType> types;
  std::unordered_map<Name, const NativeType*> by_name;
  std::vector<Name> metaparameters;
  uint64_t metaparameter_hashes = 0;  // the hash_bit of each

  // The bit of a name in metaparameter_hashes. Most other names have a bit that is not set there.
  static uint64_t hash_bit(Name name) { return uint64_t{1} << (name.hash() % 64); }

  Registry() {
#define METAPARAMETER(name) metaparameters.emplace_back(name);
#define RESOURCE_TYPE(name, digest, is_isomorphic, keys, properties, parameters) \
  types.push_back(make_type(name, digest, is_isomorphic, keys, properties, parameters));
#define MODULE_TYPE(name, digest, is_isomorphic, keys, properties, parameters)           \
  types.push_back(make_type(name, digest, is_isomorphic, keys, properties, parameters)); \
  types.back().needs_module = true;
#define TITLE_PATTERN(type, pattern, dot_matches_lines, captures) \
  add_pattern(types.back(), pattern, dot_matches_lines, captures);
#include "resource_types/agent_types.def"
#include "resource_types/resource_types.def"
#undef METAPARAMETER
#undef RESOURCE_TYPE
#undef MODULE_TYPE
#undef TITLE_PATTERN
    for (const NativeType& type : types) by_name.emplace(type.name, &type);
    for (const Name name : metaparameters) metaparameter_hashes |= hash_bit(name);
  }
};

const Registry& registry() {
  static const Registry* const instance = new Registry;
  return *instance;
}

}  // namespace

Name NativeType::namevar() const {
  static const Name kName("name");
  return key_attributes.size() == 1 ? key_attributes[0] : kName;
}

bool NativeType::has_attribute(Name attribute) const {
  static const Name kName("name"), kProvider("provider");
  const auto has = [attribute](const std::vector<Name>& names) {
    return std::ranges::find(names, attribute) != names.end();
  };
  if (attribute == kName || has(properties) || has(parameters)) return true;
  if (is_metaparameter(attribute)) return true;
  return attribute == kProvider && has_provider && has_provider();
}

std::vector<Name> NativeType::all_parameters() const {
  static const Name kProvider("provider");
  std::vector<Name> all = parameters;
  if (has_provider && has_provider()) all.push_back(kProvider);
  return all;
}

const NativeType* find_native_type(Name lower_case_name) {
  const auto found = registry().by_name.find(lower_case_name);
  return found == registry().by_name.end() ? nullptr : found->second;
}

std::span<const NativeType> native_types() {
  return registry().types;
}

std::span<const Name> metaparameters() {
  return registry().metaparameters;
}

bool is_metaparameter(Name name) {
  const Registry& all = registry();
  if ((all.metaparameter_hashes & Registry::hash_bit(name)) == 0) return false;
  return std::ranges::find(all.metaparameters, name) != all.metaparameters.end();
}

bool is_relationship_metaparameter(Name name) {
  static const std::array<Name, 4> kNames{Name("require"), Name("before"), Name("notify"),
                                          Name("subscribe")};
  return name == kNames[0] || name == kNames[1] || name == kNames[2] || name == kNames[3];
}

}  // namespace bunraku

// Checks that the descriptions of native types for `describe` are complete, and describe nothing
// else.
#include "resource_types/type_descriptions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "apply/providers/foreign_providers.h"
#include "apply/providers/registry.h"
#include "resource_types/native_type.h"

namespace bunraku {
namespace {

using Names = std::set<std::string, std::less<>>;

template <typename Items>
Names described_names(const Items& items) {
  Names names;
  for (const auto& item : items) {
    CAPTURE(std::string(item.name));
    CHECK(item.text.ends_with('.'));
    CHECK(names.emplace(item.name).second);
  }
  return names;
}

Names names_of(const NativeType& type) {
  Names names;
  for (const Name name : type.properties) names.emplace(name.text());
  for (const Name name : type.parameters) names.emplace(name.text());
  return names;
}

Names names_of(std::span<const apply::AttributeInfo> attributes) {
  Names names;
  for (const apply::AttributeInfo& attribute : attributes) names.emplace(attribute.name);
  return names;
}

// The native providers of a type.
Names native_providers(const apply::ResourceType& type) {
  Names names;
  for (const auto& kind : type.providers()) names.emplace(kind->name());
  for (const auto& kind : apply::foreign_providers(type.name())) {
    names.erase(names.find(kind->name()));
  }
  return names;
}

TEST_CASE("every native type, attribute and provider has a description") {
  for (const auto& type : apply::native_types_registry().all()) {
    const std::string name(type->name());
    CAPTURE(name);
    const TypeDescription* description = find_type_description(name);
    REQUIRE(description != nullptr);
    CHECK(description->text.ends_with('.'));
    const Names attributes = described_names(description->attributes);
    CHECK(attributes == names_of(type->attributes()));
    const NativeType* known = find_native_type(Name(name));
    REQUIRE(known != nullptr);
    CHECK(attributes == names_of(*known));
    CHECK(described_names(description->providers) == native_providers(*type));
    for (const ProviderDescription& provider : description->providers) {
      CHECK(provider.suitability.ends_with('.'));
    }
  }
}

TEST_CASE("every description has its native type") {
  Names names;
  for (const TypeDescription& description : type_descriptions()) {
    CAPTURE(std::string(description.name));
    CHECK(names.emplace(description.name).second);
    CHECK(apply::native_types_registry().find(description.name) != nullptr);
  }
}

TEST_CASE("every metaparameter has a description") {
  Names known;
  for (const Name name : metaparameters()) known.emplace(name.text());
  CHECK(described_names(metaparameter_descriptions()) == known);
}

}  // namespace
}  // namespace bunraku

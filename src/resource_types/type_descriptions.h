// The descriptions of native resource types for `describe`: of the type, its attributes and its
// providers. All texts live as long as the process.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace bunraku {

struct AttributeDescription {
  std::string_view name;
  std::string_view text;
};

struct ProviderDescription {
  std::string_view name;
  std::string_view text;
  std::string_view suitability;        // where it can be used
  std::string_view default_condition;  // where it is the default one; empty: nowhere
};

struct TypeDescription {
  std::string_view name;  // down-cased
  std::string_view text;
  std::vector<AttributeDescription> attributes;
  std::vector<ProviderDescription> providers;

  // Returns an empty text when there is none.
  std::string_view attribute_text(std::string_view attribute) const;
};

// Returns null for types that are not native.
const TypeDescription* find_type_description(std::string_view lower_case_name);
std::span<const TypeDescription> type_descriptions();
std::span<const AttributeDescription> metaparameter_descriptions();

}  // namespace bunraku

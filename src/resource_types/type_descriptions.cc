#include "resource_types/type_descriptions.h"

#include <algorithm>

namespace bunraku {
namespace {

struct Descriptions {
  std::vector<TypeDescription> types;
  std::vector<AttributeDescription> metaparameters;

  Descriptions() {
#define METAPARAMETER_DESCRIPTION(name, text) metaparameters.push_back({name, text});
#define TYPE_DESCRIPTION(name, text) types.push_back({name, text, {}, {}});
#define ATTRIBUTE_DESCRIPTION(name, text) types.back().attributes.push_back({name, text});
#define PROVIDER_DESCRIPTION(name, text, suitability, default_condition) \
  types.back().providers.push_back({name, text, suitability, default_condition});
#include "resource_types/type_descriptions.def"
#undef METAPARAMETER_DESCRIPTION
#undef TYPE_DESCRIPTION
#undef ATTRIBUTE_DESCRIPTION
#undef PROVIDER_DESCRIPTION
  }
};

const Descriptions& descriptions() {
  static const Descriptions* const instance = new Descriptions;
  return *instance;
}

}  // namespace

std::string_view TypeDescription::attribute_text(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &AttributeDescription::name);
  return found == attributes.end() ? std::string_view() : found->text;
}

const TypeDescription* find_type_description(std::string_view lower_case_name) {
  const std::vector<TypeDescription>& all = descriptions().types;
  const auto found = std::ranges::find(all, lower_case_name, &TypeDescription::name);
  return found == all.end() ? nullptr : &*found;
}

std::span<const TypeDescription> type_descriptions() {
  return descriptions().types;
}

std::span<const AttributeDescription> metaparameter_descriptions() {
  return descriptions().metaparameters;
}

}  // namespace bunraku

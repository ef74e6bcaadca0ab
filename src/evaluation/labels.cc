// The names of values in messages.

#include "evaluation/evaluator.h"
#include "types/type_text.h"

namespace bunraku {

std::string label(Value value) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      return "Undef Value";
    case ValueKind::kType: {
      const Type* type = value.as_type();
      if (is_given_reference(type)) return "Resource Statement";
      const std::string text = to_naming_text(type);
      const auto* resource = type->try_as<ResourceType>();
      const bool has_title = resource != nullptr && resource->title != nullptr;
      return text + (has_title ? " Resource-Reference" : "-Type");
    }
    case ValueKind::kSemVer:
      return "Semver";
    case ValueKind::kSemVerRange:
      return "SemverRange";
    case ValueKind::kDefault:
    case ValueKind::kUri:
    case ValueKind::kIterator:
    case ValueKind::kObject:
    case ValueKind::kControl:
      return "Object";
    case ValueKind::kBoolean:
    case ValueKind::kInteger:
    case ValueKind::kFloat:
    case ValueKind::kString:
    case ValueKind::kRegexp:
    case ValueKind::kArray:
    case ValueKind::kHash:
    case ValueKind::kSensitive:
    case ValueKind::kBinary:
    case ValueKind::kTimestamp:
    case ValueKind::kTimespan:
      break;
  }
  return std::string(name_of(value.kind()));
}

}  // namespace bunraku

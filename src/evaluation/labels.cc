// What messages call values.

#include "evaluation/evaluator.h"
#include "types/type_text.h"

namespace bunraku {

std::string label(Value value) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      return "Undef Value";
    case ValueKind::kBoolean:
      return "Boolean";
    case ValueKind::kInteger:
      return "Integer";
    case ValueKind::kFloat:
      return "Float";
    case ValueKind::kString:
      return "String";
    case ValueKind::kRegexp:
      return "Regexp";
    case ValueKind::kArray:
      return "Array";
    case ValueKind::kHash:
      return "Hash";
    case ValueKind::kType: {
      const Type* type = value.as_type();
      if (is_given_reference(type)) return "Resource Statement";
      const std::string text = to_naming_text(type);
      const auto* resource = type->try_as<ResourceType>();
      const bool has_title = resource != nullptr && resource->title != nullptr;
      return text + (has_title ? " Resource-Reference" : "-Type");
    }
    case ValueKind::kSensitive:
      return "Sensitive";
    case ValueKind::kBinary:
      return "Binary";
    case ValueKind::kTimestamp:
      return "Timestamp";
    case ValueKind::kTimespan:
      return "Timespan";
    case ValueKind::kSemVer:
      return "Semver";
    case ValueKind::kSemVerRange:
      return "SemverRange";
    case ValueKind::kDefault:
    case ValueKind::kUri:
    case ValueKind::kIterator:
    case ValueKind::kObject:
    case ValueKind::kControl:
      break;
  }
  return "Object";
}

}  // namespace bunraku

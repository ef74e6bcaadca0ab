#include "evaluation/overload.h"

#include <algorithm>

#include "pcore/conversion.h"
#include "pcore/ruby_text.h"
#include "support/diagnostic.h"

namespace bunraku {

bool accepts_arguments(const NativeSignature& signature, std::span<const Value> arguments) {
  const IntegerRange& size = signature.size;
  auto count = static_cast<int64_t>(arguments.size());
  if (count < size.from || count > size.to) return false;
  std::span<const SignatureParameter> parameters = signature.signature.parameters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type* type = parameters[std::min(i, parameters.size() - 1)].type;
    if (type->kind != TypeKind::kAny && !is_instance(type, arguments[i])) return false;
  }
  return true;
}

bool accepts_block(const NativeSignature& signature, const Block* block) {
  if (block == nullptr) return signature.block == nullptr || signature.block_is_optional;
  if (signature.block == nullptr) return false;
  return is_assignable(signature.block, block->signature().type);
}

std::string_view problem_of_reference(const Type& type) {
  if (type.kind == TypeKind::kCatalogEntry) {
    return "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a "
           "PClassType, nor a PResourceType.";
  }
  if (type.kind == TypeKind::kClass && !type.as<ClassType>().class_name) {
    return "No title provided and \"class\" is not a valid resource reference";
  }
  if (type.kind == TypeKind::kResource && !type.as<ResourceType>().type_name) {
    return "Resource without a type is no reference to a resource";
  }
  return {};
}

namespace {

void check_reference(const Type& type) {
  const std::string_view problem = problem_of_reference(type);
  if (problem.empty()) return;
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, {}, {std::string(problem)}));
}

}  // namespace

Value legacy_argument(Arena& arena, Value value, bool is_nested) {
  std::string text;
  switch (value.kind()) {
    case ValueKind::kUndef:
      return is_nested ? value : Value::string("");
    case ValueKind::kRegexp:
      append_ruby_inspect_regexp(text, value.as_regexp());
      return Value::string(arena, text);
    case ValueKind::kSemVer:
    case ValueKind::kSemVerRange:
    case ValueKind::kBinary:
    case ValueKind::kTimespan:
    case ValueKind::kTimestamp:
      append_interpolated(text, value);
      return Value::string(arena, text);
    case ValueKind::kType:
      check_reference(*value.as_type());
      return value;
    case ValueKind::kIterator:
      throw EvaluationError(
          make_diagnostic(Issue::kRuntimeError, {}, {"Use of an Iterator is not supported here"}));
    case ValueKind::kArray: {
      ArrayBuilder items(arena, value.as_array().size());
      for (Value item : value.as_array()) items.push(legacy_argument(arena, item, true));
      return items.finish();
    }
    case ValueKind::kHash: {
      HashBuilder entries(arena, value.as_hash().size);
      for (const HashEntry& entry : value.as_hash()) {
        entries.set(legacy_argument(arena, entry.key, true),
                    legacy_argument(arena, entry.value, true));
      }
      return entries.finish();
    }
    default:
      return value;
  }
}

}  // namespace bunraku

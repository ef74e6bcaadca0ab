#include "functions/core/data_value.h"

#include "evaluation/evaluator.h"

namespace bunraku {

Value data_value(const Call& call, const DataNode& node) {
  Arena& arena = call.arena();
  switch (node.kind()) {
    case DataKind::kNull:
      return Value();
    case DataKind::kBoolean:
      return Value::boolean(node.boolean_value());
    case DataKind::kInteger:
      return Value::integer(node.integer_value());
    case DataKind::kFloat:
      return Value::floating(node.float_value());
    case DataKind::kString:
      return node.is_byte_string() ? Value::byte_string(node.text_value())
                                   : Value::string(node.text_value());
    case DataKind::kSymbol:
      return Value::string(node.text_value());
    case DataKind::kRegexp:
      return Value::regexp(node.text_value());
    case DataKind::kBigInteger:
      call.fail(Issue::kNumberOutOfRange, {"the integer " + std::string(node.text_value()) +
                                           " is outside the range of Integer"});
    case DataKind::kArray: {
      ArrayBuilder items(arena, node.items().size());
      for (const DataNode& item : node.items()) items.push(data_value(call, item));
      return items.finish();
    }
    case DataKind::kHash: {
      HashBuilder entries(arena, node.entries().size());
      for (const DataEntry& entry : node.entries()) {
        entries.set(data_value(call, entry.key), data_value(call, entry.value));
      }
      return entries.finish();
    }
  }
  return Value();
}

}  // namespace bunraku

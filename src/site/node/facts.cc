#include "site/node/facts.h"

#include <fmt/format.h>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"

namespace bunraku {
namespace {

Value value_of(Arena& arena, const DataNode& node, bool null_is_text) {
  switch (node.kind()) {
    case DataKind::kNull:
      return null_is_text ? Value::string("") : Value::undef();
    case DataKind::kBoolean:
      return Value::boolean(node.boolean_value());
    case DataKind::kInteger:
      return Value::integer(node.integer_value());
    case DataKind::kFloat:
      return Value::floating(node.float_value());
    case DataKind::kString:
      if (node.is_byte_string()) return Value::byte_string(arena.copy(node.text_value()));
      return Value::string(arena, node.text_value());
    case DataKind::kBigInteger:
    case DataKind::kSymbol:
    case DataKind::kRegexp:
      return Value::string(arena, node.text_value());
    case DataKind::kArray: {
      ArrayBuilder items(arena, node.items().size());
      for (const DataNode& item : node.items()) items.push(value_of(arena, item, null_is_text));
      return items.finish();
    }
    case DataKind::kHash: {
      HashBuilder hash(arena, node.entries().size());
      for (const DataEntry& entry : node.entries()) {
        hash.set(value_of(arena, entry.key, null_is_text),
                 value_of(arena, entry.value, null_is_text));
      }
      return hash.finish();
    }
  }
  return Value::undef();
}

bool looks_like_json(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// Parses JSON first where the text may be JSON, because YAML's flow mappings begin alike.
DataNode read_document(std::string_view text, std::string_view name, bool are_facts, Arena& arena) {
  if (looks_like_json(text)) {
    try {
      return read_json(text, arena);
    } catch (const DataError&) {
      // The YAML parser reads it or reports the mistake.
    }
  }
  YamlOptions options;
  options.file = name;
  if (are_facts) options.allowed_class = "Puppet::Node::Facts";
  return read_yaml(text, options, arena);
}

// Reads a hash. Saved facts are YAML objects of the reference and may be empty.
DataNode read_hash(std::string_view text, std::string_view name, bool are_facts, Arena& arena) {
  try {
    const DataNode document = read_document(text, name, are_facts, arena);
    if (document.is(DataKind::kHash)) return document;
    if (are_facts && document.is(DataKind::kNull)) return DataNode::hash({});
  } catch (const DataError& error) {
    throw EvaluationError(
        make_diagnostic(Issue::kUnreadableData, Range{}, {std::string(name), error.what()}),
        ErrorKind::kError);
  }
  throw EvaluationError(
      make_diagnostic(Issue::kUnreadableData, Range{}, {std::string(name), "it is not a hash"}),
      ErrorKind::kError);
}

}  // namespace

Value read_facts(Arena& arena, std::string_view text, std::string_view name) {
  Arena reading;
  DataNode document = read_hash(text, name, true, reading);
  if (const DataNode* values = document.find("values")) {
    if (values->is(DataKind::kHash)) document = *values;
    // An empty array is written for a node without facts.
    if (values->is(DataKind::kArray) && values->items().empty()) document = DataNode::hash({});
  }
  return facts_from(arena, document);
}

Value facts_from(Arena& arena, const DataNode& hash) {
  HashBuilder facts(arena, hash.entries().size());
  for (const DataEntry& entry : hash.entries()) {
    const Value key = value_of(arena, entry.key, true);
    if (key.is_string() && key.as_string() == "_timestamp") continue;
    facts.set(key, value_of(arena, entry.value, true));
  }
  return facts.finish();
}

Value value_of_data(Arena& arena, const DataNode& node) {
  return value_of(arena, node, false);
}

Value read_data_hash(Arena& arena, std::string_view text, std::string_view name) {
  Arena reading;
  return value_of_data(arena, read_hash(text, name, false, reading));
}

}  // namespace bunraku

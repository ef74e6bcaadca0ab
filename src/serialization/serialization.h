// Rich data: values as JSON that can be read back.
#pragma once

#include <string>
#include <string_view>

#include "values/type.h"

namespace bunraku {

class DataNode;
class DataTreeWriter;
class DiagnosticSink;
class JsonWriter;
class TypeResolver;

// How types are written: as objects of the catalog's form (Pcore::IntegerType...), or by their
// text.
enum class TypeForm : uint8_t { kPcore, kText };

// Writes `value`. With `rich` false, what is not plain data becomes its string, as the setting
// rich_data=false has it. Throws EvaluationError (kUnrepresentable) for what has no form.
void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form);

// As above. Each value that becomes a string is reported to `conversions`, as a diagnostic of one
// of the SERIALIZATION_... issues without a place. `path` is what their texts begin with
// ("File[/x]['owner']").
void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions);
// The same data as a tree.
void write_rich_data(DataTreeWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions);

// Data that a reader delivered, as a value; in rich data, objects with __ptype become what they
// stand for. `name` is the document's in messages. Throw EvaluationError.
Value value_of(Arena& arena, const DataNode& node, std::string_view name);
Value rich_value_of(Arena& arena, const DataNode& node, std::string_view name,
                    TypeResolver* resolver);

// Reads a document. Throws EvaluationError with the place of a mistake. `name` is the document's in
// messages.
Value read_rich_data_json(Arena& arena, std::string_view text, std::string_view name,
                          TypeResolver* resolver);
// Plain YAML, JSON and HOCON with Ruby's scalar rules, no __ptype.
Value read_yaml(Arena& arena, std::string_view text, std::string_view name);
Value read_json(Arena& arena, std::string_view text, std::string_view name);
Value read_hocon(Arena& arena, std::string_view text, std::string_view name);

}  // namespace bunraku

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

// The form of types: objects in the form of catalogs (Pcore::IntegerType...), or text.
enum class TypeForm : uint8_t { kPcore, kText };

// Writes `value`. With `rich` false, other values than plain data become strings, as with the
// setting rich_data=false. Throws EvaluationError (kUnrepresentable) for values without a form.
void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form);

// As above. Each value that becomes a string is reported to `conversions`, as a diagnostic of a
// SERIALIZATION_... issue without a place. `path` is the start of their texts
// ("File[/x]['owner']").
void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions);
// The same data as a tree.
void write_rich_data(DataTreeWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions);

// Converts data from a reader to a value; in rich data, objects with __ptype are converted to the
// values they represent. `name` is the document's name in messages. Throw EvaluationError.
Value value_of(Arena& arena, const DataNode& node, std::string_view name);
Value rich_value_of(Arena& arena, const DataNode& node, std::string_view name,
                    TypeResolver* resolver);

// Reads a document. Throws EvaluationError with the place of an error. `name` is the document's
// name in messages.
Value read_rich_data_json(Arena& arena, std::string_view text, std::string_view name,
                          TypeResolver* resolver);
// Read plain YAML, JSON and HOCON with Ruby's rules for scalars, without __ptype.
Value read_yaml(Arena& arena, std::string_view text, std::string_view name);
Value read_json(Arena& arena, std::string_view text, std::string_view name);
Value read_hocon(Arena& arena, std::string_view text, std::string_view name);

}  // namespace bunraku

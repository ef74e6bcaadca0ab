#include <fmt/format.h>

#include <vector>

#include "base/diagnostics/file_range.h"
#include "base/formats/hocon.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/text/base64.h"
#include "conversion/conversion.h"
#include "serialization/pcore_form.h"
#include "serialization/serialization.h"
#include "types/built_in_types.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"
#include "values/object.h"

namespace bunraku {

namespace {

constexpr std::string_view kType = "__ptype";
constexpr std::string_view kValue = "__pvalue";

class DataReader {
 public:
  DataReader(Arena& arena, std::string_view name) : arena_(arena), name_(name) {}
  virtual ~DataReader() = default;

  Value read(const DataNode& node) {
    const NestingGuard guard(nesting_, "A document");
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
        if (node.is_byte_string()) return Value::byte_string(node.text_value());
        return Value::string(node.text_value());
      case DataKind::kSymbol:
        return Value::string(node.text_value());
      case DataKind::kRegexp:
        return Value::regexp(node.text_value());
      case DataKind::kBigInteger:
        fail(fmt::format("The number {} is beyond the 64 bits of an Integer", node.text_value()));
      case DataKind::kArray:
        return read_array(node);
      case DataKind::kHash:
        return read_hash(node);
    }
    return Value();
  }

 protected:
  [[noreturn]] void fail(const std::string& message) const {
    fail_conversion(Issue::kInvalidRichData,
                    {name_.empty() ? message : fmt::format("{}: {}", name_, message)});
  }

  Value read_array(const DataNode& node) {
    ArrayBuilder items(arena_, node.items().size());
    for (const DataNode& item : node.items()) items.push(read(item));
    return items.finish();
  }

  virtual Value read_hash(const DataNode& node) {
    HashBuilder hash(arena_, node.entries().size());
    for (const DataEntry& entry : node.entries()) hash.set(read(entry.key), read(entry.value));
    return hash.finish();
  }

  Arena& arena_;
  std::string_view name_;
  Nesting nesting_;
};

// Resolves types in the text of a serialized type. As other references are written as
// TypeReference['...'], an unknown name was that of a resource type for the writer.
class WrittenTypes final : public TypeResolver {
 public:
  WrittenTypes(Arena& arena, TypeResolver* resolver) : arena_(arena), resolver_(resolver) {}

  const Type* find_type(std::string_view name) override {
    const Type* known = resolver_ == nullptr ? nullptr : resolver_->find_type(name);
    return known != nullptr ? known : types::resource(arena_, name);
  }

 private:
  Arena& arena_;
  TypeResolver* resolver_;
};

class RichDataReader : public DataReader {
 public:
  RichDataReader(Arena& arena, std::string_view name, TypeResolver* resolver)
      : DataReader(arena, name), resolver_(resolver) {}

 private:
  Value read_hash(const DataNode& node) override {
    const DataNode* type = node.find(kType);
    if (!type || (!type->is(DataKind::kString) && !type->is(DataKind::kHash))) {
      return DataReader::read_hash(node);
    }
    if (type->is(DataKind::kHash)) {
      const Value described = read(*type);
      if (!described.is_type()) fail("Unable to deserialize type from a hash that is none");
      return make(described.as_type(), node);
    }
    return read_typed(type->text_value(), node);
  }

  Value read_typed(std::string_view type, const DataNode& node) {
    if (type == "Default") return Value::default_value();
    if (type == "Hash") return read_pairs(node);
    if (type == "Sensitive") return Value::sensitive(arena_, read(value_of(node)));
    if (type == "Regexp") return Value::regexp(text_of(node));
    if (type == "Binary") return read_binary(node);
    if (type == "Symbol") return Value::string(text_of(node));
    if (type == "Type") return read_type(text_of(node));
    if (type == "LocalRef") fail("A LocalRef is not supported yet");
    if (type == "Pcore::StructElement") return members_of(node);
    if (type.starts_with("Pcore::")) {
      const Value attributes = members_of(node);
      return Value::type(type_of_form(arena_, type, attributes.as_hash(), resolver_));
    }
    return make(parse_type(arena_, type, resolver_), node);
  }

  Value read_type(std::string_view text) {
    WrittenTypes types(arena_, resolver_);
    return Value::type(parse_type(arena_, text, &types));
  }

  // Makes an instance of a type from its text or attributes.
  Value make(const Type* type, const DataNode& node) {
    if (type->kind == TypeKind::kTypeReference || type->kind == TypeKind::kResource) {
      fail(fmt::format("No implementation mapping found for Puppet Type {}",
                       node.find(kType)->is(DataKind::kString) ? node.find(kType)->text_value()
                                                               : std::string_view("")));
    }
    const DataNode* text = node.find(kValue);
    Value argument = text ? read(*text) : members_of(node);
    return new_instance(arena_, type, {&argument, 1}, resolver_);
  }

  const DataNode& value_of(const DataNode& node) const {
    const DataNode* value = node.find(kValue);
    if (!value) {
      fail(fmt::format("A {} lacks its {}", node.find(kType)->text_value(), kValue));
    }
    return *value;
  }

  std::string_view text_of(const DataNode& node) const {
    const DataNode& value = value_of(node);
    if (!value.is(DataKind::kString)) {
      fail(fmt::format("The {} of a {} is no string", kValue, node.find(kType)->text_value()));
    }
    return value.text_value();
  }

  Value read_pairs(const DataNode& node) {
    const DataNode& pairs = value_of(node);
    if (!pairs.is(DataKind::kArray) || pairs.items().size() % 2 != 0) {
      fail(fmt::format("The {} of a Hash is no list of keys and values", kValue));
    }
    HashBuilder hash(arena_, pairs.items().size() / 2);
    for (size_t i = 0; i < pairs.items().size(); i += 2) {
      hash.set(read(pairs.items()[i]), read(pairs.items()[i + 1]));
    }
    return hash.finish();
  }

  Value read_binary(const DataNode& node) {
    auto bytes = decode_base64(text_of(node));
    if (!bytes) fail("invalid base64");
    return Value::binary(arena_.copy(*bytes));
  }

  // Reads all members but __ptype.
  Value members_of(const DataNode& node) {
    HashBuilder hash(arena_, node.entries().size());
    for (const DataEntry& entry : node.entries()) {
      if (entry.key.is(DataKind::kString) && entry.key.text_value() == kType) continue;
      hash.set(read(entry.key), read(entry.value));
    }
    return hash.finish();
  }

  TypeResolver* resolver_;
};

// Fails with `message` at the error's place in the text.
[[noreturn]] void fail_reading(std::string_view name, std::string_view text, const DataError& error,
                               std::string message) {
  Diagnostic diagnostic = make_diagnostic(Issue::kUnreadableText, {}, {std::move(message)});
  if (error.line() > 0) {
    auto source = std::make_shared<const SourceFile>(std::string(name), std::string(text));
    diagnostic.labels.push_back(
        {range_at(std::move(source), error.line(), error.column()), "the reader stopped here"});
  }
  throw EvaluationError(std::move(diagnostic));
}

[[noreturn]] void fail_reading(std::string_view name, std::string_view text,
                               const DataError& error) {
  fail_reading(
      name, text, error,
      name.empty() ? std::string(error.what()) : fmt::format("{}: {}", name, error.what()));
}

}  // namespace

Value value_of(Arena& arena, const DataNode& node, std::string_view name) {
  return DataReader(arena, name).read(node);
}

Value rich_value_of(Arena& arena, const DataNode& node, std::string_view name,
                    TypeResolver* resolver) {
  return RichDataReader(arena, name, resolver).read(node);
}

Value read_rich_data_json(Arena& arena, std::string_view text, std::string_view name,
                          TypeResolver* resolver) {
  try {
    return rich_value_of(arena, read_json(text, arena), name, resolver);
  } catch (const DataError& error) {
    fail_reading(name, text, error);
  }
}

Value read_yaml(Arena& arena, std::string_view text, std::string_view name) {
  try {
    YamlOptions options;
    options.file = name;
    return value_of(arena, read_yaml(text, options, arena), name);
  } catch (const DataError& error) {
    fail_reading(name, text, error, error.what());
  }
}

Value read_json(Arena& arena, std::string_view text, std::string_view name) {
  try {
    return value_of(arena, read_json(text, arena), name);
  } catch (const DataError& error) {
    fail_reading(name, text, error);
  }
}

Value read_hocon(Arena& arena, std::string_view text, std::string_view name) {
  try {
    return value_of(arena, read_hocon(text, arena), name);
  } catch (const DataError& error) {
    fail_reading(name, text, error);
  }
}

}  // namespace bunraku

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/data_tree_writer.h"
#include "base/formats/json.h"
#include "base/text/base64.h"
#include "base/text/ruby_text.h"
#include "serialization/pcore_form.h"
#include "serialization/serialization.h"
#include "types/interpolation.h"
#include "types/object_init.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/object.h"

namespace bunraku {

namespace {

constexpr std::string_view kType = "__ptype";
constexpr std::string_view kValue = "__pvalue";

// The limit of a document's size. The buffer doubles as it grows, and a printed document is a copy
// of it: together they stay within twice the bound of a document.
constexpr size_t kLongestWritten = kLongestDocument / 4;

// The limit for iterators; some would run for centuries, such as 9223372036854775807.reverse_each.
constexpr size_t kLongestIterator = 10'000'000;

[[noreturn]] void fail_unrepresentable(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kUnrepresentable, {}, {std::move(message)}),
                        ErrorKind::kUnrepresentable);
}

// Returns whether all keys are strings, as JSON needs, and none is __ptype.
bool has_plain_keys(const HashObject& hash) {
  return std::ranges::all_of(hash, [](const HashEntry& entry) {
    return entry.key.is_string() && entry.key.as_string() != kType;
  });
}

// Writes to a JsonWriter, or to another writer with the same methods.
template <typename Writer>
class RichDataWriter {
 public:
  RichDataWriter(Writer& json, bool rich, TypeForm form, std::string_view path,
                 DiagnosticSink* conversions)
      : json_(json), is_rich_(rich), form_(form), path_(path), conversions_(conversions) {}

  void write(Value value) {
    const NestingGuard guard(nesting_, "A value");
    if (json_.size() > kLongestWritten) fail_too_long("a document", kLongestWritten);
    switch (value.kind()) {
      case ValueKind::kUndef:
        json_.null();
        return;
      case ValueKind::kBoolean:
        json_.boolean(value.as_boolean());
        return;
      case ValueKind::kInteger:
        json_.integer(value.as_integer());
        return;
      case ValueKind::kFloat:
        json_.number(value.as_float());
        return;
      case ValueKind::kString:
        if (is_rich_ && value.is_byte_string()) return write_bytes(value.as_string());
        json_.string(value.as_string());
        return;
      case ValueKind::kDefault:
        write_default();
        return;
      case ValueKind::kArray:
        write_array(value.as_array());
        return;
      case ValueKind::kHash:
        write_hash(value.as_hash());
        return;
      case ValueKind::kIterator:
        write_iterator(value.as_iterator());
        return;
      case ValueKind::kSensitive:
        begin("Sensitive");
        json_.key(kValue);
        write(value.as_sensitive());
        json_.end_object();
        return;
      case ValueKind::kType:
        write_type(value.as_type());
        return;
      case ValueKind::kControl:
        fail_unrepresentable("a jump has no form as rich data");
      default:
        break;
    }
    if (!is_rich_ || foreign_object(value) != nullptr) return write_converted(value);
    if (value.is_object()) return write_object(value.as_object());
    begin(value.is(ValueKind::kSemVer) ? "SemVer" : plain_type_name(value));
    json_.key(kValue);
    json_.string(value.is_regexp() ? std::string(value.as_regexp()) : interpolated(value));
    json_.end_object();
  }

 private:
  void write_bytes(std::string_view bytes) {
    begin("Binary");
    json_.key(kValue);
    json_.string(encode_base64(bytes));
    json_.end_object();
  }

  static std::string_view plain_type_name(Value value) {
    switch (value.kind()) {
      case ValueKind::kRegexp:
        return "Regexp";
      case ValueKind::kBinary:
        return "Binary";
      case ValueKind::kTimestamp:
        return "Timestamp";
      case ValueKind::kTimespan:
        return "Timespan";
      case ValueKind::kSemVerRange:
        return "SemVerRange";
      default:
        return "URI";
    }
  }

  void begin(std::string_view type) {
    json_.begin_object();
    json_.member(kType, type);
  }

  void write_default() {
    if (is_rich_) {
      begin("Default");
      json_.end_object();
      return;
    }
    report(Issue::kSerializationDefaultConvertedToString, {});
    json_.string("default");
  }

  void write_array(std::span<const Value> items) {
    json_.begin_array();
    int64_t index = 0;
    for (const Value item : items) with(Value::integer(index++), item);
    json_.end_array();
  }

  void write_iterator(const IteratorObject& iterator) {
    json_.begin_array();
    IteratorObject* walk = iterator.rewound(arena_);
    size_t count = 0;
    for (Value item; walk->next(arena_, item);) {
      if (++count > kLongestIterator) {
        fail_unrepresentable("an iterator of more than " + std::to_string(kLongestIterator) +
                             " values has no form as rich data");
      }
      write(item);
    }
    json_.end_array();
  }

  // Writes a value with `key` in its path.
  void with(Value key, Value value) {
    place_.push_back(key);
    write(value);
    place_.pop_back();
  }

  void write_hash(const HashObject& hash) {
    if (is_rich_ && !has_plain_keys(hash)) {
      begin("Hash");
      json_.key(kValue);
      json_.begin_array();
      for (const HashEntry& entry : hash) {
        write(entry.key);
        with(entry.key, entry.value);
      }
      json_.end_array();
      json_.end_object();
      return;
    }
    json_.begin_object();
    for (const HashEntry& entry : hash) {
      if (entry.key.is_string()) {
        json_.key(entry.key.as_string());
        with(entry.key, entry.value);
      } else {
        const std::string key = text_of(entry.key);
        if (entry.key.kind() != ValueKind::kDefault) {
          report(Issue::kSerializationUnknownKeyConvertedToString, {labelled(entry.key), key});
        }
        json_.key(key);
        with(Value::string(arena_, key), entry.value);
      }
    }
    json_.end_object();
  }

  void write_object(const ObjectInstance& object) {
    const ObjectType* type = object_type_of(object.type);
    if (!type) fail_unrepresentable("an object without a type has no form as rich data");
    begin(type->name);
    write_members(init_hash_of(arena_, object).as_hash());
    json_.end_object();
  }

  void write_members(const HashObject& members) {
    for (const HashEntry& entry : members) {
      json_.key(entry.key.as_string());
      with(entry.key, entry.value);
    }
  }

  void write_type(const Type* type) {
    if (form_ == TypeForm::kText) {
      if (!is_rich_) return write_converted(Value::type(type));
      begin("Type");
      // Written as the definition, so that it can be read where the name is unknown.
      const bool is_defined = type->kind == TypeKind::kObject || type->kind == TypeKind::kTypeSet;
      json_.member(kValue, is_defined ? to_display_text(type) : to_text(type));
      json_.end_object();
    } else if (is_given_reference(type)) {
      json_.string(catalog_reference_text(type));
    } else if (is_rich_) {
      write_pcore(type);
    } else {
      write_converted(Value::type(type));
    }
  }

  void write_pcore(const Type* type) {
    if (std::ranges::find(open_types_, type) != open_types_.end()) {
      throw EvaluationError(
          make_diagnostic(Issue::kSerializationEndlessRecursion, {},
                          {"Puppet::Pops::Types::P" + class_stem(type) + "Type"}));
    }
    open_types_.push_back(type);
    const PcoreForm form = pcore_form_of(arena_, type);
    begin(form.name);
    for (const HashEntry& entry : form.attributes.as_hash()) {
      json_.key(entry.key.as_string());
      if (type->kind == TypeKind::kStruct) {
        write_struct_elements(entry.value.as_array());
      } else {
        with(entry.key, entry.value);
      }
    }
    json_.end_object();
    open_types_.pop_back();
  }

  void write_struct_elements(std::span<const Value> elements) {
    json_.begin_array();
    for (const Value element : elements) {
      begin("Pcore::StructElement");
      write_members(element.as_hash());
      json_.end_object();
    }
    json_.end_array();
  }

  // --- without rich data ------------------------------------------------------------------------

  static std::string text_of(Value value) { return interpolated(value); }

  void write_converted(Value value) {
    const std::string text = text_of(value);
    report(Issue::kSerializationUnknownConvertedToString, {labelled(value), text});
    json_.string(text);
  }

  // "an Integer-Type", "a Regexp"
  static std::string labelled(Value value) {
    std::string label;
    if (value.is_type()) {
      label = pcore_label(value.as_type());
    } else if (const ForeignObject* foreign = foreign_object(value)) {
      label = class_label(*foreign);
    } else if (value.is_object()) {
      const ObjectType* type = object_type_of(value.as_object().type);
      label = type ? std::string(type->name) : "Object";
    } else {
      label = ruby_class_name(value);
    }
    const bool vowel =
        !label.empty() && std::string_view("aeiouAEIOU").find(label[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + label;
  }

  static std::string class_label(const ForeignObject& foreign) {
    const auto* type = foreign.type->try_as<RuntimeType>();
    if (type == nullptr) return "Class";
    return type->name.empty() ? "Anonymous Class" : std::string(type->name);
  }

  static std::string pcore_label(const Type* type) { return class_stem(type) + "-Type"; }

  static std::string class_stem(const Type* type) {
    return type->kind == TypeKind::kTypeAlias ? "TypeAlias" : std::string(name_of(type->kind));
  }

  void report(Issue issue, std::vector<std::string> arguments) {
    if (!conversions_) return;
    arguments.insert(arguments.begin(), path_text());
    conversions_->report(make_diagnostic(issue, {}, std::move(arguments)));
  }

  // File[/x]['owner'][0]
  std::string path_text() const {
    std::string text(path_);
    for (const Value key : place_) {
      text += '[';
      if (key.is_string()) {
        append_quoted(text, key.as_string());
      } else {
        append_interpolated(text, key);
      }
      text += ']';
    }
    return text;
  }

  Writer& json_;
  bool is_rich_;
  TypeForm form_;
  std::string_view path_;
  DiagnosticSink* conversions_;
  Arena arena_;
  boost::container::small_vector<Value, 8> place_;
  std::vector<const Type*> open_types_;
  Nesting nesting_;
};

template <typename Writer>
void write(Writer& writer, Value value, bool rich, TypeForm form, std::string_view path,
           DiagnosticSink* conversions) {
  try {
    RichDataWriter(writer, rich, form, path, conversions).write(value);
  } catch (const DataError& error) {
    fail_unrepresentable(error.what());
  }
}

}  // namespace

void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions) {
  write(writer, value, rich, form, path, conversions);
}

void write_rich_data(DataTreeWriter& writer, Value value, bool rich, TypeForm form,
                     std::string_view path, DiagnosticSink* conversions) {
  write(writer, value, rich, form, path, conversions);
}

void write_rich_data(JsonWriter& writer, Value value, bool rich, TypeForm form) {
  write_rich_data(writer, value, rich, form, {}, nullptr);
}

}  // namespace bunraku

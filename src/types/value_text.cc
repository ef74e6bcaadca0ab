#include "types/value_text.h"

#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "types/interpolation.h"
#include "types/object_init.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/object.h"
#include "values/uri.h"

namespace bunraku {

namespace {

// Arrays of scalars up to this width stay on one line.
constexpr size_t kLineWidth = 100;
constexpr size_t kTooLong = 1000;

class LiteralWriter {
 public:
  LiteralWriter(std::string& out, int level) : out_(out), level_(level) {}

  void write(Value value) {
    const NestingGuard guard(nesting_, "A value");
    check_length(out_.size());
    switch (value.kind()) {
      case ValueKind::kUndef:
        out_ += "undef";
        return;
      case ValueKind::kString:
        append_quoted(out_, value.as_string());
        return;
      case ValueKind::kRegexp:
        append_regexp_literal(out_, value.as_regexp());
        return;
      case ValueKind::kArray:
        array(value.as_array());
        return;
      case ValueKind::kHash:
        hash(value.as_hash().items());
        return;
      case ValueKind::kSemVer:
      case ValueKind::kSemVerRange:
      case ValueKind::kTimespan:
      case ValueKind::kTimestamp:
        quoted(value);
        return;
      case ValueKind::kUri:
        out_ += "URI(";
        quoted(value);
        out_ += ')';
        return;
      case ValueKind::kObject:
        object(value.as_object());
        return;
      case ValueKind::kBinary:
      case ValueKind::kSensitive:
      case ValueKind::kIterator: {
        Arena arena;
        out_ += "Instance of ";
        out_ += to_text(infer(arena, value));
        return;
      }
      default:
        append_interpolated(out_, value);
        return;
    }
  }

  void object(const ObjectInstance& instance) {
    if (const ForeignObject* foreign = as_foreign(instance)) {
      return append_quoted(out_, foreign->text);
    }
    Arena arena;
    const ObjectType* type = object_type_of(instance.type);
    if (type) out_ += type->name;
    out_ += '(';
    write(init_hash_of(arena, instance));
    out_ += ')';
  }

 private:
  bool is_indenting() const { return level_ >= 0; }

  void quoted(Value value) {
    std::string text;
    append_interpolated(text, value);
    append_quoted(out_, text);
  }

  void new_line() {
    while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\n')) out_.pop_back();
    out_ += '\n';
    out_.append(static_cast<size_t>(level_) * 2, ' ');
  }

  static size_t length_on_line(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
        return 3;  // the length of Ruby's nil
      case ValueKind::kDefault:
        return 8;
      case ValueKind::kBoolean:
        return value.as_boolean() ? 4 : 5;
      case ValueKind::kString:
        return 2 + character_count(value.as_string());
      case ValueKind::kArray:
        return value.as_array().empty() ? 2 : kTooLong;
      case ValueKind::kHash:
        return value.as_hash().size == 0 ? 2 : kTooLong;
      case ValueKind::kInteger:
      case ValueKind::kFloat:
        return interpolated(value).size();
      default:
        return kTooLong;
    }
  }

  bool fits_line(std::span<const Value> items) const {
    size_t taken = static_cast<size_t>(level_) * 2;
    for (const Value item : items) taken += length_on_line(item);
    return items.empty() || taken < kLineWidth;
  }

  void array(std::span<const Value> items) {
    const bool breaks = is_indenting() && !fits_line(items);
    out_ += '[';
    if (breaks) level_++;
    bool first = true;
    for (const Value item : items) {
      if (!first) out_ += breaks ? "," : ", ";
      first = false;
      if (breaks) new_line();
      write(item);
    }
    if (breaks) {
      level_--;
      new_line();
    }
    out_ += ']';
  }

  void hash(std::span<const HashEntry> entries) {
    out_ += '{';
    if (is_indenting()) level_++;
    bool first = true;
    for (const HashEntry& entry : entries) {
      if (!first) out_ += is_indenting() ? "," : ", ";
      first = false;
      if (is_indenting()) new_line();
      write(entry.key);
      out_ += " => ";
      write(entry.value);
    }
    if (is_indenting()) {
      level_--;
      new_line();
    }
    out_ += '}';
  }

  std::string& out_;
  int level_;
  Nesting nesting_;
};

}  // namespace

void append_literal(std::string& out, Value value) {
  LiteralWriter(out, -1).write(value);
}

void append_indented_literal(std::string& out, Value value, int level) {
  LiteralWriter(out, level).write(value);
}

void append_object_text(std::string& out, const ObjectInstance& object, int level) {
  LiteralWriter(out, level).object(object);
}

}  // namespace bunraku

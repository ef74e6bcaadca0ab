#include "types/interpolation.h"
#include "base/text/ruby_text.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "types/value_text.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/sem_ver.h"
#include "values/timespan.h"
#include "values/timestamp.h"
#include "values/uri.h"

#include "base/text/base64.h"
#include "base/text/number_text.h"

namespace bunraku {

namespace {

class Interpolator {
 public:
  explicit Interpolator(std::string& out) : out_(out) {}

  void append(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
        return;
      case ValueKind::kDefault:
        out_ += "default";
        return;
      case ValueKind::kBoolean:
        out_ += value.as_boolean() ? "true" : "false";
        return;
      case ValueKind::kInteger:
        append_integer(out_, value.as_integer());
        return;
      case ValueKind::kFloat:
        append_float(out_, value.as_float());
        return;
      case ValueKind::kString:
        out_ += value.as_string();
        return;
      case ValueKind::kRegexp:
        append_regexp_literal(out_, value.as_regexp());
        return;
      case ValueKind::kArray:
        append_array(value.as_array());
        return;
      case ValueKind::kHash:
        append_hash(value.as_hash());
        return;
      case ValueKind::kType:
        out_ += to_display_text(value.as_type());
        return;
      case ValueKind::kSensitive:
        out_ += "Sensitive [value redacted]";
        return;
      case ValueKind::kBinary:
        out_ += encode_base64(value.as_binary());
        return;
      case ValueKind::kTimestamp:
        out_ += timestamp_text(value.as_timestamp());
        return;
      case ValueKind::kTimespan:
        out_ += timespan_text(value.as_timespan());
        return;
      case ValueKind::kSemVer:
        append_text(out_, value.as_sem_ver());
        return;
      case ValueKind::kSemVerRange:
        out_ += value.as_sem_ver_range().text;
        return;
      case ValueKind::kUri:
        append_text(out_, value.as_uri());
        return;
      case ValueKind::kIterator:
        append_iterator(value.as_iterator());
        return;
      case ValueKind::kObject:
        append_object(value.as_object());
        return;
      case ValueKind::kControl:
        return;
    }
  }

 private:
  void append_object(const ObjectInstance& object) {
    if (const ForeignObject* foreign = as_foreign(object)) {
      out_ += foreign->text;
    } else {
      append_object_text(out_, object);
    }
  }

  void append_array(std::span<const Value> items) {
    const NestingGuard guard(nesting_, "A value");
    out_ += '[';
    bool first = true;
    for (const Value item : items) {
      if (!first) out_ += ", ";
      first = false;
      append(item);
      check_length(out_.size());
    }
    out_ += ']';
  }

  void append_hash(const HashObject& hash) {
    const NestingGuard guard(nesting_, "A value");
    out_ += '{';
    bool first = true;
    for (const HashEntry& entry : hash) {
      if (!first) out_ += ", ";
      first = false;
      append(entry.key);
      out_ += " => ";
      append(entry.value);
      check_length(out_.size());
    }
    out_ += '}';
  }

  void append_iterator(const IteratorObject& iterator) {
    Arena scratch;
    out_ += "Iterator[";
    out_ += to_text(generalize(scratch, iterator.element_type()));
    out_ += "]-Value";
  }

  std::string& out_;
  Nesting nesting_;
};

}  // namespace

void append_interpolated(std::string& out, Value value) {
  Interpolator(out).append(value);
}

std::string interpolated(Value value) {
  std::string out;
  append_interpolated(out, value);
  return out;
}

}  // namespace bunraku

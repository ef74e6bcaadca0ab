#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "conversion/conversion.h"
#include "conversion/ruby_format.h"
#include "conversion/string_format.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "types/value_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"
#include "values/foreign_object.h"
#include "values/object.h"

namespace bunraku {

namespace {

// The position of a value in nested containers, for formats that break lines.
struct Indentation {
  int level = 0;
  bool is_first = true;
  bool is_indenting = false;

  bool breaks() const { return is_indenting && level > 0 && !is_first; }
  Indentation inside(bool indenting) const { return {level + 1, true, indenting}; }
  Indentation after_first() const { return {level, false, is_indenting}; }
  size_t padding() const { return static_cast<size_t>(level) * 2; }
};

[[noreturn]] void fail_letter(std::string_view type, char letter, std::string_view expected) {
  fail_conversion(
      Issue::kInvalidFormat,
      {fmt::format("Illegal format '{}' specified for value of {} type - expected one of the "
                   "characters '{}'",
                   letter, type, expected)});
}

bool is_one_of(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

// The format for Ruby, with another letter.
std::string with_letter(const StringFormat& format, char letter) {
  std::string text(format.text);
  text.back() = letter;
  return text;
}

std::string format_with(const StringFormat& format, char letter, Value value) {
  return ruby_format(with_letter(format, letter), {&value, 1});
}

std::string format_text(const StringFormat& format, char letter, std::string_view text) {
  return format_with(format, letter, Value::string(text));
}

// Applies width, precision and alignment, and none of the other flags.
std::string apply_width(const StringFormat& format, std::string text) {
  if (!format.left && format.width < 0 && format.precision < 0) return text;
  std::string plain = "%";
  if (format.left) plain += '-';
  if (format.width >= 0) plain += std::to_string(format.width);
  if (format.precision >= 0) plain += '.' + std::to_string(format.precision);
  plain += 's';
  Value value = Value::string(text);
  return ruby_format(plain, {&value, 1});
}

std::string quoted(std::string_view text, bool double_quotes = false) {
  std::string out;
  append_quoted(out, text, double_quotes);
  return out;
}

void strip_end(std::string& text) {
  while (!text.empty()) {
    const char c = text.back();
    if (c != ' ' && c != '\0' && !(c >= '\t' && c <= '\r')) return;
    text.pop_back();
  }
}

bool is_array_or_hash(Value value) {
  return value.is_array() || value.is_hash();
}
// Returns whether the value is of a parameterised Object type. The reference finds no format for
// such a type except those for its unparameterised type.
bool is_parameterised(Value value) {
  if (!value.is_object()) return false;
  const ObjectType* type = object_type_of(value.as_object().type);
  return type != nullptr && !type_parameters_of(*type).empty();
}
bool is_container(Value value) {
  return is_array_or_hash(value) ||
         (value.is_object() && !is_parameterised(value) && foreign_object(value) == nullptr);
}

std::pair<std::string_view, std::string_view> delimiters_of(const StringFormat& format,
                                                            std::string_view open,
                                                            std::string_view close) {
  switch (format.delimiter) {
    case '[':
      return {"[", "]"};
    case '{':
      return {"{", "}"};
    case '(':
      return {"(", ")"};
    case '<':
      return {"<", ">"};
    case '|':
      return {"|", "|"};
    default:
      break;
  }
  if (format.sign == StringFormat::Sign::kSpace) return {"", ""};
  return {open, close};
}

class Converter {
 public:
  explicit Converter(Arena& arena) : arena_(arena) {}

  // Formats the value itself by `own`, its contents by `formats`.
  std::string convert(Value value, const StringFormat& own, FormatMap formats,
                      Indentation indentation) {
    const NestingGuard guard(nesting_, "A value");
    switch (value.kind()) {
      case ValueKind::kUndef:
        return undef(own);
      case ValueKind::kDefault:
        return default_value(own);
      case ValueKind::kBoolean:
        return boolean(value.as_boolean(), own);
      case ValueKind::kInteger:
        return integer(value, own);
      case ValueKind::kFloat:
        return floating(value, own);
      case ValueKind::kString:
        return string(value.as_string(), own);
      case ValueKind::kRegexp:
        return regexp(value.as_regexp(), own);
      case ValueKind::kArray:
        return array(value.as_array(), own, formats, indentation);
      case ValueKind::kHash:
        return hash(value, own, formats, indentation);
      case ValueKind::kType:
        return type(value.as_type(), own);
      case ValueKind::kBinary:
        return binary(value.as_binary(), own);
      case ValueKind::kUri:
        return uri(value, own);
      case ValueKind::kIterator:
        return iterator(value.as_iterator(), formats, indentation);
      case ValueKind::kObject:
        return object(value, own, indentation);
      default:
        return ruby_format(own.text, {&value, 1});
    }
  }

  std::string convert(Value value, FormatMap formats, Indentation indentation) {
    return convert(value, format_for(value, formats), formats, indentation);
  }

 private:
  // The reference tests whether the value's type is assignable, which is not always the same as
  // being an instance: Optional alone accepts all types, Enum all strings, Iterable all integers.
  bool is_meant(const Type* type, Value value) {
    switch (type->kind) {
      case TypeKind::kOptional:
        if (type->as<OptionalType>().contained == nullptr) return true;
        break;
      case TypeKind::kEnum:
      case TypeKind::kIterable:
        return is_assignable(type, infer_detailed(arena_, value));
      default:
        break;
    }
    return is_instance(type, value);
  }

  const StringFormat& format_for(Value value, FormatMap formats) {
    for (const TypeFormat& entry : formats) {
      // Types are instances of Object, too, but formats for Object do not apply to them.
      if (value.is_type() && entry.type->kind == TypeKind::kObject) continue;
      const bool is_found = is_parameterised(value)
                                ? is_assignable(entry.type, object_type_of(value.as_object().type))
                                : is_meant(entry.type, value);
      if (is_found) return *entry.format;
    }
    return *default_formats().back().format;
  }

  static std::string undef(const StringFormat& format) {
    const bool alternative = format.alternative;
    std::string_view text;
    switch (format.letter) {
      case 'n':
        text = alternative ? "null" : "nil";
        break;
      case 'u':
        text = alternative ? "undefined" : "undef";
        break;
      case 'v':
        text = "n/a";
        break;
      case 'V':
        text = "N/A";
        break;
      case 's':
        text = alternative ? "\"\"" : "";
        break;
      case 'p':
        text = alternative ? "\"undef\"" : "undef";
        break;
      default:
        if (!is_one_of(format.letter, "dxXobBeEfgGaA")) {
          fail_letter("Undef", format.letter, "nudxXobBeEfgGaAvVsp");
        }
        text = "NaN";
    }
    return apply_width(format, std::string(text));
  }

  static std::string default_value(const StringFormat& format) {
    if (!is_one_of(format.letter, "dDsp")) fail_letter("Default", format.letter, "dDsp");
    const std::string text = format.letter == 'D' ? "Default" : "default";
    return apply_width(format, format.alternative ? '"' + text + '"' : text);
  }

  static std::string boolean(bool value, const StringFormat& format) {
    auto word = [&](std::string_view yes, std::string_view no) {
      const std::string_view text = value ? yes : no;
      return apply_width(format, std::string(format.alternative ? text.substr(0, 1) : text));
    };
    switch (format.letter) {
      case 't':
        return word("true", "false");
      case 'T':
        return word("True", "False");
      case 'y':
        return word("yes", "no");
      case 'Y':
        return word("Yes", "No");
      case 's':
      case 'p':
        return apply_width(format, value ? "true" : "false");
      default:
        break;
    }
    if (is_one_of(format.letter, "dxXobB")) return integer(Value::integer(value), format);
    if (is_one_of(format.letter, "eEfgGaA")) return floating(Value::floating(value), format);
    fail_letter("Boolean", format.letter, "tTyYdxXobBeEfgGaAsp");
  }

  static std::string integer(Value value, const StringFormat& format) {
    if (is_one_of(format.letter, "dxXobBp")) return ruby_format(format.text, {&value, 1});
    if (is_one_of(format.letter, "eEfgGaA")) {
      Value number = Value::floating(static_cast<double>(value.as_integer()));
      return ruby_format(format.text, {&number, 1});
    }
    if (format.letter == 'c') {
      std::string text = format.alternative ? "\"" : "";
      int64_t c = value.as_integer();
      if (c < 0 || c > 0x7fffffff)
        fail_conversion(Issue::kInvalidEncoding, {"pack(U): value out of range"});
      if (!append_character(text, static_cast<char32_t>(c))) {
        fail_conversion(Issue::kInvalidEncoding,
                        {fmt::format("The character {} is not in UTF-8", c)});
      }
      if (format.alternative) text += '"';
      return format_text(format, 's', text);
    }
    if (format.letter == 's') {
      return format_text(format, format.alternative ? 'p' : 's', interpolated(value));
    }
    fail_letter("Integer", format.letter, "dxXobBeEfgGaAspc");
  }

  static std::string floating(Value value, const StringFormat& format) {
    if (is_one_of(format.letter, "dxXobBeEfgGaAp")) return ruby_format(format.text, {&value, 1});
    if (format.letter == 's') {
      const std::string text = interpolated(value);
      return format_text(format, 's', format.alternative ? '"' + text + '"' : text);
    }
    fail_letter("Float", format.letter, "dxXobBeEfgGaAsp");
  }

  static std::string string(std::string_view text, const StringFormat& format) {
    auto changed = [&](const std::string& result) {
      return format.alternative ? apply_width(format, quoted(result))
                                : format_text(format, 's', result);
    };
    switch (format.letter) {
      case 's':
        return format_text(format, 's', text);
      case 'p':
        return apply_width(format, quoted(text, format.alternative));
      case 'c':
        return changed(capitalize(text));
      case 'C':
        return changed(capitalized_segments(text));
      case 'u':
        return changed(upcase(text));
      case 'd':
        return changed(downcase(text));
      case 't':
        return changed(std::string(stripped(text)));
      default:
        fail_letter("String", format.letter, "cCudspt");
    }
  }

  static std::string capitalized_segments(std::string_view text) {
    std::vector<std::string> segments;
    for (;;) {
      const size_t colons = text.find("::");
      segments.push_back(capitalize(text.substr(0, colons)));
      if (colons == std::string_view::npos) break;
      text.remove_prefix(colons + 2);
    }
    while (!segments.empty() && segments.back().empty()) segments.pop_back();
    return fmt::format("{}", fmt::join(segments, "::"));
  }

  static std::string regexp(std::string_view source, const StringFormat& format) {
    if (format.letter == 'p') {
      std::string text;
      append_regexp_literal(text, source);
      return format_text(format, 's', text);
    }
    if (format.letter == 's') {
      const std::string text = regexp_text(source);
      return format_text(format, 's', format.alternative ? quoted(text) : text);
    }
    fail_letter("Regexp", format.letter, "sp");
  }

  static std::string type(const Type* type, const StringFormat& format) {
    if (!is_one_of(format.letter, "sp")) fail_letter("Type", format.letter, "sp");
    std::string text = to_display_text(type);
    if (format.letter == 's' && format.alternative) text = '"' + text + '"';
    return format_text(format, 's', text);
  }

  static std::string binary(std::string_view bytes, const StringFormat& format) {
    const char letter = format.alternative ? 'p' : 's';
    switch (format.letter) {
      case 's':
        if (format.alternative) return format_text(format, 's', inspected_bytes(bytes));
        if (const size_t valid = valid_utf8_prefix(bytes); valid < bytes.size()) {
          fail_conversion(Issue::kInvalidEncoding,
                          {fmt::format("\"\\x{:02X}\" from ASCII-8BIT to UTF-8",
                                       static_cast<unsigned char>(first_beyond_ascii(bytes)))});
        }
        return format_text(format, 's', bytes);
      case 'p':
        return "Binary(\"" + format_text(format, 's', encode_base64(bytes)) + "\")";
      case 'b':
        return format_text(format, letter, encode_base64_lines(bytes));
      case 'B':
        return format_text(format, letter, encode_base64(bytes));
      case 'u':
        return format_text(format, letter, encode_base64_url(bytes));
      case 't':
        return format_text(format, letter, "Binary");
      case 'T':
        return format_text(format, letter, "BINARY");
      default:
        fail_letter("Binary", format.letter, "bButTsp");
    }
  }

  static char first_beyond_ascii(std::string_view bytes) {
    for (const char c : bytes) {
      if (static_cast<unsigned char>(c) >= 0x80) return c;
    }
    return 0;
  }

  // Like inspect, but without decoding bytes beyond ASCII.
  static std::string inspected_bytes(std::string_view bytes) {
    std::string out = "\"";
    for (char c : bytes) {
      if (static_cast<unsigned char>(c) >= 0x80) {
        out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
        continue;
      }
      std::string one;
      append_ruby_inspect(one, std::string_view(&c, 1));
      out += std::string_view(one).substr(1, one.size() - 2);
    }
    return out + '"';
  }

  static std::string uri(Value value, const StringFormat& format) {
    const std::string text = interpolated(value);
    if (format.letter == 'p') return "URI(" + quoted(text) + ")";
    if (format.letter == 's') {
      return format_text(format, 's', format.alternative ? quoted(text) : text);
    }
    fail_letter("URI", format.letter, "sp");
  }

  static std::string object(Value value, const StringFormat& format, Indentation indentation) {
    if (const ForeignObject* foreign = foreign_object(value)) {
      if (!is_one_of(format.letter, "sp")) fail_letter("Runtime", format.letter, "sp");
      return string(foreign->text, format);
    }
    if (!is_one_of(format.letter, "spq")) fail_letter("Object", format.letter, "spq");
    std::string out;
    const bool indents = format.letter == 'p' && (format.alternative || indentation.is_indenting);
    append_object_text(out, value.as_object(), indents ? indentation.level : -1);
    return out;
  }

  std::string iterator(const IteratorObject& iterator, FormatMap formats, Indentation indentation) {
    ArrayBuilder items(arena_);
    IteratorObject* walk = iterator.rewound(arena_);
    for (Value item; walk->next(arena_, item);) items.push(item);
    return convert(items.finish(), formats, indentation);
  }

  static FormatMap element_formats(const StringFormat& format) {
    return format.elements ? *format.elements : default_element_formats();
  }

  std::string array(std::span<const Value> items, const StringFormat& format, FormatMap formats,
                    Indentation indentation) {
    if (!is_one_of(format.letter, "asp")) fail_letter("Array", format.letter, "asp");
    const std::string_view separator = format.separator.data() ? format.separator : ", ";
    auto [open, close] = delimiters_of(format, "[", "]");
    indentation.is_indenting = indentation.is_indenting || format.alternative;
    std::string out;
    if (indentation.breaks()) {
      out += '\n';
      out.append(indentation.padding(), ' ');
    }
    out += open;
    const Indentation inside = indentation.inside(format.alternative);
    std::vector<std::string> texts = element_texts(items, format, formats, inside.after_first());
    const bool breaks_each = format.alternative && format.width >= 0 &&
                             widest_run(items, texts) > static_cast<size_t>(format.width);
    for (size_t i = 0; i < items.size(); i++) {
      const bool is_simple = !is_array_or_hash(items[i]);
      if (i == 0) {
        if (breaks_each && is_simple) out += ' ';
      } else {
        out += separator;
        const bool after_container =
            format.alternative && is_array_or_hash(items[i - 1]) && is_simple;
        if ((breaks_each && is_simple) || after_container) {
          if (out.empty() || out.back() != '\n') strip_end(out);
          out += '\n';
          out.append(inside.padding(), ' ');
        }
      }
      if (!out.empty() && out.back() == ' ' && texts[i].starts_with('\n')) strip_end(out);
      out += texts[i];
      check_length(out.size());
    }
    out += close;
    return out;
  }

  std::vector<std::string> element_texts(std::span<const Value> items, const StringFormat& format,
                                         FormatMap formats, Indentation inside) {
    std::vector<std::string> texts;
    texts.reserve(items.size());
    const FormatMap elements = element_formats(format);
    for (const Value item : items) {
      texts.push_back(convert(item, is_container(item) ? formats : elements, inside));
    }
    return texts;
  }

  // The width of the longest run of elements that are not containers.
  static size_t widest_run(std::span<const Value> items, const std::vector<std::string>& texts) {
    size_t widest = 0;
    size_t run = 0;
    for (size_t i = 0; i < items.size(); i++) {
      run = is_array_or_hash(items[i]) ? 0 : run + character_count(texts[i]);
      widest = std::max(widest, run);
    }
    return widest;
  }

  std::string hash(Value value, const StringFormat& format, FormatMap formats,
                   Indentation indentation) {
    std::string out;
    append_hash(out, value.as_hash(), format, formats, indentation);
    return out;
  }

  // Appends hashes within hashes without a text for each of them, so that none is copied once for
  // each level.
  void append(std::string& out, Value value, FormatMap formats, Indentation indentation) {
    if (!value.is_hash()) {
      out += convert(value, formats, indentation);
      return;
    }
    const NestingGuard guard(nesting_, "A value");
    append_hash(out, value.as_hash(), format_for(value, formats), formats, indentation);
  }

  void append_hash(std::string& out, const HashObject& hash, const StringFormat& format,
                   FormatMap formats, Indentation indentation) {
    if (format.letter == 'a') {
      out += convert(pairs_of(hash), formats, indentation);
      return;
    }
    if (!is_one_of(format.letter, "hsp")) fail_letter("Hash", format.letter, "hasp");
    std::string separator(format.separator.data() ? format.separator : ", ");
    const std::string_view association = format.separator2.data() ? format.separator2 : " => ";
    auto [open, close] = delimiters_of(format, "{", "}");
    if (format.alternative) {
      if (separator.empty() || separator.back() != '\n') strip_end(separator);
      separator += '\n';
    }
    indentation.is_indenting = indentation.is_indenting || format.alternative;
    if (indentation.breaks()) {
      out += '\n';
      out.append(indentation.padding(), ' ');
    }
    const Indentation inside = indentation.inside(false);
    out += open;
    if (format.alternative) out += '\n';
    const FormatMap elements = element_formats(format);
    bool first = true;
    for (const HashEntry& entry : hash) {
      if (!first) out += separator;
      first = false;
      if (format.alternative) out.append(inside.padding(), ' ');
      append(out, entry.key, is_container(entry.key) ? formats : elements, inside);
      out += association;
      append(out, entry.value, is_container(entry.value) ? formats : elements, inside);
      check_length(out.size());
    }
    if (format.alternative) {
      out += '\n';
      out.append(indentation.padding(), ' ');
    }
    out += close;
  }

  Value pairs_of(const HashObject& hash) {
    ArrayBuilder pairs(arena_, hash.size);
    for (const HashEntry& entry : hash) pairs.push(Value::array(arena_, {entry.key, entry.value}));
    return pairs.finish();
  }

  Arena& arena_;
  Nesting nesting_;
};

std::string convert_by_text(Arena& arena, Value value, std::string_view text) {
  const StringFormat* format = parse_string_format(arena, text);
  Converter converter(arena);
  // The format of a container also applies to containers in it.
  if (is_array_or_hash(value)) {
    TypeFormat entry{value.is_array() ? types::kArray : types::kHash, format};
    return converter.convert(value, merge_format_maps(arena, default_formats(), {&entry, 1}), {});
  }
  // The reference looks for the format by the value's type and finds none for a type that is not
  // assignable to itself, such as NotUndef[Data].
  const bool takes_itself = !value.is_type() || is_assignable(value.as_type(), value.as_type());
  if (is_parameterised(value) || !takes_itself) {
    return converter.convert(value, default_formats(), {});
  }
  return converter.convert(value, *format, default_formats(), {});
}

}  // namespace

Value to_formatted_string(Arena& arena, Value value, Value format) {
  if (format.is_string()) {
    return Value::string(arena, convert_by_text(arena, value, format.as_string()));
  }
  if (format.is_hash()) {
    const FormatMap own = read_format_map(arena, format.as_hash());
    const FormatMap formats = merge_format_maps(arena, default_formats(), own);
    return Value::string(arena, Converter(arena).convert(value, formats, {}));
  }
  if (value.is_string()) return value;
  return Value::string(arena, Converter(arena).convert(value, default_formats(), {}));
}

}  // namespace bunraku

#include "pcore/ruby_text.h"

#include "pcore/type.h"

#include <charconv>

#include <fmt/format.h>

#include "pcore/bounds.h"
#include "pcore/conversion.h"
#include "pcore/sem_ver.h"
#include "pcore/type_text.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku {

namespace {

// Ruby's notion of printable, near enough: all of Unicode but controls, surrogates and
// noncharacters that have no glyph.
bool is_printable(char32_t c) {
  if (c < 0x20 || c == 0x7f) return false;
  if (c >= 0x80 && c < 0xa0) return false;
  if (c == 0x2028 || c == 0x2029) return false;
  if ((c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef)) return false;
  return c != kInvalidCharacter;
}

// The letter of a control character's escape; 0 when it has none.
char escape_letter(char32_t c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\f':
      return 'f';
    case '\v':
      return 'v';
    case '\b':
      return 'b';
    case '\a':
      return 'a';
    case 0x1b:
      return 'e';
    default:
      return 0;
  }
}

void append_escaped_character(std::string& out, char32_t c, bool only_ascii = false) {
  if (char letter = escape_letter(c)) {
    out += '\\';
    out += letter;
  } else if (c < 0x80 && only_ascii) {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<uint32_t>(c));
  } else if (c <= 0xffff) {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<uint32_t>(c));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<uint32_t>(c));
  }
}

void append_object_with_class(std::string& out, Value value) {
  out += "#<";
  out += ruby_class_name(value);
  out += ' ';
  append_interpolated(out, value);
  out += '>';
}

}  // namespace

namespace {

void append_inspected(std::string& out, std::string_view text, bool only_ascii) {
  out += '"';
  size_t at = 0;
  while (at < text.size()) {
    size_t start = at;
    char32_t c = next_character(text, at);
    std::string_view bytes = text.substr(start, at - start);
    if (c == kInvalidCharacter) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(bytes[0]));
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += bytes;
    } else if (c == '#') {
      bool interpolates =
          at < text.size() && (text[at] == '{' || text[at] == '$' || text[at] == '@');
      out += interpolates ? "\\#" : "#";
    } else if (is_printable(c) && (c < 0x80 || !only_ascii)) {
      out += bytes;
    } else {
      append_escaped_character(out, c, only_ascii);
    }
  }
  out += '"';
}

}  // namespace

void append_ruby_inspect(std::string& out, std::string_view text) {
  append_inspected(out, text, false);
}

void append_ruby_dump(std::string& out, std::string_view text) {
  append_inspected(out, text, true);
}

namespace {

// With what would end a literal or does not print escaped.
void append_regexp_source(std::string& out, std::string_view source) {
  size_t at = 0;
  while (at < source.size()) {
    size_t start = at;
    char32_t c = next_character(source, at);
    std::string_view bytes = source.substr(start, at - start);
    if (c == '\\' && at < source.size()) {
      next_character(source, at);
      out += source.substr(start, at - start);
    } else if (c == '/') {
      out += "\\/";
    } else if (c == kInvalidCharacter) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(bytes[0]));
    } else if (is_printable(c) || is_space(c)) {
      out += bytes;
    } else if (c < 0x80) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<uint32_t>(c));
    } else {
      append_escaped_character(out, c);
    }
  }
}

// Is there a character in it that is not ASCII, as itself or as \uXXXX? Ruby then fixes the
// encoding, which is an option of the expression, and expressions with options are shown in a
// group.
bool has_fixed_encoding(std::string_view source) {
  for (size_t at = 0; at < source.size(); ++at) {
    if (static_cast<unsigned char>(source[at]) >= 0x80) return true;
    if (source[at] != '\\' || ++at >= source.size() || source[at] != 'u') continue;
    size_t digits = at + 1;
    if (digits < source.size() && source[digits] == '{') ++digits;
    uint32_t code = 0;
    std::from_chars(source.data() + digits, source.data() + source.size(), code, 16);
    if (code >= 0x80) return true;
  }
  return false;
}

// Regexp#to_s.
void append_regexp_group(std::string& out, std::string_view source) {
  out += "(?-mix:";
  append_regexp_source(out, source);
  out += ')';
}

}  // namespace

void append_ruby_inspect_regexp(std::string& out, std::string_view source) {
  out += '/';
  append_regexp_source(out, source);
  out += '/';
}

void append_regexp_literal(std::string& out, std::string_view source) {
  if (!has_fixed_encoding(source)) return append_ruby_inspect_regexp(out, source);
  out += '/';
  append_regexp_group(out, source);
  out += '/';
}

std::string regexp_text(std::string_view source) {
  if (!has_fixed_encoding(source)) return std::string(source);
  return "(?-imx:" + std::string(source) + ")";
}

void append_quoted(std::string& out, std::string_view text, bool double_quotes) {
  for (unsigned char c : text) {
    if (double_quotes) break;
    if (c < 0x20) double_quotes = true;
  }
  if (!double_quotes) {
    out += '\'';
    for (size_t i = 0; i < text.size(); i++) {
      char c = text[i];
      if (c == '\'') {
        out += "\\'";
      } else if (c == '\\') {
        // The backslash and what follows it are shown as they are, a second backslash included; a
        // last one alone, too.
        out += '\\';
        if (i + 1 < text.size()) out += text[++i];
      } else {
        out += c;
      }
    }
    out += '\'';
    return;
  }
  out += '"';
  for (char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '"':
        out += "\\\"";
        break;
      case '$':
        out += "\\$";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

namespace {

void append_inspected(std::string& out, Value value, Nesting& nesting) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      out += "nil";
      return;
    case ValueKind::kDefault:
      out += ":default";
      return;
    case ValueKind::kBoolean:
    case ValueKind::kInteger:
    case ValueKind::kFloat:
    case ValueKind::kType:
    case ValueKind::kSemVer:
      append_interpolated(out, value);
      return;
    case ValueKind::kString:
      append_ruby_inspect(out, value.as_string());
      return;
    case ValueKind::kRegexp:
      append_ruby_inspect_regexp(out, value.as_regexp());
      return;
    case ValueKind::kArray: {
      NestingGuard guard(nesting, "a value");
      check_length(out.size());
      out += '[';
      bool first = true;
      for (Value item : value.as_array()) {
        if (!first) out += ", ";
        first = false;
        append_inspected(out, item, nesting);
      }
      out += ']';
      return;
    }
    case ValueKind::kHash: {
      NestingGuard guard(nesting, "a value");
      check_length(out.size());
      out += '{';
      bool first = true;
      for (const HashEntry& entry : value.as_hash()) {
        if (!first) out += ", ";
        first = false;
        append_inspected(out, entry.key, nesting);
        out += "=>";
        append_inspected(out, entry.value, nesting);
      }
      out += '}';
      return;
    }
    case ValueKind::kSemVerRange:
      append_normal_text(out, value.as_sem_ver_range());
      return;
    case ValueKind::kSensitive:
      out += "#<Sensitive [value redacted]>";
      return;
    default:
      append_object_with_class(out, value);
      return;
  }
}

}  // namespace

void append_ruby_inspect(std::string& out, Value value) {
  Nesting nesting;
  append_inspected(out, value, nesting);
}

std::string ruby_inspect(Value value) {
  std::string out;
  append_ruby_inspect(out, value);
  return out;
}

void append_ruby_to_s(std::string& out, Value value) {
  switch (value.kind()) {
    case ValueKind::kArray:
    case ValueKind::kHash:
      append_ruby_inspect(out, value);
      return;
    case ValueKind::kRegexp:
      append_regexp_group(out, value.as_regexp());
      return;
    default:
      append_interpolated(out, value);
      return;
  }
}

namespace {

std::string_view ruby_class_name(TypeKind kind) {
#define TYPE_CLASS(name)  \
  case TypeKind::k##name: \
    return "Puppet::Pops::Types::P" #name "Type";
  switch (kind) {
    TYPE_CLASS(Any)
    TYPE_CLASS(Unit)
    TYPE_CLASS(Undef)
    TYPE_CLASS(Default)
    TYPE_CLASS(Scalar)
    TYPE_CLASS(ScalarData)
    TYPE_CLASS(Numeric)
    TYPE_CLASS(Integer)
    TYPE_CLASS(Float)
    TYPE_CLASS(Boolean)
    TYPE_CLASS(String)
    TYPE_CLASS(Enum)
    TYPE_CLASS(Pattern)
    TYPE_CLASS(Regexp)
    TYPE_CLASS(Collection)
    TYPE_CLASS(Array)
    TYPE_CLASS(Hash)
    TYPE_CLASS(Tuple)
    TYPE_CLASS(Struct)
    TYPE_CLASS(Variant)
    TYPE_CLASS(Optional)
    TYPE_CLASS(NotUndef)
    TYPE_CLASS(Iterable)
    TYPE_CLASS(Iterator)
    TYPE_CLASS(Callable)
    TYPE_CLASS(Type)
    TYPE_CLASS(Init)
    TYPE_CLASS(Sensitive)
    TYPE_CLASS(Binary)
    TYPE_CLASS(SemVer)
    TYPE_CLASS(SemVerRange)
    TYPE_CLASS(Timespan)
    TYPE_CLASS(Timestamp)
    TYPE_CLASS(CatalogEntry)
    TYPE_CLASS(Class)
    TYPE_CLASS(Resource)
    TYPE_CLASS(Runtime)
    TYPE_CLASS(Object)
    TYPE_CLASS(TypeSet)
    TYPE_CLASS(TypeAlias) case TypeKind::kUri : return "Puppet::Pops::Types::PURIType";
    case TypeKind::kTypeReference:
      return "Puppet::Pops::Types::PTypeReferenceType";
  }
#undef TYPE_CLASS
  return "Puppet::Pops::Types::PAnyType";
}

}  // namespace

namespace {

std::string_view uri_class_name(const Uri& uri) {
  struct SchemeClass {
    std::string_view scheme;
    std::string_view name;
  };
  static constexpr SchemeClass kClasses[] = {
      {"http", "URI::HTTP"}, {"https", "URI::HTTPS"}, {"ftp", "URI::FTP"},
      {"ldap", "URI::LDAP"}, {"ldaps", "URI::LDAPS"}, {"mailto", "URI::MailTo"},
  };
  for (const SchemeClass& known : kClasses) {
    if (uri.scheme == known.scheme) return known.name;
  }
  return "URI::Generic";
}

}  // namespace

std::string_view ruby_class_name(Value value) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      return "NilClass";
    case ValueKind::kDefault:
      return "Symbol";
    case ValueKind::kBoolean:
      return value.as_boolean() ? "TrueClass" : "FalseClass";
    case ValueKind::kInteger:
      return "Integer";
    case ValueKind::kFloat:
      return "Float";
    case ValueKind::kString:
      return "String";
    case ValueKind::kRegexp:
      return "Regexp";
    case ValueKind::kArray:
      return "Array";
    case ValueKind::kHash:
      return "Hash";
    case ValueKind::kType:
      return is_given_reference(value.as_type()) ? "Puppet::Resource"
                                                 : ruby_class_name(value.as_type()->kind);
    case ValueKind::kSensitive:
      return "Puppet::Pops::Types::PSensitiveType::Sensitive";
    case ValueKind::kBinary:
      return "Puppet::Pops::Types::PBinaryType::Binary";
    case ValueKind::kTimestamp:
      return "Puppet::Pops::Time::Timestamp";
    case ValueKind::kTimespan:
      return "Puppet::Pops::Time::Timespan";
    case ValueKind::kSemVer:
      return "SemanticPuppet::Version";
    case ValueKind::kSemVerRange:
      return "SemanticPuppet::VersionRange";
    case ValueKind::kUri:
      return uri_class_name(value.as_uri());
    case ValueKind::kIterator:
      return "Puppet::Pops::Types::Iterator";
    case ValueKind::kObject:
      return value.as_object().type == types::kError ? "Puppet::DataTypes::Error" : "Object";
    case ValueKind::kControl:
      break;
  }
  return "Object";
}

}  // namespace bunraku

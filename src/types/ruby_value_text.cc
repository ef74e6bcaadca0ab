// Values as text by Ruby's to_s and inspect, and the names of the reference's classes.
#include "types/ruby_value_text.h"

#include "base/text/ruby_text.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/sem_ver.h"
#include "values/type.h"

namespace bunraku {

namespace {

void append_object_with_class(std::string& out, Value value) {
  out += "#<";
  out += ruby_class_name(value);
  out += ' ';
  append_interpolated(out, value);
  out += '>';
}

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
      const NestingGuard guard(nesting, "a value");
      check_length(out.size());
      out += '[';
      bool first = true;
      for (const Value item : value.as_array()) {
        if (!first) out += ", ";
        first = false;
        append_inspected(out, item, nesting);
      }
      out += ']';
      return;
    }
    case ValueKind::kHash: {
      const NestingGuard guard(nesting, "a value");
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
  TYPE_CLASS(TypeAlias) case TypeKind::kUri:
    return "Puppet::Pops::Types::PURIType";
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

std::string_view ruby_noun(Value value) {
  if (value.is_undef()) return "nil";
  if (value.is_boolean()) return value.as_boolean() ? "true" : "false";
  return ruby_class_name(value);
}

}  // namespace bunraku

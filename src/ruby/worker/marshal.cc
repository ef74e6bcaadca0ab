#include "ruby/worker/marshal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/diagnostics/diagnostic.h"
#include "conversion/conversion.h"
#include "conversion/new_function.h"
#include "types/built_in_types.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/object.h"
#include "values/sem_ver.h"
#include "values/shared_parts.h"
#include "values/uri.h"

namespace bunraku {
namespace {

constexpr int64_t kLargestFixnum = (int64_t{1} << 30) - 1;
constexpr int64_t kSmallestFixnum = -(int64_t{1} << 30);
constexpr std::string_view kTypeClass = "Puppet::Pops::Types::PAnyType";
constexpr std::string_view kSensitiveClass = "Puppet::Pops::Types::PSensitiveType::Sensitive";
constexpr std::string_view kBinaryClass = "Puppet::Pops::Types::PBinaryType::Binary";
constexpr std::string_view kTimespanClass = "Puppet::Pops::Time::Timespan";
constexpr std::string_view kTimestampClass = "Puppet::Pops::Time::Timestamp";
constexpr std::string_view kSemVerClass = "SemanticPuppet::Version";
constexpr std::string_view kSemVerRangeClass = "SemanticPuppet::VersionRange";
constexpr std::string_view kUriClass = "Bunraku::UriText";
constexpr std::string_view kObjectClass = "Bunraku::ObjectValue";
constexpr std::string_view kForeignClass = "Bunraku::Foreign";
constexpr std::string_view kResourceClass = "Puppet::Resource";
constexpr std::string_view kCatalogResourceClass = "Puppet::Parser::Resource";

}  // namespace

// --- what is kept -------------------------------------------------------------------------------

Value HandleTable::symbol(Arena& arena, std::string_view name) {
  const bool is_ascii = std::ranges::none_of(name, [](char c) { return c < 0; });
  if (!is_ascii) return Value::string(arena, name);
  auto known = symbols_.find(name);
  if (known == symbols_.end()) known = symbols_.insert(arena.copy(name)).first;
  return Value::string(*known);
}

bool HandleTable::is_symbol(std::string_view text) const {
  if (symbols_.empty()) return false;
  const auto known = symbols_.find(text);
  return known != symbols_.end() && known->data() == text.data();
}

// --- writing ------------------------------------------------------------------------------------

MarshalWriter::MarshalWriter(std::string& out, Arena& arena, HandleTable& handles)
    : out_(out), arena_(arena), handles_(handles) {
  out_.append("\x04\x08", 2);
}

void MarshalWriter::write_long(int64_t value) {
  if (value == 0) {
    out_ += '\0';
  } else if (0 < value && value < 123) {
    out_ += static_cast<char>(value + 5);
  } else if (-124 < value && value < 0) {
    out_ += static_cast<char>(value - 5);
  } else {
    char bytes[8];
    int count = 0;
    int64_t rest = value;
    while (rest != 0 && rest != -1) {
      bytes[count++] = static_cast<char>(rest & 0xff);
      rest >>= 8;
    }
    out_ += static_cast<char>(value < 0 ? -count : count);
    out_.append(bytes, static_cast<size_t>(count));
  }
}

void MarshalWriter::write_bytes(std::string_view bytes) {
  write_long(static_cast<int64_t>(bytes.size()));
  out_.append(bytes);
}

void MarshalWriter::symbol(std::string_view name) {
  const auto [known, is_new] = symbols_.emplace(name, symbols_.size());
  if (is_new) {
    out_ += ':';
    return write_bytes(name);
  }
  out_ += ';';
  write_long(static_cast<int64_t>(known->second));
}

// Writes the instance variable that marks the preceding bytes as UTF-8.
void MarshalWriter::utf8_mark() {
  write_long(1);
  symbol("E");
  out_ += 'T';
}

void MarshalWriter::begin_object(char type) {
  out_ += type;
  ++objects_;
}

void MarshalWriter::container(Value value) {
  const PartIdentity identity = part_identity(value);
  if (identity.size == 0) return contents(value);
  const auto [known, is_new] =
      containers_.emplace(identity.elements, Written{identity.size, objects_});
  if (!is_new && known->second.size == identity.size) {
    out_ += '@';
    write_long(static_cast<int64_t>(known->second.number));
    repeated_length_ += known->second.length;
    return;
  }
  const size_t before = full_length();
  contents(value);
  if (is_new) containers_.at(identity.elements).length = full_length() - before;
}

void MarshalWriter::contents(Value container) {
  if (container.is_array()) {
    begin_array(container.as_array().size());
    for (const Value item : container.as_array()) value(item);
    return;
  }
  begin_object('{');
  write_long(container.as_hash().size);
  for (const HashEntry& entry : container.as_hash()) {
    value(entry.key);
    value(entry.value);
  }
}

void MarshalWriter::begin_array(size_t size) {
  begin_object('[');
  write_long(static_cast<int64_t>(size));
}

void MarshalWriter::nil() {
  out_ += '0';
}

void MarshalWriter::integer(int64_t value) {
  if (kSmallestFixnum <= value && value <= kLargestFixnum) {
    out_ += 'i';
    write_long(value);
    return;
  }
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  begin_object('l');
  out_ += value < 0 ? '-' : '+';
  write_long(4);  // in 16-bit words
  for (int i = 0; i < 8; ++i, magnitude >>= 8) out_ += static_cast<char>(magnitude & 0xff);
}

void MarshalWriter::string(std::string_view text) {
  out_ += 'I';
  begin_object('"');
  write_bytes(text);
  utf8_mark();
}

void MarshalWriter::loaded(std::string_view class_name, std::string_view text) {
  out_ += 'I';
  begin_object('u');
  symbol(class_name);
  write_bytes(text);
  utf8_mark();
}

// The kind, the name of a resource type or class, the size of the title, and the title with the
// text behind it, as the type's class in Ruby writes them, too.
void MarshalWriter::type(const Type* type) {
  const Type* resolved = resolve_alias(type);
  std::string_view name, title;
  std::string size;
  if (const auto* resource = resolved->try_as<ResourceType>()) {
    name = resource->type_name.text();
    if (resource->title != nullptr) {
      title = *resource->title;
      size = std::to_string(title.size());
    }
  } else if (const auto* class_type = resolved->try_as<ClassType>()) {
    name = class_type->class_name.text();
  }
  constexpr std::string_view kNul("\0", 1);
  loaded(kTypeClass, fmt::format("{}{}{}{}{}{}{}{}", name_of(type->kind), kNul, name, kNul, size,
                                 kNul, title, to_text(type)));
}

void MarshalWriter::reference(const ResourceType& reference) {
  begin_object('U');
  symbol(kResourceClass);
  begin_array(2);
  string(reference.type_name.text());
  string(*reference.title);
}

void MarshalWriter::foreign(const ForeignObject& object) {
  loaded(kForeignClass, fmt::format("{} {}", object.process, object.number));
}

void MarshalWriter::object(Value value) {
  const ObjectInstance& instance = value.as_object();
  if (const ForeignObject* object = as_foreign(instance)) return foreign(*object);
  begin_object('U');
  symbol(kObjectClass);
  begin_array(3);
  integer(handles_.keep(value));
  const ObjectType* type = object_type_of(instance.type);
  string(type != nullptr ? to_text(type) : to_text(instance.type));
  if (type == nullptr) {
    begin_object('{');
    write_long(0);
    return;
  }
  const auto members = attributes_of(arena_, *type);
  const size_t count = std::min(members.size(), instance.attributes.size());
  // Native objects also hold values of derived attributes.
  const auto is_derived = [&instance](const ObjectMember* member) {
    return member->kind == AttributeKind::kDerived && instance.native == nullptr;
  };
  begin_object('{');
  write_long(static_cast<int64_t>(count) -
             std::count_if(members.begin(), members.begin() + count, is_derived));
  for (size_t i = 0; i < count; ++i) {
    if (is_derived(members[i])) continue;
    string(members[i]->name);
    this->value(instance.attributes[i]);
  }
}

void MarshalWriter::value(Value value) {
  const NestingGuard guard(nesting_, "A value");
  check_length(full_length());
  switch (value.kind()) {
    case ValueKind::kUndef:
    case ValueKind::kControl:
      return nil();
    case ValueKind::kDefault:
      return symbol("default");
    case ValueKind::kBoolean:
      out_ += value.as_boolean() ? 'T' : 'F';
      return;
    case ValueKind::kInteger:
      return integer(value.as_integer());
    case ValueKind::kFloat: {
      const double number = value.as_float();
      begin_object('f');
      if (std::isnan(number)) return write_bytes("nan");
      if (std::isinf(number)) return write_bytes(number < 0 ? "-inf" : "inf");
      return write_bytes(fmt::format("{:.17g}", number));
    }
    case ValueKind::kString:
      if (handles_.is_symbol(value.as_string())) return symbol(value.as_string());
      if (!value.is_byte_string()) return string(value.as_string());
      begin_object('"');
      return write_bytes(value.as_string());
    case ValueKind::kRegexp:
      out_ += 'I';
      begin_object('/');
      write_bytes(value.as_regexp());
      out_ += '\0';
      return utf8_mark();
    case ValueKind::kArray:
    case ValueKind::kHash:
      return container(value);
    case ValueKind::kType:
      return is_given_reference(value.as_type()) ? reference(value.as_type()->as<ResourceType>())
                                                 : type(value.as_type());
    case ValueKind::kSensitive:
      begin_object('U');
      symbol(kSensitiveClass);
      begin_array(1);
      return this->value(value.as_sensitive());
    case ValueKind::kBinary:
      begin_object('u');
      symbol(kBinaryClass);
      return write_bytes(value.as_binary());
    case ValueKind::kTimestamp:
      return loaded(kTimestampClass, std::to_string(value.as_timestamp()));
    case ValueKind::kTimespan:
      return loaded(kTimespanClass, std::to_string(value.as_timespan()));
    case ValueKind::kSemVer: {
      std::string text;
      append_text(text, value.as_sem_ver());
      return loaded(kSemVerClass, text);
    }
    case ValueKind::kSemVerRange:
      return loaded(kSemVerRangeClass, value.as_sem_ver_range().text);
    case ValueKind::kUri: {
      std::string text;
      append_text(text, value.as_uri());
      return loaded(kUriClass, text);
    }
    case ValueKind::kIterator: {
      ArrayBuilder items(arena_);
      IteratorObject* iterator = value.as_iterator().rewound(arena_);
      for (Value item; iterator->next(arena_, item);) items.push(item);
      return this->value(items.finish());
    }
    case ValueKind::kObject:
      return object(value);
  }
}

// --- reading ------------------------------------------------------------------------------------

MarshalReader::MarshalReader(std::string_view bytes, Arena& arena, HandleTable& handles,
                             TypeResolver* resolver)
    : bytes_(bytes), arena_(arena), handles_(handles), resolver_(resolver) {}

void MarshalReader::fail(std::string message) const {
  throw EvaluationError(make_diagnostic(Issue::kUnreadableWorker, {}, {std::move(message)}));
}

void MarshalReader::fail_foreign(std::string_view class_name) const {
  throw ForeignObjectSent(make_diagnostic(
      Issue::kUnreadableWorker, {},
      {fmt::format("A Ruby object of the class {} is no value of the language", class_name)}));
}

Value MarshalReader::read() {
  if (bytes_.substr(0, 2) != std::string_view("\x04\x08", 2)) {
    fail("The Ruby worker sent a message that cannot be read");
  }
  at_ = 2;
  return next(false);
}

uint8_t MarshalReader::byte() {
  if (at_ >= bytes_.size()) fail("The Ruby worker sent a message that ends too early");
  return static_cast<uint8_t>(bytes_[at_++]);
}

int64_t MarshalReader::read_long() {
  const auto first = static_cast<int8_t>(byte());
  if (first == 0) return 0;
  if (first > 4) return first - 5;
  if (first < -4) return first + 5;
  const int count = first < 0 ? -first : first;
  int64_t value = first < 0 ? -1 : 0;
  for (int i = 0; i < count; ++i) {
    value &= ~(int64_t{0xff} << (8 * i));
    value |= int64_t{byte()} << (8 * i);
  }
  return value;
}

// Reads a count of elements, each of which takes at least one byte.
size_t MarshalReader::read_size() {
  const int64_t size = read_long();
  if (size < 0 || static_cast<uint64_t>(size) > bytes_.size() - at_) {
    fail("The Ruby worker sent a message that ends too early");
  }
  return static_cast<size_t>(size);
}

std::string_view MarshalReader::read_bytes() {
  const size_t size = read_size();
  const std::string_view bytes = bytes_.substr(at_, size);
  at_ += size;
  return bytes;
}

std::string_view MarshalReader::read_symbol() {
  uint8_t tag = byte();
  const bool has_ivars = tag == 'I';
  if (has_ivars) tag = byte();
  if (tag == ';') {
    const int64_t number = read_long();
    if (number < 0 || static_cast<size_t>(number) >= symbols_.size()) {
      fail("The Ruby worker sent a message that cannot be read");
    }
    return symbols_[static_cast<size_t>(number)];
  }
  if (tag != ':') fail("The Ruby worker sent a message that cannot be read");
  const std::string_view name = read_bytes();
  symbols_.push_back(name);
  if (has_ivars) skip_ivars();
  return name;
}

// Skips instance variables of an object, such as its encoding, which have no meaning here.
void MarshalReader::skip_ivars() {
  for (size_t count = read_size(); count > 0; --count) {
    read_symbol();
    next(false);
  }
}

size_t MarshalReader::reserve_entry() {
  entries_.emplace_back();
  return entries_.size() - 1;
}

Value MarshalReader::entry(Value value) {
  entries_.push_back(value);
  return value;
}

Value MarshalReader::bignum() {
  const bool is_negative = byte() == '-';
  const size_t words = read_size();
  if (words * 2 > bytes_.size() - at_) fail("The Ruby worker sent a message that ends too early");
  const std::string_view digits = bytes_.substr(at_, words * 2);
  at_ += words * 2;
  uint64_t magnitude = 0;
  bool fits = true;
  for (size_t i = digits.size(); i-- > 0;) {
    fits = fits && magnitude >> 56 == 0;
    magnitude = magnitude << 8 | static_cast<uint8_t>(digits[i]);
  }
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (!fits || magnitude > kLimit || (magnitude == kLimit && !is_negative)) {
    std::string hex;
    for (size_t i = digits.size(); i-- > 0;) {
      hex += fmt::format("{:02x}", static_cast<uint8_t>(digits[i]));
    }
    hex.erase(0, std::min(hex.find_first_not_of('0'), hex.size()));
    fail(fmt::format("Use of a Ruby Integer outside of Puppet Integer {} range, got '{}0x{}'",
                     is_negative ? "min" : "max", is_negative ? "-" : "", hex));
  }
  return entry(Value::integer(static_cast<int64_t>(is_negative ? 0 - magnitude : magnitude)));
}

Value MarshalReader::array() {
  const size_t at = reserve_entry();
  const size_t size = read_size();
  ArrayBuilder items(arena_, size);
  for (size_t i = 0; i < size; ++i) items.push(next(false));
  return entries_[at] = items.finish();
}

Value MarshalReader::hash(bool has_default) {
  const size_t at = reserve_entry();
  const size_t size = read_size();
  HashBuilder entries(arena_, size);
  for (size_t i = 0; i < size; ++i) {
    const Value key = next(false);
    entries.set(key, next(false));
  }
  if (has_default) next(false);
  return entries_[at] = entries.finish();
}

namespace {

int64_t integer_of(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The text in what MarshalWriter::type() and the class of types in Ruby write.
std::string_view text_of_type(std::string_view written) {
  size_t size = 0;
  for (int part = 0; part < 3; ++part) {
    const size_t end = written.find('\0');
    if (end == written.npos) return {};
    if (part == 2) std::from_chars(written.data(), written.data() + end, size);
    written.remove_prefix(end + 1);
  }
  return written.substr(std::min(size, written.size()));
}

}  // namespace

Value MarshalReader::value_of_text(std::string_view class_name, std::string_view written) {
  const bool is_type =
      class_name.starts_with("Puppet::Pops::Types::P") && class_name.ends_with("Type");
  const std::string_view text = is_type ? text_of_type(written) : written;
  if (class_name == kBinaryClass) return Value::binary(arena_.copy(text));
  if (class_name == kTimespanClass) return Value::timespan(integer_of(text));
  if (class_name == kTimestampClass) return Value::timestamp(integer_of(text));
  if (class_name == kUriClass || class_name.starts_with("URI::"))
    return Value::uri(parse_uri(arena_, arena_.copy(text)));
  if (class_name == kSemVerClass) {
    const SemVer* version = parse_sem_ver(arena_, arena_.copy(text));
    if (version == nullptr) fail(fmt::format("'{}' is no version", text));
    return Value::sem_ver(version);
  }
  if (class_name == kSemVerRangeClass) {
    return Value::sem_ver_range(parse_sem_ver_range(arena_, arena_.copy(text)));
  }
  if (class_name == "BigDecimal") {
    return Value::floating(
        std::strtod(std::string(text.substr(text.find(':') + 1)).c_str(), nullptr));
  }
  if (is_type) {
    constexpr std::string_view kReference = "TypeReference['";
    if (text.starts_with(kReference) && text.ends_with("']")) {
      const std::string_view name =
          text.substr(kReference.size(), text.size() - kReference.size() - 2);
      return Value::type(types::reference(arena_, arena_.copy(name)));
    }
    return Value::type(parse_type(arena_, arena_.copy(text), resolver_));
  }
  fail_foreign(class_name);
}

Value MarshalReader::user_loaded(bool has_ivars) {
  const std::string_view class_name = read_symbol();
  const std::string_view text = read_bytes();
  if (has_ivars) skip_ivars();
  return entry(value_of_text(class_name, text));
}

// [handle or nil, the type's name, {attribute => value}]
Value MarshalReader::object_of(Value payload) {
  if (!payload.is_array() || payload.as_array().size() != 3) {
    fail("The Ruby worker sent a message that cannot be read");
  }
  const std::span<const Value> parts = payload.as_array();
  if (parts[0].is_integer()) return handles_.find(parts[0].as_integer());
  if (!parts[1].is_string() || !parts[2].is_hash()) {
    fail("The Ruby worker sent a message that cannot be read");
  }
  const Type* type = parse_type(arena_, parts[1].as_string(), resolver_);
  return new_instance(arena_, type, {&parts[2], 1}, resolver_);
}

// [process, number, name of the class, whether it is a class itself, text]
Value MarshalReader::foreign_of(Value payload) {
  if (!payload.is_array() || payload.as_array().size() != 5) {
    fail("The Ruby worker sent a message that cannot be read");
  }
  const std::span<const Value> parts = payload.as_array();
  if (!parts[0].is_integer() || !parts[1].is_integer() || !parts[4].is_string()) {
    fail("The Ruby worker sent a message that cannot be read");
  }
  auto* runtime =
      arena_.make<RuntimeType>(RuntimeType{{{TypeKind::kRuntime}}, "ruby", {}, {}, false});
  if (parts[2].is_string()) runtime->name = parts[2].as_string();
  const Type* type = runtime;
  if (parts[3].is_truthy()) type = types::type_of_type(arena_, runtime);
  auto* object = arena_.make<ForeignObject>();
  object->type = type;
  object->text = parts[4].as_string();
  object->number = parts[1].as_integer();
  object->process = parts[0].as_integer();
  return Value::object(object);
}

Value MarshalReader::user_marshalled() {
  const std::string_view class_name = read_symbol();
  const size_t at = reserve_entry();
  const Value payload = next(false);
  if (class_name == kObjectClass) return entries_[at] = object_of(payload);
  if (class_name == kForeignClass) return entries_[at] = foreign_of(payload);
  if (!payload.is_array() || payload.as_array().empty()) {
    fail_foreign(class_name);
  }
  const std::span<const Value> parts = payload.as_array();
  if (class_name == kSensitiveClass) return entries_[at] = Value::sensitive(arena_, parts[0]);
  const bool is_resource = class_name == kResourceClass || class_name == kCatalogResourceClass;
  if (is_resource && parts.size() == 2 && parts[0].is_string()) {
    const std::string_view name = parts[0].as_string();
    const bool is_class = name == "Class" || name == "class";
    if (!parts[1].is_string()) {
      return entries_[at] = Value::type(is_class ? types::kClass : types::resource(arena_, name));
    }
    const std::string_view title = parts[1].as_string();
    return entries_[at] = Value::type(is_class ? types::class_type(arena_, title)
                                               : types::resource(arena_, name, title));
  }
  fail_foreign(class_name);
}

Value MarshalReader::next(bool has_ivars) {
  const NestingGuard guard(nesting_, "A value");
  switch (const uint8_t tag = byte()) {
    case '0':
      return Value();
    case 'T':
      return Value::boolean(true);
    case 'F':
      return Value::boolean(false);
    case 'i':
      return Value::integer(read_long());
    case 'l':
      return bignum();
    case 'f': {
      const std::string text(read_bytes());
      return entry(Value::floating(std::strtod(text.c_str(), nullptr)));
    }
    case '"': {
      // Ruby writes an encoding for all strings except binary ones.
      const std::string_view text = arena_.copy(read_bytes());
      return entry(has_ivars ? Value::string(text) : Value::byte_string(text));
    }
    case ':':
    case ';': {
      --at_;
      const std::string_view name = read_symbol();
      if (name == "default") return Value::default_value();
      if (name == "undef") return Value();
      return handles_.symbol(arena_, name);
    }
    case 'I': {
      if (at_ < bytes_.size() && bytes_[at_] == ':') {
        --at_;
        return handles_.symbol(arena_, read_symbol());
      }
      const bool reads_own = at_ < bytes_.size() && (bytes_[at_] == 'u' || bytes_[at_] == '/');
      const Value value = next(true);
      if (!reads_own) skip_ivars();
      return value;
    }
    case '/': {
      const std::string_view source = read_bytes();
      const uint8_t options = byte();
      if (has_ivars) skip_ivars();
      std::string text(source);
      if ((options & 7) != 0) {
        // Options become part of the pattern's text, as Ruby writes a pattern with options.
        std::string on, off;
        for (const auto& [bit, letter] :
             {std::pair(4, 'm'), std::pair(1, 'i'), std::pair(2, 'x')}) {
          ((options & bit) != 0 ? on : off) += letter;
        }
        text = fmt::format("(?{}{}{}:{})", on, off.empty() ? "" : "-", off, source);
      }
      return entry(Value::regexp(arena_.copy(text)));
    }
    case '[':
      return array();
    case '{':
      return hash(false);
    case '}':
      return hash(true);
    case 'C':
    case 'e': {
      read_symbol();
      // An instance of a subclass of String is read as a string.
      const bool is_text = at_ < bytes_.size() && (bytes_[at_] == '"' || bytes_[at_] == 'C');
      return next(has_ivars && is_text);
    }
    case 'u':
      return user_loaded(has_ivars);
    case 'U':
      return user_marshalled();
    case '@': {
      const int64_t number = read_long();
      if (number < 0 || static_cast<size_t>(number) >= entries_.size()) {
        fail("The Ruby worker sent a message that cannot be read");
      }
      return entries_[static_cast<size_t>(number)];
    }
    case 'o':
    case 'S':
      fail_foreign(read_symbol());
    case 'c':
    case 'm':
    case 'M':
      fail_foreign(read_bytes());
    default:
      fail(fmt::format("The Ruby worker sent a message that cannot be read (tag {})", tag));
  }
}

}  // namespace bunraku

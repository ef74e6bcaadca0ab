// The objects that Ruby code computes with while a template is rendered. They are mutable and live
// in the arena of the rendering. Objects made from values of the manifest are filled in when they
// are first read, one level at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/text/ip_address.h"
#include "values/value.h"

namespace bunraku {
class Regex;
struct Uri;
}  // namespace bunraku

namespace bunraku::erb {

// The classes that methods are found by; after kAny come constants that code may name.
enum class Class : uint8_t {
  kNil,
  kBoolean,
  kInteger,
  kFloat,
  kString,
  kSymbol,
  kArray,
  kHash,
  kRange,
  kRegexp,
  kMatch,
  kClass,
  kScope,
  kTemplate,
  kProc,
  kError,      // an error that was rescued
  kAddress,    // IPAddr
  kUriObject,  // a URI::Generic, as URI.parse returns
  kTime,       // a Time
  kForeign,    // a value of the language without a class in Ruby
  kContext,    // a Puppet::LookupContext
  kVersion,    // a Gem::Version
  kAny,        // Object
  kTrue,
  kFalse,
  kNumeric,
  kEnumerable,
  kComparable,
  // Modules and classes of which only some class methods are supported.
  kFile,
  kShellwords,
  kJson,
  kYaml,
  kSensitive,
  kBase64,
  kCgi,
  kUri,
  kMd5,
  kSha1,
  kSha256,
  kSha384,
  kSha512,
  kGemVersion,
  kRubyVersion,  // RUBY_VERSION, of which only two numbers are known
  kNone,
};
constexpr size_t kClassCount = static_cast<size_t>(Class::kAny);

struct StringObject;
struct ArrayObject;
struct HashTable;
struct RangeObject;
struct RegexpObject;
struct MatchObject;
struct ErrorObject;
struct AddressObject;
struct TimeObject;
struct BlockNode;

struct Object {
  Class type = Class::kNil;
  union {
    bool boolean;
    int64_t integer;
    double number;
    // strings and symbols; versions too, for which null is the version of Ruby itself
    StringObject* string;
    ArrayObject* array;
    HashTable* hash;
    const RangeObject* range;
    const RegexpObject* regexp;
    const MatchObject* match;
    Class named;             // a constant
    const BlockNode* block;  // a proc
    const ErrorObject* error;
    const AddressObject* address;
    const Uri* uri;
    TimeObject* time;
    const Value* foreign;
  };

  Object() : integer(0) {}
  explicit Object(Class of) : type(of), integer(0) {}
  static Object of(bool value) {
    Object object(Class::kBoolean);
    object.boolean = value;
    return object;
  }
  static Object of(int64_t value) {
    Object object(Class::kInteger);
    object.integer = value;
    return object;
  }
  static Object of(double value) {
    Object object(Class::kFloat);
    object.number = value;
    return object;
  }
  static Object of(StringObject* value) {
    Object object(Class::kString);
    object.string = value;
    return object;
  }
  static Object of(ArrayObject* value) {
    Object object(Class::kArray);
    object.array = value;
    return object;
  }
  static Object of(HashTable* value) {
    Object object(Class::kHash);
    object.hash = value;
    return object;
  }

  bool is(Class wanted) const { return type == wanted; }
  bool is_nil() const { return type == Class::kNil; }
  bool is_true() const { return !is_nil() && !(is(Class::kBoolean) && !boolean); }
  bool is_numeric() const { return is(Class::kInteger) || is(Class::kFloat); }
};

struct StringObject {
  std::string_view text;
  char* buffer = nullptr;  // changed text; null while the text is borrowed
  size_t capacity = 0;
  // A value of the manifest, or the key of a hash: code here must not change it.
  bool is_fixed = false;
};

struct ArrayObject {
  Object* items = nullptr;
  size_t size = 0;
  size_t capacity = 0;
  // The manifest's items, while they have not been made into objects yet.
  const Value* source = nullptr;
  size_t source_size = 0;         // the size at creation
  const Value* origin = nullptr;  // the manifest's array that this one was made from
  bool is_frozen = false;
};

struct TableEntry {
  Object key;
  Object value;
  uint32_t hash;
  bool is_removed;
};

// A hash that keeps the order of insertion; see Interpreter for what works on it.
struct HashTable {
  TableEntry* entries = nullptr;
  uint32_t used = 0;  // with removed entries
  uint32_t size = 0;
  uint32_t capacity = 0;
  uint32_t* index = nullptr;  // open addressing, number + 1, 0 is free
  uint32_t index_mask = 0;
  uint32_t walks = 0;  // iterations in progress: no entry may be added during one
  Object otherwise;    // Hash.new(otherwise)
  const HashObject* source = nullptr;
  const HashObject* origin = nullptr;  // the manifest's hash that this one was made from
  bool is_frozen = false;
};

struct RangeObject {
  Object first;
  Object last;
  bool is_exclusive;
};

struct RegexpObject {
  std::string_view source;
  std::string_view options;
  const Regex* regex;
};

struct ErrorObject {
  std::string_view message;
  bool is_certain;  // the message is Ruby's own, letter for letter
};

struct AddressObject {
  IpAddress address;
  bool has_lost_mask = false;  // the mask that it has in Ruby is not known here
};

// Its zone is changed in place by Time#utc and Time#localtime.
struct TimeObject {
  int64_t nanoseconds;  // since 1970-01-01 UTC
  bool is_utc;          // otherwise in the zone of this machine
};

struct MatchObject {
  const Regex* regex;
  std::string_view text;
  std::span<const std::string_view> groups;  // null data(): the group did not take part
};

}  // namespace bunraku::erb

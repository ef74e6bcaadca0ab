// Values of the language: small tagged words, passed by value, immutable. Larger data is in an
// arena (of the compilation, or of a syntax tree for literals), and is never copied or freed
// individually.
#pragma once

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "values/bounds.h"

namespace bunraku {

struct Type;
class Value;
struct HashEntry;
struct HashObject;
class IteratorObject;
class NativeObject;
struct ObjectInstance;
struct SemVer;
struct SemVerRange;
struct Uri;

enum class ValueKind : uint8_t {
  kUndef,
  kDefault,
  kBoolean,
  kInteger,
  kFloat,
  kString,
  kRegexp,  // its source
  kArray,
  kHash,
  kType,
  kSensitive,
  kBinary,     // its bytes
  kTimestamp,  // nanoseconds since 1970-01-01 UTC in 64 bits: years 1678 to 2262
  kTimespan,   // nanoseconds
  kSemVer,
  kSemVerRange,
  kUri,
  kIterator,  // lazy sequence
  kObject,    // an instance of an Object type, also Deferred and Error
  kControl,   // not a value: a `next`, `break` or `return` in progress, see Control
};

// A name such as "Integer" or "Hash" for messages about the program itself; the types of values are
// determined by infer().
std::string_view name_of(ValueKind kind);

// The ways to leave a lambda or function early. The Evaluator holds the accompanying value.
enum class Control : uint8_t { kNext, kBreak, kReturn };

class Value {
 public:
  constexpr Value() : kind_(ValueKind::kUndef), size_(0), word_(0) {}  // undef

  static constexpr Value undef() { return Value(); }
  static constexpr Value default_value() { return Value(ValueKind::kDefault, 0, uint64_t{0}); }
  static constexpr Value boolean(bool value) {
    return Value(ValueKind::kBoolean, 0, uint64_t{value});
  }
  static constexpr Value integer(int64_t value) {
    return Value(ValueKind::kInteger, 0, static_cast<uint64_t>(value));
  }
  static Value floating(double value) {
    return Value(ValueKind::kFloat, 0, __builtin_bit_cast(uint64_t, value));
  }
  // The text is not copied: it must live as long as the compilation. At most 4 GB.
  static Value string(std::string_view text) {
    return Value(ValueKind::kString, static_cast<uint32_t>(text.size()), text.data());
  }
  static Value string(Arena& arena, std::string_view text) {
    check_length(text.size());
    return string(arena.copy(text));
  }
  // A string whose bytes are not known to be characters (ASCII-8BIT in Ruby): results of decoding
  // or encrypting are such. The only difference from other strings: as rich data it is written like
  // a Binary.
  static Value byte_string(std::string_view text) {
    Value value = string(text);
    value.is_bytes_ = true;
    return value;
  }
  static Value regexp(std::string_view source) {
    return Value(ValueKind::kRegexp, static_cast<uint32_t>(source.size()), source.data());
  }
  static Value binary(std::string_view bytes) {
    return Value(ValueKind::kBinary, static_cast<uint32_t>(bytes.size()), bytes.data());
  }
  // The items are not copied.
  static Value array(std::span<const Value> items) {
    return Value(ValueKind::kArray, static_cast<uint32_t>(items.size()), items.data());
  }
  static Value array(Arena& arena, std::initializer_list<Value> items);
  static Value hash(const HashObject* hash) { return Value(ValueKind::kHash, 0, hash); }
  static Value type(const Type* type) { return Value(ValueKind::kType, 0, type); }
  static Value sensitive(Arena& arena, Value hidden);
  static constexpr Value timestamp(int64_t nanoseconds) {
    return Value(ValueKind::kTimestamp, 0, static_cast<uint64_t>(nanoseconds));
  }
  static constexpr Value timespan(int64_t nanoseconds) {
    return Value(ValueKind::kTimespan, 0, static_cast<uint64_t>(nanoseconds));
  }
  static Value sem_ver(const SemVer* version) { return Value(ValueKind::kSemVer, 0, version); }
  static Value sem_ver_range(const SemVerRange* range) {
    return Value(ValueKind::kSemVerRange, 0, range);
  }
  static Value uri(const Uri* uri) { return Value(ValueKind::kUri, 0, uri); }
  static Value iterator(IteratorObject* iterator) {
    return Value(ValueKind::kIterator, 0, iterator);
  }
  static Value object(const ObjectInstance* object) { return Value(ValueKind::kObject, 0, object); }
  static constexpr Value control(Control control) {
    return Value(ValueKind::kControl, 0, static_cast<uint64_t>(control));
  }

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool is_undef() const { return kind_ == ValueKind::kUndef; }
  bool is_default() const { return kind_ == ValueKind::kDefault; }
  bool is_boolean() const { return kind_ == ValueKind::kBoolean; }
  bool is_integer() const { return kind_ == ValueKind::kInteger; }
  bool is_float() const { return kind_ == ValueKind::kFloat; }
  bool is_numeric() const { return is_integer() || is_float(); }
  bool is_string() const { return kind_ == ValueKind::kString; }
  bool is_byte_string() const { return is_bytes_; }
  bool is_regexp() const { return kind_ == ValueKind::kRegexp; }
  bool is_array() const { return kind_ == ValueKind::kArray; }
  bool is_hash() const { return kind_ == ValueKind::kHash; }
  bool is_type() const { return kind_ == ValueKind::kType; }
  bool is_sensitive() const { return kind_ == ValueKind::kSensitive; }
  bool is_iterator() const { return kind_ == ValueKind::kIterator; }
  bool is_object() const { return kind_ == ValueKind::kObject; }
  // Returns whether this is a `next`, `break` or `return` in progress, which must be returned at
  // once.
  bool is_control() const { return kind_ == ValueKind::kControl; }
  // Returns whether the value is neither undef nor false.
  bool is_truthy() const {
    return kind_ != ValueKind::kUndef && !(kind_ == ValueKind::kBoolean && word_ == 0);
  }

  bool as_boolean() const { return assert_is(ValueKind::kBoolean), word_ != 0; }
  int64_t as_integer() const { return assert_is(ValueKind::kInteger), static_cast<int64_t>(word_); }
  double as_float() const {
    return assert_is(ValueKind::kFloat), __builtin_bit_cast(double, word_);
  }
  std::string_view as_string() const { return assert_is(ValueKind::kString), characters(); }
  std::string_view as_regexp() const { return assert_is(ValueKind::kRegexp), characters(); }
  std::string_view as_binary() const { return assert_is(ValueKind::kBinary), characters(); }
  std::span<const Value> as_array() const {
    return assert_is(ValueKind::kArray), std::span(static_cast<const Value*>(pointer_), size_);
  }
  const HashObject& as_hash() const {
    return assert_is(ValueKind::kHash), *static_cast<const HashObject*>(pointer_);
  }
  const Type* as_type() const {
    return assert_is(ValueKind::kType), static_cast<const Type*>(pointer_);
  }
  // The contents of a Sensitive.
  Value as_sensitive() const {
    return assert_is(ValueKind::kSensitive), *static_cast<const Value*>(pointer_);
  }
  int64_t as_timestamp() const {
    return assert_is(ValueKind::kTimestamp), static_cast<int64_t>(word_);
  }
  int64_t as_timespan() const {
    return assert_is(ValueKind::kTimespan), static_cast<int64_t>(word_);
  }
  const SemVer& as_sem_ver() const {
    return assert_is(ValueKind::kSemVer), *static_cast<const SemVer*>(pointer_);
  }
  const SemVerRange& as_sem_ver_range() const {
    return assert_is(ValueKind::kSemVerRange), *static_cast<const SemVerRange*>(pointer_);
  }
  const Uri& as_uri() const {
    return assert_is(ValueKind::kUri), *static_cast<const Uri*>(pointer_);
  }
  IteratorObject& as_iterator() const {
    return assert_is(ValueKind::kIterator),
           *const_cast<IteratorObject*>(static_cast<const IteratorObject*>(pointer_));
  }
  const ObjectInstance& as_object() const {
    return assert_is(ValueKind::kObject), *static_cast<const ObjectInstance*>(pointer_);
  }
  Control as_control() const { return assert_is(ValueKind::kControl), static_cast<Control>(word_); }

 private:
  constexpr Value(ValueKind kind, uint32_t size, uint64_t word)
      : kind_(kind), size_(size), word_(word) {}
  Value(ValueKind kind, uint32_t size, const void* pointer)
      : kind_(kind), size_(size), pointer_(pointer) {}
  void assert_is([[maybe_unused]] ValueKind kind) const { assert(kind_ == kind); }
  std::string_view characters() const { return {static_cast<const char*>(pointer_), size_}; }

  ValueKind kind_;
  bool is_bytes_ = false;
  uint32_t size_;
  union {
    uint64_t word_;
    const void* pointer_;
  };
};
static_assert(sizeof(Value) == 16);

// --- equality -----------------------------------------------------------------------------------

// Compares as hash keys and `eql` in the reference: case-sensitive, and 1 differs from 1.0.
bool identical(Value a, Value b);
// Compares as the operator ==: strings without ASCII case, 1 == 1.0, hashes without order, hash
// keys strictly.
bool equal(Value a, Value b);
// Consistent with identical().
uint32_t hash_of(Value value);
// hash_of(Value::string(text)).
uint32_t hash_of_text(std::string_view text);

// --- hashes -------------------------------------------------------------------------------------

struct HashEntry {
  Value key;
  Value value;
};

// An immutable hash in the order of insertion. Large ones have an index.
struct HashObject {
  uint32_t size;
  uint32_t index_mask;  // 0 when there is no index
  const HashEntry* entries;
  const uint32_t* index;  // open addressing; entries are index + 1, 0 is free

  std::span<const HashEntry> items() const { return {entries, size}; }
  const HashEntry* begin() const { return entries; }
  const HashEntry* end() const { return entries + size; }
  // Returns null when the key is absent.
  const Value* find(Value key) const;
  const Value* find(std::string_view key) const;
  // The index of the entry for a result of find().
  size_t position(const Value* found) const {
    return static_cast<size_t>(reinterpret_cast<const char*>(found) -
                               reinterpret_cast<const char*>(&entries->value)) /
           sizeof(HashEntry);
  }
};

// Builds a hash. A key that is set again keeps its place and gets the new value, as in Ruby.
class HashBuilder {
 public:
  explicit HashBuilder(Arena& arena, size_t expected_size = 0);
  void set(Value key, Value value);
  void set(std::string_view key, Value value) { set(Value::string(key), value); }
  void set_all(const HashObject& other);
  // Returns false when the key was absent. Linear in the size.
  bool erase(Value key);
  Value* find(Value key);
  size_t size() const { return size_; }
  std::span<const HashEntry> items() const { return {entries_, size_}; }
  // Returns the finished hash. The builder must not be used afterwards.
  Value finish();

 private:
  void grow();
  void index_all();

  Arena& arena_;
  HashEntry* entries_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* index_ = nullptr;
  uint32_t index_mask_ = 0;
};

// Builds an array in an arena.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(Arena& arena, size_t expected_size = 0) : arena_(arena) {
    if (expected_size > 0) reserve(expected_size);
  }
  void push(Value item) {
    if (size_ == capacity_) reserve(capacity_ == 0 ? 8 : size_t{capacity_} * 2);
    items_[size_++] = item;
  }
  void push_all(std::span<const Value> items) {
    for (Value item : items) push(item);
  }
  size_t size() const { return size_; }
  Value& operator[](size_t at) { return items_[at]; }
  Value finish() { return Value::array({items_, size_}); }

 private:
  void reserve(size_t capacity);
  Arena& arena_;
  Value* items_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

// --- the larger kinds ---------------------------------------------------------------------------

// A lazy sequence. It is allocated in the arena and never destroyed, so implementations hold only
// arena memory. An iterator value may be iterated several times: each iteration starts from
// rewound().
class IteratorObject {
 public:
  // Returns false when there is no further element.
  virtual bool next(Arena& arena, Value& element) = 0;
  // Returns a copy that begins at the first element.
  virtual IteratorObject* rewound(Arena& arena) const = 0;
  virtual const Type* element_type() const = 0;
  // The size that the reference's iterator reports, which may be less than the number of elements;
  // negative when it reports none.
  virtual int64_t reported_size() const { return -1; }
  // Returns whether a `break` ends the reference's loop over it, where a function leaves that to
  // the iterator.
  virtual bool catches_break() const { return true; }

 protected:
  ~IteratorObject() = default;
};

// An instance of an Object type: one value per attribute of the type, in order.
struct ObjectInstance {
  const Type* type;
  std::span<const Value> attributes;
  // The implementation of its methods in native code, if any; see evaluation/function.h.
  NativeObject* native = nullptr;
};

struct SemVer {
  int64_t major, minor, patch;
  std::span<const Value> prerelease;  // integers and strings; empty when there is none
  std::span<const Value> build;
};

// An interval of versions: from (inclusive or not) to (inclusive or not). An absent bound is null.
struct SemVerInterval {
  const SemVer* min;
  const SemVer* max;
  bool exclude_min;
  bool exclude_max;
};
struct SemVerRange {
  std::string_view text;  // as written, or in the canonical form when made from two versions
  std::span<const SemVerInterval> alternatives;  // joined by ||
};

struct Uri {
  // Absent parts have a null data().
  std::string_view scheme, userinfo, host, port, path, query, fragment, opaque;
};

inline Value Value::array(Arena& arena, std::initializer_list<Value> items) {
  return array(arena.copy(std::span<const Value>(items.begin(), items.size())));
}
inline Value Value::sensitive(Arena& arena, Value hidden) {
  return Value(ValueKind::kSensitive, 0, static_cast<const void*>(arena.make<Value>(hidden)));
}

}  // namespace bunraku

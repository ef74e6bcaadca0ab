// Values in Ruby's Marshal format (version 4.8), the wire form between the compiler and its
// workers: Ruby reads and writes it in C, which keeps calls with large hashes cheap. Values without
// a Ruby class are sent as the classes of prelude/values.rb.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/name.h"
#include "values/value.h"

namespace bunraku {

class TypeResolver;
struct ForeignObject;
struct ResourceType;

// Values that have a meaning only in one worker's session: objects and blocks that the worker knows
// by number, and strings that stand for its symbols.
class HandleTable {
 public:
  int64_t keep(Value value) {
    values_.push_back(value);
    return static_cast<int64_t>(values_.size()) - 1;
  }
  // Returns undef when there is no such handle.
  Value find(int64_t handle) const {
    return handle >= 0 && static_cast<size_t>(handle) < values_.size()
               ? values_[static_cast<size_t>(handle)]
               : Value();
  }
  size_t size() const { return values_.size(); }
  // Drops the handles added since there were `size`.
  void shrink(size_t size) { values_.resize(size); }

  // The string that stands for a symbol. It is sent back as a symbol, also from variables,
  // containers and calls; strings derived from it are sent as strings.
  Value symbol(Arena& arena, std::string_view name);
  bool is_symbol(std::string_view text) const;

 private:
  std::vector<Value> values_;
  std::unordered_set<std::string_view> symbols_;  // unique texts
};

class MarshalWriter {
 public:
  // Appends to `out`.
  MarshalWriter(std::string& out, Arena& arena, HandleTable& handles);

  // Begins an array; `size` elements must follow.
  void begin_array(size_t size);
  void integer(int64_t value);
  void nil();
  void string(std::string_view text);
  // Writes an array or hash that occurs repeatedly once, so that it is one object in Ruby, too.
  // Throws EvaluationError when the value is nested too deeply.
  void value(Value value);

 private:
  void write_long(int64_t value);
  void write_bytes(std::string_view bytes);
  // Writes the type byte of an object that Ruby numbers.
  void begin_object(char type);
  // Writes a reference to the array or hash if it was written before, otherwise its contents.
  void container(Value value);
  void contents(Value container);
  // The length of the message if repeated parts were written in full. It is limited, because Ruby
  // code takes time for all of them.
  size_t full_length() const { return out_.size() + repeated_length_; }
  void symbol(std::string_view name);
  void utf8_mark();
  // Writes an instance that the class's _load makes of a text.
  void loaded(std::string_view class_name, std::string_view text);
  void object(Value value);
  void foreign(const ForeignObject& object);
  void type(const Type* type);
  void reference(const ResourceType& reference);

  std::string& out_;
  Arena& arena_;
  HandleTable& handles_;
  struct Written {
    uint32_t size;
    size_t number;
    size_t length = 0;  // in bytes, with repeated parts in full
  };
  std::unordered_map<std::string_view, size_t> symbols_;  // numbered in order of appearance
  std::unordered_map<const void*, Written> containers_;   // by the address of the elements
  size_t repeated_length_ = 0;
  size_t objects_ = 0;  // numbered in order of appearance
  Nesting nesting_;
};

// The error for an object of a class without a counterpart that Ruby did not send as a Foreign.
class ForeignObjectSent : public EvaluationError {
 public:
  using EvaluationError::EvaluationError;
};

// Reads messages of a worker. The bytes are not trusted: malformed or too deeply nested ones are an
// EvaluationError, an object of a class without a counterpart is a ForeignObjectSent.
class MarshalReader {
 public:
  // `bytes` must outlive the reader; values are copied into the arena. `resolver` finds types by
  // name and may be null.
  MarshalReader(std::string_view bytes, Arena& arena, HandleTable& handles, TypeResolver* resolver);
  Value read();

 private:
  struct Text {
    std::string_view bytes;
  };
  uint8_t byte();
  int64_t read_long();
  size_t read_size();
  std::string_view read_bytes();
  Value next(bool has_ivars);
  std::string_view read_symbol();
  void skip_ivars();
  size_t reserve_entry();
  Value entry(Value value);
  Value bignum();
  Value array();
  Value hash(bool has_default);
  Value user_loaded(bool has_ivars);
  Value user_marshalled();
  Value value_of_text(std::string_view class_name, std::string_view written);
  Value object_of(Value payload);
  Value foreign_of(Value payload);
  [[noreturn]] void fail_foreign(std::string_view class_name) const;
  [[noreturn]] void fail(std::string message) const;

  std::string_view bytes_;
  size_t at_ = 0;
  Arena& arena_;
  HandleTable& handles_;
  TypeResolver* resolver_;
  std::vector<std::string_view> symbols_;
  std::vector<Value> entries_;
  Nesting nesting_;
};

}  // namespace bunraku

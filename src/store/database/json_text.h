// JSON texts as they are stored, looked at without being read as a whole: compact or not, but
// valid, with strings escaped in the one way of JsonWriter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace bunraku::store {

enum class JsonKind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

JsonKind json_kind(std::string_view json);
// "null", "boolean", "number", "string", "array", "object".
std::string_view json_kind_name(std::string_view json);

// A function (key, value) -> bool that outlives the call that it is given to, without a copy of it:
// conditions of queries are checked for every row.
class JsonVisitor {
 public:
  template <typename Function>
  JsonVisitor(Function&& function)  // NOLINT: as std::function
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, std::string_view key, std::string_view value) -> bool {
          return (*static_cast<std::remove_reference_t<Function>*>(object))(key, value);
        }) {}
  bool operator()(std::string_view key, std::string_view value) const {
    return call_(object_, key, value);
  }

 private:
  void* object_;
  bool (*call_)(void*, std::string_view, std::string_view);
};

// The items of an array or the members of an object, in their order; `key` is empty for items, else
// with its quotes. Ends early when the function returns false.
void for_each_part(std::string_view json, JsonVisitor visit);

// The value of a member; `quoted_key` is a JSON string.
std::optional<std::string_view> json_member(std::string_view json, std::string_view quoted_key);
// What stands at a path, an array of names and indexes.
std::optional<std::string_view> json_at(std::string_view json, std::string_view path);

// Numbers are equal by value (1 and 1.0), members in any order.
bool json_equal(std::string_view a, std::string_view b);
// PostgreSQL's @> below the top: an object contains one with some of its members, an array one with
// some of its items; scalars contain what is equal.
bool json_contains(std::string_view json, std::string_view part);

// A text whose bytes are in the order that PostgreSQL gives to JSON: null, strings, numbers,
// booleans, arrays and objects; the shorter array or object first.
std::string json_order(std::string_view json);

// A string's characters; any other value's text.
std::string json_plain_text(std::string_view json);

}  // namespace bunraku::store

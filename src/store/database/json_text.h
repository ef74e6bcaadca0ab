// Queries on stored JSON texts without parsing them as a whole. The texts are valid JSON, compact
// or not, with strings escaped as JsonWriter does.
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

// A reference to a function (key, value) -> bool, which must outlive the call. It avoids copies,
// because conditions of queries are checked for every row.
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

// Visits the items of an array or the members of an object, in order; `key` is empty for items,
// otherwise it includes its quotes. Stops when the function returns false.
void for_each_part(std::string_view json, JsonVisitor visit);

// The value of a member; `quoted_key` is a JSON string.
std::optional<std::string_view> json_member(std::string_view json, std::string_view quoted_key);
// The value at a path, which is an array of names and indexes.
std::optional<std::string_view> json_at(std::string_view json, std::string_view path);

// Compares numbers by value (1 and 1.0), and members in any order.
bool json_equal(std::string_view a, std::string_view b);
// PostgreSQL's @> below the top level: an object contains one with some of its members, an array
// one with some of its items; scalars contain equal ones.
bool json_contains(std::string_view json, std::string_view part);

// A text whose byte order is PostgreSQL's order of JSON: null, strings, numbers, booleans, arrays
// and objects; shorter arrays and objects first.
std::string json_order(std::string_view json);

// The characters of a string; the text of any other value.
std::string json_plain_text(std::string_view json);

}  // namespace bunraku::store

// Puppet Extended S-Expression Notation: (call argument...), [list], {:key value}, literals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct Pn {
  enum class Kind : uint8_t { kLiteral, kString, kCall, kList, kMap };

  Kind kind = Kind::kLiteral;
  std::string text;  // a literal as printed, the contents of a string, or the name of a call
  std::vector<Pn> items;
  std::vector<std::string> keys;  // of a map, one per item

  static Pn literal(std::string text) { return {Kind::kLiteral, std::move(text), {}, {}}; }
  static Pn string(std::string_view text) { return {Kind::kString, std::string(text), {}, {}}; }
  static Pn call(std::string_view name, std::vector<Pn> items = {}) {
    return {Kind::kCall, std::string(name), std::move(items), {}};
  }
  static Pn list(std::vector<Pn> items) { return {Kind::kList, {}, std::move(items), {}}; }
  static Pn map() { return {Kind::kMap, {}, {}, {}}; }
  void add(std::string_view key, Pn value) {
    keys.emplace_back(key);
    items.push_back(std::move(value));
  }
  // Wraps the items of the list, or the map itself, in a call.
  Pn as_call(std::string_view name) &&;
};

// Appends the text of `pn`.
void write_pn(std::string& to, const Pn& pn, bool is_pretty);
void write_pn_json(std::string& to, const Pn& pn, bool is_pretty);

}  // namespace bunraku

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::cases {

// A JSON document that preserves everything a comparison needs: the order of keys, repeated keys,
// and the literal text of numbers and strings.
class Json {
 public:
  enum class Kind { kScalar, kArray, kObject };

  // Throws std::runtime_error, with the offset, when the text is not a JSON document.
  static Json parse(std::string_view text);
  static Json scalar(std::string raw);
  static Json string(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_string() const { return kind_ == Kind::kScalar && !raw_.empty() && raw_[0] == '"'; }

  // The value of the first member named key, or null without such a member or for a value that is
  // not an object.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);

  // The text of the member named key: decoded if it is a string, otherwise as written; empty when
  // it is missing or null.
  std::string text(std::string_view key) const;
  // The decoded text of a string, or a scalar as it was written.
  std::string text() const;

  const std::vector<Json>& elements() const { return elements_; }
  const std::vector<std::pair<std::string, Json>>& members() const { return members_; }
  void add(std::string_view key, Json value);

  std::string compact() const;
  // On several lines; a value that fits into `width` columns stays on one line.
  std::string pretty(size_t width = 100) const;

 private:
  friend class JsonReader;
  void write_compact(std::string& out) const;
  void write_pretty(std::string& out, size_t indent, size_t used, size_t width) const;

  Kind kind_ = Kind::kScalar;
  std::string raw_ = "null";
  std::vector<Json> elements_;
  std::vector<std::pair<std::string, Json>> members_;  // keys as written, with their quotes
};

}  // namespace bunraku::cases

// Plain data, the result of the JSON and YAML readers: immutable, in an arena, to be converted to
// values by higher rooms.
#pragma once

#include <cassert>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

enum class DataKind : uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kBigInteger,  // an integer beyond 64 bits, as decimal digits
  kFloat,
  kString,
  kSymbol,  // YAML only: `:name`, without the colon
  kRegexp,  // YAML only: `!ruby/regexp /source/`, the source
  kArray,
  kHash
};

struct DataEntry;

// 24 bytes, cheap to copy; strings and children are in the reader's arena.
class DataNode {
 public:
  constexpr DataNode() : DataNode(DataKind::kNull) {}
  static constexpr DataNode boolean(bool value) {
    DataNode node(DataKind::kBoolean);
    node.integer_ = value;
    return node;
  }
  static constexpr DataNode integer(int64_t value) {
    DataNode node(DataKind::kInteger);
    node.integer_ = value;
    return node;
  }
  static constexpr DataNode floating(double value) {
    DataNode node(DataKind::kFloat);
    node.float_ = value;
    return node;
  }
  // `kind` is kBigInteger, kString, kSymbol or kRegexp.
  static constexpr DataNode text(DataKind kind, std::string_view text) {
    DataNode node(kind);
    node.text_ = text.data();
    node.size_ = text.size();
    return node;
  }
  // A string that was given as bytes (`!!binary`), which Ruby does not treat as characters.
  static constexpr DataNode byte_string(std::string_view bytes) {
    DataNode node = text(DataKind::kString, bytes);
    node.is_bytes_ = true;
    return node;
  }
  static constexpr DataNode array(std::span<const DataNode> items) {
    DataNode node(DataKind::kArray);
    node.items_ = items.data();
    node.size_ = items.size();
    return node;
  }
  static DataNode hash(std::span<const DataEntry> entries);

  DataKind kind() const { return kind_; }
  bool is(DataKind kind) const { return kind_ == kind; }
  bool is_byte_string() const { return is_bytes_; }
  bool boolean_value() const {
    assert(is(DataKind::kBoolean));
    return integer_ != 0;
  }
  int64_t integer_value() const {
    assert(is(DataKind::kInteger));
    return integer_;
  }
  double float_value() const {
    assert(is(DataKind::kFloat));
    return float_;
  }
  // The text of a string, symbol, pattern or big integer.
  std::string_view text_value() const {
    assert(kind_ >= DataKind::kBigInteger && kind_ <= DataKind::kRegexp &&
           kind_ != DataKind::kFloat);
    return {text_, size_};
  }
  std::span<const DataNode> items() const {
    assert(is(DataKind::kArray));
    return {items_, size_};
  }
  // The entries in the order of the source; keys are unique.
  std::span<const DataEntry> entries() const;
  // The value of a string key; null when this is no hash or has no such key. A linear search.
  const DataNode* find(std::string_view key) const;

 private:
  explicit constexpr DataNode(DataKind kind) : kind_(kind) {}

  DataKind kind_;
  bool is_bytes_ = false;
  size_t size_ = 0;
  union {
    int64_t integer_ = 0;
    double float_;
    const char* text_;
    const DataNode* items_;
    const DataEntry* entries_;
  };
};

struct DataEntry {
  DataNode key;  // a string in JSON; anything in YAML
  DataNode value;
};

inline DataNode DataNode::hash(std::span<const DataEntry> entries) {
  DataNode node(DataKind::kHash);
  node.entries_ = entries.data();
  node.size_ = entries.size();
  return node;
}
inline std::span<const DataEntry> DataNode::entries() const {
  assert(is(DataKind::kHash));
  return {entries_, size_};
}

// Compares like Ruby's eql?: 1 and 1.0 differ, as do a string and a symbol.
bool operator==(const DataNode& a, const DataNode& b);

// The error for invalid text. Line and column count from 1; 0 when the place is not known.
class DataError : public std::exception {
 public:
  explicit DataError(std::string message, uint32_t line = 0, uint32_t column = 0)
      : message_(std::make_shared<const std::string>(std::move(message))),
        line_(line),
        column_(column) {}
  const char* what() const noexcept override { return message_->c_str(); }
  uint32_t line() const { return line_; }
  uint32_t column() const { return column_; }

 private:
  std::shared_ptr<const std::string> message_;
  uint32_t line_;
  uint32_t column_;
};

}  // namespace bunraku

// Interned names: variables, functions, types, classes, attributes. Two names are equal when they
// are the same pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace bunraku {

class Name {
 public:
  // No name; converts to false.
  constexpr Name() = default;
  // The unique Name of this text in the process. Thread-safe; lives forever.
  explicit Name(std::string_view text);
  // Returns the Name of this text if it exists, else no name: for texts from nodes, which would
  // accumulate forever.
  static Name find(std::string_view text);

  std::string_view text() const {
    return entry_ ? std::string_view(entry_->characters(), entry_->length) : std::string_view();
  }
  bool empty() const { return entry_ == nullptr || entry_->length == 0; }
  // A hash of the text, stored in the entry.
  uint32_t hash() const { return entry_ ? entry_->hash : 0; }
  // Returns whether the text is [a-z_]\w*, as for most variables and parameters; stored in the
  // entry.
  bool is_word() const { return entry_ && entry_->is_word; }
  explicit operator bool() const { return entry_ != nullptr; }
  friend bool operator==(Name a, Name b) { return a.entry_ == b.entry_; }

  // The table's entry; its characters follow it in memory.
  struct Entry {
    uint32_t hash;
    uint32_t length : 31;
    uint32_t is_word : 1;
    const char* characters() const { return reinterpret_cast<const char*>(this + 1); }
  };

 private:
  const Entry* entry_ = nullptr;
};

inline namespace literals {
// For names in the program itself: static const Name kTitle = "title"_name;
inline Name operator""_name(const char* text, size_t length) {
  return Name(std::string_view(text, length));
}
}  // namespace literals

}  // namespace bunraku

template <>
struct std::hash<bunraku::Name> {
  size_t operator()(bunraku::Name name) const { return name.hash(); }
};

#include "catalog/compiler/tag_set.h"

#include <algorithm>
#include <string>

#include "base/memory/data_names.h"
#include "base/regex/regex.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

bool is_word_byte(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_upper_case_or_beyond_ascii(std::string_view text) {
  return std::ranges::any_of(text,
                             [](unsigned char c) { return c >= 0x80 || (c >= 'A' && c <= 'Z'); });
}

void add_segments(Arena& arena, TagSet& tags, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find("::"), text.size());
    // As in Ruby's split, empty strings are dropped at the end only.
    if (end > 0 || text.find_first_not_of(':', end) != std::string_view::npos) {
      tags.add(arena, data_name(text.substr(0, end)));
    }
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

}  // namespace

bool TagSet::contains(Name tag) const {
  if ((bits_ & bit_of(tag)) == 0) return false;
  if (index_ == nullptr) return std::ranges::find(*this, tag) != end();
  for (uint32_t slot = tag.hash() & index_mask_;; slot = (slot + 1) & index_mask_) {
    if (index_[slot] == 0) return false;
    if (names_[index_[slot] - 1] == tag) return true;
  }
}

bool TagSet::add(Arena& arena, Name tag) {
  if (contains(tag)) return false;
  if (size_ == capacity_) reserve(arena, capacity_ == 0 ? 8 : capacity_ * 2);
  names_[size_++] = tag;
  bits_ |= bit_of(tag);
  if (index_ != nullptr && size_ * 2 <= index_mask_ + 1) {
    index_one(size_ - 1);
  } else if (size_ >= kIndexedFrom) {
    index_all(arena);
  }
  return true;
}

void TagSet::merge(Arena& arena, const TagSet& other) {
  if (&other == this) return;
  for (uint32_t i = merged_ == &other ? merged_size_ : 0; i < other.size_; ++i) {
    add(arena, other.names_[i]);
  }
  merged_ = &other;
  merged_size_ = other.size_;
}

void TagSet::reserve(Arena& arena, uint32_t capacity) {
  Name* names = arena.make_array<Name>(capacity);
  std::ranges::copy(*this, names);
  names_ = names;
  capacity_ = capacity;
}

void TagSet::index_one(uint32_t number) {
  uint32_t slot = names_[number].hash() & index_mask_;
  while (index_[slot] != 0) slot = (slot + 1) & index_mask_;
  index_[slot] = number + 1;
}

void TagSet::index_all(Arena& arena) {
  uint32_t slots = 64;
  while (slots < size_ * 4) slots *= 2;
  index_ = arena.make_array<uint32_t>(slots);
  std::fill_n(index_, slots, 0);
  index_mask_ = slots - 1;
  for (uint32_t i = 0; i < size_; ++i) index_one(i);
}

bool is_valid_tag(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);  // Ruby's \Z
  if (text.empty()) return false;
  bool is_ascii = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      is_ascii = false;
    } else if (!is_word_byte(byte) && c != ':' && c != '.' && c != '-') {
      return false;
    }
  }
  if (is_ascii) return is_word_byte(static_cast<unsigned char>(text[0]));
  static const Regex* const pattern = Regex::compile("\\A[[:alnum:]_][[:alnum:]_:.-]*\\z");
  try {
    return pattern->matches(text);
  } catch (const RegexError&) {
    return false;
  }
}

bool add_tag(Arena& arena, TagSet& tags, std::string_view text) {
  if (!is_valid_tag(text)) return false;
  add_name_tag(arena, tags,
               has_upper_case_or_beyond_ascii(text) ? data_name(downcase(text)) : data_name(text));
  return true;
}

void add_name_tag(Arena& arena, TagSet& tags, Name name) {
  const std::string_view text = name.text();
  if (tags.add(arena, name) && text.find("::") != std::string_view::npos) {
    add_segments(arena, tags, text);
  }
}

}  // namespace bunraku

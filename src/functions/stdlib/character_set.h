// Sets of characters in Ruby's notation.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "evaluation/function.h"

namespace bunraku::stdlib {

// The characters in the notation of String#squeeze and String#count: "a-z", "^a".
class CharacterSet {
 public:
  CharacterSet(const Call& call, std::string_view text) {
    if (text.size() > 1 && text[0] == '^') {
      is_negated_ = true;
      text.remove_prefix(1);
    }
    for (size_t at = 0; at < text.size();) {
      char32_t first = read(text, at);
      if (at + 1 < text.size() && text[at] == '-') {
        size_t behind = at + 1;
        char32_t last = read(text, behind);
        if (last < first) {
          std::string range;
          append_character(range, first);
          append_character(range += '-', last);
          call.fail(Issue::kWrongArgumentValue,
                    {"invalid range \"" + range + "\" in string transliteration"});
        }
        at = behind;
        ranges_.push_back({first, last});
      } else {
        ranges_.push_back({first, first});
      }
    }
  }
  bool has(char32_t character) const {
    for (auto [first, last] : ranges_) {
      if (character >= first && character <= last) return !is_negated_;
    }
    return is_negated_;
  }

 private:
  static char32_t read(std::string_view text, size_t& at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    return next_character(text, at);
  }
  std::vector<std::pair<char32_t, char32_t>> ranges_;
  bool is_negated_ = false;
};

}  // namespace bunraku::stdlib

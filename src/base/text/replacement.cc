// Replaces parts of texts.
#include "base/text/replacement.h"

#include "base/text/ascii.h"

namespace bunraku {
namespace {

bool is_whole_word(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || !is_word_character(text[begin - 1])) &&
         (end == text.size() || !is_word_character(text[end]));
}

}  // namespace

std::string replaced(std::string_view text, std::string_view part, std::string_view replacement,
                     Occurrences occurrences) {
  if (part.empty()) return std::string(text);
  const bool is_any = occurrences == Occurrences::kAll;
  std::string result;
  size_t copied = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) {
    if (!is_any && !is_whole_word(text, at, at + part.size())) continue;
    result.append(text, copied, at - copied).append(replacement);
    copied = at + part.size();
  }
  return result.append(text, copied);
}

}  // namespace bunraku

// References to resources as text.
#include "types/written_reference.h"

#include <algorithm>

#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace bunraku {

// Matches as the reference's pattern, in which ^ and $ match at any line; most texts need no
// pattern.
WrittenReference parse_reference(std::string_view text) {
  const size_t bracket = text.find('[');
  const std::string_view type = text.substr(0, bracket);
  if (bracket != text.npos && bracket > 0 && text.ends_with(']') && text.size() >= bracket + 3 &&
      std::ranges::all_of(type, [](char c) { return is_word_character(c) || c == ':'; })) {
    return {type, text.substr(bracket + 1, text.size() - bracket - 2)};
  }
  static const Regex* const kReference = Regex::compile(R"(^([^\[\]]+)\[((?m:.+))\]$)");
  Captures captures;
  if (!is_valid_utf8(text) || !kReference->search(text, 0, captures)) return {};
  return {captures.text(text, 1), captures.text(text, 2)};
}

}  // namespace bunraku

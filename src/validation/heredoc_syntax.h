// Checks of texts that say what they are written in: @(END:json). Static texts are checked when a
// tree is validated, the others by the evaluator when they are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

struct TextMistake {
  Issue issue;
  std::string detail;  // for the issue's message
  bool has_offset = false;
  uint32_t offset = 0;  // in the text
};

// Checks `text` by the syntax that has a checker, looking for the whole name first and then for
// what follows each +: x+json is checked as json. Nothing when the text is right or it cannot be
// decided.
std::optional<TextMistake> check_text_syntax(std::string_view text, std::string_view syntax);

}  // namespace bunraku

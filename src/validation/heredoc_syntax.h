// Checks of texts with a declared syntax: @(END:json). Static texts are checked during validation,
// others during evaluation.
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

// Checks `text` with the checker of the syntax: that of the whole name, else of the part after each
// +: x+json is checked as json. Nothing when the text is correct or there is no checker.
std::optional<TextMistake> check_text_syntax(std::string_view text, std::string_view syntax);

}  // namespace bunraku

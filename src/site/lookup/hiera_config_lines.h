// Finds the lines of a hiera.yaml for messages by searching its text, as the reference does: the
// parsed data has no lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// The 1-based number of the first line from `first_line` on with "name: NAME"; 0 when there is
// none.
uint32_t line_with_name(const std::string& path, std::string_view name, uint32_t first_line);
// The 1-based number of the first line from `first_line` on with the whole word `word`, not at the
// start of the line; 0 when there is none.
uint32_t line_with_word(const std::string& path, std::string_view word, uint32_t first_line);
// The 1-based number of the first line with `text` outside a comment; 0 when there is none.
uint32_t line_with_text(const std::string& path, std::string_view text);

// Throws a lookup error with a line of the file (0: the file without a line).
[[noreturn]] void fail_at_line(const std::string& path, uint32_t line, Issue issue,
                               std::vector<std::string> arguments);

}  // namespace bunraku

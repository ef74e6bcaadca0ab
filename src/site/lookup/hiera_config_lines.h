// Where in a hiera.yaml something stands, for messages: libyaml's events are not kept, so the text
// is searched, as the reference does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// The 1-based line, from `first_line` on, that holds "name: NAME"; 0 when there is none.
uint32_t line_with_name(const std::string& path, std::string_view name, uint32_t first_line);
// The 1-based line, from `first_line` on, that holds `word` after something that belongs to no
// word, and whole; 0 when there is none.
uint32_t line_with_word(const std::string& path, std::string_view word, uint32_t first_line);
// The 1-based line that holds `text` outside a comment; 0 when there is none.
uint32_t line_with_text(const std::string& path, std::string_view text);

// Throws a lookup error that points at a line of the file (0: at the file).
[[noreturn]] void fail_at_line(const std::string& path, uint32_t line, Issue issue,
                               std::vector<std::string> arguments);

}  // namespace bunraku

// The intended differences from the reference, from docs/differences.yaml, which is embedded in the
// program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct Difference {
  std::string id;  // "D65"
  std::string title;
  std::string area;                // the title of its page
  std::string effect;              // "same catalog", "other catalog", "other message" or "refused"
  std::string since;               // the day on which it was found, "2026-11-21"
  std::vector<std::string> cases;  // file cases that show the difference
  std::string text;                // Markdown
  std::vector<std::string> paragraphs;  // the paragraphs of the text, one line each
};

// All differences, sorted by number.
std::vector<Difference> all_differences();

// The text of the data file.
std::string_view differences_text();

}  // namespace bunraku

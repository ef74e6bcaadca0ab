// Input: a pattern and a text, separated by a line end: no pattern may crash the engine or keep it
// busy forever.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/regex/regex.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line_end = input.find('\n');
  const std::string_view pattern = input.substr(0, line_end);
  const std::string_view text =
      line_end == std::string_view::npos ? std::string_view() : input.substr(line_end + 1);
  try {
    const bunraku::Regex* regex = bunraku::Regex::compile(pattern);
    bunraku::Captures captures;
    for (size_t from = 0; from <= text.size() && regex->search(text, from, captures);) {
      if (captures.begin() > captures.end() || captures.end() > text.size()) __builtin_trap();
      from = captures.end() > from ? captures.end() : from + 1;
    }
  } catch (const bunraku::RegexError&) {
  }
  return 0;
}

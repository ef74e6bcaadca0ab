// The text of a template as the program that Ruby's ERB makes of it (trim mode '-'): code is kept
// as written, literal text is replaced by marks. Line numbers are those of ERB, which loses the
// lines inside comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::erb {

// In the code of a script: kTextMark, the number of the text in decimal, kTextMark. kInsertMark
// precedes "((code).to_s)".
constexpr char kTextMark = '\x01';
constexpr char kInsertMark = '\x02';

struct Script {
  std::string code;
  std::vector<std::string> texts;
};

Script make_script(std::string_view source);

// Returns whether the template's own code has characters that would be read as marks.
bool has_marks(std::string_view source);

}  // namespace bunraku::erb

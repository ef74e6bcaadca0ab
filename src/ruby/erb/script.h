// The text of a template as the program that Ruby's ERB makes of it (trim mode '-'): code stands as
// it is written, literal text is taken out and marked. Lines keep their numbers, as far as ERB
// keeps them: those inside of comments are lost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::erb {

// In the code of a script: kTextMark, the number of the text in decimal, kTextMark; kInsertMark
// stands before "((code).to_s)".
constexpr char kTextMark = '\x01';
constexpr char kInsertMark = '\x02';

struct Script {
  std::string code;
  std::vector<std::string> texts;
};

Script make_script(std::string_view source);

// Characters in the template's own code that would be taken for marks.
bool has_marks(std::string_view source);

}  // namespace bunraku::erb

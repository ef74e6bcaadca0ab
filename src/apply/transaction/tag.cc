// Checks tags.
#include "apply/transaction/tag.h"

#include "base/regex/regex.h"
#include "base/text/utf8.h"

namespace bunraku::apply {

bool is_tag(std::string_view text) {
  static const Regex& form = *Regex::compile("\\A[[:alnum:]_][[:alnum:]_:.-]*\\Z");
  return is_valid_utf8(text) && form.matches(text);
}

}  // namespace bunraku::apply

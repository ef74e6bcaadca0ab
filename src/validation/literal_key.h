// Literal hash keys, compared as Ruby compares them: 1, 1.0 and '1' are three keys.
#pragma once

#include <string>

#include "syntax/tree.h"

namespace bunraku {

// Appends a text that is the same for equal keys and different for others. False when the key is
// not known before evaluation.
bool append_literal_key(std::string& to, const Expression& key);
// What a message shows of a literal key.
std::string literal_text(const Expression& key);

}  // namespace bunraku

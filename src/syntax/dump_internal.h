// The two halves of dump().
#pragma once

#include <string>

#include "syntax/pn.h"
#include "syntax/tree.h"

namespace bunraku {

Pn to_pn(const Program& program);
void dump_old(std::string& to, const Program& program);

bool is_ascii(std::string_view text);

// An integer's digits; one that does not fit is shown as in the source.
std::string integer_digits(const Program& program, const LiteralInteger& integer);

}  // namespace bunraku

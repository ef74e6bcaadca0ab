// Random numbers that are the same for a node every time.
#pragma once

#include <string>
#include <string_view>

#include "base/text/mersenne_twister.h"
#include "evaluation/function.h"

namespace bunraku {

// Returns Ruby's Random, seeded with the MD5 or SHA-256 digest of a text as a number.
MersenneTwister seeded_with_md5(std::string_view text);
MersenneTwister seeded_with_sha256(std::string_view text);

// The fact networking.fqdn; empty when there is none.
std::string fully_qualified_name(const Call& call);

// Appends the value as Ruby's Array#join does: nested arrays are joined too, undef is empty.
void append_joined(std::string& out, Value value, std::string_view delimiter);

}  // namespace bunraku

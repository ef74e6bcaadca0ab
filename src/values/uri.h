// URIs (RFC 3986 as Ruby's library reads them).
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Throws EvaluationError when the text is no URI.
const Uri* parse_uri(Arena& arena, std::string_view text);
// From parts (those without data are absent; `port` is digits), checked. Throws EvaluationError.
const Uri* make_uri(Arena& arena, const Uri& parts);
void append_text(std::string& out, const Uri& uri);
// The port that Ruby's library gives to a URI of the scheme, which is in lower case; without data
// when it has none.
std::string_view default_port(std::string_view scheme);
// The operator +: `reference` seen from `base` (RFC 3986, 5.2).
const Uri* merge(Arena& arena, const Uri& base, const Uri& reference);
// The operator ==: without regard to the host's case, an empty path is the root.
bool same(const Uri& a, const Uri& b);

}  // namespace bunraku

// URIs (RFC 3986, as parsed by Ruby's library).
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Throws EvaluationError when the text is not a URI.
const Uri* parse_uri(Arena& arena, std::string_view text);
// Makes a URI from parts (absent ones have null data; `port` is digits), with checks. Throws
// EvaluationError.
const Uri* make_uri(Arena& arena, const Uri& parts);
void append_text(std::string& out, const Uri& uri);
// The default port of a scheme (in lower case) in Ruby's library; null data when it has none.
std::string_view default_port(std::string_view scheme);
// The operator +: resolves `reference` relative to `base` (RFC 3986, 5.2).
const Uri* merge(Arena& arena, const Uri& base, const Uri& reference);
// The operator ==: ignores the host's case; an empty path is the root.
bool same(const Uri& a, const Uri& b);

}  // namespace bunraku

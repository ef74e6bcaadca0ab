// The lexer's tokens as JSON: {"tokens": [{"token", "value", "offset", "length", "line", "pos"}]}
// with the reference's names and values. Offsets and lengths are in bytes of the file, also within
// heredocs.
#pragma once

#include <functional>
#include <string_view>

#include "syntax/parser.h"

namespace bunraku {

// Reports errors to `diagnostics` and still writes the tokens that could be read. The document is
// passed to `write` in parts, because it is much larger than the source.
void dump_tokens(const SourcePointer& source, const ParseOptions& options,
                 DiagnosticSink& diagnostics, const std::function<void(std::string_view)>& write);

}  // namespace bunraku

// The lexer's tokens as JSON: {"tokens": [{"token", "value", "offset", "length", "line", "pos"}]}
// with the reference's names and values. Offsets and lengths are in bytes of the file, also within
// heredocs.
#pragma once

#include <string>

#include "syntax/parser.h"

namespace bunraku {

// Reports errors to `diagnostics` and still returns the tokens that could be read.
std::string dump_tokens(const SourcePointer& source, const ParseOptions& options,
                        DiagnosticSink& diagnostics);

}  // namespace bunraku

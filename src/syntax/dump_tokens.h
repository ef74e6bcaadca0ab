// What the lexer delivered, as JSON: {"tokens": [{"token", "value", "offset", "length", "line",
// "pos"}]} with the reference's names and values. Offsets and lengths are in bytes of the file,
// also for what stands in a heredoc's text.
#pragma once

#include <string>

#include "syntax/parser.h"

namespace bunraku {

// Mistakes are reported to `diagnostics`; what could be lexed is reported all the same.
std::string dump_tokens(const SourcePointer& source, const ParseOptions& options,
                        DiagnosticSink& diagnostics);

}  // namespace bunraku

// The lexer: from bytes to tokens, hand-written, in one pass. Its tokens, context rules and errors
// are those of the reference's lexer. The text of a heredoc is read by a separate lexer, whose
// tokens are then moved to their positions in the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "syntax/parser.h"
#include "syntax/token_buffer.h"

namespace bunraku {

// The maximum number of errors; after that the file is not read on.
inline constexpr size_t kMostSyntaxErrors = 200;

// The result of lexing one file. An error is a token of kind kError in `tokens`, so that the parser
// finds syntax errors and lexical errors in the reference's order: its `offset` is the place of the
// error, its `text_length` the index in `errors`.
struct TokenList {
  TokenBuffer tokens;  // the last one is kEndOfInput
  std::vector<Diagnostic> errors;
  std::vector<Location> comments;
};

// Lexes `source`. Warnings are reported to `diagnostics` immediately. Changed text (by escapes or
// margins) is stored in `arena`.
void lex(const SourcePointer& source, const ParseOptions& options, Arena& arena, TokenList& result,
         DiagnosticSink& diagnostics);

}  // namespace bunraku

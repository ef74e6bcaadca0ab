// From bytes to tokens. Hand-written, one pass, and in full agreement with the reference's lexer:
// its tokens, its context rules and its errors. A heredoc's text is lexed by a lexer of its own,
// whose tokens are then moved to where they stand in the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "syntax/parser.h"
#include "syntax/token_buffer.h"

namespace bunraku {

// Past this many mistakes a file is no program at all, and is not read on.
inline constexpr size_t kMostSyntaxErrors = 200;

// What the lexing of one file delivers. A mistake stands in `tokens` as a token of kind kError, so
// that the parser meets syntax errors and lexical errors in the order in which the reference does:
// its `offset` is where the mistake is, its `text_length` the index into `errors`.
struct TokenList {
  TokenBuffer tokens;  // the last one is kEndOfInput
  std::vector<Diagnostic> errors;
  std::vector<Location> comments;
};

// Lexes `source`. Warnings go to `diagnostics` at once. Text that had to be changed (escapes,
// margins) is put in `arena`.
void lex(const SourcePointer& source, const ParseOptions& options, Arena& arena, TokenList& result,
         DiagnosticSink& diagnostics);

}  // namespace bunraku

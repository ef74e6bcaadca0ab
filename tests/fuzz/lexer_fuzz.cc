// Input: any bytes for the lexer only: every token must be within the file, and its value readable.
#include <cstdlib>

#include "fuzz/syntax_input.h"
#include "syntax/lexer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bunraku;
  std::string text(reinterpret_cast<const char*>(data), size);
  auto source = std::make_shared<SourceFile>("fuzz.pp", std::move(text));
  for (const SourceForm form : {SourceForm::kManifest, SourceForm::kTemplate}) {
    Arena arena;
    TokenList list;
    DiagnosticList diagnostics;
    lex(source, {form, false}, arena, list, diagnostics);
    uint64_t sum = 0;
    for (const Token& token : list.tokens) {
      if (token.offset > size) std::abort();
      if (token.kind == TokenKind::kError) {
        if (token.text_length >= list.errors.size()) std::abort();
        continue;
      }
      if (uint64_t{token.offset} + token.length > size) std::abort();
      for (const char c : token.value()) sum += static_cast<unsigned char>(c);
    }
    // Reads every byte of every token.
    if (sum == UINT64_MAX) std::abort();
  }
  return 0;
}

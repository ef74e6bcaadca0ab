// Input: any bytes as a program: the parser must accept or reject it, and the tree must be
// printable.
#include <memory>
#include <string>

#include "base/diagnostics/source.h"
#include "syntax/parser.h"

using namespace bunraku;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  ParseOptions options;
  options.form = data[0] & 1 ? SourceForm::kTemplate : SourceForm::kManifest;
  options.tasks = data[0] & 2;
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  DiagnosticList diagnostics;
  parse(std::make_shared<SourceFile>("fuzz.pp", std::move(text)), options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all) {
    (void)diagnostic.message();
    (void)diagnostic.primary.file->position(diagnostic.primary.location.offset);
  }
  return 0;
}

// From source text to a Program.
#pragma once

#include "base/diagnostics/diagnostic.h"
#include "syntax/tree.h"

namespace bunraku {

enum class SourceForm : uint8_t { kManifest, kTemplate };

struct ParseOptions {
  SourceForm form = SourceForm::kManifest;
  // `plan` and `apply` are keywords (the reference's setting `tasks`).
  bool tasks = false;
};

// Parses a file. Every mistake is reported to `diagnostics`; the parser recovers and goes on, so
// that one run reports all of them. Always returns a Program; after an error its tree is only good
// for looking at. The static rules of the language are checked separately, see validation/.
std::shared_ptr<Program> parse(SourcePointer source, const ParseOptions& options,
                               DiagnosticSink& diagnostics);

}  // namespace bunraku

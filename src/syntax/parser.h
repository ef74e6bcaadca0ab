// The parser: from source text to a Program.
#pragma once

#include "base/diagnostics/diagnostic.h"
#include "syntax/tree.h"

namespace bunraku {

enum class SourceForm : uint8_t { kManifest, kTemplate };

struct ParseOptions {
  SourceForm form = SourceForm::kManifest;
  // Treat `plan` and `apply` as keywords (the reference's setting `tasks`).
  bool tasks = false;
};

// Parses a file. All errors are reported to `diagnostics`; the parser recovers after each. Always
// returns a Program; after an error its tree may only be inspected. The static rules of the
// language are checked separately, see validation/.
std::shared_ptr<Program> parse(SourcePointer source, const ParseOptions& options,
                               DiagnosticSink& diagnostics);

}  // namespace bunraku

// The operations that the syntax fuzzers apply to any text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "syntax/dump.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku::fuzz {

inline void process(std::string_view text, SourceForm form) {
  auto source = std::make_shared<SourceFile>("fuzz.pp", std::string(text));
  DiagnosticList diagnostics;
  auto program = parse(source, {form, false}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all) {
    one_line(diagnostic);
    std::string text;
    JsonWriter json(text, JsonForm::kCompact);
    write_json(json, diagnostic);
  }
  sarif(diagnostics.all, "0");
  if (diagnostics.has_errors()) return;
  validate(*program, {}, diagnostics);
  dump(*program, DumpFormat::kOld);
  dump(*program, DumpFormat::kPn, true);
  dump(*program, DumpFormat::kJson);
}

}  // namespace bunraku::fuzz

// What the fuzzers do with a text, whatever it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "support/diagnostic.h"
#include "syntax/dump.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku::fuzz {

inline void process(std::string_view text, SourceForm form) {
  auto source = std::make_shared<SourceFile>("fuzz.pp", std::string(text));
  DiagnosticList diagnostics;
  auto program = parse(source, {form, false}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all) {
    diagnostic.message();
    source->position(diagnostic.primary.location.offset);
  }
  if (diagnostics.has_errors()) return;
  validate(*program, {}, diagnostics);
  dump(*program, DumpFormat::kOld);
  dump(*program, DumpFormat::kPn, true);
  dump(*program, DumpFormat::kJson);
}

}  // namespace bunraku::fuzz

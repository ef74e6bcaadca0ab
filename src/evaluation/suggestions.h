// "Did you mean": what a mistyped name in an error may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct Diagnostic;
class Evaluator;
class Scope;

// The one of `known` that `wrong` resembles most; empty when none is close, or `wrong` is known.
std::string closest_of(std::string_view wrong, std::vector<std::string> known);

// Suggests the one of `known` that `wrong` resembles most, if any does: as a fix when `wrong`
// stands where the diagnostic points, else as a note.
void suggest(Diagnostic& diagnostic, std::string_view wrong, std::vector<std::string> known);

// The same of a variable that `scope` does not know: one that it does, or what is to be read in
// place of a fact of old.
void suggest_variable(Diagnostic& diagnostic, std::string_view name, Evaluator& evaluator,
                      Scope& scope);

}  // namespace bunraku

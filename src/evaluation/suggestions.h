// "Did you mean": suggestions for mistyped names in errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct Diagnostic;
class Evaluator;
class Scope;

// Returns the name in `known` that is most similar to `wrong`; empty when none is similar, or
// `wrong` is known.
std::string closest_of(std::string_view wrong, std::vector<std::string> known);

// Suggests the name in `known` that is most similar to `wrong`, if any: as a fix when `wrong` is at
// the diagnostic's place, else as a note.
void suggest(Diagnostic& diagnostic, std::string_view wrong, std::vector<std::string> known);

// The same for a variable that `scope` does not have: one that it has, or the replacement of a
// legacy fact.
void suggest_variable(Diagnostic& diagnostic, std::string_view name, Evaluator& evaluator,
                      Scope& scope);

}  // namespace bunraku

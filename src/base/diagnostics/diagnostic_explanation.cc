#include "base/diagnostics/diagnostic_explanation.h"

namespace bunraku {
namespace {

constexpr Explanation kExplanations[] = {
#define EXPLANATION(identifier, text, wrong, right) {Issue::k##identifier, text, wrong, right},
#include "base/diagnostics/diagnostic_explanations.def"
#undef EXPLANATION
};

}  // namespace

const Explanation* explanation(Issue issue) {
  for (const Explanation& candidate : kExplanations) {
    if (candidate.issue == issue) return &candidate;
  }
  return nullptr;
}

}  // namespace bunraku

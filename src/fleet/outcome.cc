#include "fleet/outcome.h"

#include <charconv>
#include <string_view>

#include "base/diagnostics/diagnostic_renderer.h"

namespace bunraku {
namespace {

struct PlaceInText {
  size_t begin = std::string_view::npos;  // of " (file: ..."
  std::string_view file;
  uint32_t line = 0;
  uint32_t column = 0;
};

uint32_t number_after(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return 0;
  uint32_t number = 0;
  std::from_chars(text.data() + at + label.size(), text.data() + text.size(), number);
  return number;
}

// The first place that stands in a message: the innermost, for those who tell an error on append
// theirs behind it.
PlaceInText first_place(std::string_view text) {
  PlaceInText place;
  constexpr std::string_view kFile = " (file: ";
  place.begin = text.find(kFile);
  if (place.begin == std::string_view::npos) return place;
  const size_t end = text.find(')', place.begin);
  const std::string_view inside =
      text.substr(place.begin + kFile.size(), end - place.begin - kFile.size());
  place.file = inside.substr(0, std::min(inside.find(", line: "), inside.size()));
  place.line = number_after(inside, ", line: ");
  place.column = number_after(inside, ", column: ");
  return place;
}

// Those who tell an error on put their own words before it.
std::string_view without_prefixes(std::string_view text) {
  for (size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    for (const std::string_view prefix : {"Evaluation Error: ", "Resource Statement Error: "}) {
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    if (!text.starts_with("Error while evaluating a")) continue;
    const size_t comma = text.find(", ");
    if (comma != std::string_view::npos) text.remove_prefix(comma + 2);
  }
  return text;
}

}  // namespace

NodeProblem problem_of(const EvaluationError& error) {
  const Diagnostic& diagnostic = error.diagnostic();
  NodeProblem problem;
  problem.severity = Severity::kError;
  problem.code = code(diagnostic.issue);
  problem.issue_code = info(diagnostic.issue).issue_code;
  const std::string message = diagnostic.message();
  const std::string_view text = without_prefixes(message);
  const PlaceInText inner = first_place(text);
  problem.text = text.substr(0, inner.begin);
  if (inner.begin != std::string_view::npos) {
    problem.file = inner.file;
    problem.line = inner.line;
    problem.column = inner.column;
  } else {
    const FilePlace place = place_of(diagnostic.primary);
    problem.file = place.file;
    problem.line = place.begin.line;
    problem.column = place.begin.column;
  }
  return problem;
}

}  // namespace bunraku

#include "catalog/compiler/parameter_mistakes.h"

#include <fmt/format.h>

#include "base/text/suggestion.h"
#include "evaluation/function.h"
#include "types/mismatch.h"

namespace bunraku {

namespace {

std::string subject_of(const Parameter& declared) {
  return fmt::format("parameter '{}'", declared.name.text());
}

}  // namespace

void ParameterMistakes::unknown(Name name) {
  std::vector<std::string_view> known;
  for (const Parameter* declared : definition_.parameters) known.push_back(declared->name.text());
  const std::string_view meant = closest_name(name.text(), known);
  texts_.push_back(fmt::format("has no parameter named '{}'", name.text()));
  mark_given(name, meant.empty() ? "there is no such parameter"
                                 : fmt::format("did you mean '{}'?", meant));
}

void ParameterMistakes::missing(const Parameter& declared) {
  texts_.push_back(fmt::format("expects a value for parameter '{}'", declared.name.text()));
  mark_declared(declared, "this must be given");
  if (missing_ == nullptr) missing_ = &declared;
}

void ParameterMistakes::mismatch(const Parameter& declared, const Type* type, Value value) {
  add_mismatch(declared, describe_mismatch(subject_of(declared), type, value));
}

void ParameterMistakes::mismatch(const Parameter& declared, const Type* type,
                                 const Type* returned) {
  add_mismatch(declared, describe_mismatch(subject_of(declared), type, returned));
}

void ParameterMistakes::add_mismatch(const Parameter& declared, std::string text) {
  // The text is empty for a bare Optional or Variant: the reference then accepts any value.
  if (text.empty()) return;
  // The text of several mismatches of one value consists of indented lines.
  if (text.starts_with(' ')) {
    text.erase(0, 1);
    value_has_several_ = true;
  }
  texts_.push_back(std::move(text));
  mark_given(declared.name, "this does not fit");
  mark_declared(declared, "declared here");
}

void ParameterMistakes::fail(const DataHost* data) {
  if (texts_.empty()) return;
  const bool is_single = texts_.size() == 1 && !value_has_several_;
  const std::string_view before = is_single ? ": " : ":\n  ";
  std::string message =
      fmt::format("{}{}{}", resource_.reference(), before, fmt::join(texts_, "\n  "));
  Diagnostic diagnostic = make_diagnostic(Issue::kParameterMistakes, Range{}, {std::move(message)});
  diagnostic.labels = std::move(labels_);
  diagnostic.notes = std::move(notes_);
  if (missing_ != nullptr && data != nullptr && definition_.kind == Definition::Kind::kClass) {
    data->explain_missing(diagnostic, key_of(missing_->name));
  }
  for (const Name name : looked_up_) {
    if (data != nullptr) data->explain_found(diagnostic, key_of(name));
  }
  throw EvaluationError(std::move(diagnostic));
}

void ParameterMistakes::mark_given(Name name, std::string text) {
  const ResourceParameter* given = resource_.find(name);
  if (given == nullptr) return;
  if (given->place.program != nullptr) {
    labels_.push_back({given->place.range(), std::move(text)});
  } else if (given->is_looked_up) {
    looked_up_.push_back(name);
    notes_.push_back(fmt::format(
        "'{}' is of the data: `bunraku lookup {} --explain --format text` shows where it was found",
        name.text(), key_of(name)));
  }
}

std::string ParameterMistakes::key_of(Name parameter) const {
  return fmt::format("{}::{}", definition_.name.text(), parameter.text());
}

void ParameterMistakes::mark_declared(const Parameter& declared, std::string text) {
  labels_.push_back({Place{definition_.place.program, &declared}.range(), std::move(text)});
}

}  // namespace bunraku

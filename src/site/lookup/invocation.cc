#include "site/lookup/invocation.h"

#include <algorithm>

#include "site/lookup/lookup_error.h"
#include "types/ruby_value_text.h"

namespace bunraku {
namespace {

// The bound on nested look-ups, each of which takes several C++ frames.
constexpr size_t kDeepest = 500;

std::string joined(std::span<const Value> segments, std::string_view separator) {
  std::string text;
  for (const Value segment : segments) {
    if (!text.empty()) text += separator;
    append_ruby_to_s(text, segment);
  }
  return text;
}

std::string to_s(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

// One step of a dig; no value when the element does not exist.
std::optional<Value> element(std::string_view key, Value segment, Value value) {
  if (value.is_undef()) return std::nullopt;
  if (segment.is_integer() && value.is_array()) {
    const int64_t index = segment.as_integer();
    if (index < 0 || index >= static_cast<int64_t>(value.as_array().size())) return std::nullopt;
    return value.as_array()[static_cast<size_t>(index)];
  }
  if (!value.is_hash()) {
    fail_lookup(Issue::kKeyNavigation,
                {"Data Provider type mismatch: Got " + std::string(ruby_class_name(value)) +
                 " when a hash-like object was expected to access value using '" + to_s(segment) +
                 "' from key '" + std::string(key) + "'"});
  }
  const Value* found = value.as_hash().find(segment);
  return found == nullptr ? std::nullopt : std::optional<Value>(*found);
}

}  // namespace

LookupGuard::LookupGuard(Invocation& invocation, std::string_view name)
    : stack_(*invocation.name_stack) {
  if (std::ranges::find(stack_, name) != stack_.end()) {
    std::string names;
    for (const std::string_view one : stack_) names.append(names.empty() ? "" : ", ").append(one);
    fail_lookup(Issue::kRecursiveLookup, {names});
  }
  if (stack_.size() >= kDeepest) {
    fail_lookup(Issue::kTooDeep, {"The chain of look-ups", std::to_string(kDeepest)});
  }
  stack_.push_back(name);
}

LookupGuard::~LookupGuard() {
  stack_.pop_back();
}

std::optional<Value> dig(Invocation& invocation, std::string_view key,
                         std::span<const Value> segments, Value value) {
  if (segments.empty()) return value;
  Explainer* explainer = invocation.explainer;
  const ExplainLevel level(explainer, Explainer::NodeKind::kSubKey,
                           explainer == nullptr ? std::string() : joined(segments, "."));
  for (const Value segment : segments) {
    const ExplainLevel segment_level(explainer, Explainer::NodeKind::kSegment, {});
    std::optional<Value> found = element(key, segment, value);
    if (!found) {
      if (explainer != nullptr) explainer->not_found(to_s(segment));
      return std::nullopt;
    }
    value = *found;
    if (explainer != nullptr) explainer->found(to_s(segment), value);
  }
  return value;
}

}  // namespace bunraku

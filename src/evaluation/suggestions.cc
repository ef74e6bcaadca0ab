#include "evaluation/suggestions.h"

#include <algorithm>
#include <utility>

#include "base/text/suggestion.h"
#include "evaluation/evaluator.h"
#include "evaluation/legacy_facts.h"

namespace bunraku {
namespace {

// The range of the word within the given range; its length is 0 when the word is not in it.
Range range_of_word(const Range& around, std::string_view word) {
  Range range = around;
  range.location.length = 0;
  if (around.file == nullptr) return range;
  const std::string_view covered =
      around.file->text().substr(around.location.offset, around.location.length);
  const size_t at = covered.find(word);
  if (at == std::string_view::npos) return range;
  range.location = {around.location.offset + static_cast<uint32_t>(at),
                    static_cast<uint32_t>(word.size())};
  return range;
}

// Returns the next segment "a" of "a::b" from `at` on, and moves `at` behind it.
std::string_view next_segment(std::string_view name, size_t& at) {
  const size_t end = std::min(name.find("::", at), name.size());
  const std::string_view segment = name.substr(at, end - at);
  at = end + 2;
  return segment;
}

// Requires each segment to be similar: otherwise names of other modules would match by accident.
bool has_close_segments(std::string_view wrong, std::string_view close) {
  size_t at = 0, close_at = 0;
  while (at < wrong.size() && close_at < close.size()) {
    const std::string_view candidates[] = {next_segment(close, close_at)};
    const std::string_view segment = next_segment(wrong, at);
    if (segment != candidates[0] && closest_name(segment, candidates).empty()) return false;
  }
  return true;
}

}  // namespace

std::string closest_of(std::string_view wrong, std::vector<std::string> known) {
  // Sorted, so that among equally similar names the choice is always the same.
  std::ranges::sort(known);
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view close = closest_name(wrong, names);
  if (close.empty() || close == wrong || !has_close_segments(wrong, close)) return {};
  return std::string(close);
}

void suggest(Diagnostic& diagnostic, std::string_view wrong, std::vector<std::string> known) {
  const std::string close = closest_of(wrong, std::move(known));
  if (close.empty()) return;
  std::string question = "did you mean `" + close + "`?";
  const Range range = range_of_word(diagnostic.primary, wrong);
  if (range.location.length == 0) {
    diagnostic.notes.push_back(std::move(question));
  } else {
    diagnostic.fixes.push_back({range, close, std::move(question)});
  }
}

namespace {

// "a::b" for "::a::b::c"; empty for a simple name and for "::c".
std::string_view class_of_variable(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const size_t separator = name.rfind("::");
  return separator == std::string_view::npos ? std::string_view() : name.substr(0, separator);
}

// The variables that can be read by a simple name in `scope`, or for "a::b::c" those of the class
// a::b, with its name.
std::vector<std::string> readable_variables(std::string_view name, Evaluator& evaluator,
                                            Scope& scope) {
  Arena scratch;
  HashBuilder visible(scratch);
  const size_t separator = name.rfind("::");
  const bool is_qualified = separator != std::string_view::npos;
  const std::string_view class_name = class_of_variable(name);
  if (class_name.empty()) {
    (is_qualified ? evaluator.top_scope() : scope).add_visible_to(visible);
  } else {
    CatalogHost* catalog = evaluator.host().catalog;
    const Scope* holder = catalog == nullptr ? nullptr : catalog->class_scope(Name(class_name));
    if (holder == nullptr) return {};
    for (const auto& [variable, value] : holder->variables().bindings()) {
      visible.set(variable.text(), value);
    }
  }
  const std::string prefix(is_qualified ? name.substr(0, separator + 2) : std::string_view());
  std::vector<std::string> names;
  for (const HashEntry& entry : visible.items()) {
    names.push_back(prefix + std::string(entry.key.as_string()));
  }
  return names;
}

}  // namespace

void suggest_variable(Diagnostic& diagnostic, std::string_view name, Evaluator& evaluator,
                      Scope& scope) {
  const std::string_view simple = name.starts_with("::") ? name.substr(2) : name;
  if (const std::string path = path_of_legacy_fact(simple); !path.empty()) {
    diagnostic.notes.push_back("the fact `" + std::string(simple) + "` is now $facts" + path);
    return;
  }
  if (std::string reason = evaluator.missing_variable(name).reason; !reason.empty()) {
    // The diagnostic of a class that cannot be loaded has a note already.
    if (diagnostic.notes.empty()) diagnostic.notes.push_back(std::move(reason));
    return;
  }
  const size_t remarks = diagnostic.fixes.size() + diagnostic.notes.size();
  suggest(diagnostic, name, readable_variables(name, evaluator, scope));
  const bool is_top_level = class_of_variable(name).empty() && name.starts_with("::");
  if (is_top_level && diagnostic.fixes.size() + diagnostic.notes.size() == remarks) {
    diagnostic.notes.push_back(
        "the node has no fact of this name, and the main manifest sets no such variable");
  }
}

}  // namespace bunraku

// Functions on regular expressions.
#include <algorithm>

#include "base/regex/regex.h"
#include "conversion/replacement.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

// Runs the task; an error of the regular-expression engine becomes the function's failure.
template <typename Task>
Value guarded(Call& call, Task&& task) {
  try {
    return task();
  } catch (const RegexError& error) {
    call.fail(Issue::kInvalidPattern, {error.what()});
  }
}

// --- match --------------------------------------------------------------------------------------

Value groups_of(Arena& arena, std::string_view text, std::string_view pattern) {
  Captures match;
  if (!Regex::compile_at_run_time(pattern)->search(text, 0, match)) return Value();
  ArrayBuilder groups(arena, match.size());
  for (size_t i = 0; i < match.size(); ++i) {
    groups.push(match.matched(i) ? Value::string(match.text(text, i)) : Value());
  }
  return groups.finish();
}

Value match_one(Call& call, std::string_view text, Value pattern, Nesting& nesting);

Value match_type(Call& call, std::string_view text, const Type* type, Nesting& nesting) {
  const NestingGuard guard(nesting, "A type");
  type = resolve_alias(type);
  if (auto* variant = type->try_as<VariantType>()) {
    for (const Type* part : variant->types) {
      Value found = match_type(call, text, part, nesting);
      if (!found.is_undef()) return found;
    }
    return Value();
  }
  if (auto* regexp = type->try_as<RegexpType>()) {
    if (regexp->pattern == nullptr)
      call.fail(Issue::kInvalidPattern, {"Given Regexp Type has no regular expression"});
    return groups_of(call.arena(), text, *regexp->pattern);
  }
  if (auto* patterns = type->try_as<PatternType>()) {
    for (const std::string_view pattern : patterns->patterns) {
      Value found = groups_of(call.arena(), text, pattern);
      if (!found.is_undef()) return found;
    }
    return Value();
  }
  call.fail(Issue::kWrongArgumentKind,
            {"match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or "
             "Array[T]. Got " +
             std::string(ruby_class_name(Value::type(type)))});
}

Value match_one(Call& call, std::string_view text, Value pattern, Nesting& nesting) {
  if (pattern.is_string()) return groups_of(call.arena(), text, pattern.as_string());
  if (pattern.is_regexp()) return groups_of(call.arena(), text, pattern.as_regexp());
  if (pattern.is_type()) return match_type(call, text, pattern.as_type(), nesting);
  if (pattern.is_array()) {
    const NestingGuard guard(nesting, "An array");
    for (const Value part : pattern.as_array()) {
      Value found = match_one(call, text, part, nesting);
      if (!found.is_undef()) return found;
    }
    return Value();
  }
  call.fail(Issue::kWrongArgumentKind,
            {"match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or "
             "Array[T]. Got " +
             std::string(ruby_class_name(pattern))});
}

Value match_string(Call& call) {
  return guarded(call, [&] {
    Nesting nesting;
    return match_one(call, call.arguments[0].as_string(), call.arguments[1], nesting);
  });
}

Value match_each(Call& call) {
  return guarded(call, [&] {
    ArrayBuilder results(call.arena());
    Nesting nesting;
    for (const Value text : call.arguments[0].as_array()) {
      results.push(match_one(call, text.as_string(), call.arguments[1], nesting));
    }
    return results.finish();
  });
}

// --- split --------------------------------------------------------------------------------------

Value split_by(Call& call, std::string_view text, std::string_view pattern) {
  const std::vector<std::string_view> pieces =
      ruby_split(text, *Regex::compile_at_run_time(pattern));
  ArrayBuilder result(call.arena(), pieces.size());
  for (const std::string_view piece : pieces) result.push(Value::string(piece));
  return result.finish();
}

std::string_view pattern_of(Value pattern) {
  if (pattern.is_string()) return pattern.as_string();
  if (pattern.is_regexp()) return pattern.as_regexp();
  auto* type = resolve_alias(pattern.as_type())->try_as<RegexpType>();
  return type == nullptr || type->pattern == nullptr ? std::string_view() : *type->pattern;
}

Value split(Call& call) {
  return guarded(call, [&] {
    return split_by(call, call.arguments[0].as_string(), pattern_of(call.arguments[1]));
  });
}

Value split_sensitive(Call& call) {
  return guarded(call, [&] {
    const Value text = call.arguments[0].as_sensitive();
    return Value::sensitive(call.arena(),
                            split_by(call, text.as_string(), pattern_of(call.arguments[1])));
  });
}

// --- regsubst -----------------------------------------------------------------------------------

// The bound on the bytes of a text to search and replace in. Each step of a loop can double the
// text, and a match costs far more than copying a byte.
constexpr size_t kLongestSubstituted = size_t{1} << 25;

Value substitute(Call& call, Value target, const Regex& pattern, Value replacement, bool all) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  Arena& arena = call.arena();
  if (target.is_sensitive()) {
    return Value::sensitive(arena,
                            substitute(call, target.as_sensitive(), pattern, replacement, all));
  }
  if (target.is_string()) {
    if (target.as_string().size() > kLongestSubstituted) {
      fail_too_long("a text for regsubst", kLongestSubstituted);
    }
    return Value::string(arena, ruby_sub(target.as_string(), pattern, replacement, all));
  }
  ArrayBuilder results(arena, target.as_array().size());
  for (const Value item : target.as_array()) {
    results.push(substitute(call, item, pattern, replacement, all));
  }
  return results.finish();
}

// Compiles with the flags as part of the pattern, because the engine's cache finds patterns by
// their text.
std::shared_ptr<const Regex> compile_with_flags(std::string_view pattern, std::string_view flags) {
  std::string options;
  if (flags.find('M') != flags.npos) options += 'm';
  if (flags.find('I') != flags.npos) options += 'i';
  const bool is_extended = flags.find('E') != flags.npos;
  if (is_extended) options += 'x';
  if (options.empty()) return Regex::compile_at_run_time(pattern);
  // The newline ends a comment in an extended pattern, which would include the parenthesis.
  const std::string opening = "(?" + options + ":";
  try {
    return Regex::compile_at_run_time(opening + std::string(pattern) + (is_extended ? "\n)" : ")"));
  } catch (const RegexError& error) {
    // Ruby shows the pattern with its options.
    const std::string_view message = error.what();
    const size_t shown = std::min(message.find(": /" + opening), message.size());
    throw RegexError(std::string(message.substr(0, shown)) + ": /" + std::string(pattern) + "/" +
                     options);
  }
}

Value regsubst_string(Call& call) {
  return guarded(call, [&] {
    const Value given = call.argument(3);
    const std::string_view flags = given.is_string() ? given.as_string() : std::string_view();
    const auto pattern = compile_with_flags(call.arguments[1].as_string(), flags);
    return substitute(call, call.arguments[0], *pattern, call.arguments[2],
                      flags.find('G') != flags.npos);
  });
}

Value regsubst_regexp(Call& call) {
  return guarded(call, [&] {
    const bool all = call.argument(3).is_string() && call.argument(3).as_string() == "G";
    const Value given = call.arguments[1];
    // The reference uses a type's pattern as plain text.
    const auto pattern = Regex::compile_at_run_time(
        given.is_type() ? escape_regex(pattern_of(given)) : std::string(given.as_regexp()));
    return substitute(call, call.arguments[0], *pattern, call.arguments[2], all);
  });
}

constexpr Overload kMatch[] = {
    {"(String $string, Variant[Any, Type] $pattern)", match_string},
    {"(Array[String] $string, Variant[Any, Type] $pattern)", match_each}};
constexpr Overload kSplit[] = {
    {"(String $str, String $pattern)", split},
    {"(String $str, Regexp $pattern)", split},
    {"(String $str, Type[Regexp] $pattern)", split},
    {"(Sensitive[String] $sensitive, Variant[String, Regexp, Type[Regexp]] $pattern)",
     split_sensitive, true}};
constexpr Overload kRegsubst[] = {
    {"(Variant[Array[String], String] $target, String $pattern, "
     "Variant[String, Hash[String, String]] $replacement, "
     "Optional[Pattern[/^[GEIM]*$/]] $flags = default, "
     "Enum['N', 'E', 'S', 'U'] $encoding = default)",
     regsubst_string},
    {"(Variant[Array[String], String] $target, Variant[Regexp, Type[Regexp]] $pattern, "
     "Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags = default)",
     regsubst_regexp},
    // Overloads of later versions.
    {"(Variant[Array[Variant[String, Sensitive[String]]], "
     "Sensitive[Variant[String, Array[Variant[String, Sensitive[String]]]]]] $target, "
     "String $pattern, Variant[String, Hash[String, String]] $replacement, "
     "Optional[Pattern[/^[GEIM]*$/]] $flags = default, "
     "Enum['N', 'E', 'S', 'U'] $encoding = default)",
     regsubst_string, true},
    {"(Variant[Array[Variant[String, Sensitive[String]]], "
     "Sensitive[Variant[String, Array[Variant[String, Sensitive[String]]]]]] $target, "
     "Variant[Regexp, Type[Regexp]] $pattern, "
     "Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags = default)",
     regsubst_regexp, true}};

constexpr NativeFunctionInfo kPatternFunctions[] = {
    {"match", kMatch,
     "Matches text against a pattern: an array of the whole match and its groups, or undef. The "
     "pattern is a regular expression, text with one, a Regexp or Pattern type, or an array of "
     "these, of which the first that matches counts. Of an array of texts each is matched.",
     "match('abc123', /([a-z]+)([1-9]+)/)"},
    {"split", kSplit,
     "Splits text where a regular expression matches; what its groups catch is part of the result. "
     "Empty pieces at the end are dropped.",
     "split('a,b;c', /[,;]/)"},
    {"regsubst", kRegsubst,
     "Replaces what a regular expression matches, in text or in each element of an array. The "
     "replacement may use `\\0` to `\\9` and `\\k<name>`, or be a hash from what matched to its "
     "replacement. Flags are `G` (all matches), `I` (ignore case), `M` (dot matches newlines) and "
     "`E` (extended syntax).",
     "regsubst('192.168.0.1', /(\\d+)\\.(\\d+)/, '\\2.\\1')"},
};

}  // namespace

std::span<const NativeFunctionInfo> pattern_functions() {
  return kPatternFunctions;
}

}  // namespace bunraku

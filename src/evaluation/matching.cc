// =~, `in`, and the matching of case options and selectors.

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "evaluation/comparison.h"
#include "evaluation/evaluation.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "values/sem_ver.h"

namespace bunraku {

// Sets the match variables when the text matches.
bool Evaluation::match_regex(std::string_view pattern, std::string_view text) {
  const void* key = pattern.data();
  const Regex* const* known = caches().regexes.find(key);
  const Regex* regex = known ? *known : nullptr;
  if (regex == nullptr || regex->source() != pattern) {
    regex = caches().kept_regexes.emplace_back(Regex::compile_at_run_time(pattern)).get();
    // An empty pattern has no address of its own to serve as the key.
    if (known == nullptr && key != nullptr && !pattern.empty()) caches().regexes.add(key, regex);
  }
  Captures& captures = caches().captures;
  if (!regex->search(text, 0, captures)) return false;
  const size_t count = static_cast<size_t>(regex->group_count()) + 1;
  std::string_view* groups = arena().make_array<std::string_view>(count);
  for (size_t i = 0; i < count; ++i) {
    std::string_view group;
    if (captures.matched(i)) {
      const size_t begin = captures.begin(i);
      group = text.data() == nullptr ? std::string_view("")
                                     : text.substr(begin, captures.end(i) - begin);
    }
    new (&groups[i]) std::string_view(group);
  }
  scope_.set_match(text, {groups, count});
  return true;
}

Value Evaluation::evaluate_match(const MatchExpression& expression) {
  Value left = evaluate(*expression.left);
  if (left.is_control()) return left;
  Value pattern = evaluate(*expression.right);
  if (pattern.is_control()) return pattern;
  const bool is_wanted = expression.op == Operator::kMatch;
  if (pattern.is_type()) return Value::boolean(is_instance(pattern.as_type(), left) == is_wanted);
  if (pattern.is(ValueKind::kSemVerRange)) {
    return Value::boolean(range_includes(pattern.as_sem_ver_range(), left) == is_wanted);
  }
  std::string_view source;
  if (pattern.is_regexp()) {
    source = pattern.as_regexp();
  } else if (pattern.is_string()) {
    source = pattern.as_string();
    try {
      (void)Regex::compile_at_run_time(source);
    } catch (const RegexError& error) {
      fail(Issue::kMatchNotRegexp, *expression.right, {error.what()});
    }
  } else {
    fail(Issue::kMatchNotRegexp, *expression.right,
         {fmt::format("no implicit conversion of {} into String", ruby_noun(pattern))});
  }
  if (!left.is_string()) {
    fail(Issue::kMatchNotString, *expression.left, {with_article(label(left))});
  }
  return Value::boolean(match_regex(source, left.as_string()) == is_wanted);
}

bool Evaluation::range_includes(const SemVerRange& range, Value value) {
  if (value.is(ValueKind::kSemVer)) return bunraku::includes(range, value.as_sem_ver());
  if (!value.is_string()) return false;
  const SemVer* version = parse_sem_ver(arena(), value.as_string());
  return version != nullptr && bunraku::includes(range, *version);
}

// --- case options and selectors ------------------------------------------------------------------

bool Evaluation::matches(Value pattern, Value value) {
  if (pattern.is_integer() && value.is_integer()) {
    return pattern.as_integer() == value.as_integer();
  }
  Nesting nesting;
  return matches(pattern, value, nesting);
}

bool Evaluation::matches(Value pattern, Value value, Nesting& nesting) {
  switch (pattern.kind()) {
    case ValueKind::kRegexp:
      return value.is_string() && match_regex(pattern.as_regexp(), value.as_string());
    case ValueKind::kType:
      return is_instance(pattern.as_type(), value);
    case ValueKind::kDefault:
      return true;
    case ValueKind::kSemVer: {
      if (value.is(ValueKind::kSemVer)) return same(pattern.as_sem_ver(), value.as_sem_ver());
      if (!value.is_string()) return false;
      const SemVer* version = parse_sem_ver(arena(), value.as_string());
      return version != nullptr && same(pattern.as_sem_ver(), *version);
    }
    case ValueKind::kSemVerRange:
      return range_includes(pattern.as_sem_ver_range(), value);
    case ValueKind::kArray: {
      if (!value.is_array()) return false;
      const std::span<const Value> patterns = pattern.as_array();
      const std::span<const Value> values = value.as_array();
      if (patterns.size() != values.size()) return false;
      const NestingGuard guard(nesting, "a value");
      for (size_t i = 0; i < patterns.size(); ++i) {
        if (!matches(patterns[i], values[i], nesting)) return false;
      }
      return true;
    }
    case ValueKind::kHash: {
      if (!value.is_hash()) return false;
      const NestingGuard guard(nesting, "a value");
      for (const HashEntry& entry : pattern.as_hash()) {
        const Value* found = value.as_hash().find(entry.key);
        if (!matches(entry.value, found ? *found : Value(), nesting)) return false;
      }
      return true;
    }
    default:
      // The reference passes the operands to == in this order, which matters for a type on the
      // left.
      return equal(value, pattern);
  }
}

// --- in ------------------------------------------------------------------------------------------

Value Evaluation::evaluate_in(const InExpression& expression) {
  Value left = evaluate(*expression.left);
  if (left.is_control()) return left;
  Value right = evaluate(*expression.right);
  if (right.is_control()) return right;
  return Value::boolean(includes(right, left));
}

namespace {

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return downcase(text).find(downcase(part)) != std::string::npos;
}

}  // namespace

bool Evaluation::includes(Value container, Value value) {
  switch (container.kind()) {
    case ValueKind::kString:
      if (value.is_string()) {
        return contains_ignoring_case(container.as_string(), value.as_string());
      }
      if (value.is_regexp()) return match_regex(value.as_regexp(), container.as_string());
      return false;
    case ValueKind::kBinary: {
      const std::string_view bytes = container.as_binary();
      if (value.is(ValueKind::kBinary)) return bytes.find(value.as_binary()) != bytes.npos;
      if (value.is_string()) return bytes.find(value.as_string()) != bytes.npos;
      if (value.is_numeric()) {
        for (const char byte : bytes) {
          if (ruby_equal(value, Value::integer(static_cast<unsigned char>(byte)))) return true;
        }
      }
      return false;
    }
    case ValueKind::kArray:
      return array_includes(container.as_array(), value);
    case ValueKind::kHash: {
      ArrayBuilder keys(arena(), container.as_hash().size);
      for (const HashEntry& entry : container.as_hash()) keys.push(entry.key);
      return array_includes(keys.finish().as_array(), value);
    }
    case ValueKind::kSemVerRange:
      return range_includes(container.as_sem_ver_range(), value);
    default:
      return false;
  }
}

bool Evaluation::array_includes(std::span<const Value> array, Value value) {
  switch (value.kind()) {
    case ValueKind::kRegexp:
      for (const Value item : array) {
        if (item.is_string() && match_regex(value.as_regexp(), item.as_string())) return true;
      }
      return false;
    case ValueKind::kString:
    case ValueKind::kSemVer:
      // In this case the elements are the patterns.
      for (const Value item : array) {
        if (matches(item, value)) return true;
      }
      return false;
    case ValueKind::kType:
      for (const Value item : array) {
        if (is_instance(value.as_type(), item)) return true;
      }
      return false;
    default:
      for (const Value item : array) {
        if (equal(item, value)) return true;
      }
      return false;
  }
}

}  // namespace bunraku

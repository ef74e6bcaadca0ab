#include "site/lookup/interpolation.h"

#include <algorithm>
#include <cctype>

#include "base/text/ascii.h"
#include "evaluation/fact_reads.h"
#include "site/lookup/data_files.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"
#include "types/ruby_value_text.h"

namespace bunraku {
namespace {

enum class Method : uint8_t { kScope, kLookup, kAlias, kLiteral };

struct ParsedExpression {
  Method method;
  std::string_view key;
};

bool is_empty_expression(std::string_view expression) {
  for (const std::string_view empty : {"", "::", "\"\"", "''", "\"::\"", "'::'"}) {
    if (expression == empty) return true;
  }
  return false;
}

// Parses name('key') or name("key"); any other expression is the name of a variable.
ParsedExpression parse_expression(std::string_view expression, bool allow_methods) {
  const size_t open = expression.find('(');
  bool is_call = open != std::string_view::npos && open > 0 && expression.ends_with(')') &&
                 expression.size() - open >= 5;
  if (is_call) {
    const std::string_view name = expression.substr(0, open);
    const char quote = expression[open + 1];
    const std::string_view key = expression.substr(open + 2, expression.size() - open - 4);
    is_call = (quote == '\'' || quote == '"') && expression[expression.size() - 2] == quote &&
              key.find(quote) == std::string_view::npos && std::ranges::all_of(name, [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
              });
    if (is_call) {
      if (!allow_methods) fail_lookup(Issue::kHieraInterpolationMethodSyntaxNotAllowed);
      if (name == "lookup" || name == "hiera") return {Method::kLookup, key};
      if (name == "alias") return {Method::kAlias, key};
      if (name == "scope") return {Method::kScope, key};
      if (name == "literal") return {Method::kLiteral, key};
      fail_lookup(Issue::kHieraInterpolationUnknownInterpolationMethod, {std::string(name)});
    }
  }
  return {Method::kScope, expression};
}

// Counts the look-ups that interpolations cause within one look-up. Keys that each interpolate the
// next one twice would otherwise run without end.
class CountedLookUp {
 public:
  CountedLookUp() {
    if (count_ == kMost) {
      fail_lookup(Issue::kTooLarge, {"An interpolation", std::to_string(kMost), "look-ups"});
    }
    ++count_;
    ++level_;
  }
  ~CountedLookUp() {
    if (--level_ == 0) count_ = 0;
  }
  CountedLookUp(const CountedLookUp&) = delete;
  CountedLookUp& operator=(const CountedLookUp&) = delete;

 private:
  static constexpr uint32_t kMost = 1 << 18;
  static inline thread_local uint32_t count_ = 0;
  static inline thread_local uint32_t level_ = 0;
};

Value evaluate(Invocation& invocation, const ParsedExpression& expression,
               std::string_view subject) {
  switch (expression.method) {
    case Method::kScope:
      return scope_value(invocation, expression.key, subject);
    case Method::kLookup:
    case Method::kAlias: {
      const CountedLookUp counted;
      return invocation.lookup.lookup_interpolated(invocation, expression.key);
    }
    case Method::kLiteral:
      return Value::string(expression.key);
  }
  return Value();
}

Value interpolate_string(Invocation& invocation, Value value, bool allow_methods) {
  const std::string_view subject = value.as_string();
  size_t at = subject.find("%{");
  if (at == std::string_view::npos) return value;
  const ExplainLevel level(invocation.explainer, Explainer::NodeKind::kInterpolate, subject);
  std::string out;
  size_t copied = 0;
  for (; at != std::string_view::npos; at = subject.find("%{", copied)) {
    const size_t close = subject.find('}', at);
    if (close == std::string_view::npos) break;
    out += subject.substr(copied, at - copied);
    copied = close + 1;
    const std::string_view expression = stripped(subject.substr(at + 2, close - at - 2));
    if (is_empty_expression(expression)) continue;
    const ParsedExpression parsed = parse_expression(expression, allow_methods);
    const bool is_alias = parsed.method == Method::kAlias;
    if (is_alias && (at != 0 || copied != subject.size())) {
      fail_lookup(Issue::kHieraInterpolationAliasNotEntireString);
    }
    Value result = evaluate(invocation, parsed, subject);
    if (is_alias) return result;
    if (holds_interpolation(result)) {
      const std::string name(parsed.key);
      const std::string marked = parsed.method == Method::kScope ? "scope:" + name : name;
      const LookupGuard guard(invocation, marked);
      result = interpolate(invocation, result, allow_methods);
    }
    append_ruby_to_s(out, result);
  }
  out += subject.substr(copied);
  return Value::string(invocation.arena, out);
}

}  // namespace

Value interpolate(Invocation& invocation, Value value, bool allow_methods) {
  if (value.is_string()) return interpolate_string(invocation, value, allow_methods);
  if (!holds_interpolation(value)) return value;
  if (value.is_array()) {
    ArrayBuilder out(invocation.arena, value.as_array().size());
    for (const Value item : value.as_array())
      out.push(interpolate(invocation, item, allow_methods));
    return out.finish();
  }
  HashBuilder out(invocation.arena, value.as_hash().size);
  for (const HashEntry& entry : value.as_hash()) {
    const Value key = interpolate(invocation, entry.key, allow_methods);
    out.set(key, interpolate(invocation, entry.value, allow_methods));
  }
  return out.finish();
}

Value scope_value(Invocation& invocation, std::string_view key, std::string_view subject) {
  auto segments = split_lookup_key(key);
  if (!segments) fail_lookup(Issue::kInvalidInterpolation, {std::string(subject)});
  const Value root = segments->front();
  segments->erase(segments->begin());
  const std::string_view name = root.is_string() ? root.as_string() : key.substr(0, key.find('.'));
  std::optional<Value> value;
  {
    const PartialFactRead partial;
    value = invocation.lookup.scope_variable(invocation, name);
  }
  if (FactReads* reads = FactReads::current(); reads != nullptr && value) {
    reads->part(*value, *segments);
  }
  const std::optional<Value> root_value = value;
  if (value && !value->is_undef() && !segments->empty()) {
    value = dig(invocation, key, *segments, *value);
  }
  if (invocation.scope_reads != nullptr && name != invocation.local_name &&
      !(value && !value->is_undef() && key.starts_with("::"))) {
    invocation.scope_reads->push_back({Name(name), root_value, *segments, value});
  }
  return value.value_or(Value());
}

}  // namespace bunraku

// Equality, order and matching of objects.
#include <cmath>
#include <functional>

#include "base/regex/regex.h"
#include "conversion/ruby_string.h"
#include "ruby/erb/interpreter.h"
#include "types/relations.h"

namespace bunraku::erb {

// --- equality -----------------------------------------------------------------------------------

bool Interpreter::same(const Object& a, const Object& b) {
  if (a.type != b.type) return false;
  switch (a.type) {
    case Class::kNil:
    case Class::kScope:
    case Class::kTemplate:
      return true;
    case Class::kBoolean:
      return a.boolean == b.boolean;
    case Class::kSymbol:
      return a.string->text == b.string->text;
    case Class::kClass:
      return a.named == b.named;
    default:
      return a.integer == b.integer;
  }
}

namespace {

// Returns whether the class compares by what its objects mean, some also with texts.
bool has_own_equality(const Object& object) {
  return object.is(Class::kAddress) || object.is(Class::kVersion) || object.is(Class::kUriObject) ||
         object.is(Class::kTime);
}

}  // namespace

bool Interpreter::equal(const Object& a, const Object& b) {
  if (a.is_numeric() && b.is_numeric() && a.type != b.type) {
    const double left = a.is(Class::kFloat) ? a.number : static_cast<double>(a.integer);
    const double right = b.is(Class::kFloat) ? b.number : static_cast<double>(b.integer);
    return left == right;
  }
  if (has_own_equality(a) || has_own_equality(b)) fail_with("a comparison of such objects");
  if (a.type != b.type) return false;
  const DepthGuard guard(*this, kMostNested);
  switch (a.type) {
    case Class::kString:
      spend(a.string->text.size() / 64);
      return a.string->text == b.string->text;
    case Class::kFloat:
      return a.number == b.number;
    case Class::kArray: {
      const std::span<Object> left = items(*a.array), right = items(*b.array);
      if (left.size() != right.size()) return false;
      spend(left.size());
      for (size_t i = 0; i < left.size(); ++i) {
        if (!equal(left[i], right[i])) return false;
      }
      return true;
    }
    case Class::kHash: {
      const HashTable& left = load(*a.hash);
      HashTable& right = load(*b.hash);
      if (left.size != right.size) return false;
      spend(left.used);
      for (uint32_t i = 0; i < left.used; ++i) {
        if (left.entries[i].is_removed) continue;
        const Object* other = find(right, left.entries[i].key);
        if (other == nullptr || !equal(left.entries[i].value, *other)) return false;
      }
      return true;
    }
    case Class::kRange:
      return equal(a.range->first, b.range->first) && equal(a.range->last, b.range->last) &&
             a.range->is_exclusive == b.range->is_exclusive;
    case Class::kRegexp:
      return a.regexp->source == b.regexp->source && a.regexp->options == b.regexp->options;
    case Class::kForeign:
      fail_with("a comparison of such values");
    default:
      return same(a, b);
  }
}

bool Interpreter::identical(const Object& a, const Object& b) {
  if (a.type != b.type) return false;
  const DepthGuard guard(*this, kMostNested);
  if (a.is(Class::kArray)) {
    const std::span<Object> left = items(*a.array), right = items(*b.array);
    if (left.size() != right.size()) return false;
    spend(left.size());
    for (size_t i = 0; i < left.size(); ++i) {
      if (!identical(left[i], right[i])) return false;
    }
    return true;
  }
  if (a.is(Class::kHash)) return equal(a, b);
  return equal(a, b);
}

uint32_t Interpreter::hash_code(const Object& object) {
  const DepthGuard guard(*this, kMostNested);
  auto mix = [](uint64_t bits) {
    bits *= 0x9e3779b97f4a7c15u;
    return static_cast<uint32_t>(bits >> 32);
  };
  const uint32_t seed = mix(static_cast<uint64_t>(object.type) + 1);
  switch (object.type) {
    case Class::kString:
    case Class::kSymbol:
      return seed ^ mix(std::hash<std::string_view>()(object.string->text));
    case Class::kArray: {
      uint32_t hash = seed;
      spend(object.array->size);
      for (const Object& item : items(*object.array)) hash = mix(hash) ^ hash_code(item);
      return hash;
    }
    case Class::kHash:
      return seed ^ load(*object.hash).size;
    case Class::kFloat:
      return seed ^ mix(std::hash<double>()(object.number));
    case Class::kBoolean:
      return seed ^ static_cast<uint32_t>(object.boolean);
    case Class::kInteger:
      return seed ^ mix(static_cast<uint64_t>(object.integer));
    case Class::kNil:
      return seed;
    case Class::kClass:
      return seed ^ static_cast<uint32_t>(object.named);
    default:
      fail_with("a " + std::string(class_name(object)) + " as the key of a hash");
  }
}

// --- order --------------------------------------------------------------------------------------

bool Interpreter::compare(const Object& a, const Object& b, int& order) {
  const DepthGuard guard(*this, kMostNested);
  spend(1);
  if (a.is(Class::kInteger) && b.is(Class::kInteger)) {
    order = (a.integer > b.integer) - (a.integer < b.integer);
    return true;
  }
  if (a.is_numeric() && b.is_numeric()) {
    const double left = a.is(Class::kFloat) ? a.number : static_cast<double>(a.integer);
    const double right = b.is(Class::kFloat) ? b.number : static_cast<double>(b.integer);
    if (std::isnan(left) || std::isnan(right)) return false;
    order = (left > right) - (left < right);
    return true;
  }
  if (a.type != b.type) return false;
  switch (a.type) {
    case Class::kString:
    case Class::kSymbol:
      order = ruby_compare(a.string->text, b.string->text);
      return true;
    case Class::kArray: {
      const std::span<Object> left = items(*a.array), right = items(*b.array);
      for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
        if (!compare(left[i], right[i], order)) return false;
        if (order != 0) return true;
      }
      order = (left.size() > right.size()) - (left.size() < right.size());
      return true;
    }
    case Class::kForeign:
      fail_with("a comparison of such values");
    case Class::kNil:
    case Class::kBoolean:
    case Class::kHash:
    case Class::kRange:
    case Class::kRegexp:
      order = 0;
      return equal(a, b);
    default:
      fail_with("a comparison of such objects");
  }
}

int Interpreter::compare(const Object& a, const Object& b) {
  int order = 0;
  if (compare(a, b, order)) return order;
  // Ruby shows special constants and floats by their text, other objects by their class.
  std::string shown;
  const bool is_special = b.is_nil() || b.is(Class::kBoolean) || b.is_numeric();
  if (is_special) {
    append_inspect(shown, b);
  } else {
    shown = class_name(b);
  }
  fail("comparison of " + std::string(class_name(a)) + " with " + shown + " failed");
}

// --- matching -----------------------------------------------------------------------------------

bool Interpreter::range_includes(const RangeObject& range, const Object& value) {
  int order = 0;
  if (!compare(range.first, value, order) || order > 0) return false;
  if (range.last.is_nil()) return true;
  if (!compare(value, range.last, order)) return false;
  return range.is_exclusive ? order < 0 : order <= 0;
}

bool Interpreter::case_equal(const Object& pattern, const Object& value) {
  switch (pattern.type) {
    case Class::kClass:
      return is_instance(value, pattern.named);
    case Class::kRegexp:
      if (!value.is(Class::kString) && !value.is(Class::kSymbol)) {
        set_match(nullptr);
        return false;
      }
      return match(*pattern.regexp->regex, value.string->text) != nullptr;
    case Class::kRange:
      return range_includes(*pattern.range, value);
    default:
      return equal(pattern, value);
  }
}

bool Interpreter::is_instance(const Object& object, Class named) {
  switch (named) {
    case Class::kAny:
      return true;
    case Class::kTrue:
      return object.is(Class::kBoolean) && object.boolean;
    case Class::kFalse:
      return object.is(Class::kBoolean) && !object.boolean;
    case Class::kNumeric:
      return object.is_numeric();
    case Class::kSensitive:
      return object.is(Class::kForeign) && object.foreign->is_sensitive();
    case Class::kEnumerable:
      if (object.is(Class::kForeign)) fail_with("the class of such a value");
      return object.is(Class::kArray) || object.is(Class::kHash) || object.is(Class::kRange);
    case Class::kComparable:
      if (object.is(Class::kForeign)) fail_with("the class of such a value");
      return object.is_numeric() || object.is(Class::kString);
    default:
      return object.type == named;
  }
}

// --- regular expressions ------------------------------------------------------------------------

const MatchObject* Interpreter::match(const Regex& regex, std::string_view text, size_t from) {
  Captures captures;
  spend(1 + text.size() / 16);
  set_match(nullptr);
  try {
    if (!regex.search(text, from, captures)) return nullptr;
  } catch (const RegexError& error) {
    fail_with("a search: " + std::string(error.what()));
  }
  auto* groups = arena_.make_array<std::string_view>(captures.size());
  for (size_t i = 0; i < captures.size(); ++i) {
    groups[i] = captures.matched(i)
                    ? text.substr(captures.begin(i), captures.end(i) - captures.begin(i))
                    : std::string_view();
  }
  return match_ = arena_.make<MatchObject>(
             &regex, text, std::span<const std::string_view>(groups, captures.size()));
}

const Regex* Interpreter::pattern_of(const Object& object) {
  if (object.is(Class::kRegexp)) return object.regexp->regex;
  if (object.is(Class::kString)) return Regex::compile(escape_regex(object.string->text));
  fail("wrong argument type " + std::string(class_name(object)) + " (expected Regexp)");
}

}  // namespace bunraku::erb

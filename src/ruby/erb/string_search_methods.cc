// Strings: their parts, searches, and replacements.
#include <algorithm>

#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "conversion/replacement.h"
#include "conversion/ruby_string.h"
#include "ruby/erb/interpreter.h"
#include "ruby/erb/slices.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

std::string_view text(const Object& self) {
  return self.string->text;
}

// --- parts --------------------------------------------------------------------------------------

// The slice of a text, counted in characters.
Object part(Interpreter& ruby, std::string_view text, const Slice& slice) {
  const size_t begin = offset_of_character(text, slice.begin);
  const std::string_view rest = text.substr(begin);
  return ruby.string(rest.substr(0, offset_of_character(rest, slice.size)));
}

Object group(Interpreter& ruby, const MatchObject* match, int64_t number) {
  if (match == nullptr || number < 0 || static_cast<size_t>(number) >= match->groups.size()) {
    return ruby.nil();
  }
  const std::string_view found = match->groups[static_cast<size_t>(number)];
  return found.data() == nullptr ? ruby.nil() : ruby.string(found);
}

Object element(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object& at = arguments[0];
  if (at.is(Class::kRegexp)) {
    const bool is_numbered =
        arguments.size() == 1 || (arguments[1].is(Class::kInteger) && arguments[1].integer >= 0);
    if (!is_numbered) ruby.fail_with("a group that is not given by its number");
    const int64_t number = arguments.size() > 1 ? arguments[1].integer : 0;
    return group(ruby, ruby.match(*at.regexp->regex, text(self)), number);
  }
  if (at.is(Class::kString)) {
    if (arguments.size() > 1) ruby.fail_with("such a part of a String");
    return text(self).find(text(at)) == std::string_view::npos ? ruby.nil() : ruby.string(text(at));
  }
  const size_t length = character_count(text(self));
  std::optional<Slice> slice;
  if (arguments.size() == 1 && at.is(Class::kInteger)) {
    const int64_t index = at.integer < 0 ? at.integer + static_cast<int64_t>(length) : at.integer;
    if (index < 0 || index >= static_cast<int64_t>(length)) return ruby.nil();
    slice = Slice{static_cast<size_t>(index), 1};
  } else {
    slice = slice_of(ruby, arguments, length);
  }
  return slice ? part(ruby, text(self), *slice) : ruby.nil();
}

// --- is it there --------------------------------------------------------------------------------

Object starts_with(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& prefix : arguments.values) {
    if (prefix.is(Class::kRegexp)) ruby.fail_with("'start_with?' of a regular expression");
    if (text(self).starts_with(ruby.text_of(prefix))) return ruby.boolean(true);
  }
  return ruby.boolean(false);
}

Object ends_with(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& suffix : arguments.values) {
    if (text(self).ends_with(ruby.text_of(suffix))) return ruby.boolean(true);
  }
  return ruby.boolean(false);
}

Object includes(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view wanted = ruby.text_of(arguments[0]);
  return ruby.boolean(text(self).find(wanted) != std::string_view::npos);
}

Object position(Interpreter& ruby, std::string_view text, size_t offset) {
  if (offset == std::string_view::npos) return ruby.nil();
  return ruby.integer(static_cast<int64_t>(character_count(text.substr(0, offset))));
}

Object index(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kRegexp)) {
    const MatchObject* match = ruby.match(*arguments[0].regexp->regex, text(self));
    if (match == nullptr) return ruby.nil();
    return position(ruby, text(self),
                    static_cast<size_t>(match->groups[0].data() - text(self).data()));
  }
  return position(ruby, text(self), text(self).find(ruby.text_of(arguments[0])));
}

Object last_index(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kRegexp)) ruby.fail_with("'rindex' of a pattern");
  return position(ruby, text(self), text(self).rfind(ruby.text_of(arguments[0])));
}

Object match_position(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_nil()) return ruby.nil();
  if (arguments[0].is(Class::kString)) ruby.fail("type mismatch: String given");
  if (!arguments[0].is(Class::kRegexp)) ruby.fail_with("a match with such an object");
  return index(ruby, self, arguments);
}

// The pattern of `match`; a string is the source of a regular expression.
const Regex& expression_of(Interpreter& ruby, const Object& pattern) {
  if (pattern.is(Class::kRegexp)) return *pattern.regexp->regex;
  if (!pattern.is(Class::kString)) ruby.fail_with("'match' of such a pattern");
  try {
    return *compile_regex(text(pattern), {});
  } catch (const RegexError& error) {
    ruby.fail(error.what());
  }
}

Object match(Interpreter& ruby, Object self, const Arguments& arguments) {
  const MatchObject* found = ruby.match(expression_of(ruby, arguments[0]), text(self));
  if (found == nullptr) return ruby.nil();
  Object object(Class::kMatch);
  object.match = found;
  return object;
}

Object matches(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Regex& expression = expression_of(ruby, arguments[0]);
  try {
    return ruby.boolean(expression.matches(text(self)));
  } catch (const RegexError& error) {
    ruby.fail_with("a search: " + std::string(error.what()));
  }
}

// --- all that is there --------------------------------------------------------------------------

// Where the search continues after a match: at its end, or one character later when it is empty.
size_t next_start(std::string_view text, const MatchObject& match) {
  const size_t begin = static_cast<size_t>(match.groups[0].data() - text.data());
  size_t end = begin + match.groups[0].size();
  if (!match.groups[0].empty()) return end;
  if (end < text.size()) {
    next_character(text, end);
    return end;
  }
  return end + 1;
}

Object scan(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Regex* pattern = ruby.pattern_of(arguments[0]);
  ArrayObject* found = ruby.new_array();
  const MatchObject* last = nullptr;
  for (size_t at = 0; at <= text(self).size();) {
    const MatchObject* match = ruby.match(*pattern, text(self), at);
    if (match == nullptr) break;
    last = match;
    Object item;
    if (match->groups.size() == 1) {
      item = ruby.string(match->groups[0]);
    } else {
      ArrayObject* groups = ruby.new_array();
      for (size_t i = 1; i < match->groups.size(); ++i) {
        ruby.push(*groups, group(ruby, match, static_cast<int64_t>(i)));
      }
      item = Object::of(groups);
    }
    if (arguments.block != nullptr) {
      ruby.yield(*arguments.block, item);
    } else {
      ruby.push(*found, item);
    }
    at = next_start(text(self), *match);
  }
  ruby.set_match(last);
  return arguments.block != nullptr ? self : Object::of(found);
}

// --- replacing ----------------------------------------------------------------------------------

std::string replace_with_block(Interpreter& ruby, std::string_view text, const Regex& pattern,
                               const BlockNode& block, bool all) {
  std::string result;
  size_t copied = 0;
  for (size_t at = 0; at <= text.size();) {
    const MatchObject* match = ruby.match(pattern, text, at);
    if (match == nullptr) break;
    auto begin = static_cast<size_t>(match->groups[0].data() - text.data());
    result += text.substr(copied, begin - copied);
    ruby.append_to_s(result, ruby.yield(block, ruby.string(match->groups[0])));
    copied = begin + match->groups[0].size();
    at = next_start(text, *match);
    ruby.check_size(result.size());
    if (!all) break;
  }
  result += text.substr(std::min(copied, text.size()));
  ruby.lose_match();
  return result;
}

template <bool kAll>
std::string replaced(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 1 && arguments.block == nullptr)
    ruby.fail_with("'gsub' without a replacement");
  const Regex* pattern = ruby.pattern_of(arguments[0]);
  if (arguments.size() == 1) {
    return replace_with_block(ruby, text(self), *pattern, *arguments.block, kAll);
  }
  if (arguments.block != nullptr) ruby.fail_with("a replacement and a block");
  ruby.spend(1 + text(self).size() / 16);
  const Value replacement = arguments[1].is(Class::kHash)
                                ? ruby.to_value(arguments[1])
                                : Value::string(ruby.text_of(arguments[1]));
  ruby.lose_match();
  try {
    std::string result = ruby_sub(text(self), *pattern, replacement, kAll);
    ruby.check_size(result.size());
    return result;
  } catch (const RegexError& error) {
    ruby.fail_with("a search: " + std::string(error.what()));
  }
}

template <bool kAll>
Object substitute(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.string(replaced<kAll>(ruby, self, arguments));
}

template <bool kAll>
Object substitute_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string result = replaced<kAll>(ruby, self, arguments);
  if (result == text(self)) {
    // Ruby returns nil when nothing was found; here a replacement by the same text looks the same.
    try {
      if (ruby.pattern_of(arguments[0])->matches(text(self))) ruby.fail_with("such a replacement");
    } catch (const RegexError& error) {
      ruby.fail_with("a search: " + std::string(error.what()));
    }
    return ruby.nil();
  }
  ruby.set_text(self, result);
  return self;
}

// --- splitting ----------------------------------------------------------------------------------

Object split(Interpreter& ruby, Object self, const Arguments& arguments) {
  std::vector<std::string_view> pieces;
  ruby.spend(1 + text(self).size() / 4);
  try {
    if (arguments.size() == 0 || arguments[0].is_nil() ||
        (arguments[0].is(Class::kString) && text(arguments[0]) == " ")) {
      pieces = ruby_split_words(text(self));
    } else if (arguments[0].is(Class::kRegexp)) {
      pieces = ruby_split(text(self), *arguments[0].regexp->regex);
    } else if (ruby.text_of(arguments[0]).empty()) {
      for (size_t at = 0; at < text(self).size();) {
        const size_t begin = at;
        next_character(text(self), at);
        pieces.push_back(text(self).substr(begin, at - begin));
      }
    } else {
      pieces = ruby_split(text(self), text(arguments[0]));
    }
  } catch (const RegexError& error) {
    ruby.fail_with("a search: " + std::string(error.what()));
  }
  ArrayObject* result = ruby.new_array(pieces.size());
  for (const std::string_view piece : pieces) ruby.push(*result, ruby.string(piece));
  return Object::of(result);
}

// split(separator, limit): the last piece is the rest of the text.
Object split_some(Interpreter& ruby, Object self, const Arguments& arguments) {
  const int64_t limit = arguments.size() > 1 ? ruby.integer_of(arguments[1]) : 0;
  if (limit == 0)
    return split(ruby, self,
                 {arguments.values.first(std::min<size_t>(arguments.size(), 1)), nullptr});
  const std::string_view separator = arguments[0].is(Class::kString) ? text(arguments[0]) : "";
  if (separator.empty() || separator == " ") ruby.fail_with("'split' in this form");
  ArrayObject* result = ruby.new_array();
  std::string_view rest = text(self);
  if (rest.empty()) return Object::of(result);
  while (limit < 0 || static_cast<int64_t>(result->size) < limit - 1) {
    const size_t end = rest.find(separator);
    if (end == rest.npos) break;
    ruby.push(*result, ruby.string(rest.substr(0, end)));
    rest.remove_prefix(end + separator.size());
  }
  ruby.push(*result, ruby.string(rest));
  return Object::of(result);
}

template <bool kLast>
Object partition(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kRegexp)) ruby.fail_with("a partition by a pattern");
  const std::string_view separator = ruby.text_of(arguments[0]);
  const size_t at = kLast ? text(self).rfind(separator) : text(self).find(separator);
  std::string_view before, found, after;
  if (at == std::string_view::npos) {
    (kLast ? after : before) = text(self);
  } else {
    before = text(self).substr(0, at);
    found = separator;
    after = text(self).substr(at + separator.size());
  }
  const Object parts[] = {ruby.string(before), ruby.string(found), ruby.string(after)};
  return ruby.array(parts);
}

constexpr Method kStringSearchMethods[] = {
    {Class::kString, "[]", 1, 2, kNever, element},
    {Class::kString, "slice", 1, 2, kNever, element},
    {Class::kString, "start_with?", 0, kAnyCount, kNever, starts_with},
    {Class::kString, "end_with?", 0, kAnyCount, kNever, ends_with},
    {Class::kString, "include?", 1, 1, kNever, includes},
    {Class::kString, "index", 1, 1, kNever, index},
    {Class::kString, "rindex", 1, 1, kNever, last_index},
    {Class::kString, "=~", 1, 1, kNever, match_position},
    {Class::kString, "match", 1, 1, kNever, match},
    {Class::kString, "match?", 1, 1, kNever, matches},
    {Class::kString, "scan", 1, 1, kMay, scan},
    {Class::kString, "sub", 1, 2, kMay, substitute<false>},
    {Class::kString, "gsub", 1, 2, kMay, substitute<true>},
    {Class::kString, "sub!", 1, 2, kMay, substitute_here<false>},
    {Class::kString, "gsub!", 1, 2, kMay, substitute_here<true>},
    {Class::kString, "split", 0, 2, kNever, split_some},
    {Class::kString, "partition", 1, 1, kNever, partition<false>},
    {Class::kString, "rpartition", 1, 1, kNever, partition<true>},
};

}  // namespace

std::span<const Method> string_search_methods() {
  return kStringSearchMethods;
}

}  // namespace bunraku::erb

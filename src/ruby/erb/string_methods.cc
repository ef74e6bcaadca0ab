// Strings: their text, parts and letters. Searches are in string_search_methods.cc.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/diagnostics/diagnostic.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "conversion/ruby_format.h"
#include "conversion/ruby_string.h"
#include "ruby/erb/interpreter.h"
#include "values/ruby_number.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

std::string_view text(const Object& self) {
  return self.string->text;
}

// --- whole strings ------------------------------------------------------------------------------

Object plus(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view more = ruby.text_of(arguments[0]);
  ruby.check_size(text(self).size() + more.size());
  return ruby.string(std::string(text(self)) + std::string(more));
}

Object repeat(Interpreter& ruby, Object self, const Arguments& arguments) {
  const int64_t count = ruby.integer_of(arguments[0]);
  if (count < 0) ruby.fail("argument must be non-negative");
  if (!text(self).empty() && count > 1 << 26) ruby.fail_with("so long a text");
  ruby.check_size(text(self).size() * static_cast<size_t>(count));
  std::string result;
  for (int64_t i = 0; i < count && !text(self).empty(); ++i) result += text(self);
  return ruby.string(result);
}

// The entries of a hash that %{name} and %<name>s can name: those with symbols for keys.
Value named_values(Interpreter& ruby, HashTable& table) {
  HashBuilder named(ruby.scope().arena(), table.size);
  ruby.load(table);
  for (uint32_t i = 0; i < table.used; ++i) {
    const TableEntry& entry = table.entries[i];
    if (entry.is_removed || !entry.key.is(Class::kSymbol)) continue;
    const Object value =
        entry.value.is(Class::kSymbol) ? ruby.borrowed(entry.value.string->text) : entry.value;
    named.set(Value::string(ruby.scope().arena(), entry.key.string->text), ruby.to_value(value));
  }
  return named.finish();
}

Object format_values(Interpreter& ruby, std::string_view format, std::span<const Object> objects) {
  std::vector<Value> values;
  const bool has_names = format.find("%{") != format.npos || format.find("%<") != format.npos;
  if (has_names && objects.size() == 1 && objects[0].is(Class::kHash)) {
    values.push_back(named_values(ruby, *objects[0].hash));
  } else {
    for (const Object& object : objects) values.push_back(ruby.to_value(object));
  }
  try {
    return ruby.string(ruby_format(format, values));
  } catch (const EvaluationError& error) {
    ruby.fail(error.what());
  }
}

Object format(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kArray)) {
    return format_values(ruby, text(self), ruby.items(*arguments[0].array));
  }
  return format_values(ruby, text(self), arguments.values);
}

Object kernel_format(Interpreter& ruby, Object, const Arguments& arguments) {
  return format_values(ruby, ruby.text_of(arguments[0]), arguments.values.subspan(1));
}

Object append(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& argument : arguments.values) {
    if (argument.is(Class::kInteger)) ruby.fail_with("a character by its number");
    ruby.append_text(*self.string, ruby.text_of(argument));
  }
  return self;
}

Object prepend(Interpreter& ruby, Object self, const Arguments& arguments) {
  ruby.set_text(self, std::string(ruby.text_of(arguments[0])) + std::string(text(self)));
  return self;
}

template <char kOperation, bool kOrEqual>
Object compare_order(Interpreter& ruby, Object self, const Arguments& arguments) {
  const int order = ruby.compare(self, arguments[0]);
  if (kOrEqual && order == 0) return ruby.boolean(true);
  return ruby.boolean(kOperation == '<' ? order < 0 : order > 0);
}

Object is_between(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(ruby.compare(self, arguments[0]) >= 0 &&
                      ruby.compare(self, arguments[1]) <= 0);
}

Object compare_without_case(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kString)) ruby.fail_with("'casecmp' of such an object");
  return ruby.integer(ruby_casecmp(text(self), text(arguments[0])));
}

Object equal_without_case(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kString)) ruby.fail_with("'casecmp?' of such an object");
  return ruby.boolean(downcase(text(self)) == downcase(text(arguments[0])));
}

// --- changed copies -----------------------------------------------------------------------------

template <std::string (*kChange)(std::string_view)>
Object changed(Interpreter& ruby, Object self, const Arguments&) {
  ruby.check_size(text(self).size());
  return ruby.string(kChange(text(self)));
}

std::string strip(std::string_view text) {
  return std::string(ruby_strip(text));
}
std::string lstrip(std::string_view text) {
  return std::string(ruby_lstrip(text));
}
std::string rstrip(std::string_view text) {
  return std::string(ruby_rstrip(text));
}
std::string chop(std::string_view text) {
  return std::string(ruby_chop(text));
}
std::string chomp_line(std::string_view text) {
  return std::string(ruby_chomp(text));
}

std::string reversed(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    next_character(text, at);
    result.insert(0, text.substr(begin, at - begin));
  }
  return result;
}

// A method whose name ends in `!`: it returns nil when nothing has changed.
template <std::string (*kChange)(std::string_view)>
Object change(Interpreter& ruby, Object self, const Arguments&) {
  const std::string result = kChange(text(self));
  if (result == text(self)) return ruby.nil();
  ruby.set_text(self, result);
  return self;
}

Object chomp(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 0) return changed<chomp_line>(ruby, self, arguments);
  if (arguments[0].is_nil()) return ruby.string(text(self));
  const std::string_view ending = ruby.text_of(arguments[0]);
  if (ending.empty() || ending == "\n") ruby.fail_with("'chomp' of line ends");
  std::string_view result = text(self);
  if (result.ends_with(ending)) result.remove_suffix(ending.size());
  return ruby.string(result);
}

Object delete_prefix(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view prefix = ruby.text_of(arguments[0]);
  std::string_view result = text(self);
  if (result.starts_with(prefix)) result.remove_prefix(prefix.size());
  return ruby.string(result);
}

Object delete_suffix(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view suffix = ruby.text_of(arguments[0]);
  std::string_view result = text(self);
  if (result.ends_with(suffix)) result.remove_suffix(suffix.size());
  return ruby.string(result);
}

enum class Side { kLeft, kRight, kBoth };

template <Side kPadding>
Object justify(Interpreter& ruby, Object self, const Arguments& arguments) {
  const int64_t width = ruby.integer_of(arguments[0]);
  const std::string_view padding = arguments.size() > 1 ? ruby.text_of(arguments[1]) : " ";
  if (padding.empty()) ruby.fail("zero width padding");
  auto length = static_cast<int64_t>(character_count(text(self)));
  const int64_t missing = width - length;
  if (missing <= 0) return ruby.string(text(self));
  ruby.check_size(static_cast<size_t>(missing) * padding.size());
  const int64_t left = kPadding == Side::kLeft   ? missing
                       : kPadding == Side::kBoth ? missing / 2
                                                 : 0;
  auto pad = [&](std::string& to, int64_t count) {
    size_t at = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (at >= padding.size()) at = 0;
      const size_t begin = at;
      next_character(padding, at);
      to += padding.substr(begin, at - begin);
    }
  };
  std::string result;
  pad(result, left);
  result += text(self);
  pad(result, missing - left);
  return ruby.string(result);
}

// --- sets of characters: tr, delete, count, squeeze ---------------------------------------------

struct CharacterSet {
  std::vector<char32_t> characters;  // in their order, ranges expanded
  bool is_negated = false;

  bool has(char32_t c) const {
    return (std::ranges::find(characters, c) != characters.end()) != is_negated;
  }
};

CharacterSet character_set(Interpreter& ruby, std::string_view text) {
  CharacterSet set;
  std::vector<char32_t> plain;
  for (size_t at = 0; at < text.size();) plain.push_back(next_character(text, at));
  size_t from = 0;
  if (plain.size() > 1 && plain[0] == '^') {
    set.is_negated = true;
    from = 1;
  }
  for (size_t i = from; i < plain.size(); ++i) {
    if (plain[i] == '\\' && i + 1 < plain.size()) {
      set.characters.push_back(plain[++i]);
    } else if (i + 2 < plain.size() && plain[i + 1] == '-') {
      if (plain[i + 2] == '\\') ruby.fail_with("such a set of characters");
      if (plain[i] > plain[i + 2]) ruby.fail_with("such a set of characters");
      ruby.spend(plain[i + 2] - plain[i]);
      for (char32_t c = plain[i]; c <= plain[i + 2]; ++c) set.characters.push_back(c);
      i += 2;
    } else {
      set.characters.push_back(plain[i]);
    }
  }
  return set;
}

Object translate(Interpreter& ruby, Object self, const Arguments& arguments) {
  CharacterSet from = character_set(ruby, ruby.text_of(arguments[0]));
  const std::string_view replacement = ruby.text_of(arguments[1]);
  CharacterSet to = character_set(ruby, replacement);
  if (to.is_negated) ruby.fail_with("such a set of characters");
  ruby.spend(text(self).size() * from.characters.size() / 16);
  std::string result;
  for (size_t at = 0; at < text(self).size();) {
    const size_t begin = at;
    const char32_t c = next_character(text(self), at);
    if (!from.has(c)) {
      result += text(self).substr(begin, at - begin);
      continue;
    }
    if (to.characters.empty()) continue;
    size_t number = to.characters.size() - 1;
    if (!from.is_negated) {
      // For a character that appears twice, the last position counts.
      auto found = std::ranges::find(std::ranges::reverse_view(from.characters), c);
      auto place = static_cast<size_t>(from.characters.rend() - found - 1);
      auto first = std::ranges::find(from.characters, c) - from.characters.begin();
      if (static_cast<size_t>(first) != place) ruby.fail_with("such a set of characters");
      number = std::min(number, place);
    }
    append_character(result, to.characters[number]);
  }
  return ruby.string(result);
}

Object delete_characters(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (text(self).empty()) return ruby.string("");  // Ruby does not look at the argument then
  const CharacterSet set = character_set(ruby, ruby.text_of(arguments[0]));
  ruby.spend(text(self).size() * set.characters.size() / 16);
  std::string result;
  for (size_t at = 0; at < text(self).size();) {
    const size_t begin = at;
    if (!set.has(next_character(text(self), at))) result += text(self).substr(begin, at - begin);
  }
  return ruby.string(result);
}

// The methods that change their receiver return nil where nothing has changed.
template <Object (*kMethod)(Interpreter&, Object, const Arguments&)>
Object changed_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view now = ruby.text_of(kMethod(ruby, self, arguments));
  if (now == text(self)) return ruby.nil();
  ruby.set_text(self, now);
  return self;
}

Object count_characters(Interpreter& ruby, Object self, const Arguments& arguments) {
  const CharacterSet set = character_set(ruby, ruby.text_of(arguments[0]));
  ruby.spend(text(self).size() * set.characters.size() / 16);
  int64_t count = 0;
  for (size_t at = 0; at < text(self).size();) count += set.has(next_character(text(self), at));
  return ruby.integer(count);
}

Object squeeze(Interpreter& ruby, Object self, const Arguments& arguments) {
  CharacterSet set;
  set.is_negated = true;
  if (arguments.size() == 1) set = character_set(ruby, ruby.text_of(arguments[0]));
  ruby.spend(text(self).size() * set.characters.size() / 16);
  std::string result;
  char32_t last = kInvalidCharacter;
  for (size_t at = 0; at < text(self).size();) {
    const size_t begin = at;
    const char32_t c = next_character(text(self), at);
    if (c == last && set.has(c)) continue;
    last = c;
    result += text(self).substr(begin, at - begin);
  }
  return ruby.string(result);
}

// --- conversions --------------------------------------------------------------------------------

Object to_integer(Interpreter& ruby, Object self, const Arguments&) {
  const int64_t result = leading_integer(text(self));
  if (result == INT64_MAX || result == INT64_MIN) ruby.fail_with("an integer of more than 64 bits");
  return ruby.integer(result);
}

Object kernel_integer(Interpreter& ruby, Object, const Arguments& arguments) {
  const Object& from = arguments[0];
  if (from.is(Class::kInteger)) return from;
  if (from.is_nil()) ruby.fail("can't convert nil into Integer", false, "TypeError");
  if (!from.is(Class::kString)) ruby.fail_with("'Integer' of such an object");
  auto number = ruby_integer(text(from));
  if (!number) {
    std::string shown;
    ruby.append_inspect(shown, from);
    ruby.fail("invalid value for Integer(): " + shown, false, "ArgumentError");
  }
  if (!number->fits_int64()) ruby.fail_with("an integer of more than 64 bits");
  return ruby.integer(number->to_int64());
}

Object kernel_float(Interpreter& ruby, Object, const Arguments& arguments) {
  const Object& from = arguments[0];
  if (from.is(Class::kFloat)) return from;
  if (from.is(Class::kInteger)) return Object::of(static_cast<double>(from.integer));
  if (from.is_nil()) ruby.fail("can't convert nil into Float", false, "TypeError");
  if (!from.is(Class::kString)) ruby.fail_with("'Float' of such an object");
  auto number = ruby_float(text(from));
  if (!number) {
    std::string shown;
    ruby.append_inspect(shown, from);
    ruby.fail("invalid value for Float(): " + shown, false, "ArgumentError");
  }
  return Object::of(*number);
}

Object characters(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* result = ruby.new_array();
  for (size_t at = 0; at < text(self).size();) {
    const size_t begin = at;
    next_character(text(self), at);
    ruby.push(*result, ruby.borrowed(text(self).substr(begin, at - begin)));
  }
  ruby.spend(result->size);
  return Object::of(result);
}

Object lines(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* result = ruby.new_array();
  std::string_view rest = text(self);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    ruby.push(*result, ruby.borrowed(rest.substr(0, end)));
    rest.remove_prefix(end);
  }
  ruby.spend(result->size);
  return Object::of(result);
}

template <Object (*kParts)(Interpreter&, Object, const Arguments&)>
Object each_part(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object parts = kParts(ruby, self, arguments);
  for (size_t i = 0; i < parts.array->size; ++i) {
    ruby.yield(*arguments.block, parts.array->items[i]);
  }
  return self;
}

Object ordinal(Interpreter& ruby, Object self, const Arguments&) {
  if (text(self).empty()) ruby.fail("empty string");
  size_t at = 0;
  const char32_t c = next_character(text(self), at);
  if (c == kInvalidCharacter) ruby.fail_with("text that is not UTF-8");
  return ruby.integer(static_cast<int64_t>(c));
}

template <int kBase>
Object digits_of_base(Interpreter& ruby, Object self, const Arguments&) {
  auto number = ruby_integer(text(self), kBase);
  if (!number || !number->fits_int64()) ruby.fail_with("such a number");
  return ruby.integer(number->to_int64());
}

Object length(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.integer(static_cast<int64_t>(character_count(text(self))));
}

Object copy(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.borrowed(text(self));
}

Object itself(Interpreter&, Object self, const Arguments&) {
  return self;
}

// String#dump: as inspect, but in ASCII, with escaped bytes for control characters without a
// letter.
Object dump(Interpreter& ruby, Object self, const Arguments&) {
  const std::string_view all = text(self);
  std::string dumped = "\"";
  const auto is_plain = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !has_byte_escape(c);
  };
  for (size_t at = 0; at < all.size();) {
    const auto rest = all.substr(at);
    const auto plain = std::ranges::find_if_not(rest, is_plain) - rest.begin();
    std::string quoted;
    append_ruby_inspect(quoted, rest.substr(0, static_cast<size_t>(plain)));
    dumped.append(quoted, 1, quoted.size() - 2);
    at += static_cast<size_t>(plain);
    if (at == all.size()) break;
    const auto code = static_cast<uint32_t>(next_character(all, at));
    dumped += code < 0x80      ? fmt::format("\\x{:02X}", code)
              : code < 0x10000 ? fmt::format("\\u{:04X}", code)
                               : fmt::format("\\u{{{:X}}}", code);
  }
  ruby.check_size(dumped.size());
  return ruby.string(dumped + '"');
}

constexpr Method kStringMethods[] = {
    {Class::kString, "+", 1, 1, kNever, plus},
    {Class::kString, "*", 1, 1, kNever, repeat},
    {Class::kString, "%", 1, 1, kNever, format},
    {Class::kTemplate, "format", 1, kAnyCount, kNever, kernel_format},
    {Class::kTemplate, "sprintf", 1, kAnyCount, kNever, kernel_format},
    {Class::kString, "<<", 1, 1, kNever, append},
    {Class::kString, "concat", 0, kAnyCount, kNever, append},
    {Class::kString, "prepend", 1, 1, kNever, prepend},
    {Class::kString, "replace", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       ruby.set_text(self, ruby.text_of(arguments[0]));
       return self;
     }},
    {Class::kString, "<", 1, 1, kNever, compare_order<'<', false>},
    {Class::kString, "<=", 1, 1, kNever, compare_order<'<', true>},
    {Class::kString, ">", 1, 1, kNever, compare_order<'>', false>},
    {Class::kString, ">=", 1, 1, kNever, compare_order<'>', true>},
    {Class::kString, "between?", 2, 2, kNever, is_between},
    {Class::kString, "casecmp", 1, 1, kNever, compare_without_case},
    {Class::kString, "casecmp?", 1, 1, kNever, equal_without_case},

    {Class::kString, "upcase", 0, 0, kNever, changed<upcase>},
    {Class::kString, "downcase", 0, 0, kNever, changed<downcase>},
    {Class::kString, "capitalize", 0, 0, kNever, changed<capitalize>},
    {Class::kString, "swapcase", 0, 0, kNever, changed<swapcase>},
    {Class::kString, "strip", 0, 0, kNever, changed<strip>},
    {Class::kString, "lstrip", 0, 0, kNever, changed<lstrip>},
    {Class::kString, "rstrip", 0, 0, kNever, changed<rstrip>},
    {Class::kString, "chop", 0, 0, kNever, changed<chop>},
    {Class::kString, "chomp", 0, 1, kNever, chomp},
    {Class::kString, "reverse", 0, 0, kNever, changed<reversed>},
    {Class::kString, "upcase!", 0, 0, kNever, change<upcase>},
    {Class::kString, "downcase!", 0, 0, kNever, change<downcase>},
    {Class::kString, "capitalize!", 0, 0, kNever, change<capitalize>},
    {Class::kString, "strip!", 0, 0, kNever, change<strip>},
    {Class::kString, "lstrip!", 0, 0, kNever, change<lstrip>},
    {Class::kString, "rstrip!", 0, 0, kNever, change<rstrip>},
    {Class::kString, "chop!", 0, 0, kNever, change<chop>},
    {Class::kString, "chomp!", 0, 0, kNever, change<chomp_line>},
    {Class::kString, "delete_prefix", 1, 1, kNever, delete_prefix},
    {Class::kString, "delete_suffix", 1, 1, kNever, delete_suffix},
    {Class::kString, "ljust", 1, 2, kNever, justify<Side::kRight>},
    {Class::kString, "rjust", 1, 2, kNever, justify<Side::kLeft>},
    {Class::kString, "center", 1, 2, kNever, justify<Side::kBoth>},
    {Class::kString, "tr", 2, 2, kNever, translate},
    {Class::kString, "delete", 1, 1, kNever, delete_characters},
    {Class::kString, "delete!", 1, 1, kNever, changed_here<delete_characters>},
    {Class::kString, "tr!", 2, 2, kNever, changed_here<translate>},
    {Class::kString, "squeeze!", 0, 1, kNever, changed_here<squeeze>},
    {Class::kString, "count", 1, 1, kNever, count_characters},
    {Class::kString, "squeeze", 0, 1, kNever, squeeze},

    {Class::kString, "to_str", 0, 0, kNever, itself},
    {Class::kString, "to_s", 0, 0, kNever, itself},
    {Class::kString, "dup", 0, 0, kNever, copy},
    {Class::kString, "clone", 0, 0, kNever, copy},
    {Class::kString, "to_sym", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) { return ruby.symbol(text(self)); }},
    {Class::kString, "to_i", 0, 0, kNever, to_integer},
    {Class::kString, "to_f", 0, 0, kNever,
     [](Interpreter&, Object self, const Arguments&) {
       return Object::of(leading_float(text(self)));
     }},
    {Class::kString, "dump", 0, 0, kNever, dump},
    {Class::kString, "hex", 0, 0, kNever, digits_of_base<16>},
    {Class::kString, "ord", 0, 0, kNever, ordinal},
    {Class::kString, "length", 0, 0, kNever, length},
    {Class::kString, "size", 0, 0, kNever, length},
    {Class::kString, "bytesize", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(static_cast<int64_t>(text(self).size()));
     }},
    {Class::kString, "empty?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(text(self).empty());
     }},
    {Class::kString, "chars", 0, 0, kNever, characters},
    {Class::kString, "lines", 0, 0, kNever, lines},
    {Class::kString, "each_char", 0, 0, kMust, each_part<characters>},
    {Class::kString, "each_line", 0, 0, kMust, each_part<lines>},
    {Class::kTemplate, "Integer", 1, 1, kNever, kernel_integer},
    {Class::kTemplate, "Float", 1, 1, kNever, kernel_float},
    {Class::kTemplate, "String", 1, 1, kNever,
     [](Interpreter& ruby, Object, const Arguments& arguments) {
       return ruby.string(ruby.to_s(arguments[0]));
     }},
};

}  // namespace

std::span<const Method> string_methods() {
  return kStringMethods;
}

}  // namespace bunraku::erb

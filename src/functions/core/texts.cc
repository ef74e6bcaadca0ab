// Functions on text.
#include "conversion/ruby_format.h"

#include <fmt/core.h>

#include "conversion/ruby_string.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"
#include "values/sem_ver.h"

namespace bunraku {

namespace {

// A change of a text; it returns a part of the text, or a new text in the arena.
using Change = Value (*)(Arena& arena, std::string_view text);

template <std::string_view (*kPart)(std::string_view)>
Value part(Arena&, std::string_view text) {
  return Value::string(kPart(text));
}
template <std::string (*kMapping)(std::string_view)>
Value mapped(Arena& arena, std::string_view text) {
  return Value::string(arena, kMapping(text));
}

std::string camelcase(std::string_view text) {
  std::string result;
  for (const std::string_view word : ruby_split(text, "_")) result += capitalize(word);
  return result;
}

Value same(Call& call) {
  return call.arguments[0];
}

template <Change kChange>
Value change_string(Call& call) {
  return kChange(call.arena(), call.arguments[0].as_string());
}

template <Change kChange>
Value change_each(Call& call) {
  ArrayBuilder changed(call.arena());
  walk(call, "", call.arguments[0], [&](Value element) {
    changed.push(element.is_string() ? kChange(call.arena(), element.as_string()) : element);
    return true;
  });
  return changed.finish();
}

// Changes all text in a nested structure, keys of hashes included.
template <Change kChange>
Value change_nested(Arena& arena, Value value, Nesting& nesting) {
  if (value.is_string()) return kChange(arena, value.as_string());
  if (!value.is_array() && !value.is_hash()) return value;
  const NestingGuard guard(nesting, "A value");
  if (value.is_array()) {
    ArrayBuilder changed(arena, value.as_array().size());
    for (const Value item : value.as_array())
      changed.push(change_nested<kChange>(arena, item, nesting));
    return changed.finish();
  }
  HashBuilder changed(arena, value.as_hash().size);
  for (const HashEntry& entry : value.as_hash()) {
    changed.set(change_nested<kChange>(arena, entry.key, nesting),
                change_nested<kChange>(arena, entry.value, nesting));
  }
  return changed.finish();
}

template <Change kChange>
Value change_structure(Call& call) {
  Nesting nesting;
  return change_nested<kChange>(call.arena(), call.arguments[0], nesting);
}

// --- older functions ----------------------------------------------------------------------------

Value sprintf(Call& call) {
  const std::span<const Value> arguments = call.arguments;
  if (!arguments[0].is_string()) {
    call.fail(Issue::kNoImplicitConversion,
              {fmt::format("no implicit conversion of {} into String", ruby_noun(arguments[0]))});
  }
  ArrayBuilder values(call.arena(), arguments.size());
  for (const Value value : arguments.subspan(1))
    values.push(reference_as_text(call.arena(), value));
  return ruby_sprintf(call.arena(), arguments[0].as_string(), values.finish().as_array());
}

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@%_+=:,./-").find(c) != std::string_view::npos;
}

void quote_word(std::string& out, std::string_view word) {
  constexpr std::string_view kDangerous = "!\"`$\\";
  bool all_safe = !word.empty();
  for (const char c : word) all_safe = all_safe && is_safe(c);
  if (all_safe) {
    out += word;
  } else if (word.find_first_of(kDangerous) == word.npos) {
    out.append("\"").append(word).append("\"");
  } else if (word.find('\'') == word.npos) {
    out.append("'").append(word).append("'");
  } else {
    out += '"';
    for (const char c : word) {
      if (kDangerous.find(c) != kDangerous.npos) out += '\\';
      out += c;
    }
    out += '"';
  }
}

void quote_all(Call& call, std::string& out, std::span<const Value> words, Nesting& nesting) {
  const NestingGuard guard(nesting, "An array");
  for (const Value word : words) {
    if (word.is_array()) {
      quote_all(call, out, word.as_array(), nesting);
      continue;
    }
    if (word.is_hash())
      call.fail(Issue::kNoImplicitConversion, {"no implicit conversion of Hash into String"});
    if (!word.is_string()) {
      std::string shown = ruby_inspect(word);
      if (word.is_undef())
        shown = "nil:NilClass";
      else if (word.is_boolean())
        shown += word.as_boolean() ? ":TrueClass" : ":FalseClass";
      else
        shown += ":" + std::string(ruby_class_name(word));
      call.fail(Issue::kNoSuchMethod, {"undefined method `length' for " + shown});
    }
    if (!out.empty()) out += ' ';
    quote_word(out, word.as_string());
    check_length(out.size());
  }
}

Value shellquote(Call& call) {
  std::string out;
  Nesting nesting;
  quote_all(call, out, call.arguments, nesting);
  return Value::string(call.arena(), out);
}

Value scanf(Call& call) {
  const Value result =
      ruby_scanf(call.arena(), call.arguments[0].as_string(), call.arguments[1].as_string());
  return call.block == nullptr ? result : yield(call, result);
}

Value versioncmp(Call& call) {
  const bool ignore_zeroes = call.arguments.size() > 2 && call.arguments[2].as_boolean();
  return Value::integer(compare_version_texts(call.arguments[0].as_string(),
                                              call.arguments[1].as_string(), ignore_zeroes));
}

#define SIMPLE_WAYS(change)                                               \
  {                                                                       \
    {"(Numeric $arg)", same}, {"(String $arg)", change_string<change>}, { \
      "(Iterable[Variant[String, Numeric]] $arg)", change_each<change>    \
    }                                                                     \
  }
#define NESTED_WAYS(change)                                             \
  {                                                                     \
    {"(Numeric $arg)", same}, {"(String $arg)", change_string<change>}, \
        {"(Array[StringData] $arg)", change_structure<change>}, {       \
      "(Hash[StringData, StringData] $arg)", change_structure<change>   \
    }                                                                   \
  }

constexpr Overload kCamelcase[] = SIMPLE_WAYS(mapped<camelcase>);
constexpr Overload kCapitalize[] = SIMPLE_WAYS(mapped<capitalize>);
constexpr Overload kChomp[] = SIMPLE_WAYS(part<ruby_chomp>);
constexpr Overload kChop[] = SIMPLE_WAYS(part<ruby_chop>);
constexpr Overload kLstrip[] = SIMPLE_WAYS(part<ruby_lstrip>);
constexpr Overload kRstrip[] = SIMPLE_WAYS(part<ruby_rstrip>);
constexpr Overload kStrip[] = SIMPLE_WAYS(part<ruby_strip>);
constexpr Overload kUpcase[] = NESTED_WAYS(mapped<upcase>);
constexpr Overload kDowncase[] = NESTED_WAYS(mapped<downcase>);
#undef SIMPLE_WAYS
#undef NESTED_WAYS
constexpr std::string_view kStringData =
    "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]";

constexpr Overload kSprintf[] = {{"(Any $format, Any *$arguments)", sprintf}};
constexpr Overload kShellquote[] = {{"(Any *$words)", shellquote}};
constexpr Overload kScanf[] = {
    {"(String $data, String $format, Optional[Callable] &$block)", scanf}};
constexpr Overload kVersioncmp[] = {
    {"(String $a, String $b, Boolean $ignore_trailing_zeroes = default)", versioncmp}};

constexpr NativeFunctionInfo kTextFunctions[] = {
    {"camelcase", kCamelcase,
     "Joins words that underscores divide, each with an upper-case first letter. Takes text or a "
     "sequence of it; numbers stay.",
     "camelcase('hello_friend')"},
    {"capitalize", kCapitalize,
     "Makes the first letter upper-case and the others lower-case. Takes text or a sequence of it; "
     "numbers stay.",
     "capitalize('hello FRIEND')"},
    {"chomp", kChomp,
     "Removes a line ending from the end of text. Takes text or a sequence of it; numbers stay.",
     "chomp(\"hello\\n\")"},
    {"chop", kChop,
     "Removes the last character of text, or a whole \\r\\n. Takes text or a sequence of it; "
     "numbers stay.",
     "chop('hello')"},
    {"lstrip", kLstrip,
     "Removes white space from the start of text. Takes text or a sequence of it; numbers stay.",
     "lstrip('  hello ')"},
    {"rstrip", kRstrip,
     "Removes white space from the end of text. Takes text or a sequence of it; numbers stay.",
     "rstrip('  hello ')"},
    {"strip", kStrip,
     "Removes white space from both ends of text. Takes text or a sequence of it; numbers stay.",
     "strip('  hello ')"},
    {"upcase", kUpcase,
     "Makes all letters upper-case, in text, in arrays and in hashes with their keys; numbers "
     "stay.",
     "upcase({ 'key' => ['a', 'b'] })", false, kStringData},
    {"downcase", kDowncase,
     "Makes all letters lower-case, in text, in arrays and in hashes with their keys; numbers "
     "stay.",
     "downcase(['ABC', 'Ä'])", false, kStringData},
    {"sprintf", kSprintf,
     "Fills a format with values: `%s`, `%d`, `%05.2f`, `%x` and so on, with Ruby's flags; "
     "`%<name>d` takes the value from a hash.",
     "sprintf('%-5s|%03d', 'ab', 7)", true},
    {"shellquote", kShellquote,
     "Quotes its arguments, and the elements of arrays, for a POSIX shell, and joins them with "
     "spaces.",
     "shellquote('ls', '-l', 'my file')", true},
    {"scanf", kScanf,
     "Reads values out of text by a format such as `%d`: an array of as many as agree with it. A "
     "lambda gets the array, and its result is the function's.",
     "scanf('42 apples', '%d %s')"},
    {"versioncmp", kVersioncmp,
     "Compares two version numbers part by part: -1 when the first is older, 1 when it is newer, "
     "else 0. A third argument lets zeroes at the end not count.",
     "versioncmp('2.6-1', '2.4.5')"},
};

}  // namespace

std::span<const NativeFunctionInfo> text_functions() {
  return kTextFunctions;
}

}  // namespace bunraku

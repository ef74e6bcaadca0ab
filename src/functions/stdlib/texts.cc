// The standard library's functions on text.
#include <algorithm>
#include <ctime>

#include "base/regex/regex.h"
#include "base/system/reads.h"
#include "base/text/utf8.h"
#include "conversion/replacement.h"
#include "conversion/ruby_format.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/character_set.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"
#include "values/timestamp.h"

namespace bunraku::stdlib {

namespace {

using Change = std::string (*)(std::string_view text);

// Changes a text, or the texts in an array; other elements are unchanged.
Value change_each(Call& call, std::string_view name, Change change) {
  const std::string function(name);
  if (call.arguments.empty()) fail_count(call, name, "1");
  const Value value = call.arguments[0];
  if (value.is_string()) return Value::string(call.arena(), change(value.as_string()));
  if (!value.is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {function + "(): Requires either array or string to work with"});
  }
  ArrayBuilder changed(call.arena(), value.as_array().size());
  for (const Value item : value.as_array()) {
    changed.push(item.is_string() ? Value::string(call.arena(), change(item.as_string())) : item);
  }
  return changed.finish();
}

Value swap_case(Call& call) {
  return change_each(call, "swapcase", swapcase);
}
Value regexpescape(Call& call) {
  return change_each(call, "regexpescape", escape_regex);
}

std::string escape_uri(std::string_view text) {
  constexpr std::string_view kSafe =
      "-_.!~*'()abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789;/?:@&=+$,[]";
  std::string escaped;
  for (const char c : text) {
    if (kSafe.find(c) != kSafe.npos) {
      escaped += c;
    } else {
      constexpr char kDigits[] = "0123456789ABCDEF";
      escaped += '%';
      escaped += kDigits[static_cast<unsigned char>(c) >> 4];
      escaped += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return escaped;
}
Value uriescape(Call& call) {
  return change_each(call, "uriescape", escape_uri);
}

template <const char* kName>
std::string_view text_argument(Call& call) {
  if (!call.arguments[0].is_string()) {
    call.fail(Issue::kWrongArgumentKind, {std::string(kName) + "(): Requires string as argument"});
  }
  return call.arguments[0].as_string();
}
constexpr char kDos2unixName[] = "dos2unix";
constexpr char kUnix2dosName[] = "unix2dos";

Value dos2unix(Call& call) {
  static const Regex& ending = *Regex::compile("\\r\\n");
  return Value::string(call.arena(), ruby_sub(text_argument<kDos2unixName>(call), ending,
                                              Value::string("\n"), true));
}

Value unix2dos(Call& call) {
  static const Regex& ending = *Regex::compile("\\r*\\n");
  return Value::string(call.arena(), ruby_sub(text_argument<kUnix2dosName>(call), ending,
                                              Value::string("\r\n"), true));
}

// --- squeeze ------------------------------------------------------------------------------------

std::string squeezed(std::string_view text, const CharacterSet* set) {
  std::string result;
  std::string_view last;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t character = next_character(text, at);
    const std::string_view bytes = text.substr(begin, at - begin);
    if (bytes == last && (set == nullptr || set->has(character))) continue;
    result += bytes;
    last = bytes;
  }
  return result;
}

Value squeeze(Call& call) {
  if (call.arguments.empty() || call.arguments.size() > 2) {
    call.fail(Issue::kWrongArgumentCount, {"squeeze(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 2 or 1"});
  }
  std::optional<CharacterSet> set;
  auto squeeze_one = [&](Value value) {
    if (!value.is_string()) fail_undefined_method(call, "squeeze", value);
    if (!set && call.argument(1).is_truthy()) {
      if (!call.arguments[1].is_string())
        fail_implicit_conversion(call, call.arguments[1], "String");
      set.emplace(call, call.arguments[1].as_string());
    }
    return Value::string(call.arena(), squeezed(value.as_string(), set ? &*set : nullptr));
  };
  const Value value = call.arguments[0];
  if (!value.is_array()) return squeeze_one(value);
  ArrayBuilder results(call.arena(), value.as_array().size());
  for (const Value item : value.as_array()) results.push(squeeze_one(item));
  return results.finish();
}

// --- shells -------------------------------------------------------------------------------------

std::string escape_for_shell(std::string_view text) {
  if (text.empty()) return "''";
  static const Regex& special = *Regex::compile(R"([^A-Za-z0-9_\-.,:+\/@\n])");
  static const Regex& line_end = *Regex::compile("\\n");
  const std::string escaped = ruby_sub(text, special, Value::string("\\\\\\&"), true);
  return ruby_sub(escaped, line_end, Value::string("'\n'"), true);
}

Value shell_escape(Call& call) {
  return Value::string(call.arena(), escape_for_shell(to_s(call.arguments[0])));
}

Value shell_join(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "shell_join", "1");
  if (!call.arguments[0].is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {"First argument is not an Array: " + inspect(call.arguments[0])});
  }
  std::string line;
  bool is_first = true;
  for (const Value word : call.arguments[0].as_array()) {
    if (!is_first) line += ' ';
    is_first = false;
    line += escape_for_shell(to_s(word));
  }
  return Value::string(call.arena(), line);
}

Value shell_split(Call& call) {
  static const Regex& word = *Regex::compile(
      R"re((?m:\G\s*(?>([^\s\\\'\"]+)|'([^\']*)'|"((?:[^\"\\]|\\.)*)"|(\\.?)|(\S))(\s|\z)?))re");
  static const Regex& escape_in_quotes = *Regex::compile("\\\\([$`\"\\\\\\n])");
  static const Regex& escape = *Regex::compile("\\\\(.)");
  if (call.arguments.size() != 1) fail_count(call, "shell_split", "1");
  const std::string line = to_s(call.arguments[0]);
  ArrayBuilder words(call.arena());
  std::string field;
  Captures match;
  for (size_t at = 0; at <= line.size() && word.search(line, at, match) && match.begin() == at;) {
    if (match.matched(5))
      call.fail(Issue::kWrongArgumentValue, {"Unmatched quote: " + inspect(Value::string(line))});
    if (match.matched(1))
      field += match.text(line, 1);
    else if (match.matched(2))
      field += match.text(line, 2);
    else if (match.matched(3)) {
      field += ruby_sub(match.text(line, 3), escape_in_quotes, Value::string("\\1"), true);
    } else {
      field += ruby_sub(match.text(line, 4), escape, Value::string("\\1"), true);
    }
    if (match.matched(6)) {
      // Ruby's Shellwords starts each word as bytes; appended text that is not ASCII makes it
      // UTF-8.
      const bool is_ascii = std::ranges::none_of(field, [](char c) { return c < 0; });
      const std::string_view text = call.arena().copy(field);
      words.push(is_ascii ? Value::byte_string(text) : Value::string(text));
      field.clear();
    }
    at = match.end();
  }
  return words.finish();
}

Value batch_escape(Call& call) {
  std::string escaped = "\"";
  for (const char c : to_s(call.arguments[0])) {
    if (c == '"') escaped += '"';
    if (c == '$' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return Value::string(call.arena(), escaped + "\"");
}

Value powershell_escape(Call& call) {
  std::string escaped;
  for (const char c : to_s(call.arguments[0])) {
    if (c == '"') {
      escaped += "\\`\"";
      continue;
    }
    if (std::string_view(" '`|\n$").find(c) != std::string_view::npos) escaped += '`';
    escaped += c;
  }
  return Value::string(call.arena(), escaped);
}

// --- namespaced ---------------------------------------------------------------------------------

template <bool kAtEnd>
Value has_affix(Call& call) {
  const std::string_view text = call.arguments[0].as_string();
  Value given = call.arguments[1];
  const std::span<const Value> affixes = given.is_array() ? given.as_array() : std::span(&given, 1);
  for (const Value affix : affixes) {
    if (kAtEnd ? text.ends_with(affix.as_string()) : text.starts_with(affix.as_string())) {
      return Value::boolean(true);
    }
  }
  return Value::boolean(false);
}

Value xml_encode(Call& call) {
  const bool is_attribute = call.arguments.size() > 1 && call.arguments[1].as_string() == "attr";
  std::string encoded;
  if (is_attribute) encoded += '"';
  for (const char c : call.arguments[0].as_string()) {
    if (c == '&')
      encoded += "&amp;";
    else if (c == '<')
      encoded += "&lt;";
    else if (c == '>')
      encoded += "&gt;";
    else if (c == '"' && is_attribute)
      encoded += "&quot;";
    else
      encoded += c;
  }
  if (is_attribute) encoded += '"';
  return Value::string(call.arena(), encoded);
}

Value sprintf_hash(Call& call) {
  deprecation(
      call, "sprintf_hash",
      "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf "
      "instead");
  return ruby_sprintf(call.arena(), call.arguments[0].as_string(), call.arguments.subspan(1, 1));
}

Value time(Call& call) {
  if (call.arguments.size() > 1) {
    call.fail(Issue::kWrongArgumentCount, {"time(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 0 or 1"});
  }
  report_untracked("the time was read");
  return Value::integer(static_cast<int64_t>(std::time(nullptr)));
}

constexpr Overload kSwapcase[] = {{"(Any *$arguments)", swap_case}};
constexpr Overload kRegexpescape[] = {{"(Any *$arguments)", regexpescape}};
constexpr Overload kUriescape[] = {{"(Any *$arguments)", uriescape}};
constexpr Overload kDos2unix[] = {{"(Any $text)", dos2unix}};
constexpr Overload kUnix2dos[] = {{"(Any $text)", unix2dos}};
constexpr Overload kSqueeze[] = {{"(Any *$arguments)", squeeze}};
constexpr Overload kShellEscape[] = {{"(Any $string)", shell_escape}};
constexpr Overload kShellJoin[] = {{"(Any *$arguments)", shell_join}};
constexpr Overload kShellSplit[] = {{"(Any *$arguments)", shell_split}};
constexpr Overload kBatchEscape[] = {{"(Any $string)", batch_escape}};
constexpr Overload kPowershellEscape[] = {{"(Any $string)", powershell_escape}};
constexpr Overload kStartWith[] = {
    {"(String $test_string, Variant[String[1], Array[String[1], 1]] $prefixes) >> Boolean",
     has_affix<false>}};
constexpr Overload kEndWith[] = {
    {"(String $test_string, Variant[String[1], Array[String[1], 1]] $suffixes) >> Boolean",
     has_affix<true>}};
constexpr Overload kXmlEncode[] = {
    {"(String $str, Enum['text', 'attr'] $type = default) >> String", xml_encode}};
constexpr Overload kSprintfHash[] = {{"(String $format, Hash $arguments)", sprintf_hash}};
constexpr Overload kTime[] = {{"(Any *$timezone)", time}};

constexpr NativeFunctionInfo kTextFunctions[] = {
    {"swapcase", kSwapcase, "Text, or the texts of an array, with upper and lower case exchanged.",
     "swapcase('aBcD')", true},
    {"regexpescape", kRegexpescape,
     "Text, or the texts of an array, as regular expressions that match "
     "just that.",
     "regexpescape('a.b*c')", true},
    {"uriescape", kUriescape,
     "Text, or the texts of an array, with all that a URI may not hold as %XX.", "uriescape('a b')",
     true},
    {"dos2unix", kDos2unix, "Text with \\n for \\r\\n.", "dos2unix(\"a\\r\\nb\")", true},
    {"unix2dos", kUnix2dos, "Text with \\r\\n for \\n.", "unix2dos(\"a\\nb\")", true},
    {"squeeze", kSqueeze,
     "Text, or the texts of an array, with repeated characters (or only the given "
     "ones) once.",
     "squeeze('aabbcc', 'a-b')", true},
    {"shell_escape", kShellEscape, "Text as one word for a POSIX shell.", "shell_escape('a b')"},
    {"stdlib::shell_escape", kShellEscape, "Text as one word for a POSIX shell.",
     "stdlib::shell_escape('a b')"},
    {"shell_join", kShellJoin, "The elements of an array as words for a POSIX shell, on one line.",
     "shell_join(['a b', 'c'])", true},
    {"shell_split", kShellSplit, "The words of a line as a POSIX shell sees them.",
     "shell_split('a \"b c\"')", true},
    {"batch_escape", kBatchEscape, "Text in quotes for a Windows batch file.",
     "batch_escape('a \"b\"')"},
    {"stdlib::batch_escape", kBatchEscape, "Text in quotes for a Windows batch file.",
     "stdlib::batch_escape('a \"b\"')"},
    {"powershell_escape", kPowershellEscape, "Text as one word for PowerShell.",
     "powershell_escape('a b')"},
    {"stdlib::powershell_escape", kPowershellEscape, "Text as one word for PowerShell.",
     "stdlib::powershell_escape('a b')"},
    {"stdlib::start_with", kStartWith, "Does text begin with this, or one of several?",
     "stdlib::start_with('hello', ['he', 'x'])"},
    {"stdlib::end_with", kEndWith, "Does text end with this, or one of several?",
     "stdlib::end_with('hello', 'lo')"},
    {"stdlib::xml_encode", kXmlEncode, "Text for XML, or for an attribute in it.",
     "stdlib::xml_encode('a < b')"},
    {"sprintf_hash", kSprintfHash, "Fills a format with the values of a hash. Deprecated.",
     "sprintf('%<a>d', { 'a' => 1 })"},
    {"time", kTime, "The seconds since 1970.", "time()", true},
};

}  // namespace

std::span<const NativeFunctionInfo> text_functions() {
  return kTextFunctions;
}

}  // namespace bunraku::stdlib

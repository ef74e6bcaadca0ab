#include "base/regex/regex.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

using namespace bunraku;

namespace {

// The texts of the groups separated by commas, "-" for a group that took no part, "no match"
// otherwise.
std::string match(const char* pattern, std::string_view text, size_t from = 0) {
  Captures captures;
  if (!Regex::compile(pattern)->search(text, from, captures)) return "no match";
  std::string groups;
  for (size_t i = 0; i < captures.size(); ++i) {
    if (i > 0) groups += ",";
    groups += captures.matched(i) ? std::string(captures.text(text, i)) : "-";
  }
  return groups;
}

std::string error_of(const char* pattern) {
  try {
    Regex::compile(pattern);
    return "compiles";
  } catch (const RegexError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("regex: captures and offsets") {
  CHECK(match("(a)(b)?(c)", "xac") == "ac,a,-,c");
  CHECK(match("b+", "abba", 2) == "b");
  CHECK(match("b+", "abba", 3) == "no match");
  CHECK(match("(?<=a)b", "ab", 1) == "b");
  CHECK(match("", "", 0) == "");
  CHECK(match("a", "a", 5) == "no match");
  Captures captures;
  CHECK(Regex::compile("é")->search("aéb", 0, captures));
  CHECK(captures.begin() == 1);
  CHECK(captures.end() == 3);
}

TEST_CASE("regex: lines as in Ruby") {
  CHECK(match("^b$", "a\nb\nc") == "b");
  CHECK(match("\\Ab", "a\nb") == "no match");
  CHECK(match("a.b", "a\nb") == "no match");
  CHECK(match("(?m)a.b", "a\nb") == "a\nb");
}

TEST_CASE("regex: shorthand classes are ASCII, brackets and properties are not") {
  CHECK(match("\\w+", "éa1_") == "a1_");
  CHECK(match("\\d", "٣") == "no match");
  CHECK(match("\\s", "\xC2\xA0") == "no match");
  CHECK(match("[[:alpha:]]+", "1éa") == "éa");
  CHECK(match("(?u)\\w+", "éa") == "éa");
  CHECK(match("(?a)[[:alpha:]]+", "éa") == "a");
  CHECK(match("[^\\w]", "aé") == "é");
  CHECK(match("(?i)\\W", "K") == "no match");
  CHECK(match("\\h+", "xfF0g") == "fF0");
}

TEST_CASE("regex: escapes") {
  CHECK(match("\\u00e9", "é") == "é");
  CHECK(match("\\u{e9 61}", "éa") == "éa");
  CHECK(match("\\xC3\\xA9", "é") == "é");
  CHECK(match("\\x2Ab", "*b") == "*b");
  CHECK(match("^*a", "ba") == "a");
  CHECK(match("(?=a)?b", "b") == "b");
}

TEST_CASE("regex: named groups") {
  const Regex* regex = Regex::compile("(?<year>\\d+)-(?<month>\\d+)");
  CHECK(regex->group_count() == 2);
  REQUIRE(regex->named_groups().size() == 2);
  CHECK(regex->named_groups()[1].name == "month");
  CHECK(regex->named_groups()[1].groups == std::vector<int>{2});
}

TEST_CASE("regex: errors in Ruby's words") {
  CHECK(error_of("(") == "end pattern with unmatched parenthesis: /(/");
  CHECK(error_of("a/(") == "end pattern with unmatched parenthesis: /a\\/(/");
  CHECK(error_of("[") == "premature end of char-class: /[/");
  CHECK(error_of("[]") == "empty char-class: /[]/");
  CHECK(error_of("*") == "target of repeat operator is not specified: /*/");
  CHECK(error_of("[b-a]") == "empty range in char class: /[b-a]/");
  CHECK(error_of("a{3,2}") == "upper is smaller than lower in repeat range: /a{3,2}/");
  CHECK(error_of("\\") == "too short escape sequence: /\\/");
  CHECK(error_of("\\u12") == "invalid Unicode escape: /\\u12/");
  CHECK(error_of("(?<=ab?)c") == "invalid pattern in look-behind: /(?<=ab?)c/");
  CHECK(error_of("(?<n>a)\\k<m>") == "undefined name <m> reference: /(?<n>a)\\k<m>/");
  CHECK(error_of("\xff") == "invalid multibyte character: /\\xFF/");
}

TEST_CASE("regex: a search that would never end is given up") {
  const std::string text(40, 'a');
  CHECK_THROWS_AS(Regex::compile("^(a+)+\\1$")->matches(text + "b"), RegexError);
  CHECK_THROWS_AS(Regex::compile("(?=a)^(a|aa)+$")->matches(text + text + "b"), RegexError);
  CHECK_THROWS_AS(Regex::compile("(x+x+)+\\1y")->matches(std::string(60, 'x')), RegexError);
}

TEST_CASE("regex: whether there is a match is known where retries would not end") {
  const std::string letters(60, 'x');
  const Regex* twice = Regex::compile("(x+x+)+y");
  CHECK_FALSE(twice->matches(letters));
  CHECK(twice->matches(letters + "y"));
  Captures captures;
  CHECK_FALSE(twice->search(letters, 0, captures));
  // A path with a line end is no Stdlib::Unixpath.
  const Regex* path = Regex::compile("\\A/([^\\n/\\0]+/*)*\\z");
  CHECK_FALSE(path->matches("/" + letters + "/" + letters + "\n"));
  CHECK(path->matches("/" + letters + "/" + letters));
}

TEST_CASE("regex: large and deep input") {
  const std::string text(2'000'000, 'a');
  CHECK(Regex::compile("^a*$")->matches(text));
  CHECK(Regex::compile("b")->matches(text + "b"));
  const std::string deep(100'000, '(');
  CHECK_THROWS_AS(Regex::compile(deep), RegexError);
  const std::string balanced = std::string(100'000, '(') + std::string(100'000, ')');
  CHECK_THROWS_AS(Regex::compile(balanced), RegexError);
}

TEST_CASE("regex: text that is not UTF-8 is refused") {
  CHECK_THROWS_AS(Regex::compile("a")->matches("\xff\xfe"), RegexError);
}

TEST_CASE("regex: one compiled pattern for a text, whatever the thread") {
  const Regex* expected = Regex::compile("thr(ea)d");
  std::vector<std::thread> threads;
  std::vector<const Regex*> found(4);
  for (size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&found, i] {
      for (int n = 0; n < 200; ++n) Regex::compile("x{" + std::to_string(n) + "}");
      found[i] = Regex::compile("thr(ea)d");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Regex* regex : found) CHECK(regex == expected);
}

TEST_CASE("regex: escape") {
  CHECK(escape_regex("a.b*c d\n#/") == "a\\.b\\*c\\ d\\n\\#/");
}

#include "base/regex/fast_regex.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "base/regex/plain_pattern.h"
#include "base/regex/regex.h"

using namespace bunraku;

namespace {

// A random pattern of the kinds that both engines accept, with some that they do not.
class RandomPattern {
 public:
  explicit RandomPattern(uint32_t seed) : random_(seed) {}

  std::string pattern(int depth = 0) {
    std::string text;
    const int alternatives = below(8) == 0 ? 2 : 1;
    for (int a = 0; a < alternatives; ++a) {
      if (a > 0) text += '|';
      for (int items = below(4) + (depth == 0 ? 1 : 0); items > 0; --items) text += item(depth);
    }
    return text;
  }

  std::string subject() {
    static const std::vector<std::string> kParts = {"a",  "b", "c", "ab", "1",
                                                    "23", " ", "-", "_",  "\n",
                                                    "é",  ".", "A", "ſ",  std::string(1, '\0')};
    std::string text;
    for (int parts = below(12); parts > 0; --parts) text += one_of(kParts);
    return text;
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<uint32_t>(end)); }
  const std::string& one_of(const std::vector<std::string>& texts) {
    return texts[static_cast<size_t>(below(static_cast<int>(texts.size())))];
  }

  std::string item(int depth) {
    static const std::vector<std::string> kAtoms = {
        "a",         "b",      "c",         "1",        "-",   " ",           ".",      "\\d",
        "\\w",       "\\s",    "\\W",       "\\D",      "\\S", "[ab]",        "[^a]",   "[a-c1-3]",
        "\\h",       "\\.",    "^",         "$",        "\\A", "\\z",         "\\Z",    "[\\w.]",
        "[^\\d\\s]", "[a-]",   "\\-",       "_",        "é",   "[[:alpha:]]", "(?i:a)", "\\b",
        "[\\h\\n-]", "[^\\0]", "(?m-ix:.)", "(?-mix:.)"};
    static const std::vector<std::string> kQuantifiers = {
        "*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}", "{,2}", "{2}?", "*+"};
    static const std::vector<std::string> kGroups = {"(", "(", "(?:", "(?m-ix:", "(?-mix:"};
    std::string text;
    if (depth < 3 && below(4) == 0) {
      text = one_of(kGroups) + pattern(depth + 1) + ")";
    } else {
      text = one_of(kAtoms);
    }
    if (below(3) == 0) text += one_of(kQuantifiers);
    return text;
  }

  std::mt19937 random_;
};

// The text of the match and the position of each group.
std::string shown(bool is_match, const Captures& captures) {
  if (!is_match) return "no match";
  std::string text;
  for (size_t i = 0; i < captures.size(); ++i) {
    text += captures.matched(i)
                ? std::to_string(captures.begin(i)) + "-" + std::to_string(captures.end(i)) + " "
                : "none ";
  }
  return text;
}

std::string shown(FastRegex::Answer answer, std::span<const size_t> offsets) {
  if (answer == FastRegex::Answer::kNoMatch) return "no match";
  std::string text;
  for (size_t i = 0; i < offsets.size(); i += 2) {
    text += offsets[i] == FastRegex::kUnset
                ? "none "
                : std::to_string(offsets[i]) + "-" + std::to_string(offsets[i + 1]) + " ";
  }
  return text;
}

bool is_plain(const char* pattern) {
  return plain_pattern(pattern).has_value();
}

}  // namespace

TEST_CASE("fast regex: both engines find the same in random texts") {
  int compared = 0, answered = 0;
  for (uint32_t seed = 1; seed <= 6000; ++seed) {
    RandomPattern random(seed);
    const std::string pattern = random.pattern();
    const std::unique_ptr<const FastRegex> fast = FastRegex::compile(pattern);
    if (fast == nullptr) continue;
    const Regex* slow = Regex::compile(pattern);
    for (int i = 0; i < 6; ++i) {
      const std::string text = random.subject();
      std::span<const size_t> offsets;
      const FastRegex::Answer answer = fast->search(text, 0, offsets);
      if (answer == FastRegex::Answer::kGivenUp) continue;
      Captures captures;
      CAPTURE(pattern);
      CAPTURE(text);
      const std::string quickly = shown(answer, offsets);
      CHECK(quickly == shown(slow->search(text, 0, captures), captures));
      const bool has_match = answer == FastRegex::Answer::kMatch;
      const FastRegex::Answer without_groups = FastRegex::has_match(pattern, text, 0);
      if (without_groups != FastRegex::Answer::kGivenUp) {
        CHECK(without_groups ==
              (has_match ? FastRegex::Answer::kMatch : FastRegex::Answer::kNoMatch));
        ++answered;
      }
      if (captures.size() > 0) CHECK(slow->group_count() + size_t{1} == captures.size());
      ++compared;
    }
  }
  // With fewer, the patterns would prove nothing.
  CHECK(compared > 5000);
  CHECK(answered > 5000);
}

TEST_CASE("fast regex: only patterns that mean the same to both engines are taken") {
  CHECK(is_plain("\\Ahost-(\\d+)-([a-z]+)\\z"));
  CHECK(is_plain("^[a-zA-Z0-9._-]+$"));
  CHECK(is_plain("\\A[[:xdigit:]]{1,4}(:[-[:xdigit:]]{1,4}){7}\\z"));
  CHECK(is_plain("\\A/([^\\n/\\0]+/*)*\\z"));
  CHECK(is_plain("(?m-ix:(.*)\\n(?-mix:.))"));
  CHECK(is_plain("(?:a|b)+c{2,3}?d") == false);
  for (const char* pattern :
       {"é",      "(?i)a",   "(?i:a)",  "(?<n>a)", "(?=a)",   "(?<!a)",    "(a)\\1", "[[:alpha:]]",
        "[a&&b]", "[]a]",    "a*+",     "a**",     "(a*)*",   "(a?|b)+",   "^*",     "{1}",
        "a{,2}",  "a{2,1}",  "a{0}",    "\\b",     "\\p{L}",  "\\R",       "\\G",    "\\u00e9",
        "\\x41",  "[\\w-z]", "(",       ")",       "a)",      "[a",        "[z-a]",  "\\",
        "a\\",    "[\\",     "a{1001}", "(?#c)",   "(?mi:a)", "(?x-mi:a)", "[\\07]"}) {
    CAPTURE(pattern);
    CHECK_FALSE(is_plain(pattern));
  }
}

TEST_CASE("fast regex: a search without end is given up, and answered by the other engine") {
  const char* pattern = "(x+x+)+y";
  const std::unique_ptr<const FastRegex> fast = FastRegex::compile(pattern);
  REQUIRE(fast != nullptr);
  const std::string text(40, 'x');
  std::span<const size_t> offsets;
  CHECK(fast->search(text, 0, offsets) != FastRegex::Answer::kMatch);
}

TEST_CASE("fast regex: ways through a large text or pattern are not followed") {
  const std::string text(100'000, 'x');
  CHECK(FastRegex::has_match("(x+x+)+y", text, 0) == FastRegex::Answer::kGivenUp);
  CHECK(FastRegex::has_match("\\A(x+x+)+\\n", text, 0) == FastRegex::Answer::kGivenUp);
  CHECK(FastRegex::has_match("\\A(x+x+)+\\n", text.substr(0, 500), 0) ==
        FastRegex::Answer::kNoMatch);
  CHECK(FastRegex::has_match("((x{1,200}){1,100}y)+", text.substr(0, 100), 0) ==
        FastRegex::Answer::kGivenUp);
}

TEST_CASE("fast regex: a pattern that is often searched for goes on finding the same") {
  const Regex* regex = Regex::compile("(often)(-seldom)?");
  Captures captures;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(regex->search("as often as not", 0, captures));
    REQUIRE(shown(true, captures) == "3-8 3-8 none ");
    REQUIRE_FALSE(regex->search("as often", 5, captures));
    REQUIRE(shown(true, captures) == "3-8 3-8 none ");
  }
}

#include "base/text/replacement.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("replacement: from left to right, and not within replacements") {
  CHECK(replaced("a::b::c", "::", "/") == "a/b/c");
  CHECK(replaced("aaaaa", "aa", "a") == "aaa");
  CHECK(replaced("a\nb", "\n", "\\n\n") == "a\\n\nb");
  CHECK(replaced("abc", "b", "") == "ac");
  CHECK(replaced("abc", "x", "y") == "abc");
  CHECK(replaced("abc", "", "y") == "abc");
  CHECK(replaced("", "a", "b").empty());
}

TEST_CASE("replacement: of whole words") {
  const auto words = [](std::string_view text) {
    return replaced(text, "n1", "*", Occurrences::kWholeWords);
  };
  CHECK(words("n1") == "*");
  CHECK(words("on n1: n1.example, n12, an1, n1_a, n1-a") == "on *: *.example, n12, an1, n1_a, *-a");
}

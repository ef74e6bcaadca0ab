#include "runner/diff.h"

#include <doctest/doctest.h>

using bunraku::cases::unified_diff;

TEST_CASE("the same text has no difference") {
  CHECK(unified_diff("a\nb\n", "a\nb\n").empty());
}

TEST_CASE("a changed line stands between its neighbours") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that are far apart stand in hunks of their own") {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + '\n';
    if (i != 5) after += std::to_string(i) + '\n';
    if (i == 25) after += "new\n";
  }
  CHECK(unified_diff(before, after) ==
        "@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"
        "@@ -23,6 +22,7 @@\n 23\n 24\n 25\n+new\n 26\n 27\n 28\n");
}

TEST_CASE("nothing becomes something, and the other way about") {
  CHECK(unified_diff("", "a\n") == "@@ -1,0 +1,1 @@\n+a\n");
  CHECK(unified_diff("a\n", "") == "@@ -1,1 +1,0 @@\n-a\n");
}

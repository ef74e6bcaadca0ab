#include <doctest/doctest.h>

#include <string>

#include "base/diagnostics/diagnostic.h"
#include "values/sem_ver.h"
#include "values/uri.h"

using namespace bunraku;

namespace {

std::string normal(std::string_view range) {
  Arena arena;
  std::string out;
  try {
    append_normal_text(out, *parse_sem_ver_range(arena, range));
  } catch (const EvaluationError& error) {
    out = error.what();
  }
  return out;
}

bool in_range(std::string_view version, std::string_view range) {
  Arena arena;
  return includes(*parse_sem_ver_range(arena, range), *parse_sem_ver(arena, version));
}

std::string uri(std::string_view text) {
  Arena arena;
  std::string out;
  try {
    append_text(out, *parse_uri(arena, text));
  } catch (const EvaluationError& error) {
    out = error.what();
  }
  return out;
}

std::string merged(std::string_view base, std::string_view reference) {
  Arena arena;
  std::string out;
  append_text(out, *merge(arena, *parse_uri(arena, base), *parse_uri(arena, reference)));
  return out;
}

}  // namespace

TEST_CASE("versions are ordered by precedence") {
  Arena arena;
  constexpr std::string_view kOrdered[] = {"1.0.0-1",     "1.0.0-2",   "1.0.0-10", "1.0.0-a",
                                           "1.0.0-a.1",   "1.0.0-a.b", "1.0.0-rc", "1.0.0",
                                           "1.0.1-alpha", "1.0.1",     "1.1.0",    "2.0.0"};
  for (size_t i = 0; i < std::size(kOrdered); i++) {
    for (size_t j = 0; j < std::size(kOrdered); j++) {
      int expected = i < j ? -1 : i > j ? 1 : 0;
      CHECK(compare(*parse_sem_ver(arena, kOrdered[i]), *parse_sem_ver(arena, kOrdered[j])) ==
            expected);
    }
  }
  CHECK(parse_sem_ver(arena, "1.0") == nullptr);
  CHECK(parse_sem_ver(arena, "01.0.0") == nullptr);
  CHECK(parse_sem_ver(arena, "1.0.0-a..b") == nullptr);
  CHECK(!same(*parse_sem_ver(arena, "1.0.0+a"), *parse_sem_ver(arena, "1.0.0+b")));
}

TEST_CASE("ranges of versions in all notations") {
  CHECK(normal("1.x || 3.x") == ">=1.0.0 <2.0.0 || >=3.0.0 <4.0.0");
  CHECK(normal("1.2.3 - 2") == ">=1.2.3 <=2.0.0");
  CHECK(normal("^0.1.2") == ">=0.1.2 <0.2.0");
  CHECK(normal("~>1.2") == ">=1.2.0 <1.3.0");
  CHECK(normal(">1") == ">=2.0.0");
  CHECK(normal("1.0.0 - 2.0.0 || 1.5.0 - 3.0.0") == ">=1.0.0 <=3.0.0");
  CHECK(normal("1.0.0 || 1.0.1") == ">=1.0.0 <=1.0.1");
  CHECK(normal(">3 <1") == "<0.0.0");
  CHECK(normal("*") == "*");
  CHECK(normal("foo") == "Unparsable version range: \"foo\"");
  CHECK(in_range("1.9.9", "1.x"));
  CHECK(!in_range("2.0.0", "1.x"));
  CHECK(!in_range("2.0.0-rc1", ">=1.0.0"));
  CHECK(in_range("2.0.0-rc1", ">=2.0.0-alpha"));
}

TEST_CASE("versioncmp") {
  CHECK(compare_version_texts("1.0", "1.0.0") == -1);
  CHECK(compare_version_texts("1.0-rc1", "1.0") == 1);
  CHECK(compare_version_texts("1.10", "1.9") == 1);
  CHECK(compare_version_texts("1.01", "1.1") == -1);
  CHECK(compare_version_texts("1.0.0", "1", true) == 0);
}

TEST_CASE("URIs: read, written and merged") {
  CHECK(uri("HTTP://User:pw@Example.COM:0080/a?q=1#f") == "http://User:pw@Example.COM/a?q=1#f");
  CHECK(uri("puppet:///modules/x") == "puppet:///modules/x");
  CHECK(uri("///modules/x") == "/modules/x");
  CHECK(uri("mailto:a@b.c") == "mailto:a@b.c");
  CHECK(uri("a b") == "bad URI(is not URI?): \"a b\"");
  CHECK(uri("é") == "URI must be ascii only \"\\u00E9\"");
  CHECK(merged("http://x/a/b", "../c") == "http://x/c");
  CHECK(merged("http://x/a/b?z#y", "#q") == "http://x/a/b?z#q");
  CHECK(merged("http://x/a/b", "ftp://h/p") == "ftp://h/p");
  Arena arena;
  CHECK(same(*parse_uri(arena, "http://X"), *parse_uri(arena, "http://x:80/")));
}

#include <doctest/doctest.h>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "site/file_serving/file_set.h"
#include "site/file_serving/mounts_file.h"
#include "site/file_serving/source_url.h"

using namespace bunraku;

TEST_CASE("a source has no slashes at its end") {
  CHECK(normalized_source("puppet:///modules/a//") == "puppet:///modules/a");
  CHECK(normalized_source("puppet:///") == "puppet:");
  CHECK(normalized_source("///").empty());
  CHECK(normalized_source("").empty());
}

TEST_CASE("the parts of a source") {
  SourceUrl url = parse_source_url("puppet://me@host:81/modules/a/b c?d#e");
  CHECK(url.server == "host");
  CHECK(url.port == "81");
  CHECK(url.path == "modules/a/b c");
  CHECK(parse_source_url("puppet:///a#b?c").path == "a#b?c");
  CHECK(parse_source_url("puppet:/a").path == "a");
  CHECK(parse_source_url("puppet://host").path.empty());
  CHECK(parse_source_url("puppet:a/b").path == "puppet:a/b");
  CHECK(parse_source_url("puppet:///a%20b").path == "a%20b");
  CHECK_THROWS_AS(parse_source_url("puppet://a b/c"), EvaluationError);
}

TEST_CASE("patterns of names") {
  CHECK(matches_name("*", "a"));
  CHECK_FALSE(matches_name("*", ".a"));
  CHECK(matches_name(".*", ".a"));
  CHECK_FALSE(matches_name("?a", ".a"));
  CHECK(matches_name("[!a-c]", "d"));
  CHECK(matches_name("[^a-c]", "d"));
  CHECK(matches_name("\\*", "*"));
  CHECK_FALSE(matches_name("{a,b}", "a"));
  CHECK_FALSE(matches_name("[a", "a"));
}

TEST_CASE("mounts without a directory cannot be used") {
  LogKeeper log;
  CHECK_THROWS_AS(parse_mounts_file("[a]\n", "f", &log), EvaluationError);
  CHECK_THROWS_AS(parse_mounts_file("[a]\npath=/\n", "f", &log), EvaluationError);
  CHECK(parse_mounts_file("[a]\npath /none\n[plugins]\n", "f", &log).size() == 1);
  REQUIRE(log.records.size() == 1);
  CHECK(log.records[0].message ==
        "Removing mount \"a\": /none does not exist or is not a directory");
  CHECK(parse_mounts_file("", "f", nullptr).empty());
}

// Settings of a store, and rights granted by them.
#include "store/configuration.h"

#include <doctest/doctest.h>

using bunraku::store::AccessLists;
using bunraku::store::parse_duration;
using std::chrono::seconds;

TEST_CASE("durations are sums of parts with units") {
  CHECK(parse_duration("14d") == seconds(14 * 86400));
  CHECK(parse_duration("1d 2h 3m 4s") == seconds(86400 + 7200 + 180 + 4));
  CHECK(parse_duration("90m") == seconds(5400));
  CHECK(parse_duration("0s") == seconds(0));
  CHECK(parse_duration("1ms") == seconds(1));
  CHECK(parse_duration(" 5s ") == seconds(5));
  for (const std::string_view text :
       {"", " ", "5", "d", "-1s", "1w", "1.5h", "1d2", "7 days", "99999999999999999999s",
        "9999999999d", "1d 9223372036854775807ms"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("a client has the rights of the lists that name it") {
  AccessLists lists;
  lists.queries = {"board"};
  lists.commands = {"compile"};
  CHECK(lists.of("board").may_ask);
  CHECK_FALSE(lists.of("board").may_administer);
  CHECK_FALSE(lists.of("board").may_store("node"));
  CHECK(lists.of("board").may_store("board"));
  CHECK(lists.of("compile").may_store("node"));
  CHECK_FALSE(lists.of("compile").may_ask);
  CHECK_FALSE(lists.of("node").may_store("Node"));
}

TEST_CASE("a star is every client with a certificate, and nobody else") {
  AccessLists lists;
  lists.queries = lists.commands = lists.administration = {"*"};
  CHECK(lists.of("node").may_ask);
  CHECK(lists.of("node").may_administer);
  CHECK_FALSE(lists.of("").may_ask);
  CHECK_FALSE(lists.of("").may_store(""));
  CHECK_FALSE(AccessLists().of("").may_store(""));
}

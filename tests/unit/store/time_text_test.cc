#include "store/time_text.h"

#include <doctest/doctest.h>

using namespace bunraku::store;

TEST_CASE("times are read with and without offset, and written with three digits") {
  const auto time = parse_time("2026-11-22T18:31:21.786+01:00");
  REQUIRE(time);
  CHECK(time_text(*time) == "2026-11-22T17:31:21.786Z");
  CHECK(parse_time("2026-11-22T17:31:21.786Z") == time);
  CHECK(parse_time("2026-11-22T17:31:21.786") == time);
  CHECK(parse_time("1795368681786") == time);
  CHECK(time_text(*parse_time("2024-02-29")) == "2024-02-29T00:00:00.000Z");
  CHECK(time_text(*parse_time("1969-12-31T23:59:59.5Z")) == "1969-12-31T23:59:59.500Z");
}

TEST_CASE("times of the same minute and of others are written one after the other") {
  const int64_t time = *parse_time("2026-11-22T17:59:59.999Z");
  CHECK(time_text(time) == "2026-11-22T17:59:59.999Z");
  CHECK(time_text(time + 1000) == "2026-11-22T18:00:00.000Z");
  CHECK(time_text(time - 59'999'000) == "2026-11-22T17:59:00.000Z");
  CHECK(time_text(-1000) == "1969-12-31T23:59:59.999Z");
  CHECK(time_text(-60'001'000) == "1969-12-31T23:58:59.999Z");
  CHECK(database_time_text(time) == "2026-11-22T17:59:59.999+00:00");
}

TEST_CASE("what is no time is none") {
  for (const char* text : {"", "yesterday", "2026-13-01", "2026-11-22T25:00", "2026-11-22x",
                           "2026-11-22T17:31:21+1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("patterns of PostgreSQL") {
  const int64_t time = *parse_time("2026-11-22T17:31:21.786Z");
  CHECK(formatted_time(time, "YYYY-MM-DD") == "2026-11-22");
  CHECK(formatted_time(time, "HH24:MI:SS.MS") == "17:31:21.786");
  // The expected texts are PostgreSQL 15's.
  CHECK(formatted_time(time, "DAY Day day FMDay DY Dy dy|") ==
        "SUNDAY    Sunday    sunday    Sunday SUN Sun sun|");
  CHECK(formatted_time(time, "MONTH FMMonth mon RM|") == "NOVEMBER  November nov XI  |");
  CHECK(formatted_time(time, "Y,YYY YYY IYYY IW ID WW W CC J Q") ==
        "2,026 026 2026 47 7 47 4 21 2461367 4");
  CHECK(formatted_time(time, "DDth FMHH12 a.m. SSSSS FF2 tz yyyy x") ==
        "22nd 5 p.m. 63081 78 utc 2026 x");
  CHECK(formatted_time(time, "HH12 AM \"YY\" Mon Dy") == "05 PM YY Nov Sun");
}

TEST_CASE("the form of a database's JSON has no zeros at the end of a fraction") {
  CHECK(database_time_text(*parse_time("2026-11-22T17:00:01Z")) == "2026-11-22T17:00:01+00:00");
  CHECK(database_time_text(*parse_time("2026-11-22T17:00:01.500Z")) ==
        "2026-11-22T17:00:01.5+00:00");
}

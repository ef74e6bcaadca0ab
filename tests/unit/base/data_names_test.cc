#include "base/memory/data_names.h"

#include <doctest/doctest.h>

#include <string>

using namespace bunraku;

TEST_CASE("Names of data go with the last work that uses them") {
  const size_t before = data_name_count();
  {
    const DataNames outer;
    const Name first = data_name("a name of data: first");
    CHECK(first == data_name("a name of data: first"));
    CHECK(first == Name::find("a name of data: first"));
    CHECK(first.text() == "a name of data: first");
    {
      const DataNames inner;
      CHECK(data_name("a name of data: first") == first);
      data_name("a name of data: second");
      CHECK(data_name_count() == before + 2);
    }
    CHECK(data_name_count() == before + 1);
    CHECK(!Name::find("a name of data: second"));
    CHECK(Name::find("a name of data: first") == first);
  }
  CHECK(data_name_count() == before);
  CHECK(!Name::find("a name of data: first"));
}

TEST_CASE("A name of data that code has, too, lives for ever") {
  Name kept;
  {
    const DataNames names;
    kept = data_name("a name of data: of code");
    CHECK(Name("a name of data: of code") == kept);
  }
  CHECK(Name::find("a name of data: of code") == kept);
  const DataNames names;
  CHECK(data_name("a name of data: of code") == kept);
}

TEST_CASE("Many names of data come and go, and the rest are found") {
  const size_t before = data_name_count();
  const Name stays("a name of data: stays");
  for (int round = 0; round < 20; ++round) {
    const DataNames names;
    for (int i = 0; i < 2000; ++i) data_name("data " + std::to_string(round * 1000 + i));
    for (int i = 0; i < 2000; ++i) CHECK(Name::find("data " + std::to_string(round * 1000 + i)));
  }
  CHECK(data_name_count() == before);
  CHECK(Name("a name of data: stays") == stays);
}

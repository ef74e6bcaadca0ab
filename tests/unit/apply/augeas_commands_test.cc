// Commands of augeas resources.
#include "apply/providers/augeas/augeas_commands.h"

#include <doctest/doctest.h>

#include "apply/transaction/failure.h"

namespace bunraku::apply {
namespace {

std::string read(const std::string& line, const std::string& context = "/files/etc/hosts") {
  std::string text;
  for (const AugeasCommand& command : parse_augeas_commands(Datum::string(line), context)) {
    text += command.name + shown_arguments(command.arguments);
  }
  return text;
}

TEST_CASE("paths that are relative have the context before them") {
  CHECK(read("set 1/alias x") == R"(set["/files/etc/hosts/1/alias", "x"])");
  CHECK(read("rm /files/x/") == R"(rm["/files/x"])");
  CHECK(read("rm $node/x") == R"(rm["$node/x"])");
  CHECK(read("mv 1 2", "") == R"(mv["1", "2"])");
}

TEST_CASE("blanks in brackets and quotes are no ends") {
  CHECK(read("set *[ipaddr = '127.0.0.1']/alias a") ==
        R"(set["/files/etc/hosts/*[ipaddr = '127.0.0.1']/alias", "a"])");
  CHECK(read("set '/a b' \"c d\"") == R"(set["/a b", "c d"])");
  CHECK(read(R"(set /a\ b c)") == R"(set["/a\\ b", "c"])");
  CHECK(read(R"(set /a "x \"y\" \z")") == R"(set["/a", "x \"y\" \\z"])");
}

TEST_CASE("several commands") {
  CHECK(read("\n rm /a \n\nrm /b") == R"(rm["/a"]rm["/b"])");
  CHECK(read("ins a before /b") == R"(ins["a", "before", "/b"])");
  CHECK(read("match /a size >= 3") == R"(match["/a", "size >= 3"])");
  CHECK(read("get /a != x") == R"(get["/a", "!=", "x"])");
}

TEST_CASE("what is no command") {
  CHECK_THROWS_WITH_AS(read("frob /a"), "Unknown command frob", Failure);
  CHECK_THROWS_WITH_AS(read("set /a"), "missing string argument 2 for set", Failure);
  CHECK_THROWS_WITH_AS(read("get /a ~ b"), "invalid comparator for command get", Failure);
  CHECK_THROWS_WITH_AS(read("rm /a]"), "unmatched [", Failure);
}

TEST_CASE("lists of quoted texts") {
  using List = std::vector<std::string>;
  CHECK(parse_quoted_list(R"([ 'a', "b\n\x41\u00e9" ])") == List{"a", "b\nA\xc3\xa9"});
  CHECK(parse_quoted_list("[]") == List{});
  CHECK(parse_quoted_list(R"(['it\'s'])") == List{"it's"});
  CHECK(!parse_quoted_list("['a'"));
  CHECK(!parse_quoted_list("[a]"));
  CHECK(!parse_quoted_list("['a'] x"));
  CHECK(!parse_quoted_list(R"(["\q"])"));
}

}  // namespace
}  // namespace bunraku::apply

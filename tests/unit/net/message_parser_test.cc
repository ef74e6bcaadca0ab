#include "net/message_parser.h"

#include <doctest/doctest.h>

#include <string>

#include "net/url.h"

using namespace bunraku::net;

namespace {

// The status with which the request is refused; 0 when it is accepted.
int refusal(std::string text, ParserLimits limits = {}) {
  MessageParser parser(MessageParser::Side::kRequest, limits);
  try {
    for (int i = 0; i < 3 && !parser.is_done(); ++i) parser.put(text);
  } catch (const BadMessage& error) {
    return error.status();
  }
  return parser.is_done() ? 0 : -1;
}

int target_refusal(const std::string& target) {
  try {
    parse_target(target);
  } catch (const BadMessage& error) {
    return error.status();
  }
  return 0;
}

}  // namespace

TEST_CASE("a request with a body is taken apart") {
  std::string text =
      "PUT /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n";
  MessageParser parser(MessageParser::Side::kRequest, {});
  parser.put(text);
  CHECK(parser.has_header());
  parser.put(text);
  REQUIRE(parser.is_done());
  CHECK(parser.keeps_connection());
  const Request request = parser.take_request();
  CHECK(request.method == "PUT");
  CHECK(request.target == "/a?b=c");
  CHECK(request.body == "abc");
  CHECK(text == "GET / HTTP/1.1\r\n");
}

TEST_CASE("chunks may arrive in any parts") {
  const std::string header = "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string body : {"0\r\n\r\n", "00;a=b\r\nC: d\r\n\r\n", "1\r\na\r\n0\r\n\r\n"}) {
    for (size_t first = 0; first <= body.size(); ++first) {
      CAPTURE(body.substr(0, first));
      MessageParser parser(MessageParser::Side::kRequest, {});
      std::string input = header;
      parser.put(input);
      for (const char byte : body.substr(0, first)) {
        input += byte;
        parser.put(input);
      }
      parser.put(input += body.substr(first));
      CHECK(parser.is_done());
      CHECK(input.empty());
    }
  }
}

TEST_CASE("an empty body in chunks that is cut off is an error") {
  std::string text = "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r";
  MessageParser parser(MessageParser::Side::kRequest, {});
  for (int i = 0; i < 3; ++i) parser.put(text);
  CHECK_THROWS_AS(parser.put_end(), BadMessage);
}

TEST_CASE("an answer that is cut off anywhere is an error") {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde";
  for (size_t size = 0; size < whole.size(); ++size) {
    std::string text = whole.substr(0, size);
    MessageParser parser(MessageParser::Side::kResponse, {});
    for (int i = 0; i < 3 && !text.empty(); ++i) parser.put(text);
    CHECK_THROWS_AS(parser.put_end(), BadMessage);
  }
}

TEST_CASE("what two readers could understand differently is refused") {
  CHECK(refusal("GET / HTTP/1.1\r\nHost: x\r\n\r\n") == 0);
  CHECK(refusal("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: "
                "chunked\r\n\r\n0\r\n\r\n") == 400);
  CHECK(
      refusal("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc") ==
      400);
  CHECK(refusal("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n") ==
        400);
  CHECK(refusal("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n") == 400);
  CHECK(refusal("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(refusal("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n") == 400);
  CHECK(refusal("GET / HTTP/1.1\r\nHost : x\r\n\r\n") == 400);
  CHECK(refusal("GET / HTTP/1.1\nHost: x\r\n\r\n") == 400);
  CHECK(refusal(std::string("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 35)) == 400);
  CHECK(refusal("GET / HTTP/3.0\r\nHost: x\r\n\r\n") >= 400);
}

TEST_CASE("large headers and bodies are refused before they are read") {
  CHECK(refusal("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(9000, 'a')) == 431);
  CHECK(refusal("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n", {8192, 1000}) ==
        413);
}

TEST_CASE("paths are decoded once and may not lead up") {
  CHECK(parse_target("/puppet/v3//catalog/a%20b;x=1?q=1").path == "/puppet/v3/catalog/a b");
  CHECK(parse_target("/a%252e%252e/b").path == "/a%2e%2e/b");
  CHECK(parse_target("/certificate_statuses/").path == "/certificate_statuses/");
  for (const char* target : {"/a/../b", "/a/%2e%2e/b", "/a/..%2fb", "/a/./b", "/a%2f..", "/a%00b",
                             "/a%ff", "/a%0ab", "/a%2", "http://x/a", "*"}) {
    CAPTURE(target);
    CHECK(target_refusal(target) == 400);
  }
}

TEST_CASE("parameters take both forms of a space") {
  const Parameters parameters = parse_parameters("a=b+c%20d&ignore=.git&ignore=.svn&x");
  REQUIRE(parameters.size() == 4);
  CHECK(parameters[0].second == "b c d");
  CHECK(parameters[2].second == ".svn");
  CHECK(parameters[3].first == "x");
}

// The parser of messages, based on Boost.Beast. The only file that includes it.
#include "net/message_parser.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <variant>

namespace bunraku::net {
namespace {

namespace http = boost::beast::http;
using RequestParser = http::request_parser<http::string_body>;
using ResponseParser = http::response_parser<http::string_body>;

// The size of "0\r\n\r\n". Beast's parser aborts the process when an only last chunk is passed in
// parts shorter than this.
constexpr size_t kShortestChunks = 5;

int status_for(const boost::beast::error_code& error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::bad_version) return 505;
  return 400;
}

bool is_token_character(unsigned char c) {
  return std::isalnum(c) != 0 ||
         std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

// Returns the path of "https://host/path", the form that proxies send.
std::string origin_form(std::string_view target) {
  std::string form;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!same_field_name(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(std::min(target.find_first_of("/?", scheme.size()), target.size()));
    if (!target.starts_with('/')) form = '/';
  }
  return form.append(target);
}

}  // namespace

struct MessageParser::State {
  std::variant<RequestParser, ResponseParser> parser;
  template <typename Visitor>
  decltype(auto) visit(Visitor&& visitor) {
    return std::visit(std::forward<Visitor>(visitor), parser);
  }
};

MessageParser::MessageParser(Side side, ParserLimits limits)
    : state_(std::make_unique<State>()), limits_(limits) {
  if (side != Side::kRequest) state_->parser.emplace<ResponseParser>();
  state_->visit([&](auto& parser) {
    parser.header_limit(static_cast<std::uint32_t>(limits.header));
    parser.body_limit(limits.body);
    parser.eager(true);
    if (side == Side::kResponseWithoutBody) parser.skip(true);
  });
}

MessageParser::~MessageParser() = default;

bool MessageParser::find_header_end(std::string_view input) {
  const size_t begin = scanned_ < 3 ? 0 : scanned_ - 3;
  const size_t end = input.find("\r\n\r\n", begin);
  scanned_ = input.size();
  if (end == std::string_view::npos) {
    if (input.size() > limits_.header) throw BadMessage(431, "The header is too large");
    return false;
  }
  header_size_ = end + 4;
  if (header_size_ > limits_.header) throw BadMessage(431, "The header is too large");
  return true;
}

void MessageParser::check_header(std::string_view header) const {
  for (size_t i = 0; i < header.size(); ++i) {
    const auto c = static_cast<unsigned char>(header[i]);
    if (c == '\n' && (i == 0 || header[i - 1] != '\r')) {
      throw BadMessage(400, "A line ends without a carriage return");
    }
    if (c == '\r' && (i + 1 == header.size() || header[i + 1] != '\n')) {
      throw BadMessage(400, "A carriage return within a line");
    }
    if (c == '\n' && i + 1 < header.size() && (header[i + 1] == ' ' || header[i + 1] == '\t')) {
      throw BadMessage(400, "A header field is folded");
    }
    if ((c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f) {
      throw BadMessage(400, "A control character in the header");
    }
  }
  // Readers differ on a space between a name and its colon, so it is rejected.
  size_t line = header.find("\r\n") + 2;
  while (line + 2 < header.size()) {
    const size_t end = header.find("\r\n", line);
    const size_t colon = header.find(':', line);
    if (colon == std::string_view::npos || colon > end || colon == line) {
      throw BadMessage(400, "A header field without a name");
    }
    if (!std::ranges::all_of(header.substr(line, colon - line), is_token_character)) {
      throw BadMessage(400, "The name of a header field has a character that is not allowed");
    }
    line = end + 2;
  }
}

void MessageParser::check_fields() const {
  auto* parser = std::get_if<RequestParser>(&state_->parser);
  if (parser == nullptr) return;
  const auto& message = parser->get();
  if (message.version() != 11 && message.version() != 10) {
    throw BadMessage(505, "The version of HTTP is not supported");
  }
  const auto hosts = message.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && message.version() == 11)) {
    throw BadMessage(400, "A request has exactly one Host");
  }
  if (message.count(http::field::content_length) > 1 ||
      message.count(http::field::transfer_encoding) > 1) {
    throw BadMessage(400, "The length of the body is announced more than once");
  }
  if (message.count(http::field::transfer_encoding) == 1 &&
      (!message.chunked() || message.version() == 10 ||
       !same_field_name(text_of(message[http::field::transfer_encoding]), "chunked"))) {
    throw BadMessage(400, "The transfer encoding is not supported");
  }
}

void MessageParser::put(std::string& input) {
  if (is_done_) return;
  if (!has_header_) {
    if (!find_header_end(input)) return;
    check_header(std::string_view(input).substr(0, header_size_));
  }
  // The header is parsed separately, so that a body that is too large is not read first.
  while (!input.empty() && !is_done_) {
    if (has_header_ && !has_chunks_ && is_chunked()) {
      if (input.size() < kShortestChunks) return;
      has_chunks_ = true;
    }
    const size_t size = has_header_ ? input.size() : header_size_;
    boost::beast::error_code error;
    size_t used = 0;
    state_->visit([&](auto& parser) {
      used = parser.put(boost::asio::const_buffer(input.data(), size), error);
    });
    input.erase(0, used);
    if (error && error != http::error::need_more) {
      throw BadMessage(status_for(error), error.message());
    }
    const bool had_header = has_header_;
    state_->visit([&](auto& parser) {
      has_header_ = parser.is_header_done();
      is_done_ = parser.is_done();
    });
    if (!had_header && has_header_) {
      check_fields();
      return;  // the caller may limit the body before it passes the rest
    }
    if (used == 0 || error == http::error::need_more) break;
  }
}

void MessageParser::put_end() {
  if (is_done_) return;
  boost::beast::error_code error;
  state_->visit([&](auto& parser) {
    // not a whole first line: the parser does not accept an end here
    if (!parser.got_some()) return;
    parser.put_eof(error);
    is_done_ = !error && parser.is_done();
  });
  if (!is_done_) throw BadMessage(400, "The message ended early");
}

void MessageParser::limit_body(uint64_t size) {
  if (content_length() > size) throw BadMessage(413, "The body is too large");
  state_->visit([&](auto& parser) { parser.body_limit(size); });
}

bool MessageParser::is_chunked() const {
  return state_->visit([](auto& parser) { return parser.chunked(); });
}

bool MessageParser::keeps_connection() const {
  return state_->visit([](auto& parser) { return parser.get().keep_alive(); });
}

bool MessageParser::expects_continue() const {
  return state_->visit([](auto& parser) {
    return same_field_name(text_of(parser.get()[http::field::expect]), "100-continue");
  });
}

uint64_t MessageParser::content_length() const {
  return state_->visit([](auto& parser) { return parser.content_length().value_or(0); });
}

int MessageParser::status() const {
  const auto* parser = std::get_if<ResponseParser>(&state_->parser);
  return parser == nullptr ? 0 : static_cast<int>(parser->get().result_int());
}

Request MessageParser::take_request() {
  auto message = std::get<RequestParser>(state_->parser).release();
  Request request;
  request.method = text_of(message.method_string());
  request.target = origin_form(text_of(message.target()));
  for (const auto& field : message) {
    request.fields.add(text_of(field.name_string()), text_of(field.value()));
  }
  request.body = std::move(message.body());
  return request;
}

Response MessageParser::take_response() {
  auto message = std::get<ResponseParser>(state_->parser).release();
  Response response;
  response.status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    response.fields.add(text_of(field.name_string()), text_of(field.value()));
  }
  response.body = std::move(message.body());
  return response;
}

}  // namespace bunraku::net

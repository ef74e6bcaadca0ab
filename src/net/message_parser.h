// Takes an HTTP/1.1 message apart as its bytes arrive. Stricter than the protocol allows, since
// what two readers of a request understand differently is how requests are smuggled past one of
// them: folded fields, bare line feeds, control characters, a length beside chunks, several lengths
// and several hosts are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "net/message.h"

namespace bunraku::net {

struct ParserLimits {
  size_t header = 8192;  // bytes of the first line and the fields
  uint64_t body = uint64_t{128} << 20;
};

// A message that cannot be read; the status is what a server answers.
class BadMessage : public std::exception {
 public:
  BadMessage(int status, std::string message) : status_(status), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int status() const { return status_; }

 private:
  int status_;
  std::string message_;
};

class MessageParser {
 public:
  enum class Side : uint8_t {
    kRequest,
    kResponse,
    kResponseWithoutBody  // to a HEAD request
  };
  MessageParser(Side side, ParserLimits limits);
  ~MessageParser();
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;

  // Takes what it can from the front of `input` and removes it. Throws BadMessage; nothing can be
  // put after that.
  void put(std::string& input);
  // The other side has ended its bytes: ends a response whose length was not announced. Throws
  // BadMessage when the message is not whole.
  void put_end();
  // A smaller bound for the body, once the header is known.
  void limit_body(uint64_t size);

  bool has_header() const { return has_header_; }
  bool is_done() const { return is_done_; }
  bool keeps_connection() const;
  bool expects_continue() const;
  // The announced length of the body; 0 when there is none.
  uint64_t content_length() const;
  int status() const;  // of a response

  // The message; valid once, when it is done.
  Request take_request();
  Response take_response();

 private:
  struct State;
  bool find_header_end(std::string_view input);
  void check_header(std::string_view header) const;
  void check_fields() const;
  bool is_chunked() const;

  std::unique_ptr<State> state_;
  Side side_;
  ParserLimits limits_;
  size_t scanned_ = 0;  // bytes of the input that hold no end of the header
  size_t header_size_ = 0;
  bool has_header_ = false;
  bool has_chunks_ = false;  // put to the parser, or begun
  bool is_done_ = false;
};

}  // namespace bunraku::net

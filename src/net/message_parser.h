// An incremental parser of HTTP/1.1 messages. It is stricter than the protocol, because requests
// that two parsers read differently allow request smuggling: folded fields, bare line feeds,
// control characters, a length beside chunks, several lengths and several hosts are rejected.
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

// The error for an invalid message; the status is that of the server's answer.
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

  // Consumes input from the front of `input` as far as possible. Throws BadMessage, and must not be
  // called after that.
  void put(std::string& input);
  // Ends the input: completes a response without an announced length. Throws BadMessage when the
  // message is incomplete.
  void put_end();
  // Sets a lower limit for the body, after the header was read.
  void limit_body(uint64_t size);

  bool has_header() const { return has_header_; }
  bool is_done() const { return is_done_; }
  bool keeps_connection() const;
  bool expects_continue() const;
  // The announced length of the body; 0 when there is none.
  uint64_t content_length() const;
  int status() const;  // for responses

  // Returns the message; callable once, when it is complete.
  Request take_request();
  Response take_response();

 private:
  struct State;
  bool find_header_end(std::string_view input);
  void check_header(std::string_view header) const;
  void check_fields() const;
  bool is_chunked() const;

  std::unique_ptr<State> state_;
  ParserLimits limits_;
  size_t scanned_ = 0;  // input bytes already searched for the end of the header
  size_t header_size_ = 0;
  bool has_header_ = false;
  bool has_chunks_ = false;  // passed to the parser, at least in part
  bool is_done_ = false;
};

}  // namespace bunraku::net

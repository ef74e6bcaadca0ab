// The states of an HTTP server's connection.
#include "net/connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <ctime>
#include <memory>
#include <span>

#include "net/compression.h"
#include "net/message_parser.h"

namespace bunraku::net {
namespace {

constexpr size_t kPiece = size_t{64} << 10;
constexpr size_t kSmallestCompressed = 256;
constexpr std::chrono::milliseconds kLingerTime{2000};

// The receive buffer of a network thread. On the heap, because static thread-local memory would be
// allocated for every thread.
std::span<char> piece() {
  static thread_local const auto buffer = std::make_unique<std::array<char, kPiece>>();
  return *buffer;
}

std::string http_date() {
  static thread_local std::time_t last = 0;
  static thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now != last) {
    std::tm fields{};
    gmtime_r(&now, &fields);
    std::array<char, 40> buffer{};
    const size_t size =
        std::strftime(buffer.data(), buffer.size(), "%a, %d %b %Y %H:%M:%S GMT", &fields);
    text.assign(buffer.data(), size);
    last = now;
  }
  return text;
}

bool is_compressible(std::string_view type) {
  for (const std::string_view kind : {"image/", "audio/", "video/"}) {
    if (type.starts_with(kind)) return false;
  }
  return type.find("zip") == std::string_view::npos;
}

// Replaces line breaks, which would end the field.
std::string one_line(std::string value) {
  for (char& c : value) {
    if (c == '\r' || c == '\n' || c == '\0') c = ' ';
  }
  return value;
}

}  // namespace

Connection::Connection(ServerCore& core, NetworkThread& thread, boost::asio::ip::tcp::socket socket,
                       bool is_encrypted)
    : core_(core),
      thread_(thread),
      socket_(std::move(socket)),
      timer_(thread.context),
      is_encrypted_(is_encrypted) {
  ++core_.connections;
}

Connection::~Connection() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  --core_.connections;
}

void Connection::start() {
  thread_.connections.insert(this);
  boost::system::error_code error;
  const auto peer = socket_.remote_endpoint(error);
  if (error) return close();
  peer_address_ = peer.address().to_string();
  peer_port_ = peer.port();
  socket_.non_blocking(true, error);
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), error);
  if (!is_encrypted_) {
    limit_time(core_.options.limits.idle);
    phase_ = Phase::kIdle;
    return read();
  }
  tls_ = core_.current_tls();
  ssl_ = tls_->make_connection();
  SSL_set_fd(ssl_, socket_.native_handle());
  SSL_set_accept_state(ssl_);
  limit_time(core_.options.limits.handshake);
  handshake();
}

void Connection::handshake() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_);
  if (result != 1) {
    const Transfer transfer = tls_outcome(result);
    if (transfer.outcome != Outcome::kEnd) {
      return wait_then(transfer.outcome, &Connection::handshake);
    }
    ++core_.failed_handshakes;
    const long verification = SSL_get_verify_result(ssl_);
    const std::string reason =
        verification == X509_V_OK ? tls_error_text() : X509_verify_cert_error_string(verification);
    core_.handler.handshake_failed(peer_address_,
                                   reason.empty() ? "the client ended the connection" : reason);
    // Lingers, because the alert could be lost otherwise.
    return linger();
  }
  std::string certificate = peer_certificate_of(ssl_);
  if (!certificate.empty()) {
    peer_certificate_ = std::make_shared<PeerCertificate>(std::move(certificate));
  }
  phase_ = Phase::kIdle;
  limit_time(core_.options.limits.idle);
  read();
}

void Connection::read() {
  // Ignored when a request that took too long was answered during the wait for its next bytes.
  if (phase_ != Phase::kIdle && phase_ != Phase::kHeader && phase_ != Phase::kBody) return;
  const std::span<char> buffer = piece();
  const Transfer transfer = receive(buffer.data(), buffer.size());
  if (transfer.outcome == Outcome::kEnd) return close();
  if (transfer.outcome != Outcome::kDone) return wait_then(transfer.outcome, &Connection::read);
  input_.append(buffer.data(), transfer.size);
  take_input();
}

void Connection::take_input() {
  try {
    if (phase_ == Phase::kIdle) begin_request();
    parser_->put(input_);
    if (phase_ == Phase::kHeader && parser_->has_header()) {
      const ServerLimits& limits = core_.options.limits;
      const bool is_known = !is_encrypted_ || peer_certificate_ != nullptr;
      parser_->limit_body(is_known ? limits.body_size : limits.body_size_of_unknown);
      phase_ = Phase::kBody;
      limit_time(limits.body + std::chrono::seconds(parser_->content_length() >> 14));
      if (parser_->expects_continue() && !parser_->is_done() && input_.empty()) {
        static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        send(kContinue.data(), kContinue.size());
      }
      parser_->put(input_);
    }
  } catch (const BadMessage& error) {
    return reject(error.status(), error.what());
  }
  if (parser_->is_done()) return dispatch();
  read();
}

void Connection::begin_request() {
  const ServerLimits& limits = core_.options.limits;
  parser_.emplace(MessageParser::Side::kRequest,
                  ParserLimits{limits.header_size, limits.body_size});
  phase_ = Phase::kHeader;
  begun_ = Clock::now();
  limit_time(limits.header);
}

void Connection::dispatch() {
  keeps_ = parser_->keeps_connection() && !core_.is_draining;
  request_ = std::make_shared<Request>(parser_->take_request());
  parser_.reset();
  request_->peer_address = peer_address_;
  request_->peer_port = peer_port_;
  request_->is_encrypted = is_encrypted_;
  request_->peer_certificate = peer_certificate_;
  request_->received = begun_;
  is_abandoned_ = std::make_shared<std::atomic<bool>>(false);
  request_->is_abandoned = is_abandoned_;
  if (is_encrypted_) {
    // The revocation lists may have changed since the handshake.
    std::shared_ptr<const TlsContext> current = core_.current_tls();
    if (current != tls_) {
      if (peer_certificate_ != nullptr && !current->accepts_client(peer_certificate_->der)) {
        core_.handler.handshake_failed(peer_address_, "the certificate is no longer accepted");
        return close();
      }
      tls_ = std::move(current);
    }
  }
  phase_ = Phase::kWorking;
  unlimit_time();
  auto self = shared_from_this();
  const bool is_head = request_->method == "HEAD";
  const bool is_taken = core_.pool->submit(
      core_.handler.lane_of(*request_), [self, request = request_, keeps = keeps_, is_head] {
        Response response;
        try {
          response = self->core_.handler.handle(*request);
        } catch (...) {
          response = self->core_.handler.reject(500, "Internal Server Error");
        }
        auto output =
            std::make_shared<Output>(self->make_output(std::move(response), keeps, is_head));
        boost::asio::post(self->thread_.context,
                          [self, output] { self->answer(std::move(*output)); });
      });
  if (is_taken) return watch_for_end();
  answer(make_output(core_.handler.refuse(*request_), false, is_head));
}

// Watches for the end of the connection: a client that leaves during a request closes its side.
// Bytes of a next request end the watch.
void Connection::watch_for_end() {
  socket_.async_wait(
      boost::asio::ip::tcp::socket::wait_read,
      [self = shared_from_this(), watched = is_abandoned_](const auto& error) {
        if (error || self->phase_ != Phase::kWorking || self->is_abandoned_ != watched) return;
        char byte = 0;
        if (::recv(self->socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) {
          *watched = true;
        }
      });
}

Connection::Output Connection::make_output(Response response, bool keeps, bool has_no_body) const {
  Output output;
  output.status = response.status;
  output.closes = !keeps || response.closes_connection;
  const bool is_bodiless = response.status == 204 || response.status == 304;
  output.file = response.file;
  output.body_size = output.file != nullptr ? output.file->size() : response.body.size();
  const bool may_compress = core_.options.compresses && !has_no_body && !is_bodiless &&
                            output.file == nullptr && response.body.size() >= kSmallestCompressed &&
                            request_ != nullptr &&
                            accepts_gzip(request_->fields.get("Accept-Encoding")) &&
                            is_compressible(response.fields.get("Content-Type"));
  if (may_compress) {
    std::optional<std::string> smaller = gzip(response.body);
    if (smaller && smaller->size() < response.body.size()) {
      response.body = std::move(*smaller);
      response.fields.set("Content-Encoding", "gzip");
      output.body_size = response.body.size();
      output.is_compressed = true;
    }
  }
  std::string& text = output.text;
  text.reserve(512 + (output.file == nullptr ? response.body.size() : 0));
  text += "HTTP/1.1 ";
  text += std::to_string(response.status);
  text += ' ';
  text += reason_of(response.status);
  text += "\r\nDate: ";
  text += http_date();
  text += "\r\n";
  for (const auto& [name, value] : response.fields.entries()) {
    text += name;
    text += ": ";
    text += one_line(value);
    text += "\r\n";
  }
  if (!is_bodiless) {
    text += "Content-Length: ";
    text += std::to_string(output.body_size);
    text += "\r\n";
  }
  if (output.closes) {
    text += "Connection: close\r\n";
  } else if (request_ != nullptr &&
             same_field_name(request_->fields.get("Connection"), "keep-alive")) {
    // An HTTP/1.0 client that requested it would otherwise close the connection.
    text += "Connection: keep-alive\r\n";
  }
  text += "\r\n";
  if (has_no_body || is_bodiless) {
    output.file = nullptr;
    output.body_size = 0;
  } else if (output.file == nullptr) {
    text += response.body;
  } else {
    add_piece(output);
  }
  return output;
}

void Connection::answer(Output output) {
  if (phase_ == Phase::kClosed) return;
  output_ = std::move(output);
  written_ = 0;
  phase_ = Phase::kWriting;
  limit_time(core_.options.limits.write);
  write();
}

void Connection::reject(int status, const std::string& reason) {
  request_ = std::make_shared<Request>();
  request_->method = "-";
  request_->target = "-";
  request_->peer_address = peer_address_;
  request_->received = begun_;
  answer(make_output(core_.handler.reject(status, reason), false, false));
}

bool Connection::add_piece(Output& output) {
  const size_t before = output.text.size();
  const size_t wanted = std::min<uint64_t>(kPiece, output.body_size - output.file_offset);
  output.text.resize(before + wanted);
  const size_t size = output.file->read(output.file_offset, output.text.data() + before, wanted);
  if (size < wanted) {
    output.text.resize(before);
    return false;
  }
  output.file_offset += size;
  return true;
}

bool Connection::refill_from_file() {
  if (output_.file == nullptr || output_.file_offset >= output_.body_size) return false;
  output_.text.clear();
  written_ = 0;
  if (add_piece(output_)) return true;
  // The file became shorter, but its length was sent already: the connection is closed.
  close();
  return false;
}

void Connection::write() {
  while (phase_ == Phase::kWriting) {
    if (written_ == output_.text.size()) {
      if (refill_from_file()) continue;
      if (phase_ == Phase::kClosed) return;
      return finish_answer();
    }
    const Transfer transfer = send(output_.text.data() + written_, output_.text.size() - written_);
    if (transfer.outcome == Outcome::kEnd) return close();
    if (transfer.outcome != Outcome::kDone) return wait_then(transfer.outcome, &Connection::write);
    written_ += transfer.size;
    limit_time(core_.options.limits.write);
  }
}

void Connection::finish_answer() {
  const auto duration =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - request_->received);
  core_.handler.finished(
      {*request_, output_.status, output_.body_size, duration, output_.is_compressed});
  const bool closes = output_.closes;
  output_ = Output();
  request_.reset();
  if (closes) return linger();
  next_request();
}

void Connection::next_request() {
  phase_ = Phase::kIdle;
  if (core_.is_draining) return linger();
  limit_time(core_.options.limits.idle);
  if (input_.empty()) {
    input_.shrink_to_fit();
    return read();
  }
  // The next request was received already. Posted, because many of them would recurse deeply.
  boost::asio::post(thread_.context, [self = shared_from_this()] {
    if (self->phase_ == Phase::kIdle) self->take_input();
  });
}

// Keeps the socket open for a while, because closing it while the client still sends could lose the
// answer.
void Connection::linger() {
  if (phase_ == Phase::kClosed) return;
  if (phase_ != Phase::kLingering) {
    phase_ = Phase::kLingering;
    limit_time(kLingerTime);
    if (ssl_ != nullptr) {
      ERR_clear_error();
      SSL_shutdown(ssl_);
    }
    boost::system::error_code error;
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send, error);
  }
  const std::span<char> buffer = piece();
  const ssize_t size = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return close();
  wait_then(Outcome::kWantsRead, &Connection::linger);
}

void Connection::drain() {
  if (phase_ == Phase::kIdle || phase_ == Phase::kHandshake) close();
}

void Connection::close() {
  if (phase_ == Phase::kClosed) return;
  if (is_abandoned_ != nullptr) *is_abandoned_ = true;
  if (ssl_ != nullptr && phase_ == Phase::kIdle) {
    ERR_clear_error();
    SSL_shutdown(ssl_);
  }
  phase_ = Phase::kClosed;
  thread_.connections.erase(this);
  boost::system::error_code error;
  timer_.cancel();
  socket_.close(error);
}

Connection::Transfer Connection::tls_outcome(int result) {
  if (result > 0) return {Outcome::kDone, static_cast<size_t>(result)};
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
      return {Outcome::kWantsRead};
    case SSL_ERROR_WANT_WRITE:
      return {Outcome::kWantsWrite};
    default:
      return {Outcome::kEnd};
  }
}

Connection::Transfer Connection::receive(char* to, size_t size) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    return tls_outcome(SSL_read(ssl_, to, static_cast<int>(size)));
  }
  const ssize_t count = ::recv(socket_.native_handle(), to, size, MSG_DONTWAIT);
  if (count > 0) return {Outcome::kDone, static_cast<size_t>(count)};
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {Outcome::kWantsRead};
  return {Outcome::kEnd};
}

Connection::Transfer Connection::send(const char* from, size_t size) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    return tls_outcome(SSL_write(ssl_, from, static_cast<int>(std::min<size_t>(size, 1 << 20))));
  }
  const ssize_t count = ::send(socket_.native_handle(), from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) return {Outcome::kDone, static_cast<size_t>(count)};
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {Outcome::kWantsWrite};
  return {Outcome::kEnd};
}

void Connection::wait_then(Outcome outcome, void (Connection::*next)()) {
  const auto direction = outcome == Outcome::kWantsRead ? boost::asio::ip::tcp::socket::wait_read
                                                        : boost::asio::ip::tcp::socket::wait_write;
  socket_.async_wait(direction, [self = shared_from_this(), next](const auto& error) {
    if (error || self->phase_ == Phase::kClosed) return;
    ((*self).*next)();
  });
}

void Connection::limit_time(std::chrono::milliseconds limit) {
  deadline_ = Clock::now() + limit;
  if (deadline_ < armed_) arm_timer();
}

void Connection::unlimit_time() {
  deadline_ = Clock::time_point::max();
}

void Connection::arm_timer() {
  armed_ = deadline_;
  timer_.expires_at(deadline_);
  timer_.async_wait([weak = weak_from_this()](const auto& error) {
    const auto self = weak.lock();
    if (error || self == nullptr || self->phase_ == Phase::kClosed) return;
    self->armed_ = Clock::time_point::max();
    if (self->deadline_ == Clock::time_point::max()) return;
    if (Clock::now() >= self->deadline_) return self->time_out();
    self->arm_timer();
  });
}

void Connection::time_out() {
  if (phase_ == Phase::kHeader || phase_ == Phase::kBody) {
    parser_.reset();
    return reject(408, "The request did not arrive in time");
  }
  close();
}

}  // namespace bunraku::net

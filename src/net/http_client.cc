// The client: connections with deadlines, requests and answers.
#include "net/http_client.h"

#include <fmt/format.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <optional>

#include "base/system/descriptor.h"
#include "base/text/base64.h"
#include "net/compression.h"
#include "net/message_parser.h"

namespace bunraku::net {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kResponseHeader = size_t{64} << 10;

// The deadline of a wait, and the kind of error when it passes.
struct Limit {
  Clock::time_point deadline = Clock::time_point::max();
  ErrorKind kind = ErrorKind::kTimeout;
};

// Waits until the descriptor is ready. Throws NetError at the deadline.
void wait_for(int descriptor, short events, const Limit& limit, const std::string& peer) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(limit.deadline - Clock::now())
            .count();
    pollfd entry{descriptor, events, 0};
    const int count =
        left < 0 ? 0 : ::poll(&entry, 1, static_cast<int>(std::min<long>(left, 1 << 30)));
    if (count > 0) return;
    if (count < 0 && errno == EINTR) continue;
    throw NetError(limit.kind, peer + " did not answer in time");
  }
}

// The head of an answer and the length of its body as one line, for the observer.
std::string shown_answer(const Response& response) {
  std::string text = fmt::format("-> {} {}", response.status, reason_of(response.status));
  for (const auto& [name, value] : response.fields.entries()) {
    text += fmt::format("\\r\\n{}: {}", name, value);
  }
  return fmt::format("{}\nread {} bytes", text, response.body.size());
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// Throws NetError.
Addresses find_addresses(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error == 0) return {found, &freeaddrinfo};
  throw NetError(ErrorKind::kConnect, "Failed to open TCP connection to " + host + ":" +
                                          std::to_string(port) +
                                          " (getaddrinfo: " + gai_strerror(error) + ")");
}

// The addresses of the remote and of the local end.
struct Ends {
  const addrinfo* to = nullptr;
  const addrinfo* from = nullptr;  // of the same family, or null
};

const addrinfo* of_family(const addrinfo* addresses, int family) {
  while (addresses != nullptr && addresses->ai_family != family) addresses = addresses->ai_next;
  return addresses;
}

// The reason why there is no connection.
struct Obstacle {
  int error = 0;
  const char* call = "connect";
};

Descriptor connect_socket(const Ends& ends, const Limit& limit, const std::string& peer,
                          Obstacle& obstacle) {
  const addrinfo& address = *ends.to;
  Descriptor socket(
      ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) {
    obstacle = {errno, "socket"};
    return socket;
  }
  if (ends.from != nullptr &&
      ::bind(socket.number(), ends.from->ai_addr, ends.from->ai_addrlen) != 0) {
    obstacle = {errno, "bind"};
    return {};
  }
  int error = ::connect(socket.number(), address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    wait_for(socket.number(), POLLOUT, limit, peer);
    socklen_t size = sizeof error;
    getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) return socket;
  obstacle = {error, "connect"};
  return {};
}

// Address families without a local address are skipped.
Descriptor connect_to(const std::string& host, uint16_t port, const std::string& source,
                      const Limit& limit) {
  const std::string peer = host + ":" + std::to_string(port);
  const Addresses found = find_addresses(host, port);
  const Addresses own =
      source.empty() ? Addresses(nullptr, &freeaddrinfo) : find_addresses(source, 0);
  Obstacle obstacle{EADDRNOTAVAIL, "bind"};
  for (const addrinfo* address = found.get(); address != nullptr; address = address->ai_next) {
    const addrinfo* from = of_family(own.get(), address->ai_family);
    if (own != nullptr && from == nullptr) continue;
    Descriptor socket = connect_socket({address, from}, limit, peer, obstacle);
    if (socket.is_open()) return socket;
  }
  const std::string end = obstacle.call == std::string_view("bind")
                              ? source
                              : fmt::format("\"{}\" port {}", host, port);
  throw NetError(ErrorKind::kConnect,
                 fmt::format("Failed to open TCP connection to {} ({} - {}(2) for {})", peer,
                             std::strerror(obstacle.error), obstacle.call, end));
}

// A head as one line, for the observer, without the secret after "Authorization:".
std::string shown_head(std::string_view head) {
  std::string text;
  while (!head.empty()) {
    const size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    const bool is_secret =
        colon != std::string_view::npos &&
        (same_field_name(name, "Authorization") || same_field_name(name, "Proxy-Authorization"));
    text += is_secret ? std::string(name) + ": [redacted]" : std::string(line);
    text += "\\r\\n";
  }
  return text;
}

// "CN=a,O=b"
std::string subject_of(X509* certificate) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0,
                     XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<size_t>(std::max<long>(size, 0))};
}

// The names of a certificate for messages: "a, DNS:a, DNS:b".
std::string names_of(X509* certificate) {
  std::string names = subject_of(certificate);
  names.erase(0, names.rfind('=') + 1);
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> alternatives(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  for (int i = 0; alternatives != nullptr && i < sk_GENERAL_NAME_num(alternatives.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(alternatives.get(), i);
    const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
    GENERAL_NAME_print(text.get(), const_cast<GENERAL_NAME*>(name));
    char* data = nullptr;
    const long size = BIO_get_mem_data(text.get(), &data);
    names += ", " + std::string(data, static_cast<size_t>(std::max<long>(size, 0)));
  }
  return names;
}

// The tolerated clock difference: a list is valid this long before its start.
constexpr std::time_t kClockDifference = 300;

// The first problem of a handshake's certificate check.
struct Verification {
  std::string host;
  std::string problem;
};

// Called by OpenSSL for each certificate in the server's chain.
int check_certificate(int is_good, X509_STORE_CTX* store) {
  if (is_good == 1) return 1;
  auto* const ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* const found = static_cast<Verification*>(SSL_get_app_data(ssl));
  const int error = X509_STORE_CTX_get_error(store);
  X509* const certificate = X509_STORE_CTX_get_current_cert(store);
  if (error == X509_V_ERR_CRL_NOT_YET_VALID) {
    std::time_t soon = std::time(nullptr) + kClockDifference;
    const X509_CRL* list = X509_STORE_CTX_get0_current_crl(store);
    if (list != nullptr && X509_cmp_time(X509_CRL_get0_lastUpdate(list), &soon) < 0) return 1;
  }
  if (found == nullptr || !found->problem.empty()) return 0;
  const bool is_other_name =
      error == X509_V_ERR_HOSTNAME_MISMATCH || error == X509_V_ERR_IP_ADDRESS_MISMATCH;
  if (is_other_name && certificate != nullptr) {
    const std::string names = names_of(certificate);
    found->problem = "Server hostname '" + found->host +
                     "' did not match server certificate; expected " +
                     (names.find(',') == std::string::npos ? "" : "one of ") + names;
  } else {
    found->problem = "certificate verify failed [" +
                     std::string(X509_verify_cert_error_string(error)) + " for " +
                     (certificate == nullptr ? "the server" : subject_of(certificate)) + "]";
  }
  return 0;
}

}  // namespace

std::string first_address(const std::string& host) {
  try {
    const Addresses addresses = find_addresses(host, 0);
    char text[NI_MAXHOST];
    const int error = getnameinfo(addresses->ai_addr, addresses->ai_addrlen, text, sizeof text,
                                  nullptr, 0, NI_NUMERICHOST);
    return error == 0 ? text : std::string();
  } catch (const NetError&) {
    return {};
  }
}

std::string outcome_of(const NetError& error, std::chrono::duration<double> passed) {
  const std::string after =
      fmt::format("after {} seconds", std::round(passed.count() * 1000) / 1000);
  switch (error.kind()) {
    case ErrorKind::kConnectTimeout:
      return "timed out connect operation " + after;
    case ErrorKind::kTimeout:
      return "timed out read operation " + after;
    case ErrorKind::kInterrupted:
      return "interrupted " + after;
    default:
      return fmt::format("failed {}: {}", after, error.what());
  }
}

// A connection with blocking calls that end at a deadline.
class HttpClient::Stream {
 public:
  Stream(Descriptor socket, std::string peer)
      : socket_(std::move(socket)), peer_(std::move(peer)) {}
  ~Stream() {
    if (ssl_ != nullptr) SSL_free(ssl_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void limit(const Limit& limit) { limit_ = limit; }

  void begin_tls(const TlsContext& tls, const std::string& host, bool checks_only_leaf) {
    ssl_ = tls.make_connection();
    SSL_set_fd(ssl_, socket_.number());
    X509_VERIFY_PARAM* check = SSL_get0_param(ssl_);
    if (checks_only_leaf) X509_VERIFY_PARAM_clear_flags(check, X509_V_FLAG_CRL_CHECK_ALL);
    const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(check, host.c_str()) == 1;
    ERR_clear_error();
    if (!is_address) {
      SSL_set_tlsext_host_name(ssl_, host.c_str());
      X509_VERIFY_PARAM_set_hostflags(check, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
      SSL_set1_host(ssl_, host.c_str());
    }
    SSL_set_connect_state(ssl_);
    verification_.host = host;
    SSL_set_app_data(ssl_, &verification_);
    if (SSL_get_verify_mode(ssl_) != SSL_VERIFY_NONE) {
      SSL_set_verify(ssl_, SSL_get_verify_mode(ssl_), check_certificate);
    }
    while (true) {
      ERR_clear_error();
      const int result = SSL_do_handshake(ssl_);
      if (result == 1) return;
      if (!wait_for_tls(result)) fail_handshake();
    }
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      ERR_clear_error();
      const ssize_t count =
          ssl_ != nullptr ? SSL_write(ssl_, text.data(),
                                      static_cast<int>(std::min<size_t>(text.size(), 1 << 20)))
                          : ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
      if (count > 0) {
        text.remove_prefix(static_cast<size_t>(count));
      } else if (!wait_again(static_cast<int>(count), POLLOUT)) {
        throw NetError(ErrorKind::kInterrupted, peer_ + " closed the connection");
      }
    }
  }

  // Returns an empty text at the end.
  std::string_view read() {
    while (true) {
      ERR_clear_error();
      const ssize_t count = ssl_ != nullptr
                                ? SSL_read(ssl_, buffer_.data(), static_cast<int>(buffer_.size()))
                                : ::recv(socket_.number(), buffer_.data(), buffer_.size(), 0);
      if (count > 0) return {buffer_.data(), static_cast<size_t>(count)};
      if (!wait_again(static_cast<int>(count), POLLIN)) return {};
    }
  }

  // Returns whether the server has sent something or closed since the last answer.
  bool is_stale() const {
    pollfd entry{socket_.number(), POLLIN, 0};
    return ::poll(&entry, 1, 0) != 0;
  }

 private:
  bool wait_again(int count, short events) {
    if (ssl_ != nullptr) return wait_for_tls(count);
    if (count == 0) return false;
    if (errno != EAGAIN && errno != EINTR) return false;
    wait_for(socket_.number(), events, limit_, peer_);
    return true;
  }

  bool wait_for_tls(int result) {
    const int error = SSL_get_error(ssl_, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return false;
    wait_for(socket_.number(), error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, limit_, peer_);
    return true;
  }

  [[noreturn]] void fail_handshake() {
    if (!verification_.problem.empty()) throw ServerRefused(verification_.problem);
    std::string reason = tls_error_text();
    if (reason.empty()) reason = "the connection was closed";
    throw NetError(ErrorKind::kTls, "TLS with " + peer_ + " failed: " + reason);
  }

  Descriptor socket_;
  std::string peer_;
  ssl_st* ssl_ = nullptr;
  Verification verification_;
  Limit limit_;
  std::array<char, 16384> buffer_{};
};

struct HttpClient::Idle {
  std::string key;
  std::unique_ptr<Stream> stream;
  Clock::time_point since;
};

HttpClient::HttpClient(ClientSettings settings)
    : settings_(std::move(settings)),
      tls_(std::make_unique<TlsContext>(TlsContext::Side::kClient, settings_.tls)) {}

HttpClient::~HttpClient() = default;

void HttpClient::report(const std::string& line) const {
  if (settings_.observer) settings_.observer(line);
}

// Requests a tunnel to the server from the proxy.
void HttpClient::open_tunnel(Stream& stream, const Url& url) const {
  stream.limit({Clock::now() + settings_.read_timeout, ErrorKind::kTimeout});
  stream.write("CONNECT " + authority_of(url) + " HTTP/1.1\r\nHost: " + authority_of(url) + "\r\n" +
               settings_.proxy.authorization() + "\r\n");
  MessageParser parser(MessageParser::Side::kResponseWithoutBody, {kResponseHeader, 0});
  std::string input;
  try {
    while (!parser.has_header()) {
      const std::string_view piece = stream.read();
      if (piece.empty()) {
        throw NetError(ErrorKind::kInterrupted, "The proxy closed the connection");
      }
      input += piece;
      parser.put(input);
    }
  } catch (const BadMessage& error) {
    throw NetError(ErrorKind::kProtocol,
                   std::string("The proxy's answer cannot be read: ") + error.what());
  }
  const int status = parser.status();
  if (status >= 200 && status < 300) return;
  throw NetError(ErrorKind::kConnect, std::to_string(status) + " \"" +
                                          std::string(reason_of(status)) + "\" of the proxy " +
                                          settings_.proxy.host + ":" +
                                          std::to_string(settings_.proxy.port));
}

std::unique_ptr<HttpClient::Stream> HttpClient::open(const Url& url) const {
  Url next = url;
  const bool is_proxied = settings_.proxy.serves(url);
  if (is_proxied) {
    next.host = settings_.proxy.host;
    next.port = settings_.proxy.port;
  }
  report("opening connection to " + authority_of(next) + "...");
  Limit limit{Clock::now() + settings_.connect_timeout, ErrorKind::kConnectTimeout};
  auto stream = std::make_unique<Stream>(
      connect_to(next.host, next.port, settings_.source_address, limit), authority_of(next));
  report("opened");
  if (url.scheme != "https") return stream;
  if (is_proxied) {
    open_tunnel(*stream, url);
    limit.deadline = Clock::now() + settings_.connect_timeout;
  }
  stream->limit(limit);
  stream->begin_tls(*tls_, url.host, settings_.checks_only_leaf);
  report("TLS established");
  return stream;
}

std::unique_ptr<HttpClient::Stream> HttpClient::connect(const Url& url) const {
  try {
    return open(url);
  } catch (const ServerRefused&) {
    throw;
  } catch (const NetError& error) {
    throw error.before_connection();
  }
}

std::unique_ptr<HttpClient::Stream> HttpClient::take_idle(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(idle_, [&](const Idle& idle) {
    return Clock::now() - idle.since > settings_.idle || idle.stream->is_stale();
  });
  const auto found = std::ranges::find(idle_, key, &Idle::key);
  if (found == idle_.end()) return nullptr;
  std::unique_ptr<Stream> stream = std::move(found->stream);
  idle_.erase(found);
  return stream;
}

void HttpClient::keep(std::string key, std::unique_ptr<Stream> stream) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back({std::move(key), std::move(stream), Clock::now()});
}

std::string HttpClient::request_text(const ClientRequest& request, const Url& url) const {
  const bool is_plain_proxied = url.scheme == "http" && settings_.proxy.serves(url);
  const std::string host = host_field_of(url);
  std::string text = request.method + " ";
  if (is_plain_proxied) text += "http://" + host;
  text += url.target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  if (is_plain_proxied) text += settings_.proxy.authorization();
  if (!url.user.empty()) {
    text += "Authorization: Basic " + encode_base64(url.user + ":" + url.password) + "\r\n";
  }
  if (request.fields.find("User-Agent") == nullptr) {
    text += "User-Agent: " + settings_.user_agent + "\r\n";
  }
  if (request.fields.find("Accept-Encoding") == nullptr) text += "Accept-Encoding: gzip\r\n";
  for (const auto& [name, value] : request.fields.entries()) {
    if (name.find_first_of("\r\n") != std::string::npos ||
        value.find_first_of("\r\n") != std::string::npos) {
      throw NetError(ErrorKind::kConfiguration, "A header field has a line break in it");
    }
    text += name + ": " + value + "\r\n";
  }
  if (!request.body.empty() || request.method == "PUT" || request.method == "POST") {
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return text + "\r\n" + request.body;
}

Response HttpClient::exchange(Stream& stream, const ClientRequest& request, const std::string& text,
                              bool& keeps) const {
  stream.limit({Clock::now() + settings_.read_timeout, ErrorKind::kTimeout});
  if (settings_.observer) {
    report("<- " + shown_head(std::string_view(text).substr(0, text.find("\r\n\r\n") + 2)));
  }
  stream.write(text);
  const auto side = request.method == "HEAD" ? MessageParser::Side::kResponseWithoutBody
                                             : MessageParser::Side::kResponse;
  const ParserLimits limits{kResponseHeader, settings_.largest_body};
  std::optional<MessageParser> parser;
  parser.emplace(side, limits);
  std::string input;
  bool has_bytes = false;
  try {
    while (!parser->is_done()) {
      const std::string_view piece = stream.read();
      if (piece.empty()) {
        if (!has_bytes) throw NetError(ErrorKind::kInterrupted, "The server closed the connection");
        parser->put_end();
        keeps = false;
        break;
      }
      has_bytes = true;
      input += piece;
      while (!input.empty() && !parser->is_done()) {
        const size_t before = input.size();
        parser->put(input);
        // "100 Continue" precedes the answer.
        if (parser->is_done() && parser->status() == 100) parser.emplace(side, limits);
        if (input.size() == before) break;
      }
    }
  } catch (const BadMessage& error) {
    throw NetError(ErrorKind::kProtocol, std::string("The answer cannot be read: ") + error.what());
  }
  keeps = keeps && parser->keeps_connection() && input.empty();
  Response response = parser->take_response();
  if (settings_.observer) report(shown_answer(response));
  if (same_field_name(response.fields.get("Content-Encoding"), "gzip")) {
    std::optional<std::string> plain = gunzip(response.body, settings_.largest_body);
    if (!plain) throw NetError(ErrorKind::kProtocol, "The answer is not compressed as it says");
    response.body = std::move(*plain);
    response.fields.remove("Content-Encoding");
  }
  return response;
}

Response HttpClient::send(const ClientRequest& request) {
  const Url url = parse_url(request.url);
  const std::string key = url.scheme + "://" + authority_of(url);
  const std::string text = request_text(request, url);
  std::unique_ptr<Stream> stream = take_idle(key);
  const bool is_used = stream != nullptr;
  if (!is_used) stream = connect(url);
  bool keeps = true;
  Response response;
  try {
    response = exchange(*stream, request, text, keeps);
  } catch (const NetError& error) {
    if (!is_used || error.kind() != ErrorKind::kInterrupted) throw;
    keeps = true;
    stream = connect(url);
    response = exchange(*stream, request, text, keeps);
  }
  if (keeps) keep(key, std::move(stream));
  return response;
}

}  // namespace bunraku::net

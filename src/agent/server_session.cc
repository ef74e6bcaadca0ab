// Requests, redirections, retries for busy servers, and the choice of a server.
#include "agent/server_session.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

#include "agent/client_settings.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/version.h"
#include "base/text/utf8.h"
#include "net/proxy.h"
#include "net/service_records.h"

namespace bunraku::agent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRedirections = 10;
constexpr int kMostRetries = 100;
constexpr size_t kShownPath = 100;

std::string_view path_of(Service service) {
  switch (service) {
    case Service::kAuthority:
      return "/puppet-ca/v1";
    case Service::kStatus:
      return "/status/v1";
    case Service::kCode:
    case Service::kFiles:
    case Service::kReports:
      return "/puppet/v3";
  }
  return {};
}

std::string user_agent(const Settings& settings) {
  const std::string given = settings.text("http_user_agent");
  if (!given.empty()) return given;
  utsname host = {};
  uname(&host);
  return fmt::format("Puppet/{} Bunraku/{} ({}-linux)", kReferenceVersion, kVersion, host.machine);
}

std::string http_date(std::time_t time) {
  std::tm fields = {};
  gmtime_r(&time, &fields);
  char text[64];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &fields);
  return text;
}

// The delay in seconds that "Retry-After" demands, as a number or a date.
std::optional<int64_t> parse_retry_after(const std::string& text) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error == std::errc() && end == text.data() + text.size()) return seconds;
  std::tm fields = {};
  const char* const rest = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S", &fields);
  if (rest == nullptr) return std::nullopt;
  int64_t offset = 0;
  const std::string zone = std::string(rest).substr(std::string(rest).find_first_not_of(' '));
  if (zone.size() == 5 && (zone[0] == '+' || zone[0] == '-')) {
    const int number = std::atoi(zone.c_str() + 1);
    offset = (number / 100 * 3600 + number % 100 * 60) * (zone[0] == '-' ? -1 : 1);
  }
  return std::max<int64_t>(timegm(&fields) - offset - std::time(nullptr), 0);
}

bool is_redirection(int status) {
  return status == 301 || status == 302 || status == 307;
}

std::string_view name_of(Service service) {
  switch (service) {
    case Service::kAuthority:
      return "ca";
    case Service::kReports:
      return "report";
    case Service::kFiles:
      return "fileserver";
    case Service::kCode:
    case Service::kStatus:
      return "puppet";
  }
  return {};
}

RequestError no_routes(Service service) {
  return RequestError(fmt::format("No more routes to {}", name_of(service)));
}

// The domain whose DNS records list servers: the setting, or the domain of the certificate's name.
std::string service_domain(const Settings& settings) {
  const std::string domain = settings.text("srv_domain");
  if (!domain.empty()) return domain;
  const std::string name = settings.text("certname");
  const size_t dot = name.find('.');
  return dot == std::string::npos ? std::string() : name.substr(dot + 1);
}

}  // namespace

ConnectionError::ConnectionError(const std::string& url, std::string outcome)
    : RequestError(fmt::format("Request to {} {}", url, outcome)),
      outcome_(std::make_shared<const std::string>(std::move(outcome))) {}

std::string ResponseError::server_text() const {
  return fmt::format("Error {} on SERVER: {}", status_, text_);
}

std::string ResponseError::search_text() const {
  if (status_ != 404) return server_text();
  std::string path = path_;
  if (path.size() > kShownPath) path = path.substr(0, kShownPath - 3) + "...";
  return fmt::format("Find {} resulted in 404 with the message: {}", path, text_);
}

std::vector<std::string> server_list(const Settings& settings) {
  return settings.list("server_list");
}

ServerSession::ServerSession(const Settings& settings, apply::RunLog& log)
    : settings_(settings), log_(log) {}

ServerSession::~ServerSession() = default;

void ServerSession::use(const Credentials& credentials) {
  credentials_ = credentials;
  net::ClientSettings client = client_settings(settings_);
  client.tls.authorities = credentials.authorities;
  client.tls.revocations = credentials.revocations;
  client.tls.checks_revocation = !credentials.revocations.empty();
  client.checks_only_leaf = credentials.checks_only_leaf;
  client.tls.certificate = credentials.certificate;
  client.tls.key = credentials.key;
  client.tls.verifies_server = credentials.verifies_server;
  client.user_agent = user_agent(settings_);
  try {
    client_ = std::make_unique<net::HttpClient>(std::move(client));
  } catch (const net::NetError& error) {
    throw RequestError(error.what());
  }
}

void ServerSession::close() {
  if (client_ != nullptr) use(credentials_);
}

// Services without records of their own use the compilers' records.
std::deque<ServerSession::Address>& ServerSession::named_addresses(Service service) {
  const auto [known, is_new] = named_.try_emplace(service);
  if (!is_new || !settings_.is_true("use_srv_records")) return known->second;
  const std::string domain = service_domain(settings_);
  if (domain.empty()) return known->second;
  log_.log(LogLevel::kDebug, fmt::format("Searching for SRV records for domain: {}", domain));
  const bool is_main = name_of(service) == "puppet";
  for (const bool asks_main : {false, true}) {
    if (asks_main && (is_main || !known->second.empty())) break;
    const std::string name = is_main || asks_main
                                 ? fmt::format("_x-puppet._tcp.{}", domain)
                                 : fmt::format("_x-puppet-{}._tcp.{}", name_of(service), domain);
    for (const net::ServiceRecord& record : net::find_service_records(name)) {
      known->second.emplace_back(record.target, std::to_string(record.port));
    }
    log_.log(LogLevel::kDebug,
             fmt::format("Found {} SRV records for: {}", known->second.size(), name));
  }
  return known->second;
}

// Removes the current server in DNS; after the last one the settings apply.
bool ServerSession::take_next_route(Service service) {
  std::deque<Address>& named = named_addresses(service);
  if (named.empty()) return false;
  named.pop_front();
  return true;
}

ServerSession::Address ServerSession::address_of(Service service) {
  const std::deque<Address>& named = named_addresses(service);
  if (!named.empty()) return named.front();
  const auto own = [&](const char* host, const char* port) {
    return std::pair(settings_.text(host), settings_.text(port));
  };
  const bool has_own_authority = service == Service::kAuthority && settings_.is_set("ca_server");
  const bool has_own_reports = service == Service::kReports && settings_.is_set("report_server");
  if (!has_own_authority && !has_own_reports && !server_list(settings_).empty()) {
    if (selected_.empty()) select_server();
    if (selected_.empty()) {
      throw no_routes(service);
    }
    const size_t colon = selected_.rfind(':');
    return {selected_.substr(0, colon), selected_.substr(colon + 1)};
  }
  if (service == Service::kAuthority) return own("ca_server", "ca_port");
  if (service == Service::kReports) return own("report_server", "report_port");
  return own("server", "serverport");
}

std::string ServerSession::url_of(Service service) {
  const auto [host, port] = address_of(service);
  return fmt::format("https://{}:{}{}", host, port, path_of(service));
}

std::string ServerSession::destination_of(Service service) {
  const auto [host, port] = address_of(service);
  const std::string ip = net::first_address(host);
  return fmt::format("{}:{}{}", host, port, ip.empty() ? ip : fmt::format(" ({})", ip));
}

void ServerSession::add_headers(net::ClientRequest& request, const Call& call) const {
  net::Fields& fields = request.fields;
  fields.add("Accept", call.accept);
  fields.add("X-Puppet-Version", std::string(kReferenceVersion));
  if (!call.content_type.empty()) fields.add("Content-Type", call.content_type);
  if (call.modified_since) fields.add("If-Modified-Since", http_date(*call.modified_since));
  if (settings_.is_true("profile")) fields.add("X-Puppet-Profiling", "true");
  for (const std::string& header : settings_.list("http_extra_headers")) {
    const size_t colon = header.find(':');
    const std::string name = header.substr(0, colon);
    if (colon == std::string::npos || colon + 1 == header.size()) {
      log_.log(LogLevel::kWarning,
               fmt::format("Ignoring extra header \"{}\" as it has no value.", name));
    } else if (fields.find(name) != nullptr) {
      log_.log(LogLevel::kWarning,
               fmt::format("Ignoring extra header \"{}\" as it was previously set.", name));
    } else {
      fields.add(name, header.substr(colon + 1));
    }
  }
}

std::string ServerSession::error_text(const net::Response& response) const {
  const std::string_view type = response.fields.get("Content-Type");
  if (type.find("json") != std::string_view::npos || type.find("pson") != std::string_view::npos) {
    try {
      Arena arena;
      const DataNode node = read_json(response.body, arena);
      const DataNode* message = node.find("message");
      if (message != nullptr && message->is(DataKind::kString)) {
        return replace_invalid_utf8(message->text_value());
      }
    } catch (const DataError&) {
      // Text other than JSON is shown unchanged.
    }
  }
  if (response.body.empty()) return std::string(net::reason_of(response.status));
  return replace_invalid_utf8(response.body);
}

namespace {

// The URL of a redirection.
std::string redirected_url(const std::string& url, const net::Response& response) {
  const std::string location(response.fields.get("Location"));
  if (location.empty()) throw RequestError("Location response header is missing");
  if (location.starts_with('/')) {
    const net::Url parsed = net::parse_url(url);
    return fmt::format("{}://{}{}", parsed.scheme, net::authority_of(parsed), location);
  }
  try {
    net::parse_url(location);
  } catch (const net::NetError& error) {
    throw RequestError(fmt::format("Location URI is invalid: {}", error.what()));
  }
  return location;
}

}  // namespace

// Sends a request, follows redirections, and retries when the server asks for it.
net::Response ServerSession::exchange(const net::ClientRequest& first) {
  net::ClientRequest request = first;
  const Clock::time_point begun = Clock::now();
  int redirections = 0;
  int retries = 0;
  while (true) {
    net::Response response = send_once(request, begun);
    if (is_redirection(response.status)) {
      if (++redirections > kMostRedirections) {
        throw RequestError(fmt::format("Too many HTTP redirections for {}", request.url));
      }
      request.url = redirected_url(request.url, response);
      continue;
    }
    const std::string* retry_after = response.fields.find("Retry-After");
    const bool is_busy = response.status == 503 || response.status == 429;
    if (!is_busy || retry_after == nullptr) return response;
    if (++retries > kMostRetries) {
      throw RequestError(fmt::format("Too many HTTP retries for {}", request.url));
    }
    wait_for_retry(*retry_after);
  }
}

net::Response ServerSession::send_once(const net::ClientRequest& request,
                                       std::chrono::steady_clock::time_point begun) {
  net::Response response;
  try {
    log_.log(LogLevel::kDebug, fmt::format("HTTP {} {}", request.method, request.url));
    response = client_->send(request);
  } catch (const net::ServerRefused& error) {
    throw RequestError(error.what());
  } catch (const net::NetError& error) {
    const std::string outcome = net::outcome_of(error, Clock::now() - begun);
    if (!error.has_connection()) throw ConnectionError(request.url, outcome);
    throw RequestError(fmt::format("Request to {} {}", request.url, outcome));
  }
  log_.log(LogLevel::kDebug, fmt::format("HTTP {} {} returned {} {}", request.method, request.url,
                                         response.status, net::reason_of(response.status)));
  return response;
}

void ServerSession::wait_for_retry(const std::string& retry_after) {
  const std::optional<int64_t> wanted = parse_retry_after(retry_after);
  if (!wanted) {
    throw RequestError(fmt::format(
        "Failed to parse Retry-After header '{}' as an integer or RFC 2822 date", retry_after));
  }
  const int64_t seconds =
      std::clamp<int64_t>(*wanted, 0, std::max<int64_t>(settings_.integer("runinterval"), 0));
  log_.log(LogLevel::kWarning,
           fmt::format("Sleeping for {} seconds before retrying the request", seconds));
  close();
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
}

std::string ServerSession::base_of(const Call& call) {
  if (call.server.empty()) return url_of(call.service);
  const bool has_port = call.server.rfind(':') != std::string::npos && call.server.back() != ']';
  return fmt::format("https://{}{}{}", call.server,
                     has_port ? std::string() : ":" + settings_.text("serverport"),
                     path_of(call.service));
}

net::Response ServerSession::send(const Call& call) {
  std::string target = call.path;
  char separator = '?';
  for (const auto& [name, value] : call.query) {
    target += fmt::format("{}{}={}", separator, name, net::encode_percent(value));
    separator = '&';
  }
  net::ClientRequest request;
  request.method = call.method;
  request.body = call.body;
  add_headers(request, call);
  net::Response response;
  while (true) {
    const std::string base = base_of(call);
    request.url = base + target;
    try {
      response = exchange(request);
      reached_.insert(base);
      break;
    } catch (const ConnectionError& error) {
      if (!call.server.empty() || reached_.contains(base)) throw;
      log_.log(LogLevel::kErr,
               fmt::format("Connection to {0} failed, trying next route: Request to "
                           "{0} {1}",
                           base, error.outcome()));
      if (!take_next_route(call.service)) throw no_routes(call.service);
    }
  }
  if (response.status >= 200 && response.status < 300) return response;
  const std::string_view reason = net::reason_of(response.status);
  throw ResponseError(response.status,
                      reason.empty() ? std::to_string(response.status) : std::string(reason),
                      error_text(response), net::parse_url(request.url).target);
}

std::optional<net::Response> ServerSession::find(const Call& call) {
  try {
    return send(call);
  } catch (const ResponseError& error) {
    if (error.status() == 404) return std::nullopt;
    throw;
  }
}

void ServerSession::ask_status(const std::string& address) {
  Call call;
  call.service = Service::kStatus;
  call.server = address;
  call.accept = "text/plain";
  call.path = "/simple/server";
  if (find(call)) return;
  // Servers before version 6 use the old name.
  call.path = "/simple/master";
  send(call);
}

bool ServerSession::select_server() {
  const std::vector<std::string> servers = server_list(settings_);
  if (servers.empty()) return true;
  const std::string default_port = settings_.text("serverport");
  for (size_t i = 0; i < servers.size(); ++i) {
    const bool has_port = servers[i].rfind(':') != std::string::npos && servers[i].back() != ']';
    const std::string address = has_port ? servers[i] : servers[i] + ":" + default_port;
    const bool is_last = i + 1 == servers.size();
    const LogLevel level = is_last ? LogLevel::kErr : LogLevel::kWarning;
    const std::string_view next = is_last ? "" : " Trying with next server from server_list.";
    try {
      ask_status(address);
      selected_ = address;
      log_.log(LogLevel::kDebug,
               fmt::format("Selected puppet server from the `server_list` setting: {}", address));
      return true;
    } catch (const ResponseError& error) {
      log_.log(level, fmt::format("Puppet server {} is unavailable: {} {}{}", address,
                                  error.status(), error.what(), next));
    } catch (const RequestError& error) {
      log_.log(level, fmt::format("Unable to connect to server from server_list setting: {}{}",
                                  error.what(), next));
    }
  }
  return false;
}

}  // namespace bunraku::agent

// Answering requests.
#include "server/request_handler.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <random>

#include "base/diagnostics/diagnostic.h"
#include "base/system/version.h"
#include "net/message_parser.h"
#include "server/api/call.h"
#include "server/router.h"

namespace bunraku::server {
namespace {

// A random identifier in the form of a UUID.
std::string make_id() {
  static thread_local std::mt19937_64 random{std::random_device{}()};
  const uint64_t high = (random() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (random() & ~(uint64_t{3} << 62)) | (uint64_t{1} << 63);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffff);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool is_known_method(std::string_view method) {
  for (const std::string_view known : {"GET", "HEAD", "POST", "PUT", "DELETE"}) {
    if (method == known) return true;
  }
  return false;
}

// Adds a form's parameters to those of the query. A name in both with different values is refused,
// as rules and calls would read different ones.
void add_form(const net::Request& request, net::Parameters& parameters) {
  if (!request.fields.get("Content-Type").starts_with("application/x-www-form-urlencoded")) return;
  net::Parameters form = net::parse_parameters(request.body);
  for (auto& entry : form) {
    for (const auto& other : parameters) {
      if (other.first == entry.first && other.second != entry.second) {
        throw net::BadMessage(400, "The parameter '" + entry.first + "' has two values");
      }
    }
    parameters.push_back(std::move(entry));
  }
}

// Refuses different values of `environment`: rules check any of them, calls use the first.
void check_environment(const net::Parameters& parameters) {
  const std::string* environment = nullptr;
  for (const auto& [name, value] : parameters) {
    if (name != "environment") continue;
    if (environment != nullptr && *environment != value) {
      throw net::BadMessage(400, "The parameter 'environment' has two values");
    }
    environment = &value;
  }
}

net::Response forbidden(const std::string& path, std::string_view method) {
  net::Response response;
  response.status = 403;
  response.body = fmt::format(
      "Forbidden request: {} (method :{}). Please see the server logs for "
      "details.",
      printable(path), lower(method));
  return response;
}

net::Response with_version(net::Response response) {
  response.fields.add("X-Puppet-Version", std::string(kReferenceVersion));
  return response;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1" || address.starts_with("::ffff:127.");
}

}  // namespace

size_t RequestHandler::lane_of(const net::Request& request) {
  // Chooses by the path only; a malformed path is refused quickly.
  const std::string_view target = request.target;
  const bool is_compiled = target.starts_with("/puppet/v3/catalog/") ||
                           target.starts_with("/puppet/v3/node/") ||
                           target.starts_with("/puppet/v4/");
  if (is_store_path(target)) return static_cast<size_t>(Lane::kStore);
  return static_cast<size_t>(is_compiled ? Lane::kCompilations : Lane::kQuick);
}

net::Response RequestHandler::handle(const net::Request& request) {
  const std::shared_ptr<const Site> site = shared_.current_site();
  const std::string id = make_id();
  try {
    return with_version(answer(request, *site, id));
  } catch (const net::BadMessage& error) {
    net::Response response;
    response.status = error.status();
    response.body = error.what();
    return with_version(std::move(response));
  } catch (const BadClientHeader& error) {
    return with_version(text_answer(400, error.what()));
  } catch (const ApiError& error) {
    if (error.status() >= 500) shared_.log->write(LogLevel::kErr, error.what(), id);
    return with_version(error_answer(error));
  } catch (const TextError& error) {
    if (error.status() >= 500) shared_.log->write(LogLevel::kErr, error.what(), id);
    return with_version(text_answer(error.status(), error.what()));
  } catch (const EvaluationError& error) {
    shared_.log->write(LogLevel::kErr, error.what(), id);
    return with_version(error_answer(ApiError(500, error.what())));
  } catch (const std::exception& error) {
    shared_.log->write(LogLevel::kErr,
                       fmt::format("{} {}: {}", request.method, request.target, error.what()), id);
    return with_version(error_answer(ApiError(500, error.what())));
  }
}

net::Response RequestHandler::answer(const net::Request& request, const Site& site,
                                     const std::string& id) {
  const net::Target target = net::parse_target(request.target);
  if (!is_store_path(target.path) && !request.fields.get("Content-Encoding").empty() &&
      !net::same_field_name(request.fields.get("Content-Encoding"), "identity")) {
    throw ApiError(415, "Compressed requests are not supported", "UNSUPPORTED_MEDIA_TYPE");
  }
  const Rules& rules = site.configuration.rules;
  Call call{request,
            id,
            target.path,
            net::parse_parameters(target.query),
            identify(request, rules.trusts_headers()),
            site,
            shared_};
  add_form(request, call.parameters);
  check_environment(call.parameters);
  const Decision decision =
      rules.decide({request.method, call.path, &call.parameters}, call.client);
  // Users on this machine may read these pages.
  const bool is_local_look =
      !decision.is_allowed && request.method == "GET" && is_loopback(request.peer_address) &&
      !rules.trusts_headers() &&
      (call.path == "/metrics" || call.path == "/bunraku" || call.path == "/bunraku/");
  Route route = find_route(request.method, call.path);
  if (is_store_path(call.path) && store_routes_ != nullptr) {
    route.answer = [this](const Call& asked) {
      return store_routes_->answer(asked.request, asked.client);
    };
  }
  // The reference routes its own calls before the rules decide, and those of the authority after.
  if (!route.answer && (call.path.starts_with("/puppet/") || !is_known_method(request.method))) {
    net::Response response;
    response.status = 404;
    return response;
  }
  if (!decision.is_allowed && !is_local_look) {
    shared_.metrics.count_refusal();
    shared_.log->write(
        LogLevel::kErr,
        fmt::format("Forbidden request: {}({}) access to {} (method :{}) (authenticated: {}) {}",
                    call.client.is_authenticated ? call.client.name : "", call.client.address,
                    call.path, lower(request.method), call.client.is_authenticated,
                    decision.rule.empty() ? "denied, as no rule matches"
                                          : "denied by rule '" + decision.rule + "'."),
        id);
    return forbidden(call.path, request.method);
  }
  if (!route.answer) return text_answer(404, "Not Found");
  return route.answer(call);
}

net::Response RequestHandler::refuse(const net::Request&) {
  static thread_local std::mt19937 random{std::random_device{}()};
  const int64_t longest = shared_.current_site()->configuration.longest_retry_delay;
  net::Response response = text_answer(
      503, "The number of requests waiting has exceeded the limit. Please try again later.");
  // Without this header an agent ends its run, and with 0 it retries at once.
  response.fields.add("Retry-After", std::to_string(std::uniform_int_distribution<int64_t>(
                                         1, std::max<int64_t>(1, longest))(random)));
  shared_.log->write(LogLevel::kWarning, "A request was refused: too many wait");
  return with_version(std::move(response));
}

net::Response RequestHandler::reject(int status, const std::string& reason) {
  net::Response response;
  response.status = status;
  response.body = reason;
  response.closes_connection = status != 500;
  return with_version(std::move(response));
}

void RequestHandler::finished(const net::Exchange& exchange) {
  const net::Request& request = exchange.request;
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  const std::string method = is_known_method(request.method) ? request.method : "other";
  const double seconds = static_cast<double>(exchange.duration.count()) / 1e6;
  shared_.metrics.count_request(find_route(request.method, path).name, method, exchange.status,
                                seconds);
  std::string client = "-";
  if (request.peer_certificate != nullptr) {
    try {
      client = printable(identify(request, false).name);
    } catch (const certificates::CertificateError&) {
    }
  }
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::array<char, 40> time{};
  std::strftime(time.data(), time.size(), "%d/%b/%Y:%H:%M:%S +0000", &fields);
  shared_.log->write_access(
      fmt::format("{} - {} [{}] \"{} {} HTTP/1.1\" {} {} \"-\" \"{}\" {} {}", request.peer_address,
                  client, time.data(), printable(request.method), printable(request.target),
                  exchange.status, exchange.sent, printable(request.fields.get("User-Agent")),
                  exchange.duration.count() / 1000, request.body.size()));
}

void RequestHandler::handshake_failed(const std::string& address, const std::string& reason) {
  shared_.metrics.count_handshake_failure();
  shared_.log->write(LogLevel::kInfo, fmt::format("TLS with {} failed: {}", address, reason));
}

}  // namespace bunraku::server

// Posts reports.
#include "server/report_forwarder.h"

#include <fmt/format.h>

#include <csignal>

#include "net/http_client.h"

namespace bunraku::server {
namespace {

constexpr std::chrono::seconds kConnectLimit{10};
constexpr std::chrono::seconds kAnswerLimit{60};

// The URL without user and password.
std::string shown(const std::string& text) {
  try {
    const net::Url url = net::parse_url(text);
    return fmt::format("{}://{}{}", url.scheme, net::authority_of(url), url.target);
  } catch (const net::NetError&) {
    return "the URL of the setting 'reporturl'";
  }
}

}  // namespace

ReportForwarder::ReportForwarder(Fail fail) : fail_(std::move(fail)) {
  // The new thread inherits a mask that blocks all signals, which the main thread handles.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ReportForwarder::~ReportForwarder() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
    end_ = std::chrono::steady_clock::now() + kDrain;
  }
  is_changed_.notify_all();
  thread_.join();
}

bool ReportForwarder::send(ForwardedReport report) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_stopping_ || bytes_ + report.yaml.size() > kMostBytes) return false;
    bytes_ += report.yaml.size();
    queue_.push_back(std::move(report));
  }
  is_changed_.notify_one();
  return true;
}

void ReportForwarder::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    is_changed_.wait(lock, [&] { return is_stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const ForwardedReport report = std::move(queue_.front());
    queue_.pop_front();
    bytes_ -= report.yaml.size();
    const bool is_too_late = is_stopping_ && std::chrono::steady_clock::now() > end_;
    lock.unlock();
    if (is_too_late) {
      fail_("The server ends: a report was not submitted", report.request);
    } else {
      post(report);
    }
    lock.lock();
  }
}

void ReportForwarder::post(const ForwardedReport& report) {
  try {
    net::ClientRequest request;
    request.url = report.url;
    net::ClientSettings settings;
    settings.tls = report.tls;
    settings.connect_timeout = kConnectLimit;
    settings.read_timeout = kAnswerLimit;
    request.method = "POST";
    request.fields.add("Content-Type", "application/x-yaml");
    request.body = report.yaml;
    const net::Response response = net::HttpClient(settings).send(request);
    if (response.status >= 200 && response.status < 300) return;
    fail_(fmt::format("Unable to submit report to {} [{}] {}", shown(report.url), response.status,
                      net::reason_of(response.status)),
          report.request);
  } catch (const std::exception& error) {
    fail_(fmt::format("Unable to submit report to {}: {}", shown(report.url), error.what()),
          report.request);
  }
}

}  // namespace bunraku::server

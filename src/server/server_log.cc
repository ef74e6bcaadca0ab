// Writes the server's logs.
#include "server/server_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "base/formats/json.h"
#include "base/text/utf8.h"

namespace bunraku::server {
namespace {

std::string now_text() {
  timeval now{};
  gettimeofday(&now, nullptr);
  std::tm fields{};
  gmtime_r(&now.tv_sec, &fields);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &fields);
  return fmt::format("{}.{:03}Z", std::string_view(text.data(), size), now.tv_usec / 1000);
}

std::string_view upper_name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "DEBUG";
    case LogLevel::kInfo:
    case LogLevel::kNotice:
      return "INFO ";
    case LogLevel::kWarning:
      return "WARN ";
    default:
      return "ERROR";
  }
}

void write_all(int descriptor, std::string_view text) {
  // A line that cannot be written is dropped, as there is no other place to report it.
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : replace_invalid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

ServerLog::ServerLog(Options options) : options_(std::move(options)) {
  reopen();
}

void ServerLog::reopen() {
  if (options_.access_log.empty()) return;
  Descriptor file(
      ::open(options_.access_log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640));
  const std::scoped_lock lock(mutex_);
  access_ = std::move(file);
}

void ServerLog::write(LogLevel level, std::string_view message, std::string_view request) {
  if (!takes(level)) return;
  std::string line;
  if (options_.is_json) {
    JsonWriter json(line);
    json.begin_object();
    json.member("time", now_text());
    json.member("level", name_of(level));
    if (!request.empty()) json.member("request", request);
    json.member("message", replace_invalid_utf8(message));
    json.end_object();
  } else {
    line = fmt::format("{} {} [{}] {}", now_text(), upper_name(level),
                       request.empty() ? "server" : request, printable(message));
  }
  line += '\n';
  write_all(STDERR_FILENO, line);
}

void ServerLog::write_access(const std::string& line) {
  const std::scoped_lock lock(mutex_);
  if (access_.is_open()) write_all(access_.number(), line + "\n");
}

}  // namespace bunraku::server

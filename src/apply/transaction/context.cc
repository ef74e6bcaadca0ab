// The log of a run, the host, and system errors in Ruby's words.
#include "apply/transaction/context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "apply/transaction/failure.h"

namespace bunraku::apply {
namespace {

class ThisHost : public Host {
 public:
  explicit ThisHost(std::function<std::string(std::string_view)> facts)
      : facts_(std::move(facts)) {}
  std::string fact(std::string_view name) const override {
    return facts_ ? facts_(name) : std::string();
  }
  bool is_root() const override { return geteuid() == 0; }

 private:
  std::function<std::string(std::string_view)> facts_;
};

}  // namespace

std::unique_ptr<Host> make_host(std::function<std::string(std::string_view)> facts) {
  return std::make_unique<ThisHost>(std::move(facts));
}

std::string system_error_text(int error, const std::string& call, const std::string& path) {
  std::string text = std::strerror(error);
  if (!call.empty()) text += " @ " + call;
  if (!path.empty()) text += " - " + path;
  return text;
}

void RunLog::log(LogLevel level, std::string message, std::string source,
                 std::vector<std::string> tags, const std::string* file, int64_t line) {
  if (!takes(level)) return;
  std::vector<std::string> all_tags;
  all_tags.reserve(tags.size() + 1);
  all_tags.emplace_back(name_of(level));
  for (std::string& tag : tags) {
    if (tag != all_tags.front()) all_tags.push_back(std::move(tag));
  }
  if (report_ != nullptr) {
    ReportLog line_of_report{level,    message,           source.empty() ? "Puppet" : source,
                             all_tags, now_nanoseconds(), std::nullopt,
                             line};
    if (file != nullptr) line_of_report.file = *file;
    report_->logs.push_back(std::move(line_of_report));
  }
  LogRecord record;
  record.level = level;
  record.message = std::move(message);
  record.source = std::move(source);
  record.tags = std::move(all_tags);
  if (file != nullptr) record.file = *file;
  record.line = static_cast<uint32_t>(line);
  sink_.log(record);
}

}  // namespace bunraku::apply

// Records for syslog and for files, in the reference's form.
#include "agent/log_destination.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <syslog.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/system/file_system.h"

namespace bunraku::agent {
namespace {

constexpr mode_t kLogMode = 0640;

int priority_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return LOG_DEBUG;
    case LogLevel::kInfo:
      return LOG_INFO;
    case LogLevel::kNotice:
      return LOG_NOTICE;
    case LogLevel::kWarning:
      return LOG_WARNING;
    case LogLevel::kErr:
      return LOG_ERR;
    case LogLevel::kAlert:
      return LOG_ALERT;
    case LogLevel::kEmerg:
      return LOG_EMERG;
    case LogLevel::kCrit:
      return LOG_CRIT;
  }
  return LOG_NOTICE;
}

int facility_of(const std::string& name) {
  constexpr std::pair<std::string_view, int> kFacilities[] = {
      {"daemon", LOG_DAEMON}, {"user", LOG_USER},     {"local0", LOG_LOCAL0},
      {"local1", LOG_LOCAL1}, {"local2", LOG_LOCAL2}, {"local3", LOG_LOCAL3},
      {"local4", LOG_LOCAL4}, {"local5", LOG_LOCAL5}, {"local6", LOG_LOCAL6},
      {"local7", LOG_LOCAL7}, {"cron", LOG_CRON},     {"auth", LOG_AUTH}};
  for (const auto& [known, number] : kFacilities) {
    if (known == name) return number;
  }
  return LOG_DAEMON;
}

LogRecord record_of(const FatalRecord& fatal) {
  LogRecord record;
  record.level = LogLevel::kErr;
  record.message = fatal.message;
  return record;
}

class SystemLog : public LogDestination {
 public:
  SystemLog(const std::string& facility, LogLevel level) : level_(level) {
    openlog("puppet-agent", LOG_PID | LOG_NDELAY, facility_of(facility));
  }
  bool takes(LogLevel level) const override { return level >= level_; }
  void log(const LogRecord& record) override {
    if (!takes(record.level)) return;
    const std::string text = record.source.empty()
                                 ? record.message
                                 : fmt::format("({}) {}", record.source, record.message);
    syslog(priority_of(record.level), "%s", text.c_str());
  }
  void log_fatal(const FatalRecord& record) override { log(record_of(record)); }
  void reopen() override {}

 private:
  LogLevel level_;
};

class FileLog : public LogDestination {
 public:
  FileLog(std::string path, LogLevel level)
      : path_(std::move(path)), level_(level), is_json_(path_.ends_with(".json")) {
    make_folder(std::string(folder_of(path_)));
    file_ = open_file();
  }
  ~FileLog() override { std::fclose(file_); }
  bool takes(LogLevel level) const override { return level >= level_; }
  void log(const LogRecord& record) override {
    if (takes(record.level)) write(is_json_ ? json_of(record) : line_of(record));
  }
  void log_fatal(const FatalRecord& record) override {
    write(is_json_ ? json_of(record) : line_of(record_of(record)));
  }
  void reopen() override {
    const std::scoped_lock lock(mutex_);
    try {
      std::FILE* const file = open_file();
      std::fclose(file_);
      file_ = file;
    } catch (const FileError&) {
      // The earlier file still takes the records.
    }
  }

 private:
  std::FILE* open_file() const {
    std::FILE* const file = std::fopen(path_.c_str(), "ae");
    if (file == nullptr) throw FileError(FileErrorKind::kOther, path_, std::strerror(errno));
    if (std::ftell(file) == 0) chmod(path_.c_str(), kLogMode);
    return file;
  }
  static std::string line_of(const LogRecord& record) {
    const std::time_t now = std::time(nullptr);
    std::tm fields = {};
    localtime_r(&now, &fields);
    char time[40];
    std::strftime(time, sizeof time, "%Y-%m-%d %H:%M:%S %z", &fields);
    return fmt::format("{} {} ({}): {}", time, record.source.empty() ? "Puppet" : record.source,
                       name_of(record.level), record.message);
  }
  void write(const std::string& line) {
    const std::scoped_lock lock(mutex_);
    std::fprintf(file_, "%s\n", line.c_str());
    std::fflush(file_);
  }

  std::string path_;
  LogLevel level_;
  bool is_json_;
  std::mutex mutex_;
  std::FILE* file_;
};

}  // namespace

std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const std::string& facility, LogLevel level) {
  if (name == "syslog") return std::make_unique<SystemLog>(facility, level);
  return std::make_unique<FileLog>(absolute_path(name), level);
}

}  // namespace bunraku::agent

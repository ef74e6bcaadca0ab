// Destinations of records: syslog and files, in the reference's formats.
#include "base/diagnostics/log_destination.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <syslog.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <mutex>
#include <optional>
#include <utility>

#include "base/system/file_system.h"

namespace bunraku {
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

std::optional<int> facility_of(const std::string& name) {
  constexpr std::pair<const char*, int> kFacilities[] = {
      {"daemon", LOG_DAEMON},     {"user", LOG_USER},     {"local0", LOG_LOCAL0},
      {"local1", LOG_LOCAL1},     {"local2", LOG_LOCAL2}, {"local3", LOG_LOCAL3},
      {"local4", LOG_LOCAL4},     {"local5", LOG_LOCAL5}, {"local6", LOG_LOCAL6},
      {"local7", LOG_LOCAL7},     {"cron", LOG_CRON},     {"auth", LOG_AUTH},
      {"authpriv", LOG_AUTHPRIV}, {"ftp", LOG_FTP},       {"kern", LOG_KERN},
      {"lpr", LOG_LPR},           {"mail", LOG_MAIL},     {"news", LOG_NEWS},
      {"syslog", LOG_SYSLOG},     {"uucp", LOG_UUCP}};
  for (const auto& [known, number] : kFacilities) {
    if (strcasecmp(known, name.c_str()) == 0) return number;
  }
  return std::nullopt;
}

LogRecord record_of(const FatalRecord& fatal) {
  LogRecord record;
  record.level = LogLevel::kErr;
  record.message = fatal.message;
  return record;
}

class SystemLog : public LogDestination {
 public:
  SystemLog(const SystemLogOptions& options, int facility, LogLevel level)
      : program_(options.program), level_(level) {
    openlog(program_.c_str(), LOG_PID | LOG_NDELAY, facility);
  }
  ~SystemLog() override { closelog(); }
  bool takes(LogLevel level) const override { return level >= level_; }
  // Writes one entry per line.
  void log(const LogRecord& record) override {
    if (!takes(record.level)) return;
    const std::string source = record.source.empty() ? "" : fmt::format("({}) ", record.source);
    for (std::string_view rest = record.message; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string line = source + std::string(rest.substr(0, end));
      syslog(priority_of(record.level), "%s", line.c_str());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  void log_fatal(const FatalRecord& record) override { log(record_of(record)); }
  void reopen() override {}

 private:
  const std::string program_;  // openlog() keeps the pointer
  const LogLevel level_;
};

constexpr std::string_view kProgram = "Puppet";  // the source of records without a resource

std::string local_time(const char* form) {
  const std::time_t now = std::time(nullptr);
  std::tm fields = {};
  localtime_r(&now, &fields);
  char text[40];
  return {text, std::strftime(text, sizeof text, form, &fields)};
}

enum class FileForm : uint8_t { kLines, kArray, kObjects };

FileForm form_of(const std::string& path) {
  if (path.ends_with(".json")) return FileForm::kArray;
  return path.ends_with(".jsonl") ? FileForm::kObjects : FileForm::kLines;
}

class FileLog : public LogDestination {
 public:
  FileLog(std::string path, LogLevel level)
      : path_(std::move(path)), level_(level), form_(form_of(path_)) {
    create_directory(std::string(parent_directory(path_)));
    open_file();
  }
  ~FileLog() override { std::fclose(file_); }
  bool takes(LogLevel level) const override { return level >= level_; }
  void log(const LogRecord& record) override {
    if (takes(record.level)) write(form_ == FileForm::kLines ? line_of(record) : object_of(record));
  }
  void log_fatal(const FatalRecord& record) override {
    write(form_ == FileForm::kLines ? line_of(record_of(record)) : json_of(record, json_time()));
  }
  void reopen() override {
    const std::scoped_lock lock(mutex_);
    std::FILE* const earlier = file_;
    try {
      open_file();
      std::fclose(earlier);
    } catch (const FileError&) {
      // Logging continues in the old file.
    }
  }

 private:
  void open_file() {
    const int descriptor = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kLogMode);
    std::FILE* const file = descriptor < 0 ? nullptr : fdopen(descriptor, "a");
    if (file == nullptr) throw FileError(FileErrorKind::kOther, path_, std::strerror(errno));
    file_ = file;
    struct stat info = {};
    const auto size = fstat(descriptor, &info) == 0 ? info.st_size : 0;
    if (form_ != FileForm::kArray) return;
    // As in the reference, the array is never closed; a file with more than its first line has
    // records already.
    if (size == 0) std::fputs("[\n", file);
    has_records_ = size > 2;
  }
  static std::string line_of(const LogRecord& record) {
    return fmt::format("{} {} ({}): {}", local_time("%Y-%m-%d %H:%M:%S %z"),
                       record.source.empty() ? kProgram : record.source, name_of(record.level),
                       message_of(record));
  }
  // Writes an object with the members that the reference always writes.
  static std::string object_of(LogRecord record) {
    if (record.source.empty()) record.source = kProgram;
    if (record.tags.empty()) record.tags.emplace_back(name_of(record.level));
    return json_of(record, json_time());
  }
  static std::string json_time() {
    std::string time = local_time("%Y-%m-%dT%H:%M:%S%z");
    return time.insert(time.size() - 2, ":");  // +00:00
  }
  void write(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (form_ == FileForm::kArray && std::exchange(has_records_, true)) std::fputs(",\n", file_);
    std::fprintf(file_, "%s\n", text.c_str());
    std::fflush(file_);
  }

  const std::string path_;
  const LogLevel level_;
  const FileForm form_;
  std::mutex mutex_;
  std::FILE* file_ = nullptr;
  bool has_records_ = false;
};

}  // namespace

std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const SystemLogOptions& system,
                                                     LogLevel level) {
  if (name == "syslog") {
    const std::optional<int> facility = facility_of(system.facility);
    if (!facility) {
      throw LogDestinationError(fmt::format("Invalid syslog facility {}", system.facility));
    }
    return std::make_unique<SystemLog>(system, *facility, level);
  }
  return std::make_unique<FileLog>(absolute_path(name), level);
}

}  // namespace bunraku

// Log records: those of notice(), warning() and similar functions, and those of the program itself.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// In order of severity, lowest first.
enum class LogLevel : uint8_t { kDebug, kInfo, kNotice, kWarning, kErr, kAlert, kEmerg, kCrit };

// "debug", "err"...
std::string_view name_of(LogLevel level);
// Parses the reference's names, and "error" for "err".
std::optional<LogLevel> parse_log_level(std::string_view name);

struct LogRecord {
  LogLevel level = LogLevel::kNotice;
  std::string message;  // without its place
  std::string source;   // "Scope(Class[main])"; empty for the program itself
  std::string code;     // "BK1234"; empty for records of code
  // The reference's code; as there, only records with a code are shown with their place.
  std::string issue_code;
  std::string file;
  uint32_t line = 0;  // 0: unknown
  uint32_t column = 0;
  std::vector<std::string> tags;
  // The diagnostic of the record, for output with source lines; null for records of code.
  std::shared_ptr<const Diagnostic> diagnostic;
};

// The record that ends a run.
struct FatalRecord {
  ErrorKind kind = ErrorKind::kError;
  std::string message;  // complete: prefix, text, place
  // The diagnostic with its chain of causes; null when there is only the message.
  std::shared_ptr<const Diagnostic> diagnostic;
};

// A destination of records. Thread-safe.
class LogSink {
 public:
  virtual ~LogSink() = default;
  // Returns whether records of the level are used; callers may test it before they make the
  // message.
  virtual bool takes(LogLevel level) const = 0;
  virtual void log(const LogRecord& record) = 0;
  virtual void log_fatal(const FatalRecord& record) = 0;
};

// With source lines for people; the reference's lines; one JSON object per line.
enum class LogFormat : uint8_t { kText, kOneLine, kJson };

struct LogOptions {
  LogLevel level = LogLevel::kNotice;  // records of lower severity are dropped
  LogFormat format = LogFormat::kText;
  bool color = false;
  uint32_t width = 100;   // of the terminal, for source lines
  std::string directory;  // paths below it are shown relative to it; empty: all paths are unchanged
};

// Writes each record to a stream: "Notice: Scope(Class[main]): hello" in the reference's colours,
// diagnostics with their source lines, or one JSON object per line.
class LogWriter : public LogSink {
 public:
  LogWriter(std::FILE* stream, LogOptions options) : stream_(stream), options_(options) {}
  bool takes(LogLevel level) const override { return level >= options_.level; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

 private:
  void write(std::string_view text);
  std::string shown(const Diagnostic& diagnostic) const;

  std::mutex mutex_;
  std::FILE* stream_;
  LogOptions options_;
};

// Passes each record to several sinks, which must outlive it.
class LogFork : public LogSink {
 public:
  void add(LogSink& sink) { sinks_.push_back(&sink); }
  bool takes(LogLevel level) const override;
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

 private:
  std::vector<LogSink*> sinks_;
};

// Keeps all records, for tests and for later use.
class LogKeeper : public LogSink {
 public:
  bool takes(LogLevel) const override { return true; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

  std::vector<LogRecord> records;
  std::vector<FatalRecord> fatal;

 private:
  std::mutex mutex_;
};

// The message, with its place where text output shows it.
std::string message_of(const LogRecord& record);
// A record as one line of text without colour, or as a JSON object; no line end. A `time` that is
// not empty is a member of the object.
std::string text_of(const LogRecord& record);
std::string json_of(const LogRecord& record, std::string_view time = {});
std::string json_of(const FatalRecord& record, std::string_view time = {});

// "syntax", "evaluation"...
std::string_view name_of(ErrorKind kind);

// Converts a diagnostic to a log record: for warnings, deprecations, and errors before the last.
LogRecord log_record(const Diagnostic& diagnostic);

}  // namespace bunraku

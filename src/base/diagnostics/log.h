// Log records: what notice(), warning() and their like say, and what the program itself has to
// tell.
#pragma once

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// In rising order of weight.
enum class LogLevel : uint8_t { kDebug, kInfo, kNotice, kWarning, kErr, kAlert, kEmerg, kCrit };

// "debug", "err"...
std::string_view name_of(LogLevel level);
// Takes the reference's names, and "error" beside "err".
std::optional<LogLevel> parse_log_level(std::string_view name);

struct LogRecord {
  LogLevel level = LogLevel::kNotice;
  std::string message;  // without its place
  std::string source;   // "Scope(Class[main])"; empty for the program itself
  std::string
      issue_code;  // text shows the place only of records that have one, as the reference does
  std::string file;
  uint32_t line = 0;  // 0: not known
  uint32_t column = 0;
  std::vector<std::string> tags;
};

// The record that ends a run.
struct FatalRecord {
  ErrorKind kind = ErrorKind::kError;
  std::string message;  // complete: prefix, text, place
  std::string cause;    // the innermost text alone
  std::string issue_code;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

// Where records go. Any thread may log.
class LogSink {
 public:
  virtual ~LogSink() = default;
  // Callers may ask first, and save making the message.
  virtual bool takes(LogLevel level) const = 0;
  virtual void log(const LogRecord& record) = 0;
  virtual void log_fatal(const FatalRecord& record) = 0;
};

enum class LogFormat : uint8_t { kText, kJson };

struct LogOptions {
  LogLevel level = LogLevel::kNotice;  // what weighs less is dropped
  LogFormat format = LogFormat::kText;
  bool color = false;
};

// Writes each record to a stream as it comes: "Notice: Scope(Class[main]): hello" in the
// reference's colours, or one JSON object a line.
class LogWriter : public LogSink {
 public:
  LogWriter(std::FILE* stream, LogOptions options) : stream_(stream), options_(options) {}
  bool takes(LogLevel level) const override { return level >= options_.level; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

 private:
  void write(std::string_view text);

  std::mutex mutex_;
  std::FILE* stream_;
  LogOptions options_;
};

// Keeps all records, for tests and for those who look at them later.
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

// A record as one line of text without colour, or as a JSON object; no line end.
std::string text_of(const LogRecord& record);
std::string json_of(const LogRecord& record);
std::string json_of(const FatalRecord& record);

// "syntax", "evaluation"...
std::string_view name_of(ErrorKind kind);

// A diagnostic as a record of a log: warnings, deprecations, and errors before the last.
LogRecord log_record(const Diagnostic& diagnostic);

}  // namespace bunraku

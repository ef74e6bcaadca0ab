// Log records: what notice(), warning() and their like say, and what the program itself reports.
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
  std::string code;     // ours, "BK1234"; empty for what code logs
  // The reference's; text shows the place only of records that have a code, as the reference does.
  std::string issue_code;
  std::string file;
  uint32_t line = 0;  // 0: not known
  uint32_t column = 0;
  std::vector<std::string> tags;
  // What the record is about, for readers who show source lines; null: what code logs.
  std::shared_ptr<const Diagnostic> diagnostic;
};

// The record that ends a run.
struct FatalRecord {
  ErrorKind kind = ErrorKind::kError;
  std::string message;  // complete: prefix, text, place
  // With the chain of its causes; null where there is no more than the message.
  std::shared_ptr<const Diagnostic> diagnostic;
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

// For people, with source lines; the reference's lines; one JSON object a line.
enum class LogFormat : uint8_t { kText, kOneLine, kJson };

struct LogOptions {
  LogLevel level = LogLevel::kNotice;  // what weighs less is dropped
  LogFormat format = LogFormat::kText;
  bool color = false;
  uint32_t width = 100;   // of the terminal, for source lines
  std::string directory;  // paths below it are shown relative to it; empty: all as they are
};

// Writes each record to a stream as it comes: "Notice: Scope(Class[main]): hello" in the
// reference's colours, diagnostics with their source lines, or one JSON object a line.
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

// Passes each record on to several sinks, which must outlive it.
class LogFork : public LogSink {
 public:
  void add(LogSink& sink) { sinks_.push_back(&sink); }
  bool takes(LogLevel level) const override;
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

 private:
  std::vector<LogSink*> sinks_;
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

// The message, with its place where text shows it.
std::string message_of(const LogRecord& record);
// A record as one line of text without colour, or as a JSON object; no line end. `time` is a
// member of the object where it is known.
std::string text_of(const LogRecord& record);
std::string json_of(const LogRecord& record, std::string_view time = {});
std::string json_of(const FatalRecord& record, std::string_view time = {});

// "syntax", "evaluation"...
std::string_view name_of(ErrorKind kind);

// A diagnostic as a record of a log: warnings, deprecations, and errors before the last.
LogRecord log_record(const Diagnostic& diagnostic);

}  // namespace bunraku

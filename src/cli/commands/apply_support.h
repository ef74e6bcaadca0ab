// Shared code of commands that change a host: options of a run from settings, log output as in the
// reference, and files of modules.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "apply/transaction/context.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/resource_type.h"
#include "base/diagnostics/log.h"
#include "base/system/checksum_cache.h"
#include "cli/commands/web_files.h"
#include "cli/frame/session.h"
#include "compilation/service.h"
#include "ruby/types/ruby_type.h"
#include "site/environment/environment.h"
#include "site/file_serving/file_metadata.h"
#include "site/file_serving/mounts.h"
#include "site/settings/settings.h"

namespace bunraku {

// Sources for tasks that need files of modules but no manifests, so that the environment need not
// exist.
compilation::Sources without_manifests();

// Writes records up to notice to standard output, warnings and errors to standard error.
class ConsoleSink : public LogSink {
 public:
  // `is_quiet`: standard output is used otherwise, so all records are written to standard error.
  // `is_verbose`: level info is shown, whatever the options set.
  ConsoleSink(Session& session, bool is_quiet, bool is_verbose = false);
  bool takes(LogLevel level) const override { return level >= level_; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

  // On a terminal, shows a progress line below all others, until the next one or clear_progress().
  void show_progress(const std::string& text);
  void clear_progress();

 private:
  Session& session_;
  bool shows_progress_;
  bool has_progress_ = false;
  LogWriter output_;
  LogLevel level_;
  bool is_quiet_;
};

struct LogDefaults {
  std::string program;  // the name in syslog: "puppet-agent"
  LogLevel level = LogLevel::kNotice;
  std::string destination = "console";  // the destination when none is set
};

// Sets the log destinations in --logdest or the setting of this name: "console", "syslog" and
// absolute paths, separated by commas. Returns false when one is invalid or cannot be opened, which
// has been reported.
bool choose_log_destinations(Session& session, const std::vector<std::string>& given,
                             const Settings& settings, const LogDefaults& defaults);

// The options in the settings.
apply::RunOptions run_options(const Settings& settings);
// Creates the directories that a run writes to. Throws FileError.
void make_run_directories(const Settings& settings);

// Sources of files: modules, mounts of fileserver.conf, and web servers.
class MountSources : public apply::FileSources {
 public:
  // All must outlive this object.
  MountSources(const Environment& environment, const Settings& settings, LogSink* log)
      : mounts_(environment, settings.text("fileserverconfig"), log),
        log_(log),
        web_(settings, log) {}
  std::optional<apply::SourceMetadata> find(const std::string& source,
                                            const apply::SourceQuery& query) override;
  std::optional<std::vector<apply::SourceMetadata>> list(const std::string& source,
                                                         const apply::SourceQuery& query) override;
  // For modules' files only, as finding them has no side effects.
  void look_ahead(const std::string& source, const apply::SourceQuery& query) override;
  void read(const apply::SourceMetadata& file,
            const std::function<void(std::string_view)>& take) override;

 private:
  std::optional<std::string> path_of(const std::string& source) const;
  FileMetadataOptions metadata_options(const apply::SourceQuery& query);

  Mounts mounts_;
  LogSink* log_;
  WebFiles web_;
  ChecksumCache checksums_;
};

// The resource types that can be applied: native ones, and those in Ruby.
class HostTypes {
 public:
  // With the types of the environment's modules. `facts` is called when the first type in Ruby is
  // needed. `settings`, `environment` and `log` must outlive this object.
  HostTypes(const RubyOptions& ruby, const Settings& settings, const Environment& environment,
            std::function<apply::Datum()> facts, apply::RunLog& log);
  // With the types below `libdir`, which an agent synchronises. `environment` is a name.
  HostTypes(const RubyOptions& ruby, const Settings& settings, std::string environment,
            std::function<apply::Datum()> facts, apply::RunLog& log);
  const apply::TypeRegistry& registry() const { return registry_; }

 private:
  HostTypes(ruby_types::WorkerOptions options, apply::RunLog& log);

  ruby_types::TypeWorker worker_;
  ruby_types::RubyTypeRegistry registry_;
};

// Converts a value of the language to data of the application phase.
apply::Datum datum_of(Value value);

// Writes the report to the file in the settings, runs its processors, and writes the summary.
// Failures are logged.
void save_report(const apply::Report& report, const Settings& settings,
                 const std::string& report_file, apply::RunLog& log, LogSink& sink);

}  // namespace bunraku

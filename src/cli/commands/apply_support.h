// What the commands that change a host share: options of a run from settings, lines where the
// reference writes them, and files of modules.
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

// For what needs files of modules but no manifests; so the environment need not be there.
compilation::Sources without_manifests();

// Lines up to notice on standard output, warnings and errors on standard error.
class ConsoleSink : public LogSink {
 public:
  // `is_quiet`: standard output is for something else; all lines go to standard error.
  // `is_verbose`: information is shown, whatever the options say.
  ConsoleSink(Session& session, bool is_quiet, bool is_verbose = false);
  bool takes(LogLevel level) const override { return level >= level_; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override;

  // On a terminal, shows a line on what is going on, below all others, until the next one or
  // clear_progress().
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
  std::string program;  // in syslog: "puppet-agent"
  LogLevel level = LogLevel::kNotice;
  std::string destination = "console";  // where nothing else is said
};

// Records go where --logdest or the setting of this name says: names of "console", "syslog" and
// absolute paths, separated by commas. False when one is none of them or cannot be opened, which
// has been reported.
bool choose_log_destinations(Session& session, const std::vector<std::string>& given,
                             const Settings& settings, const LogDefaults& defaults);

// The options that settings say.
apply::RunOptions run_options(const Settings& settings);
// The directories that a run writes to, where they are not there yet. Throws FileError.
void make_run_directories(const Settings& settings);

// Files of modules, of fileserver.conf's mounts and of web servers.
class MountSources : public apply::FileSources {
 public:
  // All must outlive it.
  MountSources(const Environment& environment, const Settings& settings, LogSink* log)
      : mounts_(environment, settings.text("fileserverconfig"), log),
        log_(log),
        web_(settings, log) {}
  std::optional<apply::SourceMetadata> find(const std::string& source,
                                            const apply::SourceQuery& query) override;
  std::optional<std::vector<apply::SourceMetadata>> list(const std::string& source,
                                                         const apply::SourceQuery& query) override;
  // Of modules' files only: nothing that finding them asks is changed by it.
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

// The types that can be applied: native ones, and those in Ruby.
class HostTypes {
 public:
  // With the types of the environment's modules. `facts` is asked for when the first type in Ruby
  // is needed. `settings`, `environment` and `log` must outlive it.
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

// A value of the language as plain data of the application phase.
apply::Datum datum_of(Value value);

// Writes the report where the settings say, runs its processors, and the summary. What goes wrong
// is logged.
void save_report(const apply::Report& report, const Settings& settings,
                 const std::string& report_file, apply::RunLog& log, LogSink& sink);

}  // namespace bunraku

// Options, output and files of commands that change a host.
#include "cli/commands/apply_support.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <vector>

#include "apply/providers/registry.h"
#include "apply/reports/report.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/thread_pool.h"
#include "base/text/lists.h"
#include "base/text/utf8.h"
#include "evaluation/evaluation.h"
#include "serialization/serialization.h"
#include "site/file_serving/file_metadata.h"
#include "site/file_serving/file_set.h"
#include "site/file_serving/source_url.h"
#include "site/settings/service_directories.h"

namespace bunraku {
namespace {

constexpr uint32_t kPrivateMode = 0640;

apply::SourceMetadata source_metadata(const FileMetadata& file, const std::string& source) {
  apply::SourceMetadata metadata;
  metadata.source = source;
  metadata.full_path = file.full_path();
  metadata.relative_path = file.relative_path.value_or("");
  metadata.type = file.type;
  metadata.destination = file.destination.value_or("");
  metadata.checksum_type = file.checksum_type;
  metadata.checksum = file.checksum.value_or("");
  metadata.owner = file.owner;
  metadata.group = file.group;
  metadata.mode = file.mode;
  return metadata;
}

void make_directory(const std::string& path, mode_t mode) {
  if (path.empty() || is_directory(path)) return;
  create_directory(std::string(parent_directory(path)));
  mkdir(path.c_str(), mode);
  chmod(path.c_str(), mode);
}

bool is_on_web(const std::string& source) {
  return source.starts_with("http:") || source.starts_with("https:");
}

// The log options for records on standard output.
LogOptions output_options(const Session& session, bool is_verbose) {
  LogOptions options = session.options().log;
  if (is_verbose) options.level = std::min(options.level, LogLevel::kInfo);
  options.color = session.has_color_output();
  return options;
}

}  // namespace

compilation::Sources without_manifests() {
  compilation::Sources sources;
  sources.code = "";
  return sources;
}

ConsoleSink::ConsoleSink(Session& session, bool is_quiet, bool is_verbose)
    : session_(session),
      shows_progress_(!is_quiet && isatty(STDERR_FILENO) != 0),
      output_(stdout, output_options(session, is_verbose)),
      level_(output_options(session, is_verbose).level),
      is_quiet_(is_quiet) {}

void ConsoleSink::show_progress(const std::string& text) {
  if (!shows_progress_ || session_.console_log() == nullptr) return;
  winsize size = {};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  const std::string line = replace_invalid_utf8(text).substr(0, is_known ? size.ws_col - 1 : 79);
  std::fprintf(stderr, "\r\033[K%s", replace_invalid_utf8(line).c_str());
  std::fflush(stderr);
  has_progress_ = true;
}

void ConsoleSink::clear_progress() {
  if (!has_progress_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  has_progress_ = false;
}

void ConsoleSink::log(const LogRecord& record) {
  clear_progress();
  session_.other_logs().log(record);
  LogSink* const console = session_.console_log();
  if (console == nullptr) return;
  if (is_quiet_ || record.level >= LogLevel::kWarning) return console->log(record);
  session_.flush();
  output_.log(record);
  std::fflush(stdout);
}

void ConsoleSink::log_fatal(const FatalRecord& record) {
  session_.log().log_fatal(record);
}

namespace {

// Adds the log `name` to `destinations`. Returns the reason when it cannot be opened, otherwise an
// empty text.
std::string open_destination(const std::string& name, const Settings& settings,
                             const LogDefaults& defaults,
                             std::vector<std::unique_ptr<LogDestination>>& destinations) {
  try {
    destinations.push_back(open_log_destination(
        name, {defaults.program, settings.text("syslogfacility")}, defaults.level));
    return "";
  } catch (const FileError& error) {
    return error.what();
  } catch (const LogDestinationError& error) {
    return error.what();
  }
}

}  // namespace

bool choose_log_destinations(Session& session, const std::vector<std::string>& given,
                             const Settings& settings, const LogDefaults& defaults) {
  std::vector<std::string> lists = given;
  if (lists.empty()) lists.push_back(settings.text("logdest"));
  if (lists.front().empty()) lists = {defaults.destination};
  std::vector<std::unique_ptr<LogDestination>> destinations;
  bool has_console = false;
  for (const std::string& list : lists) {
    for (const std::string& name : split_list(list)) {
      if (name == "console") {
        has_console = true;
        continue;
      }
      if (name == "syslog" || name.starts_with('/')) {
        const std::string problem = open_destination(name, settings, defaults, destinations);
        if (problem.empty()) continue;
        session.fail(ErrorKind::kError, problem);
      }
      session.fail(ErrorKind::kError, fmt::format("Could not set logdest to {}.", list));
      return false;
    }
  }
  if (!destinations.empty()) session.set_log_destinations(std::move(destinations), has_console);
  return true;
}

apply::RunOptions run_options(const Settings& settings) {
  apply::RunOptions options;
  options.is_noop = settings.is_true("noop");
  options.tags = settings.list("tags");
  options.skip_tags = settings.list("skip_tags");
  options.evaltrace = settings.is_true("evaltrace");
  options.show_diff = settings.is_true("show_diff");
  options.graph = settings.is_true("graph");
  options.graph_directory = settings.text("graphdir");
  options.ignores_schedules = settings.is_true("ignoreschedules");
  options.resolves_deferred_first = settings.is_true("preprocess_deferred");
  options.default_schedules = settings.is_true("default_schedules");
  options.merges_dependency_warnings = settings.is_true("merge_dependency_warnings");
  options.state_file = settings.text("statefile");
  const std::string ttl = settings.text("statettl");
  options.state_ttl = ttl == "unlimited" ? 0 : settings.integer("statettl");
  options.transaction_store_file = settings.text("transactionstorefile");
  options.client_bucket_directory = settings.text("clientbucketdir");
  options.digest_algorithm = settings.text("digest_algorithm");
  options.diff_command = settings.text("diff");
  options.diff_arguments = settings.text("diff_args");
  options.maximum_uid = settings.integer("maximum_uid");
  options.has_new_noop_messages = true;
  return options;
}

void make_run_directories(const Settings& settings) {
  // A server with its own account may share this directory. Packages choose the mode of an existing
  // one.
  if (!is_directory(settings.text("vardir"))) manage_directory(settings, {"vardir", 0755, true});
  constexpr SettingDirectory kDirectories[] = {
      {"statedir", 01755, false},     {"publicdir", 0755, false},
      {"logdir", 0750, true},         {"rundir", 0755, true},
      {"libdir", 0755, false},        {"pluginfactdest", 0755, false},
      {"localedest", 0755, false},    {"client_datadir", 0750, false},
      {"clientyamldir", 0750, false}, {"clientbucketdir", 0750, false},
      {"graphdir", 0755, false},      {"preview_outputdir", 0750, true}};
  for (const SettingDirectory& directory : kDirectories) manage_directory(settings, directory);
  for (const std::string_view directory : {"statedir", "publicdir"}) {
    try {
      remove_abandoned_files(settings.text(directory));
    } catch (const FileError&) {
      // An error is reported when the file is written.
    }
  }
}

std::optional<std::string> MountSources::path_of(const std::string& source) const {
  try {
    const SourceUrl url = parse_source_url(source);
    if (!url.server.empty()) {
      throw apply::Failure(fmt::format(
          "Could not retrieve file metadata for {}: sources on other servers are not supported yet",
          source));
    }
    return mounts_.find(url.path);
  } catch (const EvaluationError& error) {
    throw apply::Failure(
        fmt::format("Could not retrieve file metadata for {}: {}", source, error.what()));
  }
}

FileMetadataOptions MountSources::metadata_options(const apply::SourceQuery& query) {
  FileMetadataOptions options;
  options.follows_links = query.follows_links;
  options.checksum_type = query.checksum_type;
  options.has_permissions = query.source_permissions != "ignore";
  options.checksums = &checksums_;
  options.smallest_kept = ChecksumCache::kLargeFile;
  return options;
}
void MountSources::look_ahead(const std::string& source, const apply::SourceQuery& query) {
  if (!source.starts_with("puppet:///modules/")) return;
  const std::optional<std::string> path = path_of(source);
  if (path) read_file_metadata(*path, std::nullopt, metadata_options(query));
}

std::optional<apply::SourceMetadata> MountSources::find(const std::string& source,
                                                        const apply::SourceQuery& query) {
  if (is_on_web(source)) return web_.find(source, query.checksum_type);
  const std::optional<std::string> path = path_of(source);
  if (!path) return std::nullopt;
  try {
    return source_metadata(read_file_metadata(*path, std::nullopt, metadata_options(query)),
                           source);
  } catch (const EvaluationError& error) {
    throw apply::Failure(
        fmt::format("Could not retrieve file metadata for {}: {}", source, error.what()));
  }
}

std::optional<std::vector<apply::SourceMetadata>> MountSources::list(
    const std::string& source, const apply::SourceQuery& query) {
  if (is_on_web(source)) throw apply::Failure("cannot lookup multiple files");
  const std::optional<std::string> path = path_of(source);
  if (!path) return std::nullopt;
  try {
    FileSetOptions options;
    options.follows_links = query.follows_links;
    if (query.recursion_limit) {
      options.recursion_limit = static_cast<double>(*query.recursion_limit);
    }
    options.max_files = static_cast<double>(query.max_files);
    options.ignored = query.ignored;
    std::vector<apply::SourceMetadata> all;
    for (const std::string& relative : list_file_set(*path, options, log_)) {
      all.push_back(
          source_metadata(read_file_metadata(*path, relative, metadata_options(query)), source));
    }
    return all;
  } catch (const EvaluationError& error) {
    throw apply::Failure(
        fmt::format("Could not retrieve file metadata for {}: {}", source, error.what()));
  }
}

void MountSources::read(const apply::SourceMetadata& file,
                        const std::function<void(std::string_view)>& take) {
  if (is_on_web(file.content_uri)) return web_.read(file.content_uri, take);
  try {
    take(read_file(file.full_path));
  } catch (const FileError& error) {
    throw apply::Failure::of_system(error.what());
  }
}

namespace {

ruby_types::WorkerOptions worker_options(const RubyOptions& ruby, const Settings& settings,
                                         std::string environment,
                                         std::function<apply::Datum()> facts) {
  ruby_types::WorkerOptions options;
  options.ruby = ruby;
  options.run_mode = settings.run_mode();
  options.facts = std::move(facts);
  options.settings = [&settings, environment = std::move(environment)] {
    apply::Datum::Entries values;
    for (const SettingInfo& info : all_settings()) {
      const std::string text = info.name == "environment" ? environment : settings.text(info.name);
      values.emplace_back(apply::Datum::string(info.name), apply::Datum::string(text));
    }
    return apply::Datum::hash(std::move(values));
  };
  return options;
}

ruby_types::WorkerOptions with_modules(ruby_types::WorkerOptions options,
                                       const Environment& environment) {
  for (const Module& module : environment.modules()) options.modules.push_back(module.path);
  return options;
}

ruby_types::WorkerOptions with_library(ruby_types::WorkerOptions options, std::string library) {
  options.libraries.push_back(std::move(library));
  return options;
}

}  // namespace

HostTypes::HostTypes(ruby_types::WorkerOptions options, apply::RunLog& log)
    : worker_(std::move(options), apply::native_types_registry(), log),
      registry_(apply::native_types_registry(), worker_) {}

HostTypes::HostTypes(const RubyOptions& ruby, const Settings& settings,
                     const Environment& environment, std::function<apply::Datum()> facts,
                     apply::RunLog& log)
    : HostTypes(with_modules(worker_options(ruby, settings, environment.name(), std::move(facts)),
                             environment),
                log) {}

HostTypes::HostTypes(const RubyOptions& ruby, const Settings& settings, std::string environment,
                     std::function<apply::Datum()> facts, apply::RunLog& log)
    : HostTypes(
          with_library(worker_options(ruby, settings, std::move(environment), std::move(facts)),
                       settings.text("libdir")),
          log) {}

apply::Datum datum_of(Value value) {
  std::string text;
  JsonWriter json(text);
  write_rich_data(json, value, true, TypeForm::kText);
  Arena arena;
  return apply::Datum::from(read_json(text, arena));
}

namespace {

// Writes files concurrently, as each waits for the disk.
class ReportFiles {
 public:
  // `purpose` is the start of the log message about a failed write.
  void add(std::string_view purpose, std::string path, std::function<std::string()> text) {
    files_.push_back({purpose, std::move(path), std::move(text), {}});
  }

  void write(apply::RunLog& log) {
    parallel_for_each(files_.size(), files_.size(), [&](size_t number) {
      File& file = files_[number];
      try {
        write_file(file.path, file.text(), kPrivateMode);
      } catch (const FileError& error) {
        file.problem = fmt::format("{}: {}", file.purpose, error.what());
      }
    });
    std::string_view last;
    for (const File& file : files_) {
      if (file.problem.empty() || file.purpose == last) continue;
      log.log(LogLevel::kErr, file.problem);
      last = file.purpose;
    }
  }

 private:
  struct File {
    std::string_view purpose;
    std::string path;
    std::function<std::string()> text;
    std::string problem;
  };
  std::vector<File> files_;
};

// The path of a report stored by the processor `store`. Throws FileError.
std::string stored_report_path(const apply::Report& report, const Settings& settings) {
  if (report.host.find('/') != std::string::npos || report.host.starts_with("..")) {
    throw FileError(FileErrorKind::kOther, report.host, "Invalid node name");
  }
  const std::string directory = join_path(settings.text("reportdir"), report.host);
  make_directory(settings.text("reportdir"), 0755);
  make_directory(directory, 0750);
  const std::time_t now = std::time(nullptr);
  std::tm fields = {};
  gmtime_r(&now, &fields);
  char name[32];
  std::strftime(name, sizeof name, "%Y%m%d%H%M.yaml", &fields);
  return join_path(directory, name);
}

void send_to_log(const apply::Report& report, LogSink& sink) {
  for (const apply::ReportLog& line : report.logs) {
    LogRecord record;
    record.level = line.level;
    record.message = line.message;
    record.source = fmt::format("//{}/{}", report.host, line.source);
    sink.log(record);
  }
}

}  // namespace

void save_report(const apply::Report& report, const Settings& settings,
                 const std::string& report_file, apply::RunLog& log, LogSink& sink) {
  constexpr std::string_view kLocal = "Could not save last run local report";
  const std::string yaml = apply::report_yaml(report);
  const auto text = [&yaml] { return yaml; };
  ReportFiles files;
  files.add(kLocal, settings.text("lastrunfile"),
            [&] { return apply::summary_yaml(report, "user"); });
  files.add(kLocal, settings.text("lastrunreport"), text);
  if (report_file.ends_with(".json")) {
    files.add(kLocal, report_file, [&] { return apply::report_json(report) + "\n"; });
  } else if (!report_file.empty()) {
    files.add(kLocal, report_file, text);
  }
  std::vector<std::string> processors;
  if (settings.is_true("report")) processors = settings.list("reports");
  if (std::erase(processors, "store") > 0) {
    try {
      files.add("Report processor failed", stored_report_path(report, settings), text);
    } catch (const FileError& error) {
      log.log(LogLevel::kErr, fmt::format("Report processor failed: {}", error.what()));
    }
  }
  files.write(log);
  for (const std::string& processor : processors) {
    if (processor == "none") continue;
    if (processor == "log") {
      send_to_log(report, sink);
    } else if (processor == "http") {
      try {
        WebFiles(settings, &sink).post(settings.text("reporturl"), yaml);
      } catch (const apply::Failure& failure) {
        log.log(LogLevel::kErr, failure.message());
      }
    } else {
      log.log(LogLevel::kErr,
              fmt::format("Report processor failed: processor {} is not supported yet", processor));
    }
  }
}

}  // namespace bunraku

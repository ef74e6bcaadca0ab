// What a run works with: its options, the host, where files come from, and where lines go.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/reports/datum.h"
#include "apply/reports/report.h"
#include "base/diagnostics/log.h"
#include "base/formats/data.h"
#include "base/system/checksum_cache.h"

namespace bunraku::apply {

struct RunOptions {
  bool is_noop = false;
  // Everything is a dry run, whatever resources say, and nothing is remembered: to find out what
  // would be changed.
  bool changes_nothing = false;
  std::vector<std::string> tags;
  std::vector<std::string> skip_tags;
  bool evaltrace = false;
  bool show_diff = false;
  bool graph = false;
  std::string graph_directory;
  bool ignores_schedules = false;
  // The catalog is this host's own: state is kept, tags count, default schedules are added.
  bool is_host_config = true;
  bool default_schedules = true;
  bool merges_dependency_warnings = false;
  std::string state_file;
  int64_t state_ttl = 32 * 86400;  // seconds; 0: entries are kept for ever
  std::string transaction_store_file;
  bool computes_corrective_changes = false;  // needs the transaction store
  std::string run_mode = "user";
  std::string client_bucket_directory;
  std::string digest_algorithm = "sha256";
  std::string diff_command = "diff";
  std::string diff_arguments = "-u";
  // Where modules have lenses of Augeas.
  std::vector<std::string> lens_directories;
  int64_t maximum_uid = 4294967290;
  std::string environment = "production";
  // Deferred values are resolved before anything is applied; otherwise each when its resource is
  // reached.
  bool resolves_deferred_first = false;
  // Messages of a dry run as version 8 of the reference words them: the change itself.
  bool has_new_noop_messages = false;
  // Called before each resource is evaluated: its reference, its number from 1, and how many there
  // are. May be empty.
  std::function<void(const std::string& reference, size_t number, size_t total)> progress;
  // Called with each event, and the reference of its resource. May be empty.
  std::function<void(const std::string& reference, const ResourceStatus&, const Event&)> observer;
};

// What a source of a file says of it, before its contents are asked for.
struct SourceMetadata {
  std::string source;         // the URL it was found at
  std::string full_path;      // on this machine; empty when it is elsewhere
  std::string relative_path;  // to the directory that was listed; "." for that itself
  std::string type;           // "file", "directory", "link"
  std::string destination;    // of a link
  std::string checksum_type;
  std::string checksum;  // "{sha256}…"; empty: none
  int64_t owner = 0;
  int64_t group = 0;
  int64_t mode = 0;
  std::string content_uri;
};

struct SourceQuery {
  std::string checksum_type;
  bool follows_links = false;
  bool is_recursive = false;
  std::optional<int64_t> recursion_limit;
  int64_t max_files = 0;
  std::vector<std::string> ignored;
  std::string source_permissions = "ignore";
};

// Where files with a `source` come from.
class FileSources {
 public:
  virtual ~FileSources() = default;
  // Nothing when there is no such file. Throws Failure when it could not be found out.
  virtual std::optional<SourceMetadata> find(const std::string& source,
                                             const SourceQuery& query) = 0;
  // The file and all below it. Nothing when there is no such file. Throws Failure.
  virtual std::optional<std::vector<SourceMetadata>> list(const std::string& source,
                                                          const SourceQuery& query) = 0;
  // From another thread: looks at what find() will be asked for, so that it answers sooner. May
  // throw anything that is derived of std::exception.
  virtual void look_ahead(const std::string&, const SourceQuery&) {}
  // Delivers the contents in pieces. Throws Failure.
  virtual void read(const SourceMetadata& file,
                    const std::function<void(std::string_view)>& take) = 0;
};

// What is known of this host.
class Host {
 public:
  virtual ~Host() = default;
  // A fact by its dotted name, "os.family", as text; empty when there is none. Safe to call often.
  virtual std::string fact(std::string_view name) const = 0;
  virtual bool is_root() const = 0;
};

// The host that this process runs on. `facts` gives a fact by its dotted name; may be empty.
std::unique_ptr<Host> make_host(std::function<std::string(std::string_view)> facts);

// Lines of a run: to the sink as they come, and from attach() on into a report, too.
class RunLog {
 public:
  explicit RunLog(LogSink& sink) : sink_(sink) {}
  void attach(Report* report) { report_ = report; }
  bool takes(LogLevel level) const { return sink_.takes(level); }
  // `source` empty: the program itself.
  void log(LogLevel level, std::string message, std::string source = {},
           std::vector<std::string> tags = {}, const std::string* file = nullptr, int64_t line = 0);

 private:
  LogSink& sink_;
  Report* report_ = nullptr;
};

// Finds out the values that a catalog leaves to this host (Deferred), and the text of its types.
class DeferredResolver {
 public:
  virtual ~DeferredResolver() = default;
  // The data in place of `value`, in which there are deferred calls, or types with parameters. It
  // lives as long as the resolver. Throws Failure when a call fails.
  virtual const DataNode& resolve(const DataNode& value) = 0;
};

class Catalog;
class TypeRegistry;

// Lives as long as the run. Used by one thread, but for what says otherwise.
struct Context {
  const RunOptions& options;
  Host& host;
  FileSources& sources;
  RunLog& log;
  const TypeRegistry& types;
  DeferredResolver* deferred = nullptr;  // null: Deferred values are refused
  ChecksumCache checksums = {};          // of files on this host; safe from any thread
};

}  // namespace bunraku::apply

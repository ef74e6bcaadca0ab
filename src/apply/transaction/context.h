// The environment of a run: its options, the host, the sources of files, and the log.
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
  // Forces a dry run, whatever resources set, and writes no state files: only finds out what would
  // change.
  bool changes_nothing = false;
  std::vector<std::string> tags;
  std::vector<std::string> skip_tags;
  bool evaltrace = false;
  bool show_diff = false;
  bool graph = false;
  std::string graph_directory;
  bool ignores_schedules = false;
  // The catalog is the host's own: state is kept, tags are applied, default schedules are added.
  bool is_host_config = true;
  bool default_schedules = true;
  bool merges_dependency_warnings = false;
  std::string state_file;
  int64_t state_ttl = 32 * 86400;  // seconds; 0: entries never expire
  std::string transaction_store_file;
  bool computes_corrective_changes = false;  // requires the transaction store
  std::string run_mode = "user";
  std::string client_bucket_directory;
  std::string digest_algorithm = "sha256";
  std::string diff_command = "diff";
  std::string diff_arguments = "-u";
  // The directories of modules with Augeas lenses.
  std::vector<std::string> lens_directories;
  int64_t maximum_uid = 4294967290;
  std::string environment = "production";
  // Deferred values are resolved before anything is applied; otherwise each is resolved when its
  // resource is evaluated.
  bool resolves_deferred_first = false;
  // Dry-run messages as in version 8 of the reference, which show the change itself.
  bool has_new_noop_messages = false;
  // Called before each resource is evaluated, with its reference, its number from 1, and the total.
  // May be empty.
  std::function<void(const std::string& reference, size_t number, size_t total)> progress;
  // Called with each event and the reference of its resource. May be empty.
  std::function<void(const std::string& reference, const ResourceStatus&, const Event&)> observer;
};

// The metadata of a file's source, known before its contents are requested.
struct SourceMetadata {
  std::string source;         // the URL of the file that was found
  std::string full_path;      // on this machine; empty for a file elsewhere
  std::string relative_path;  // relative to the listed directory; "." for the directory itself
  std::string type;           // "file", "directory", "link"
  std::string destination;    // for links
  std::string checksum_type;
  std::string checksum;  // "{sha256}…"; empty: unknown
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

// The sources of files with an attribute `source`.
class FileSources {
 public:
  virtual ~FileSources() = default;
  // Returns no value when there is no such file. Throws Failure when the source cannot be read.
  virtual std::optional<SourceMetadata> find(const std::string& source,
                                             const SourceQuery& query) = 0;
  // Lists the file and everything below it. Returns no value when there is no such file. Throws
  // Failure.
  virtual std::optional<std::vector<SourceMetadata>> list(const std::string& source,
                                                          const SourceQuery& query) = 0;
  // Called on another thread: prepares a later find(), so that it answers sooner. May throw any
  // std::exception.
  virtual void look_ahead(const std::string&, const SourceQuery&) {}
  // Passes the contents to `take` in pieces. Throws Failure.
  virtual void read(const SourceMetadata& file,
                    const std::function<void(std::string_view)>& take) = 0;
};

// Facts about this host.
class Host {
 public:
  virtual ~Host() = default;
  // A fact by its dotted name, "os.family", as text; empty when it does not exist. Cheap enough to
  // call often.
  virtual std::string fact(std::string_view name) const = 0;
  virtual bool is_root() const = 0;
};

// Makes the host that this process runs on. `facts` returns a fact by its dotted name; may be
// empty.
std::unique_ptr<Host> make_host(std::function<std::string(std::string_view)> facts);

// The log of a run: passes records to the sink and, after attach(), to a report as well.
class RunLog {
 public:
  explicit RunLog(LogSink& sink) : sink_(sink) {}
  void attach(Report* report) { report_ = report; }
  bool takes(LogLevel level) const { return sink_.takes(level); }
  // An empty `source` is the program itself.
  void log(LogLevel level, std::string message, std::string source = {},
           std::vector<std::string> tags = {}, const std::string* file = nullptr, int64_t line = 0);

 private:
  LogSink& sink_;
  Report* report_ = nullptr;
};

// Resolves values of a catalog that are computed on this host (Deferred), and parameterized types,
// which become text.
class DeferredResolver {
 public:
  virtual ~DeferredResolver() = default;
  // Returns the data for `value`, which contains deferred calls or parameterized types. They live
  // as long as the resolver. Throws Failure when a call fails.
  virtual const DataNode& resolve(const DataNode& value) = 0;
};

class Catalog;
class TypeRegistry;

// Lives as long as the run. Used by one thread, except where noted.
struct Context {
  const RunOptions& options;
  Host& host;
  FileSources& sources;
  RunLog& log;
  const TypeRegistry& types;
  DeferredResolver* deferred = nullptr;  // null: Deferred values are an error
  ChecksumCache checksums = {};          // of files on this host; safe from any thread
};

}  // namespace bunraku::apply

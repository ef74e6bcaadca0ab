// `filebucket`: earlier contents of files by their digests, on this host or on a server.
#include <fmt/format.h>
#include <sys/stat.h>

#include <ctime>
#include <limits>
#include <memory>

#include "agent/host_certificates.h"
#include "agent/server_bucket.h"
#include "apply/providers/file/bucket.h"
#include "apply/providers/file/checksum.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "certificates/error.h"
#include "cli/commands/apply_support.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

struct FilebucketOptions {
  std::string action;
  std::vector<std::string> words;
  std::string bucket;
  std::string from;  // times as written
  std::string until;
  bool is_local = false;
  bool is_remote = false;  // the default
};

std::string time_text(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm fields = {};
  localtime_r(&time, &fields);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &fields);
  return text;
}

// Parses a day, or a time on it, in the local time zone. Throws UsageError.
int64_t seconds_of(const std::string& option, const std::string& text) {
  for (const char* format :
       {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
    std::tm fields = {};
    const char* end = strptime(text.c_str(), format, &fields);
    if (end == nullptr || *end != '\0') continue;
    fields.tm_isdst = -1;
    return std::mktime(&fields);
  }
  throw UsageError(fmt::format(
      "{} takes a day or a moment, such as 2026-01-31 or '2026-01-31 12:00', and not '{}'", option,
      text));
}

// The bucket of the server in the settings, accessed with this host's certificate.
class ServerAccess {
 public:
  // Connects on first use. `settings` must outlive this object. Throws Failure when the host has no
  // certificate.
  ServerAccess(Session& session, const Settings& settings)
      : algorithm_(settings.text("digest_algorithm")),
        sink_(session, true),
        log_(sink_),
        server_(settings, log_),
        bucket_(server_, settings.text("environment")) {
    try {
      agent::Credentials credentials;
      agent::HostCertificates(settings).load_and_check(credentials);
      server_.use(credentials);
    } catch (const certificates::CertificateError& error) {
      throw apply::Failure(
          fmt::format("{}. This certificate is for the server's bucket, which is meant unless "
                      "--local or --bucket is given",
                      error.what()));
    } catch (const agent::RequestError& error) {
      throw apply::Failure(error.what());
    }
  }

  std::string backup(const std::string& path) {
    const std::string contents = read_file(path);
    std::string sum(apply::checksum_data_of(apply::checksum_of_text(algorithm_, contents)));
    bucket_.keep("", path, algorithm_, sum, contents);
    return sum;
  }
  std::optional<std::string> contents(const std::string& sum) {
    return bucket_.contents(algorithm_, sum);
  }
  std::string difference(const std::string& sum, const std::string& other) {
    return bucket_.difference(algorithm_, sum, other);
  }

 private:
  std::string algorithm_;
  ConsoleSink sink_;
  apply::RunLog log_;
  agent::ServerSession server_;
  agent::ServerBucket bucket_;
};

class Filebucket {
 public:
  Filebucket(const FilebucketOptions& options, Session& session)
      : options_(options),
        session_(session),
        settings_(session.load_settings("user")),
        bucket_(options.bucket.empty() ? settings_.text("clientbucketdir") : options.bucket,
                settings_.text("digest_algorithm")) {}

  int run() {
    try {
      if (options_.action == "backup") return backup();
      if (options_.action == "get") return get();
      if (options_.action == "restore") return restore();
      if (options_.action == "list") return list();
      if (options_.action == "diff") return diff();
    } catch (const apply::Failure& failure) {
      return session_.fail(ErrorKind::kError, failure.message());
    }
    throw UsageError(fmt::format("filebucket has no action '{}'", options_.action));
  }

 private:
  bool is_local() const { return options_.is_local || !options_.bucket.empty(); }

  ServerAccess& server() {
    if (!server_) server_.emplace(session_, settings_);
    return *server_;
  }

  const std::string& word(size_t number, std::string_view what) const {
    if (number >= options_.words.size()) {
      throw UsageError(fmt::format("filebucket {} needs {}", options_.action, what));
    }
    return options_.words[number];
  }

  int backup() {
    word(0, "a file");
    for (const std::string& file : options_.words) {
      const std::string path = absolute_path(file);
      if (!is_file(path)) {
        return session_.fail(ErrorKind::kError, fmt::format("{}: no such file", file));
      }
      const std::string sum = is_local() ? bucket_.backup(path) : server().backup(path);
      session_.print(fmt::format("{}: {}\n", file, sum));
    }
    return kExitSuccess;
  }

  std::string contents(const std::string& sum) {
    const std::optional<std::string> kept =
        is_local() ? bucket_.contents(sum) : server().contents(sum);
    if (!kept) throw apply::Failure(fmt::format("File {} not found", sum));
    return *kept;
  }

  int get() {
    session_.print(contents(word(0, "a digest")));
    return kExitSuccess;
  }

  // An existing file keeps its owner and mode.
  int restore() {
    const std::string path = absolute_path(word(0, "a file and a digest"));
    const std::string kept = contents(word(1, "a digest"));
    NewFile file;
    struct stat info = {};
    if (stat(path.c_str(), &info) == 0) {
      file.mode = info.st_mode & 07777;
      file.owner = FileOwner{info.st_uid, info.st_gid};
    }
    write_file(path, kept, file);
    return kExitSuccess;
  }

  int list() {
    if (!is_local()) {
      throw apply::Failure(
          "Listing remote file buckets is not allowed; --local lists that of this host");
    }
    const int64_t from = options_.from.empty() ? 0 : seconds_of("--fromdate", options_.from);
    const int64_t until = options_.until.empty() ? std::numeric_limits<int64_t>::max()
                                                 : seconds_of("--todate", options_.until);
    for (const apply::Bucket::Entry& entry : bucket_.list()) {
      if (entry.time < from || entry.time > until) continue;
      session_.print(fmt::format("{} {} {}\n", entry.sum, time_text(entry.time), entry.path));
    }
    return kExitSuccess;
  }

  int diff() {
    const std::string& left = word(0, "two files or digests");
    const std::string& right = word(1, "two files or digests");
    if (!is_local() && !exists(left) && !exists(right)) {
      session_.print(server().difference(left, right));
      return kExitSuccess;
    }
    apply::ExecutionRequest request;
    request.words = {settings_.text("diff"), "-u"};
    for (const std::string& name : {left, right}) {
      request.words.push_back(exists(name) ? name : operand_of(name, request.input));
    }
    session_.print(apply::run_command(request).output);
    return kExitSuccess;
  }

  // The operand of `diff` for a digest: the path of its contents, or standard input.
  std::string operand_of(const std::string& sum, std::string& input) {
    std::string kept = contents(sum);
    if (is_local()) return bucket_.path_of(sum);
    input = std::move(kept);
    return "-";
  }

  const FilebucketOptions& options_;
  Session& session_;
  Settings settings_;
  apply::Bucket bucket_;  // of this host
  std::optional<ServerAccess> server_;
};

}  // namespace

Command make_filebucket_command() {
  auto options = std::make_shared<FilebucketOptions>();
  Command command("filebucket", "Old contents of files, by their digests");
  command.argument("ACTION", "backup, get, restore, list or diff", options->action);
  command.argument("[WORDS...]", "files and digests", options->words);
  command.option("-b, --bucket DIR", "a bucket in this directory", options->bucket);
  command.flag("-l, --local", "the bucket of this host", options->is_local);
  command.flag("-r, --remote", "the bucket of the server, as when neither of these is given",
               options->is_remote);
  command.option("-f, --fromdate MOMENT",
                 "list what was kept since, such as 2026-01-31 or '2026-01-31 12:00'",
                 options->from);
  command.option("-t, --todate MOMENT", "list what was kept until then", options->until);
  command.details(
      "backup FILE... keeps contents and prints their digests; get DIGEST prints them; restore "
      "FILE DIGEST writes them; list prints all that is kept, by paths; diff A B compares "
      "two, each a file or a digest.\n\n"
      "The server is the one of the setting server, or the first of server_list that answers. It "
      "is asked with this host's certificate, which `bunraku ssl bootstrap` requests, and lists "
      "nothing.\n\n"
      "The exit code is 0, or 1 when something was not found or failed.");
  command.example("bunraku filebucket backup /etc/motd --server puppet.example.com",
                  "keeps the file as it is now on the server");
  command.example("bunraku filebucket --local list", "what is kept on this host");
  command.run([options](Session& session) { return Filebucket(*options, session).run(); });
  return command;
}

}  // namespace bunraku

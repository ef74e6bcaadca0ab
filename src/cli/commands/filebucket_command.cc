// `filebucket`: old contents of files by their digests.
#include <fmt/format.h>

#include <ctime>
#include <limits>
#include <memory>

#include "apply/providers/file/bucket.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "base/system/file_system.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

struct FilebucketOptions {
  std::string action;
  std::vector<std::string> words;
  std::string bucket;
  std::string from;  // moments, as they were written
  std::string until;
  bool is_local = true;  // there is no other
};

std::string time_text(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm fields = {};
  localtime_r(&time, &fields);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &fields);
  return text;
}

// A day, or a moment of it, in local time. Throws UsageError.
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
      session_.print(fmt::format("{}: {}\n", file, bucket_.backup(path)));
    }
    return kExitSuccess;
  }

  std::string contents(const std::string& sum) {
    const std::optional<std::string> kept = bucket_.contents(sum);
    if (!kept) throw apply::Failure(fmt::format("File {} not found", sum));
    return *kept;
  }

  int get() {
    session_.print(contents(word(0, "a digest")));
    return kExitSuccess;
  }

  int restore() {
    const std::string path = absolute_path(word(0, "a file and a digest"));
    const std::string kept = contents(word(1, "a digest"));
    write_file(path, kept, 0644);
    return kExitSuccess;
  }

  int list() {
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
    apply::ExecutionRequest request;
    request.words = {settings_.text("diff"), "-u"};
    for (size_t i = 0; i < 2; ++i) {
      const std::string& name = word(i, "two files or digests");
      request.words.push_back(exists(name) ? name : path_of(name));
    }
    session_.print(apply::run_command(request).output);
    return kExitSuccess;
  }

  // Where the contents of a digest lie.
  std::string path_of(const std::string& sum) {
    contents(sum);
    return bucket_.path_of(sum);
  }

  const FilebucketOptions& options_;
  Session& session_;
  Settings settings_;
  apply::Bucket bucket_;
};

}  // namespace

Command make_filebucket_command() {
  auto options = std::make_shared<FilebucketOptions>();
  Command command("filebucket", "Old contents of files, by their digests");
  command.argument("ACTION", "backup, get, restore, list or diff", options->action);
  command.argument("[WORDS...]", "files and digests", options->words);
  command.option("-b, --bucket DIR", "the bucket; that of this host when left out",
                 options->bucket);
  command.flag("-l, --local", "the bucket of this host, which is meant in any case",
               options->is_local);
  command.option("--fromdate MOMENT",
                 "list what was kept since, such as 2026-01-31 or '2026-01-31 12:00'",
                 options->from);
  command.option("--todate MOMENT", "list what was kept until then", options->until);
  command.details(
      "backup FILE... keeps contents and prints their digests; get DIGEST prints them; restore "
      "FILE DIGEST writes them; list prints all that is kept, by paths; diff A B compares "
      "two, each a file or a digest.\n\n"
      "The exit code is 0, or 1 when something was not found or failed.");
  command.example("bunraku filebucket backup /etc/motd", "keeps the file as it is now");
  command.example("bunraku filebucket list", "what is kept");
  command.run([options](Session& session) { return Filebucket(*options, session).run(); });
  return command;
}

}  // namespace bunraku

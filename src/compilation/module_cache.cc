// Finds modules in the caches of deployment tools and unpacks them.
#include "compilation/module_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "functions/core/command.h"

namespace bunraku::compilation {
namespace {

constexpr auto kUnpackTime = std::chrono::minutes(10);

bool run(std::vector<std::string> words) {
  words.insert(words.begin(), "/usr/bin/env");
  const CommandResult result = run_command(words, "/", {kUnpackTime, ErrorStream::kIntoOutput, {}});
  return result.ended_because.empty() && result.started && result.status == 0;
}

std::string first_capture(const Regex& pattern, std::string_view text) {
  Captures captures;
  return pattern.search(text, 0, captures) ? std::string(captures.text(text, 1)) : std::string();
}

// Parses the options of one `mod` statement.
void read_options(std::string_view statement, DeclaredModule& module, const std::string& owner) {
  static const Regex* const kVersion = Regex::compile(R"(\A[^,\n]*,\s*['"](\d[\w.+-]*)['"])");
  static const Regex* const kGit = Regex::compile(R"((?::git\s*=>|\bgit:)\s*['"]([^'"]+)['"])");
  static const Regex* const kRevision = Regex::compile(
      R"((?::(?:ref|tag|commit|branch)\s*=>|\b(?:ref|tag|commit|branch):)\s*['"]([^'"]+)['"])");
  module.remote = first_capture(*kGit, statement);
  module.revision = first_capture(*kRevision, statement);
  if (module.revision.empty()) module.revision = "HEAD";
  const std::string version = first_capture(*kVersion, statement);
  if (module.remote.empty() && !version.empty() && !owner.empty()) {
    module.release = fmt::format("{}-{}-{}", owner, module.name, version);
  }
}

// r10k's name of the directory with the mirror of a git remote.
std::string r10k_name(std::string remote) {
  for (char& c : remote) {
    const bool stays = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '@' ||
                       c == '.' || c == '-';
    if (!stays) c = '-';
  }
  return remote;
}

std::string g10k_name(std::string remote) {
  std::ranges::replace(remote, '/', '_');
  std::ranges::replace(remote, ':', '-');
  return remote;
}

std::string cached_mirror(const DeclaredModule& module, const std::vector<std::string>& caches) {
  for (const std::string& cache : caches) {
    for (const std::string& path : {join_path(cache, r10k_name(module.remote)),
                                    join_path(cache, "git/" + r10k_name(module.remote)),
                                    join_path(cache, "modules/" + g10k_name(module.remote))}) {
      if (is_directory(path)) return path;
    }
  }
  return {};
}

void fail(const std::string& what) {
  throw FileError(FileErrorKind::kOther, what, "it cannot be unpacked");
}

bool unpack_revision(const DeclaredModule& module, const std::string& mirror,
                     const std::string& target) {
  // A mirror that was not refreshed may lack the revision.
  if (!run(
          {"git", "-C", mirror, "rev-parse", "--verify", "--quiet", module.revision + "^{tree}"})) {
    return false;
  }
  create_directory(target);
  const std::string archive = target + ".tar";
  if (!run({"git", "-C", mirror, "archive", "--format=tar", "--output=" + archive,
            module.revision}) ||
      !run({"tar", "-xf", archive, "-C", target})) {
    fail(mirror);
  }
  std::error_code ignored;
  std::filesystem::remove(archive, ignored);
  return true;
}

bool unpack_release(const DeclaredModule& module, const std::vector<std::string>& caches,
                    const std::string& target) {
  for (const std::string& cache : caches) {
    const std::string directory = join_path(cache, "forge/" + module.release);
    if (is_directory(directory)) {
      create_directory(std::string(parent_directory(target)));
      std::filesystem::create_directory_symlink(directory, target);
      return true;
    }
    const std::string tarball =
        join_path(cache, fmt::format("cache/{0}/tarball/{0}.tar.gz", module.release));
    if (!is_file(tarball)) continue;
    create_directory(target);
    if (!run({"tar", "-xzf", tarball, "-C", target, "--strip-components=1"})) fail(tarball);
    return true;
  }
  return false;
}

}  // namespace

std::vector<DeclaredModule> declared_modules(std::string_view puppetfile) {
  static const Regex* const kModule =
      Regex::compile(R"(^[ \t]*mod[ \t(]+['"](?:(\w+)[-/])?(\w+)['"])");
  struct Start {
    size_t at;
    DeclaredModule module;
    std::string owner;
  };
  std::vector<Start> starts;
  Captures captures;
  for (size_t at = 0; kModule->search(puppetfile, at, captures); at = captures.end()) {
    Start& start = starts.emplace_back();
    start.at = captures.begin();
    start.owner = captures.text(puppetfile, 1);
    start.module.name = captures.text(puppetfile, 2);
  }
  std::vector<DeclaredModule> modules;
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1].at : puppetfile.size();
    read_options(puppetfile.substr(starts[i].at, end - starts[i].at), starts[i].module,
                 starts[i].owner);
    modules.push_back(std::move(starts[i].module));
  }
  return modules;
}

std::vector<std::string> module_caches() {
  std::vector<std::string> all;
  if (const char* home = std::getenv("HOME")) all.push_back(join_path(home, ".r10k"));
  if (const char* g10k = std::getenv("g10k_cachedir")) all.emplace_back(g10k);
  for (const char* usual : {"/var/cache/r10k", "/opt/puppetlabs/puppet/cache/r10k", "/tmp/g10k"}) {
    all.emplace_back(usual);
  }
  std::erase_if(all, [](const std::string& path) { return !is_directory(path); });
  return all;
}

bool unpack_cached_module(const DeclaredModule& module, const std::vector<std::string>& caches,
                          const std::string& target) {
  // Refuses malformed remotes and revisions, which must not become arguments of git or directories.
  const bool is_remote = module.remote.find_first_of(":/") != module.remote.npos;
  if (!module.remote.empty() && (!is_remote || module.revision.starts_with('-'))) return false;
  if (module.remote.empty())
    return !module.release.empty() && unpack_release(module, caches, target);
  const std::string mirror = cached_mirror(module, caches);
  return !mirror.empty() && unpack_revision(module, mirror, target);
}

}  // namespace bunraku::compilation

// Commands: Ruby's rule for shells, the environment, users, and the texts of failures.
#include "apply/transaction/execution.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "apply/transaction/failure.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/text/ascii.h"
#include "base/text/number_text.h"

extern char** environ;

namespace bunraku::apply {
namespace {

// Shell keywords and builtins, by which Ruby decides whether a line needs a shell.
constexpr std::string_view kShellWords[] = {
    "!",      ".",    ":",     "break", "case",   "continue", "do",    "done",  "elif", "else",
    "esac",   "eval", "exec",  "exit",  "export", "fi",       "for",   "if",    "in",   "readonly",
    "return", "set",  "shift", "then",  "times",  "trap",     "unset", "until", "while"};

bool needs_shell(std::string_view line) {
  if (line.find_first_of("*?{}[]<>()~&|\\$;'`\"\n#") != std::string_view::npos) return true;
  const size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return false;
  line.remove_prefix(start);
  const std::string_view first = line.substr(0, line.find_first_of(" \t"));
  if (first.find('=') != std::string_view::npos) return true;
  return std::ranges::find(kShellWords, first) != std::end(kShellWords);
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const size_t start = line.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return words;
    line.remove_prefix(start);
    const size_t end = std::min(line.find_first_of(" \t\n"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::vector<std::string> environment_of(const ExecutionRequest& request) {
  std::vector<std::string> all;
  const auto is_left_out = [&](std::string_view name) {
    if (name == "HOME" || name == "USER" || name == "LOGNAME") return true;
    const bool is_locale = name == "LANG" || name == "LANGUAGE" || name.starts_with("LC_");
    return request.overrides_locale && is_locale;
  };
  const auto is_replaced = [&](std::string_view name) {
    return std::ranges::any_of(request.environment,
                               [&](const auto& entry) { return entry.first == name; });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (!is_left_out(name) && !is_replaced(name)) all.emplace_back(text);
  }
  if (request.overrides_locale) {
    all.emplace_back("LANG=C");
    all.emplace_back("LC_ALL=C");
  }
  for (const auto& [name, value] : request.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<gid_t> groups_of(uid_t user, gid_t group) {
  const passwd* entry = getpwuid(user);
  if (entry == nullptr) return {group};
  int count = 64;
  std::vector<gid_t> groups(static_cast<size_t>(count));
  if (getgrouplist(entry->pw_name, group, groups.data(), &count) < 0) {
    groups.resize(static_cast<size_t>(count));
    getgrouplist(entry->pw_name, group, groups.data(), &count);
  }
  groups.resize(static_cast<size_t>(std::max(count, 0)));
  return groups;
}

// The result that the reference's child process has when it cannot start the program or change the
// user: an error message as output, with exit status 1.
ExecutionResult not_started(const ExecutionRequest& request, const std::string& reason) {
  ExecutionResult result;
  if (request.includes_errors) {
    result.output = fmt::format("Error: Could not execute posix command: {}\n", reason);
  }
  result.status = 1;
  return result;
}

}  // namespace

std::string shown_command(const ExecutionRequest& request) {
  if (request.is_sensitive) return "[redacted]";
  if (request.words.empty()) return request.line;
  std::string text;
  for (const std::string& word : request.words) text += (text.empty() ? "" : " ") + word;
  return text;
}

namespace {

// The program and its arguments; the program is searched along the PATH of its own environment.
std::vector<std::string> words_of(const ExecutionRequest& request) {
  std::vector<std::string> words = request.words;
  if (words.empty() && needs_shell(request.line)) return {"/bin/sh", "-c", request.line};
  if (words.empty()) words = split(request.line);
  const auto path = std::ranges::find(request.environment, std::string("PATH"),
                                      &std::pair<std::string, std::string>::first);
  if (!words.empty() && path != request.environment.end() &&
      words[0].find('/') == std::string::npos) {
    const std::string found = find_executable(words[0], path->second);
    if (!found.empty()) words[0] = found;
  }
  return words;
}

// Sets the user and the group of the program. Returns why that is impossible; empty otherwise.
std::string set_identity(const ExecutionRequest& request, ProcessCall& call) {
  if (request.user.empty() && request.group.empty()) return {};
  ProcessIdentity identity{geteuid(), getegid(), {}};
  if (!request.user.empty()) {
    const std::optional<uint32_t> user = user_id(request.user);
    if (!user) return "Invalid user: " + request.user;
    identity.user = *user;
    if (const passwd* entry = getpwuid(*user)) identity.group = entry->pw_gid;
  }
  if (!request.group.empty()) {
    const std::optional<uint32_t> group = group_id(request.group);
    if (!group) return "Invalid group: " + request.group;
    identity.group = *group;
  }
  identity.groups = groups_of(identity.user, identity.group);
  call.start.identity = std::move(identity);
  return {};
}

}  // namespace

ExecutionResult run_command(const ExecutionRequest& request) {
  ProcessCall call;
  call.start.words = words_of(request);
  if (call.start.words.empty()) return not_started(request, "No such file or directory - ");
  if (!request.directory.empty() && !is_directory(request.directory)) {
    throw Failure(fmt::format("Working directory {} does not exist!", request.directory));
  }
  if (const std::string problem = set_identity(request, call); !problem.empty()) {
    return not_started(request, problem);
  }
  call.start.environment = environment_of(request);
  call.start.directory = request.directory;
  call.start.umask = request.umask;
  call.start.descendants = Descendants::kLeave;
  call.input = request.input;
  call.errors = request.includes_errors ? ErrorOutput::kIntoOutput : ErrorOutput::kDropped;
  // Without a limit, commands of users and package managers may take hours.
  call.time_limit = request.time_limit.value_or(kNoTimeLimit);
  ProcessResult done = run_process(call);
  if (done.outcome == ProcessOutcome::kNotStarted) {
    return not_started(request, fmt::format("{} - {}", done.reason, call.start.words[0]));
  }
  if (done.outcome == ProcessOutcome::kOutputTooLarge) {
    throw Failure(fmt::format("The output of '{}' is too large", shown_command(request)));
  }
  ExecutionResult result;
  result.output = std::move(done.output);
  result.has_timed_out = done.outcome == ProcessOutcome::kTimedOut;
  if (done.outcome == ProcessOutcome::kEnded && done.end.signal == 0) {
    result.status = done.end.status;
  }
  return result;
}

std::string execute(const ExecutionRequest& request) {
  ExecutionResult result = run_command(request);
  if (result.is_success()) return std::move(result.output);
  throw Failure(fmt::format("Execution of '{}' returned {}: {}", shown_command(request),
                            result.status ? std::to_string(*result.status) : std::string(),
                            stripped(result.output)));
}

std::string execute(std::vector<std::string> words) {
  ExecutionRequest request;
  request.words = std::move(words);
  return execute(request);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string find_executable(std::string_view name, std::string_view path) {
  return find_program(name, path.empty() ? nullptr : std::string(path).c_str());
}

std::optional<uint32_t> user_id(std::string_view name_or_number) {
  if (const std::optional<int64_t> number = parse_integer(name_or_number)) {
    return static_cast<uint32_t>(*number);
  }
  const passwd* entry = getpwnam(std::string(name_or_number).c_str());
  if (entry == nullptr) return std::nullopt;
  return entry->pw_uid;
}

std::optional<uint32_t> group_id(std::string_view name_or_number) {
  if (const std::optional<int64_t> number = parse_integer(name_or_number)) {
    return static_cast<uint32_t>(*number);
  }
  const group* entry = getgrnam(std::string(name_or_number).c_str());
  if (entry == nullptr) return std::nullopt;
  return entry->gr_gid;
}

}  // namespace bunraku::apply

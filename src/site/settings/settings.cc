#include "site/settings/settings.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/big_integer.h"
#include "base/text/duration.h"
#include "base/text/lists.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "site/settings/puppet_conf.h"
#include "site/settings/repository.h"

namespace bunraku {
namespace {

// The bound on nested references between settings; deeper ones are a loop.
constexpr int kDepth = 20;

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, {}, {std::move(message)}),
                        ErrorKind::kError);
}

// Returns whether this process runs as the account of the reference's services, which uses the
// system's directories like root: services read what root configures.
bool is_service_account() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr && std::string_view(entry->pw_name) == "puppet" &&
         (is_directory("/etc/puppetlabs/puppet") || is_directory("/etc/puppet"));
}

bool is_root() {
  static const bool is_it = geteuid() == 0 || is_service_account();
  return is_it;
}

std::string home_directory() {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return home;
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_dir : "/";
}

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "localhost";
  return downcase(name);
}

// Returns whether the vendor's packages are installed, whose directories differ from Debian's.
bool has_vendor_layout() {
  static const bool has_it = is_directory("/etc/puppetlabs/puppet");
  return has_it;
}

// Directories whose defaults depend on the machine and the user: the system's, and the user's own.
struct Directory {
  std::string_view name;
  std::string_view debian;
  std::string_view vendor;
  std::string_view user;  // below the home directory
  std::string_view vendor_user;
};
constexpr Directory kDirectories[] = {
    {"confdir", "/etc/puppet", "/etc/puppetlabs/puppet", ".puppet/etc", ".puppetlabs/etc/puppet"},
    {"codedir", "/etc/puppet/code", "/etc/puppetlabs/code", ".puppet/code", ".puppetlabs/etc/code"},
    {"vardir", "/var/cache/puppet", "/opt/puppetlabs/puppet/cache", ".puppet/cache",
     ".puppetlabs/opt/puppet/cache"},
    {"publicdir", "/var/cache/puppet/public", "/opt/puppetlabs/puppet/public",
     ".puppet/cache/public", ".puppetlabs/opt/puppet/public"},
    {"rundir", "/run/puppet", "/var/run/puppetlabs", ".puppet/var/run", ".puppetlabs/var/run"},
    {"logdir", "/var/log/puppet", "/var/log/puppetlabs/puppet", ".puppet/var/log",
     ".puppetlabs/var/log"},
};

std::string default_of(const SettingInfo& info) {
  for (const Directory& directory : kDirectories) {
    if (directory.name != info.name) continue;
    const bool is_vendor = has_vendor_layout();
    if (is_root()) return std::string(is_vendor ? directory.vendor : directory.debian);
    return join_path(home_directory(), is_vendor ? directory.vendor_user : directory.user);
  }
  if (info.name == "certname") return host_name();
  if (info.name == "ssldir" && is_root() && !has_vendor_layout()) return "/var/lib/puppet/ssl";
  if (info.name == "basemodulepath" && has_vendor_layout())
    return "$codedir/modules:/opt/puppetlabs/puppet/modules";
  return std::string(info.default_value);
}

std::string absolute_file(std::string_view path) {
  if (path.empty()) return {};
  if (path.substr(0, 1) == "~" && (path.size() == 1 || path[1] == '/')) {
    return absolute_path(home_directory() + std::string(path.substr(1)));
  }
  return absolute_path(path);
}

std::string absolute_files(std::string_view paths) {
  std::string result;
  for (const std::string& path : split_list(paths, ':')) {
    if (!result.empty()) result += ':';
    result += absolute_file(path);
  }
  return result;
}

// Converts "30m" to seconds.
std::string seconds_of(const SettingInfo& info, const std::string& text) {
  if (text.empty()) return {};
  if (info.kind == SettingKind::kTtl && text == "unlimited") return text;
  const std::optional<DurationText> duration = read_duration(text);
  if (!duration) {
    fail(fmt::format("Invalid {} format '\"{}\"' for parameter: {}",
                     info.kind == SettingKind::kTtl ? "'time to live'" : "duration", text,
                     info.name));
  }
  BigInteger seconds = BigInteger::from_digits(duration->digits, 10);
  seconds.multiply(duration->unit);
  return seconds.text();
}

std::string checked_boolean(const SettingInfo& info, const std::string& text) {
  std::string folded = downcase(text);
  if (folded == "true" || folded == "false") return folded;
  if (text.empty()) return "false";
  fail(fmt::format("Invalid value '\"{}\"' for boolean parameter: {}", text, info.name));
}

// Checks a boolean or a file. Source: puppet/settings/autosign_setting.rb.
std::string checked_autosign(const std::string& text) {
  std::string folded = downcase(text);
  if (folded == "true" || folded == "false") return folded;
  if (text.starts_with('/')) return absolute_file(text);
  fail(fmt::format("Invalid autosign value {}: must be 'true'/'false' or an absolute path", text));
}

void check_integer(const SettingInfo& info, const std::string& text) {
  if (text.empty() || parse_integer(text)) return;
  fail(fmt::format("Cannot convert '\"{}\"' to an integer for parameter: {}", text, info.name));
}

void check_choice(const SettingInfo& info, const std::string& text) {
  struct Choices {
    std::string_view name;
    std::string_view allowed;
  };
  constexpr Choices kChoices[] = {
      {"strict", "'off', 'warning', 'error'"},
      {"log_level", "'debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'"},
      {"digest_algorithm", "'sha256', 'sha384', 'sha512', 'sha224', 'md5'"},
      {"key_type", "'rsa', 'ec'"},
  };
  for (const Choices& choices : kChoices) {
    if (choices.name != info.name) continue;
    if (choices.allowed.find(fmt::format("'{}'", text)) != std::string_view::npos) return;
    fail(fmt::format("Invalid value '{}' for parameter {}. Allowed values are {}", text, info.name,
                     choices.allowed));
  }
}

void check_disabled_warnings(const std::string& text) {
  constexpr std::string_view kKnown[] = {"deprecations", "undefined_variables",
                                         "undefined_resources"};
  std::string unknown;
  for (const std::string& part : split_list(text)) {
    if (std::ranges::find(kKnown, part) != std::end(kKnown)) continue;
    unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", part);
  }
  if (unknown.empty()) return;
  fail(
      fmt::format("Cannot disable unrecognized warning types '{}'. Valid values are 'deprecations, "
                  "undefined_variables, undefined_resources'.",
                  unknown));
}

void check_certname(const std::string& text) {
  if (text != downcase(text)) fail("Certificate names must be lower case");
}

const SettingInfo& known(std::string_view name) {
  const SettingInfo* info = find_setting(name);
  if (info == nullptr) fail(unknown_setting_message(name));
  return *info;
}

}  // namespace

void log_problems(const std::vector<SettingsProblem>& problems, LogSink& log) {
  for (const SettingsProblem& problem : problems) {
    LogRecord record;
    record.level = problem.severity == Severity::kError ? LogLevel::kErr : LogLevel::kWarning;
    record.message = problem.message;
    log.log(record);
  }
}

std::string default_cadir(const std::string& confdir) {
  if (confdir == "/etc/puppetlabs/puppet") return "/etc/puppetlabs/puppetserver/ca";
  return join_path(confdir, "puppetserver/ca");
}

std::string checked_setting(const SettingInfo& info, std::string text) {
  switch (info.kind) {
    case SettingKind::kBoolean:
      return checked_boolean(info, text);
    case SettingKind::kInteger:
      check_integer(info, text);
      return text;
    case SettingKind::kFile:
      return info.name == "autosign" ? checked_autosign(text) : absolute_file(text);
    case SettingKind::kFileOrDirectory:
      return absolute_file(text);
    case SettingKind::kPathList:
      return absolute_files(text);
    case SettingKind::kDuration:
    case SettingKind::kTtl:
      return seconds_of(info, text);
    case SettingKind::kList:
      if (info.name == "disable_warnings") check_disabled_warnings(text);
      return text;
    case SettingKind::kString:
      check_choice(info, text);
      if (info.name == "certname") check_certname(text);
      return text;
  }
  return text;
}

Settings::Settings(SettingsSources sources) : sources_(std::move(sources)) {
  read_file();
}

void Settings::read_file() {
  std::string path = text("config");
  if (!exists(path)) return;
  try {
    std::vector<SettingsFileSection> sections = parse_puppet_conf(bunraku::read_file(path), path);
    for (const SettingsFileSection& section : sections) {
      if (section.name == "main" || section.name == sources_.section) check_owners(section, path);
    }
    sections_ = std::move(sections);
  } catch (const std::exception& error) {
    sections_.clear();
    problems_.push_back(
        {Severity::kError, fmt::format("Could not parse {}: {}", path, error.what())});
  }
}

Settings Settings::in_section(std::string_view section) const {
  Settings settings = *this;
  settings.sources_.section = section;
  return settings;
}

const SettingsFileSection* Settings::section(std::string_view name) const {
  for (const SettingsFileSection& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

namespace {

const std::string* last_value(const std::vector<std::pair<std::string, std::string>>& values,
                              std::string_view name) {
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    if (value->first == name) return &value->second;
  }
  return nullptr;
}

}  // namespace

const std::string* Settings::given(std::string_view name) const {
  if (const std::string* found = last_value(sources_.command_line, name)) return found;
  if (const Repository* repository = sources_.repository.get()) {
    if (name == "environment") return &repository->environment;
    if (const std::string* found = repository->conf.find(name)) return found;
  }
  const bool is_server = sources_.section == "server" || sources_.section == "master";
  for (const std::string_view place :
       {std::string_view(sources_.section),
        is_server ? std::string_view("master") : std::string_view(), std::string_view("main")}) {
    const SettingsFileSection* values = section(place);
    const std::string* found = values != nullptr ? values->find(name) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

FileOptions Settings::file_options(std::string_view name) const {
  FileOptions options;
  for (const std::string_view place :
       {std::string_view("main"), std::string_view(sources_.section)}) {
    const SettingsFileSection* values = section(place);
    if (values == nullptr) continue;
    const auto found =
        std::ranges::find(values->file_options, name, &std::pair<std::string, FileOptions>::first);
    if (found == values->file_options.end()) continue;
    const FileOptions& given = found->second;
    if (!given.owner.empty()) options.owner = given.owner;
    if (!given.group.empty()) options.group = given.group;
    if (given.mode) options.mode = given.mode;
  }
  return options;
}

const Repository* Settings::repository_as(std::string_view environment) const {
  const Repository* repository = sources_.repository.get();
  return repository != nullptr && repository->environment == environment ? repository : nullptr;
}

bool Settings::is_set(std::string_view name) const {
  return given(known(name).name) != nullptr;
}

bool Settings::is_on_command_line(std::string_view name) const {
  return last_value(sources_.command_line, known(name).name) != nullptr;
}

std::string Settings::raw(const SettingInfo& info) const {
  if (const std::string* found = given(info.name)) return *found;
  // masterport and serverport are the same setting.
  if (info.name == "masterport") {
    if (const std::string* found = given("serverport")) return *found;
  }
  if (info.name == "hiera_config") {
    std::string beside_code = join_path(text("codedir"), "hiera.yaml");
    if (exists(beside_code)) return beside_code;
  }
  if (info.name == "cadir") {
    // The location before version 7, or the target of a link there.
    const std::string old = join_path(text("ssldir"), "ca");
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(old, error);
    if (!error)
      return target.is_absolute() ? target.string() : join_path(text("ssldir"), target.string());
    return exists(old) ? old : default_cadir(text("confdir"));
  }
  return default_of(info);
}

// Replaces $name and ${name} by values of settings.
std::string Settings::interpolated(const SettingInfo& info, int depth, Computed* computed) const {
  std::string text = raw(info);
  // Code contains variables of its own.
  if (info.name == "code" || text.find('$') == std::string::npos) return text;
  static const Regex* const kVariable = Regex::compile(R"(\$(\w+)|\$\{(\w+)\})");
  std::string result;
  size_t copied = 0;
  Captures captures;
  while (kVariable->search(text, copied, captures)) {
    result.append(text, copied, captures.begin() - copied);
    copied = captures.end();
    const std::string_view name = captures.text(text, captures.matched(1) ? 1 : 2);
    const SettingInfo* other = find_setting(name);
    if (name == "run_mode") {
      result += sources_.section;
    } else if (name == "environment" && info.name != "config_version") {
      result += captures.text(text);  // the reference leaves it unchanged, too
    } else if (other == nullptr || depth >= kDepth) {
      fail(fmt::format("Error converting value for param '{}': Could not find value for {}",
                       info.name, captures.text(text)));
    } else {
      result += value(*other, depth + 1, computed);
    }
  }
  result.append(text, copied);
  return result;
}

std::string Settings::value(const SettingInfo& info, int depth, Computed* computed) const {
  if (computed == nullptr) return checked_setting(info, interpolated(info, depth, nullptr));
  if (const auto found = computed->find(&info); found != computed->end()) return found->second;
  return (*computed)[&info] = checked_setting(info, interpolated(info, depth, computed));
}

std::string Settings::text(std::string_view name) const {
  return value(known(name), 0, nullptr);
}

std::vector<std::pair<std::string_view, std::string>> Settings::texts() const {
  std::vector<std::pair<std::string_view, std::string>> all;
  Computed computed;
  for (const SettingInfo& info : all_settings()) {
    all.emplace_back(info.name, value(info, 0, &computed));
  }
  return all;
}

int64_t Settings::integer(std::string_view name) const {
  return parse_integer(text(name)).value_or(0);
}

bool Settings::names_directory(std::string_view name) const {
  return interpolated(known(name), 0, nullptr).ends_with('/') || is_directory(text(name));
}

std::vector<std::string> Settings::list(std::string_view name) const {
  const SettingInfo& info = known(name);
  return split_list(text(info.name), info.kind == SettingKind::kPathList ? ':' : ',');
}

}  // namespace bunraku

// exec: commands, with the checks that decide whether they run.
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/resource.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kExecAttributes[] = {
    {.name = "returns", .kind = AttributeKind::kProperty, .takes_all = true, .default_value = "0"},
    {.name = "command", .is_namevar = true},
    {.name = "provider"},
    {.name = "path"},
    {.name = "user"},
    {.name = "group"},
    {.name = "cwd"},
    {.name = "logoutput", .values = "true false on_failure", .default_value = "on_failure"},
    {.name = "refresh"},
    {.name = "environment"},
    {.name = "umask", .feature = "umask"},
    {.name = "timeout"},
    {.name = "tries"},
    {.name = "try_sleep"},
    {.name = "refreshonly", .values = "true false"},
    {.name = "creates"},
    {.name = "unless"},
    {.name = "onlyif"},
};

bool is_absolute(std::string_view path) {
  return path.starts_with('/');
}

// The program of a command: its first word, or a quoted text at its start.
std::string program_of(const Datum& command) {
  if (command.is_array()) {
    return command.items().empty() ? std::string() : command.items().front().to_text();
  }
  const std::string& text = command.text();
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const size_t end = text.find(text[0], 1);
    if (end != std::string::npos && end > 1) return text.substr(1, end - 1);
  }
  const size_t space = text.find(' ');
  return text.substr(0, space);
}

using Variable = std::pair<std::string, std::string>;

// With these, no program that installs packages asks questions.
const Variable kUnattended[] = {{"DEBIAN_FRONTEND", "noninteractive"},
                                {"APT_LISTBUGS_FRONTEND", "none"},
                                {"APT_LISTCHANGES_FRONTEND", "none"}};

// The command as Ruby writes it in messages.
std::string command_text(const Datum& command) {
  if (!command.is_array()) return command.to_text();
  std::string text = "[";
  for (const Datum& word : command.items()) {
    if (text.size() > 1) text += ", ";
    append_ruby_inspect(text, word.to_text());
  }
  return text + "]";
}

std::vector<Datum> list_of(const Datum& value) {
  return value.is_array() ? value.items() : std::vector<Datum>{value};
}

class ExecProvider : public Provider {
 public:
  ExecProvider(Resource& resource, bool is_shell) : resource_(resource), is_shell_(is_shell) {}

  void check_form(const Datum& command) const {
    if (is_shell_) return;
    const std::string program = program_of(command);
    if (is_absolute(program) || resource_.find("path") != nullptr) return;
    throw Failure(
        fmt::format("'{}' is not qualified and no path was specified. Please qualify the command "
                    "or specify a path.",
                    shown(program)));
  }

  ExecutionResult run(const Datum& command, bool is_check) {
    if (!is_shell_) check_program(program_of(command));
    const bool is_sensitive = has_sensitive_command();
    log_as_provider(fmt::format("Executing{} '{}'", is_check ? " check" : "",
                                is_sensitive ? "[redacted]" : command_text(started(command))));
    ExecutionRequest request;
    if (is_shell_) {
      request.words = {"/bin/sh", "-c", command.to_text()};
    } else if (command.is_array()) {
      for (const Datum& word : command.items()) request.words.push_back(word.to_text());
    } else {
      request.line = command.text();
    }
    request.environment = environment();
    request.overrides_locale = false;
    request.directory = resource_.text("cwd");
    request.user = resource_.text("user");
    request.group = resource_.text("group");
    request.is_sensitive = is_sensitive;
    const Datum& umask = resource_.value("umask");
    if (!umask.is_null()) request.umask = static_cast<unsigned>(umask.integer_value());
    const double seconds = resource_.value("timeout").float_value();
    if (seconds > 0) {
      request.time_limit = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    }
    log_execution(request);
    ExecutionResult result = run_command(request);
    if (!result.has_timed_out && result.status == 127) {
      throw Failure(is_sensitive ? "[output redacted]" : result.output);
    }
    return result;
  }

 private:
  // Whether any of the commands is sensitive; then none of them is shown.
  bool has_sensitive_command() const {
    constexpr std::string_view kAttributes[] = {"command", "refresh", "unless", "onlyif"};
    return std::ranges::any_of(kAttributes,
                               [&](std::string_view name) { return resource_.is_sensitive(name); });
  }

  // The program of a command in messages.
  std::string_view shown(const std::string& program) const {
    return has_sensitive_command() ? std::string_view("[redacted]") : program;
  }

  // The command as executed, wrapped in a shell if necessary.
  Datum started(const Datum& command) const {
    if (!is_shell_) return command;
    return Datum::array(
        {Datum::string("/bin/sh"), Datum::string("-c"), Datum::string(command.to_text())});
  }

  // As in the reference, the source of the record is the provider.
  void log_as_provider(std::string message) const {
    resource_.context().log.log(
        LogLevel::kDebug, std::move(message),
        fmt::format("{}(provider={})", resource_.reference(), is_shell_ ? "shell" : "posix"));
  }

  void log_execution(const ExecutionRequest& request) const {
    std::string identity;
    if (!request.user.empty()) identity += " uid=" + request.user;
    if (!request.group.empty()) identity += " gid=" + request.group;
    resource_.context().log.log(LogLevel::kDebug,
                                fmt::format("Executing{}{}: '{}'", identity.empty() ? "" : " with",
                                            identity, shown_command(request)));
  }

  void check_program(const std::string& program) const {
    if (is_absolute(program) && absolute_path(program) == program) {
      struct stat info = {};
      if (stat(program.c_str(), &info) != 0) {
        throw Failure(fmt::format("Could not find command '{}'", shown(program)));
      }
      if (!S_ISREG(info.st_mode)) {
        throw Failure(fmt::format("'{}' is a {}, not a file", shown(program),
                                  S_ISDIR(info.st_mode) ? "directory" : "special"));
      }
      if (access(program.c_str(), X_OK) != 0) {
        throw Failure(fmt::format("'{}' is not executable", shown(program)));
      }
      return;
    }
    const std::string path = joined_path();
    if (!path.empty() && !find_executable(program, path).empty()) return;
    throw Failure(fmt::format("Could not find command '{}'", shown(program)));
  }

  std::string joined_path() const {
    std::string path;
    for (const std::string& part : resource_.texts("path")) {
      path += (path.empty() ? "" : ":") + part;
    }
    return path;
  }

  std::vector<Variable> environment() const {
    std::vector<Variable> all;
    if (resource_.find("path") != nullptr) all.emplace_back("PATH", joined_path());
    for (const std::string& setting : resource_.texts("environment")) {
      const size_t equals = setting.find('=');
      const std::string name = setting.substr(0, equals);
      const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
      });
      if (equals == std::string::npos || !is_name) {
        resource_.log(LogLevel::kWarning,
                      fmt::format("Cannot understand environment setting \"{}\"", setting));
        continue;
      }
      const std::string value = setting.substr(equals + 1);
      const auto known = std::ranges::find(all, name, &Variable::first);
      if (known != all.end()) {
        // The record's source is the provider, not the resource's path.
        resource_.context().log.log(
            LogLevel::kWarning,
            fmt::format("Overriding environment setting '{}' with '{}'", name, value),
            fmt::format("{}(provider={})", resource_.reference(),
                        resource_.provider_kind()->name()));
        known->second = value;
        continue;
      }
      if (value.empty()) {
        const std::string place = resource_.place_text();
        resource_.context().log.log(LogLevel::kWarning,
                                    fmt::format("Empty environment setting '{}'{}{}", name,
                                                place.empty() ? "" : "\n  ", place));
      }
      all.emplace_back(name, value);
    }
    if (!manages_packages()) return all;
    for (const auto& [name, value] : kUnattended) {
      const bool is_given = std::ranges::find(all, name, &Variable::first) != all.end();
      if (!is_given) all.emplace_back(name, value);
    }
    return all;
  }

  // The reference has these variables in its own environment once it has loaded the providers of
  // packages: for a package of the catalog, or for the fact of stdlib.
  bool manages_packages() const {
    if (!resource_.context().host.fact("package_provider").empty()) return true;
    return std::ranges::any_of(resource_.catalog().resources(), [](const Resource* resource) {
      return resource->type().name() == "package";
    });
  }

  Resource& resource_;
  bool is_shell_;
};

class ExecProviderKind : public ProviderKind {
 public:
  explicit ExecProviderKind(bool is_shell) : is_shell_(is_shell) {}
  std::string_view name() const override { return is_shell_ ? "shell" : "posix"; }
  std::string_view features() const override { return "umask"; }
  bool is_default(const Host&) const override { return !is_shell_; }
  int specificity(const Host&) const override { return is_shell_ ? 2 : 101; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<ExecProvider>(resource, is_shell_);
  }

 private:
  bool is_shell_;
};

class Exec : public ResourceType {
 public:
  Exec() {
    add_provider(std::make_unique<ExecProviderKind>(false));
    add_provider(std::make_unique<ExecProviderKind>(true));
  }
  std::string_view name() const override { return "exec"; }
  std::span<const AttributeInfo> attributes() const override { return kExecAttributes; }
  bool is_isomorphic() const override { return false; }
  bool can_refresh() const override { return true; }
  std::vector<Instance> instances(Context&) const override { return {}; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override;
  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override;
  void mark_sensitive(Resource& resource, std::vector<std::string>& names) const override;
  void validate(Resource& resource) const override {
    resource.provider_as<ExecProvider>().check_form(resource.value("command"));
  }
  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override;

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (all_checks_pass(resource, false)) return Datum::symbol("notrun");
    return resource.desired(property);
  }
  void sync(Resource& resource, Attribute& property) const override;
  std::string change_text(Resource&, Attribute&, const Datum&, const Datum&) const override {
    return "executed successfully";
  }
  std::string event_name(const Resource&, const Attribute&) const override {
    return "executed_command";
  }
  void refresh(Resource& resource) const override;

 private:
  static bool all_checks_pass(Resource& resource, bool is_refreshing);
  static bool passes(Resource& resource, std::string_view check, const Datum& value);
};

std::string number_text_or_fail(const AttributeInfo& attribute, const Datum& value,
                                std::string_view message) {
  const std::string text =
      value.is_array() && !value.items().empty() ? value.items()[0].to_text() : value.to_text();
  if (!parse_float(text)) throw munging_failure(attribute, value, message);
  return text;
}

Datum munged_path(const Datum& value) {
  Datum::List parts;
  for (const Datum& item : list_of(value)) {
    std::string_view rest = item.text();
    while (!rest.empty()) {
      const size_t colon = rest.find(':');
      parts.push_back(Datum::string(rest.substr(0, colon)));
      rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    }
  }
  return Datum::array(std::move(parts));
}

void check_user(const Datum& value) {
  const passwd* self = getpwuid(getuid());
  if (geteuid() != 0 && (self == nullptr || value.to_text() != self->pw_name)) {
    throw Failure("Only root can execute commands as other users");
  }
}

void check_environment(const Datum& value) {
  static const Regex& form = *Regex::compile("\\w+=");
  for (const Datum& setting : list_of(value)) {
    const std::string text = setting.to_text();
    if (!is_valid_utf8(text) || !form.matches(text)) {
      throw Failure(fmt::format("Invalid environment setting '{}'", text));
    }
  }
}

Datum munged_umask(const Datum& value) {
  const std::string text = value.to_text();
  const std::optional<int64_t> number = parse_integer(text, 8);
  if (!value.is_string() || !number || text.empty() || text.size() > 5 || text[0] == '-' ||
      text[0] == '+') {
    throw Failure("The umask specification is invalid: " + value.inspected());
  }
  return Datum::integer(*number);
}

Datum munged_number(const AttributeInfo& attribute, const Datum& value) {
  if (attribute.name == "timeout") {
    const std::string text = number_text_or_fail(attribute, value, "The timeout must be a number.");
    return Datum::number(std::max(*parse_float(text), 0.0));
  }
  if (attribute.name == "tries") {
    const std::optional<int64_t> number =
        parse_integer(number_text_or_fail(attribute, value, "Tries must be an integer"));
    if (!number || *number < 1) {
      throw munging_failure(attribute, value, "Tries must be an integer >= 1");
    }
    return Datum::integer(*number);
  }
  const std::string mistake = "invalid value for Float(): " + value.inspected();
  const double seconds = *parse_float(number_text_or_fail(attribute, value, mistake));
  if (seconds < 0) {
    throw munging_failure(attribute, value, "try_sleep cannot be a negative number");
  }
  return Datum::number(seconds);
}

Datum Exec::munge(Resource& resource, const AttributeInfo& attribute, const Datum& value) const {
  const std::string_view name = attribute.name;
  if (name == "returns") return Datum::string(value.to_text());
  if (name == "command") {
    if (!value.is_string() && !value.is_array()) {
      throw Failure(fmt::format("Command must be a String or Array<String>, got value of class {}",
                                class_of(value)));
    }
    return value;
  }
  if (name == "path") return munged_path(value);
  if (name == "user") {
    check_user(value);
    return value;
  }
  if (name == "cwd" && value.is_array()) {
    throw Failure("cwd only accepts a single path, not an array of paths");
  }
  if (name == "cwd" || name == "creates") {
    for (const Datum& path : list_of(value)) {
      if (!is_absolute(path.to_text())) {
        throw Failure(fmt::format("{} must be a fully qualified path", name));
      }
    }
    return value;
  }
  if (name == "unless" || name == "onlyif") {
    for (const Datum& command : list_of(value)) {
      resource.provider_as<ExecProvider>().check_form(command);
    }
    return value;
  }
  if (name == "refresh") {
    resource.provider_as<ExecProvider>().check_form(value);
    return value;
  }
  if (name == "environment") {
    check_environment(value);
    return value;
  }
  if (name == "umask") return munged_umask(value);
  if (name == "timeout" || name == "tries" || name == "try_sleep") {
    return munged_number(attribute, value);
  }
  return ResourceType::munge(resource, attribute, value);
}

std::optional<Datum> Exec::default_of(Resource&, const AttributeInfo& attribute) const {
  if (attribute.name == "timeout") return Datum::integer(300);
  if (attribute.name == "tries") return Datum::integer(1);
  if (attribute.name == "try_sleep") return Datum::integer(0);
  return std::nullopt;
}

void Exec::mark_sensitive(Resource& resource, std::vector<std::string>& names) const {
  constexpr std::string_view kCommands[] = {"command", "unless", "onlyif"};
  const auto removed = std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(kCommands, name) != std::end(kCommands);
  });
  if (removed == 0) return;
  for (const std::string_view name : kCommands) {
    if (Attribute* attribute = resource.find(name)) attribute->is_sensitive = true;
  }
}

std::vector<AutomaticRelation> Exec::automatic_relations(const Resource& resource) const {
  std::vector<AutomaticRelation> relations;
  const auto require_file = [&](std::string path) {
    relations.push_back({RelationKind::kRequire, "file", std::move(path)});
  };
  // The absolute path at the start of each line, and a program in double quotes.
  const auto scan = [&](const std::string& text, bool takes_quoted) {
    for (const std::string& line : lines_of(text)) {
      if (line.starts_with('/') && line.size() > 1) {
        const std::string path = line.substr(0, line.find_first_of(" \t\r\f\v"));
        if (path.size() > 1) require_file(path);
      } else if (takes_quoted && line.starts_with('"')) {
        const size_t end = line.find('"', 1);
        if (end != std::string::npos && end > 1) require_file(line.substr(1, end - 1));
      }
    }
  };
  const std::string cwd = resource.text("cwd");
  if (!cwd.empty()) require_file(cwd);
  const Datum& command = resource.value("command");
  scan(command.is_array() && !command.items().empty() ? command.items()[0].to_text()
                                                      : command.to_text(),
       true);
  for (const std::string_view check : {"onlyif", "unless"}) {
    const Datum& value = resource.value(check);
    if (value.is_null()) continue;
    for (const Datum& item : list_of(value)) {
      scan(item.is_array() && !item.items().empty() ? item.items()[0].to_text() : item.to_text(),
           false);
    }
  }
  const std::string user = resource.text("user");
  if (!user.empty() && !parse_integer(user)) {
    relations.push_back({RelationKind::kRequire, "user", user});
  }
  return relations;
}

bool Exec::passes(Resource& resource, std::string_view check, const Datum& value) {
  if (check == "refreshonly") return !value.is_symbol("true");
  if (check == "creates") {
    resource.debug(fmt::format("Checking that 'creates' path '{}' exists", value.to_text()));
    return !exists(value.to_text());
  }
  const ExecutionResult result = resource.provider_as<ExecProvider>().run(value, true);
  if (result.has_timed_out) {
    std::string text = value.is_array() ? command_text(value) : "\"" + value.to_text() + "\"";
    if (resource.is_sensitive(check)) text = "[redacted]";
    resource.log_property(LogLevel::kErr, check, fmt::format("Check {} exceeded timeout", text),
                          true);
    return false;
  }
  if (resource.context().log.takes(LogLevel::kDebug)) {
    if (resource.is_sensitive(check)) {
      resource.log_property(LogLevel::kDebug, check, "[output redacted]", true);
    } else {
      for (std::string& line : lines_of(replace_invalid_utf8(result.output))) {
        resource.log_property(LogLevel::kDebug, check, std::move(line), true);
      }
    }
  }
  return check == "unless" ? !result.is_success() : result.is_success();
}

bool Exec::all_checks_pass(Resource& resource, bool is_refreshing) {
  for (std::string_view check : {"refreshonly", "creates", "unless", "onlyif"}) {
    const Datum value = resource.value(check);
    if (value.is_null() || (is_refreshing && check == "refreshonly")) continue;
    for (const Datum& item : list_of(value)) {
      if (passes(resource, check, item)) continue;
      resource.debug(fmt::format("'{}' won't be executed because of failed check '{}'",
                                 resource.is_sensitive("command")
                                     ? "[command redacted]"
                                     : command_text(resource.value("command")),
                                 check));
      return false;
    }
  }
  return true;
}

void Exec::sync(Resource& resource, Attribute& property) const {
  const int64_t tries = resource.value("tries").integer_value();
  const double pause = resource.value("try_sleep").float_value();
  const Datum& command = resource.value("command");
  ExecutionResult result;
  const auto is_expected = [&] {
    const std::string status = result.status ? std::to_string(*result.status) : std::string();
    return std::ranges::find(property.values, Datum::string(status)) != property.values.end();
  };
  for (int64_t attempt = 1; attempt <= tries; ++attempt) {
    if (tries > 1) {
      resource.log_property(LogLevel::kDebug, "returns",
                            fmt::format("Exec try {}/{}", attempt, tries), true);
    }
    result = resource.provider_as<ExecProvider>().run(command, false);
    if (result.has_timed_out) throw Failure("Command exceeded timeout");
    if (is_expected()) break;
    if (pause > 0 && tries > 1) {
      resource.log_property(LogLevel::kDebug, "returns",
                            fmt::format("Sleeping for {} seconds between tries", pause), true);
      std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    }
  }
  const bool is_sensitive = resource.is_sensitive("command");
  const std::string& wanted_output = resource.value("logoutput").text();
  if (wanted_output == "true" || (wanted_output == "on_failure" && !is_expected())) {
    if (is_sensitive) {
      resource.log_property(resource.log_level(), "returns", "[output redacted]", true);
    } else {
      for (std::string& line : lines_of(replace_invalid_utf8(result.output))) {
        resource.log_property(resource.log_level(), "returns", std::move(line), true);
      }
    }
  }
  if (is_expected()) return;
  std::string expected;
  for (const Datum& value : property.values) {
    expected += (expected.empty() ? "" : ",") + value.to_text();
  }
  const std::string status = result.status ? std::to_string(*result.status) : std::string();
  throw Failure(is_sensitive ? fmt::format("[command redacted] returned {} instead of one of [{}]",
                                           status, expected)
                             : fmt::format("'{}' returned {} instead of one of [{}]",
                                           command_text(command), status, expected));
}

void Exec::refresh(Resource& resource) const {
  if (!all_checks_pass(resource, true)) return;
  const Datum command = resource.value("refresh");
  if (!command.is_null()) {
    resource.provider_as<ExecProvider>().run(command, false);
    return;
  }
  sync(resource, *resource.find("returns"));
}

}  // namespace

std::unique_ptr<ResourceType> make_exec_type() {
  return std::make_unique<Exec>();
}

}  // namespace bunraku::apply

// service: services of the system, with the providers systemd and debian (scripts in /etc/init.d).
#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "apply/providers/registry.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/resource.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kAttributes[] = {
    {.name = "ensure",
     .kind = AttributeKind::kProperty,
     .values = "stopped running false=stopped true=running"},
    {.name = "enable",
     .kind = AttributeKind::kProperty,
     .values = "true false manual mask delayed",
     .feature = "enableable",
     .value_features = "manual=manual_startable mask=maskable delayed=delayed_startable"},
    {.name = "flags", .kind = AttributeKind::kProperty, .feature = "flaggable"},
    {.name = "logonaccount",
     .kind = AttributeKind::kProperty,
     .feature = "manages_logon_credentials"},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "binary"},
    {.name = "hasstatus", .values = "true false", .default_value = "true"},
    {.name = "path"},
    {.name = "pattern"},
    {.name = "restart"},
    {.name = "start"},
    {.name = "status"},
    {.name = "stop"},
    {.name = "control", .feature = "controllable"},
    {.name = "hasrestart", .values = "true false"},
    {.name = "manifest"},
    {.name = "timeout", .feature = "configurable_timeout"},
    {.name = "logonpassword", .feature = "manages_logon_credentials"},
};

class ServiceProvider : public Provider {
 public:
  explicit ServiceProvider(Resource& resource) : resource_(resource) {}

  virtual void start() { run("start", command_for("start")); }
  virtual void stop() { run("stop", command_for("stop")); }
  virtual void restart() {
    ExecutionRequest own = own_command("restart");
    if (own.line.empty()) own.words = restart_command();
    if (own.line.empty() && own.words.empty()) {
      stop();
      start();
      return;
    }
    run("restart", own);
  }
  virtual void enable() = 0;
  virtual void disable() = 0;
  virtual void mask() {}
  // "true", "false" or "mask"
  virtual std::string enabled() = 0;
  // Can its being enabled not be changed at all?
  virtual bool has_fixed_enablement() { return false; }

  bool is_running() {
    const ExecutionResult result = run_command(command_for("status"));
    return result.is_success();
  }

  Datum get(std::string_view property) override {
    if (property == "ensure") return Datum::symbol(is_running() ? "running" : "stopped");
    if (property == "enable") return Datum::symbol(enabled());
    return Provider::get(property);
  }

 protected:
  virtual std::vector<std::string> words_for(std::string_view action) = 0;
  virtual std::vector<std::string> restart_command() { return words_for("restart"); }

  // What the manifest says is to be run.
  ExecutionRequest own_command(std::string_view action) const {
    ExecutionRequest request;
    request.line = resource_.text(action);
    request.overrides_locale = false;
    return request;
  }
  ExecutionRequest command_for(std::string_view action) {
    ExecutionRequest request = own_command(action);
    if (request.line.empty()) request.words = words_for(action);
    return request;
  }
  void run(std::string_view action, const ExecutionRequest& request) {
    try {
      execute(request);
    } catch (const Failure& failure) {
      throw Failure(
          fmt::format("Could not {} {}: {}", action, resource_.reference(), failure.message()));
    }
  }

  Resource& resource_;
};

// Runs a program for what it answers; its failure is an answer, too.
ExecutionResult ask(std::vector<std::string> words) {
  ExecutionRequest request;
  request.words = std::move(words);
  return run_command(request);
}

std::string without_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// Is the service started in at least four run levels?
bool has_start_links(const std::string& service) {
  const std::string pattern =
      fmt::format("/etc/rc*.d/S??{}", service.substr(0, service.find(".service")));
  glob_t found{};
  const size_t count = glob(pattern.c_str(), 0, nullptr, &found) == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return count >= 4;
}

// What invoke-rc.d says of a service that has a script only.
std::string debian_enabled(const std::string& service) {
  const std::optional<int> status =
      ask({"/usr/sbin/invoke-rc.d", "--quiet", "--query", service, "start"}).status;
  if (status == 104 || status == 106) return "true";
  if (status == 101 || status == 105) return has_start_links(service) ? "true" : "false";
  return "false";
}

class SystemdProvider final : public ServiceProvider {
 public:
  using ServiceProvider::ServiceProvider;

  void start() override {
    explain("start", [&] {
      reload_if_needed();
      if (resource_.text("start").empty()) change("unmask");
      ServiceProvider::start();
    });
  }
  void stop() override {
    explain("stop", [&] { ServiceProvider::stop(); });
  }
  void restart() override {
    explain("restart", [&] {
      reload_if_needed();
      ServiceProvider::restart();
    });
  }
  void enable() override {
    change("unmask");
    change("enable");
  }
  void disable() override { change("disable"); }
  void mask() override {
    if (ask({program(), "cat", "--", resource_.name()}).is_success()) disable();
    change("mask");
  }
  std::string enabled() override {
    const ExecutionResult& state = enablement();
    const std::string output = without_end(state.output);
    if (resource_.value("enable").is_symbol("mask") && output == "masked") return "mask";
    if (output == "indirect") return "false";
    if (state.is_success()) return "true";
    const bool is_debian = resource_.context().host.fact("os.family") == "Debian";
    return output.empty() && is_debian ? debian_enabled(resource_.name()) : "false";
  }
  bool has_fixed_enablement() override {
    const std::string output = without_end(enablement().output);
    if (output == "static" && !resource_.value("enable").is_symbol("mask")) {
      resource_.debug(
          fmt::format("Unable to enable or disable static service {}", resource_.name()));
      return true;
    }
    if (output == "indirect") {
      resource_.debug(fmt::format(
          "Service {} is in 'indirect' state and cannot be enabled/disabled", resource_.name()));
      return true;
    }
    return false;
  }

 protected:
  std::vector<std::string> words_for(std::string_view action) override {
    const std::string verb = action == "status" ? "is-active" : std::string(action);
    return {program(), verb, "--", resource_.name()};
  }

 private:
  static std::string program() { return find_executable("systemctl"); }

  const ExecutionResult& enablement() {
    if (!enablement_) enablement_ = ask({program(), "is-enabled", "--", resource_.name()});
    return *enablement_;
  }

  void change(const std::string& action) {
    enablement_.reset();
    ExecutionRequest request;
    request.words = {program(), action, "--", resource_.name()};
    if (!run_command(request).is_success()) {
      throw Failure(fmt::format("Could not {} {}: ", action, resource_.name()));
    }
  }

  void reload_if_needed() {
    const ExecutionResult answer =
        ask({program(), "show", "--property=NeedDaemonReload", "--", resource_.name()});
    if (without_end(answer.output).ends_with("=yes")) ask({program(), "daemon-reload"});
  }

  // A failure shows what the service has logged.
  template <typename Action>
  void explain(std::string_view action, Action run_action) {
    try {
      run_action();
    } catch (const Failure&) {
      const std::string& name = resource_.name();
      const std::string journal = find_executable("journalctl");
      const ExecutionResult log =
          journal.empty()
              ? ExecutionResult()
              : ask({journal, "-n", "50", "--since", "5 minutes ago", "-u", name, "--no-pager"});
      throw Failure(fmt::format("Systemd {} for {} failed!\njournalctl log for {}:\n{}", action,
                                name, name, log.output));
    }
  }

  std::optional<ExecutionResult> enablement_;
};

class DebianProvider final : public ServiceProvider {
 public:
  using ServiceProvider::ServiceProvider;

  void enable() override {
    execute({program("update-rc.d"), "-f", resource_.name(), "remove"});
    execute({program("update-rc.d"), resource_.name(), "defaults"});
  }
  void disable() override { execute({program("update-rc.d"), resource_.name(), "disable"}); }
  std::string enabled() override { return debian_enabled(resource_.name()); }

 protected:
  std::vector<std::string> words_for(std::string_view action) override {
    if (action == "status") return {program("service"), resource_.name(), "status"};
    return {script(), std::string(action)};
  }
  // Scripts are not trusted to know how to restart unless the manifest says so.
  std::vector<std::string> restart_command() override {
    if (!resource_.value("hasrestart").is_symbol("true")) return {};
    return {script(), "restart"};
  }

 private:
  static std::string program(std::string_view name) { return find_executable(name); }

  std::string script() const {
    const std::string& name = resource_.name();
    std::vector<std::string> directories = resource_.texts("path");
    if (directories.empty()) directories = {"/etc/init.d"};
    for (const std::string& directory : directories) {
      for (const std::string& path : {directory + "/" + name, directory + "/" + name + ".sh"}) {
        if (bunraku::exists(path)) return path;
      }
    }
    throw Failure(fmt::format("Could not find init script for '{}'", name));
  }
};

bool is_started_by_systemd() {
  try {
    return read_file("/proc/1/comm").find("systemd") != std::string::npos;
  } catch (const FileError&) {
    return false;
  }
}

bool is_one_of(const std::string& value, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, value) != values.end();
}

class SystemdKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "systemd"; }
  std::string_view features() const override { return "enableable maskable refreshable"; }
  bool is_suitable(const Host&) const override {
    return is_started_by_systemd() && !find_executable("systemctl").empty();
  }
  bool is_default(const Host& host) const override {
    const std::string family = host.fact("os.family");
    const std::string name = host.fact("os.name");
    const std::string major = host.fact("os.release.major");
    if (name == "Debian") return !is_one_of(major, {"5", "6", "7"});
    if (name == "Ubuntu") return !is_one_of(major, {"10.04", "12.04", "14.04", "14.10"});
    if (family == "RedHat") return !is_one_of(major, {"4", "5", "6", "2017", "2018"});
    return is_one_of(family, {"Archlinux", "Suse", "Coreos", "Gentoo", "Debian"});
  }
  int specificity(const Host& host) const override { return is_default(host) ? 103 : 3; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<SystemdProvider>(resource);
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override;
};

// The units that systemctl knows: name, state.
std::vector<Instance> SystemdKind::instances(Context&) const {
  std::vector<Instance> instances;
  const ExecutionResult listed = ask({find_executable("systemctl"), "list-unit-files", "--type",
                                      "service", "--full", "--all", "--no-pager"});
  const std::string& text = listed.output;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t space = line.find(' ');
    const size_t state = line.find_first_not_of(' ', space);
    if (space == 0 || state == std::string::npos) continue;
    const std::string word = line.substr(state, line.find(' ', state) - state);
    if (is_one_of(word, {"disabled", "enabled", "masked", "indirect", "bad", "static"})) {
      instances.push_back({line.substr(0, space), {}});
    }
  }
  return instances;
}

class DebianKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "debian"; }
  std::string_view features() const override { return "enableable refreshable"; }
  bool is_suitable(const Host&) const override {
    return !is_started_by_systemd() && !find_executable("update-rc.d").empty() &&
           !find_executable("invoke-rc.d").empty() && !find_executable("service").empty();
  }
  bool is_default(const Host& host) const override {
    const std::string name = host.fact("os.name");
    return name == "Devuan" ||
           (name == "Debian" && is_one_of(host.fact("os.release.major"), {"5", "6", "7"}));
  }
  int specificity(const Host& host) const override { return is_default(host) ? 105 : 5; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<DebianProvider>(resource);
  }
};

class Service final : public ResourceType {
 public:
  Service() {
    add_provider(std::make_unique<SystemdKind>());
    add_provider(std::make_unique<DebianKind>());
  }
  std::string_view name() const override { return "service"; }
  std::span<const AttributeInfo> attributes() const override { return kAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name != "path") return ResourceType::munge(resource, attribute, value);
    Datum::List parts;
    for (const Datum& item : value.is_array() ? value.items() : Datum::List{value}) {
      std::string_view rest = item.text();
      while (!rest.empty()) {
        const size_t colon = std::min(rest.find(':'), rest.size());
        parts.push_back(Datum::string(rest.substr(0, colon)));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
      }
    }
    return Datum::array(std::move(parts));
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (resource.provider() == nullptr) return Datum::symbol("absent");
    return resource.provider()->get(property.name());
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "enable" && property.has_value() && resource.provider() != nullptr &&
        resource.provider_as<ServiceProvider>().has_fixed_enablement()) {
      return true;
    }
    return ResourceType::is_in_sync(resource, property, current);
  }

  void sync(Resource& resource, Attribute& property) const override {
    ServiceProvider& provider = resource.provider_as<ServiceProvider>();
    const Datum& wanted = property.values.front();
    if (property.name() == "enable") {
      set_word(resource, property, [&] {
        if (wanted.is_symbol("true")) return provider.enable();
        if (wanted.is_symbol("mask")) return provider.mask();
        provider.disable();
      });
      return;
    }
    set_word(resource, property,
             [&] { wanted.is_symbol("running") ? provider.start() : provider.stop(); });
    // Whether it is enabled is brought in sync at the same time.
    Attribute* enable = resource.find("enable");
    if (enable != nullptr && enable->has_value() &&
        !is_in_sync(resource, *enable, provider.get("enable"))) {
      sync(resource, *enable);
    }
  }

  std::string event_name(const Resource&, const Attribute& property) const override {
    if (!property.has_value()) return fmt::format("{}_changed", property.name());
    const Datum& wanted = property.values.front();
    if (property.name() == "ensure") {
      return wanted.is_symbol("running") ? "service_started" : "service_stopped";
    }
    if (property.name() == "enable") {
      return wanted.is_symbol("true") ? "service_enabled" : "service_disabled";
    }
    return fmt::format("{}_changed", property.name());
  }

  bool invalidates_refreshes(const Resource&, const Attribute& property) const override {
    return property.name() == "ensure" && property.has_value() &&
           property.values.front().is_symbol("running");
  }

  std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                          const Datum& desired) const override {
    return fmt::format("{} changed {} to {}", property.name(),
                       current_text(resource, property, current),
                       desired_text(resource, property, desired));
  }

  bool can_refresh() const override { return true; }
  void refresh(Resource& resource) const override {
    if (resource.provider() == nullptr) return;
    ServiceProvider& provider = resource.provider_as<ServiceProvider>();
    if (provider.is_running()) {
      provider.restart();
    } else {
      resource.debug("Skipping restart; service is not running");
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_service_type() {
  return std::make_unique<Service>();
}

}  // namespace bunraku::apply

// Providers of services that are scripts or processes: debian, redhat, openrc, init, base.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "apply/providers/service/service_provider.h"
#include "base/regex/regex.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

// Scripts in /etc/init.d that are not services, or whose status cannot be queried safely.
constexpr std::string_view kExcluded[] = {"functions.sh",
                                          "reboot.sh",
                                          "shutdown.sh",
                                          "functions",
                                          "halt",
                                          "killall",
                                          "single",
                                          "linuxconf",
                                          "reboot",
                                          "boot",
                                          "wait-for-state",
                                          "portmap-wait",
                                          "rcS",
                                          "module-init-tools",
                                          "plymouth-ready",
                                          "idmapd-mounting",
                                          "startpar-bridge",
                                          "cryptdisks-udev",
                                          "statd-mounting",
                                          "gssd-mounting"};

std::vector<Instance> init_scripts() {
  constexpr std::string_view kDirectory = "/etc/init.d";
  constexpr std::string_view kUpstartJob = "/lib/init/upstart-job";
  std::vector<Instance> instances;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kDirectory, error)) {
    const std::string name = entry.path().filename();
    const bool is_script = !name.starts_with('.') && entry.is_regular_file(error) &&
                           access(entry.path().c_str(), X_OK) == 0 &&
                           std::filesystem::read_symlink(entry.path(), error) != kUpstartJob;
    if (is_script && std::ranges::find(kExcluded, name) == std::end(kExcluded)) {
      instances.push_back({name, {}});
    }
  }
  return instances;
}

std::vector<Instance> openrc_services() {
  std::vector<Instance> instances;
  const ExecutionResult listed = ask({"/sbin/rc-service", "--list"});
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.empty()) instances.push_back({std::string(line), {}});
  }
  return instances;
}

std::vector<Instance> no_services() {
  return {};
}

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
    return {init_script(resource_), std::string(action)};
  }
  // The script's own restart is used only if the manifest declares that it has one.
  std::vector<std::string> restart_command() override {
    if (!resource_.value("hasrestart").is_symbol("true")) return {};
    return {init_script(resource_), "restart"};
  }

 private:
  static std::string program(std::string_view name) { return find_executable(name); }
};

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
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override { return init_scripts(); }
};

// Scripts on Red Hat systems, by service and chkconfig.
class RedHatProvider final : public ServiceProvider {
 public:
  using ServiceProvider::ServiceProvider;

  void enable() override {
    change("enable", {"--add", resource_.name()});
    change("enable", {resource_.name(), "on"});
  }
  void disable() override { change("disable", {"--level", "0123456", resource_.name(), "off"}); }
  std::string enabled() override {
    const ExecutionResult result = ask({"/sbin/chkconfig", resource_.name()});
    if (!result.is_success()) return "false";
    if (resource_.context().host.fact("os.family") != "Suse") return "true";
    const std::string output = without_end(result.output);
    return output.ends_with(" on") || output.ends_with(" B") ? "true" : "false";
  }

 protected:
  std::vector<std::string> words_for(std::string_view action) override {
    return {"/sbin/service", resource_.name(), std::string(action)};
  }
  std::vector<std::string> restart_command() override {
    if (!resource_.value("hasrestart").is_symbol("true")) return {};
    return words_for("restart");
  }

 private:
  void change(std::string_view what, std::vector<std::string> words) {
    words.insert(words.begin(), "/sbin/chkconfig");
    try {
      execute(std::move(words));
    } catch (const Failure& failure) {
      throw Failure(fmt::format("Could not {} {}: {}", what, resource_.name(), failure.message()));
    }
  }
};

class OpenrcProvider final : public ServiceProvider {
 public:
  using ServiceProvider::ServiceProvider;

  void enable() override { execute({"/sbin/rc-update", "-C", "add", resource_.name()}); }
  void disable() override { execute({"/sbin/rc-update", "-C", "del", resource_.name()}); }
  // The output lists services below the run levels that start them.
  std::string enabled() override {
    const std::string output = execute({"/bin/rc-status", "-C", "-a"});
    bool is_run_level = false;
    std::string_view rest = output;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.starts_with("Runlevel: ")) {
        is_run_level = true;
      } else if (!line.starts_with(' ') && !line.starts_with('\t')) {
        is_run_level = is_run_level && line.empty();
      } else {
        const size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos) continue;
        const std::string_view word = line.substr(begin, line.find(' ', begin) - begin);
        if (word == resource_.name()) return is_run_level ? "true" : "false";
      }
    }
    return "false";
  }

 protected:
  std::vector<std::string> words_for(std::string_view action) override {
    return {"/sbin/rc-service", resource_.name(), std::string(action)};
  }
  std::vector<std::string> restart_command() override {
    if (!resource_.value("hasrestart").is_symbol("true")) return {};
    return words_for("restart");
  }
};

// A service that is found in the list of processes, when nothing else is known of it.
class BaseProvider : public ServiceProvider {
 public:
  using ServiceProvider::ServiceProvider;

  bool is_running() override {
    if (!resource_.text("status").empty() || has_status_command()) {
      return ServiceProvider::is_running();
    }
    return !process_id().empty();
  }
  void stop() override {
    if (!resource_.text("stop").empty() || has_stop_command()) return ServiceProvider::stop();
    const std::string id = process_id();
    if (id.empty()) {
      resource_.context().log.log(
          LogLevel::kInfo, fmt::format("{} is not running", resource_.name()),
          fmt::format("{}(provider={})", resource_.reference(), resource_.provider_kind()->name()));
      return;
    }
    try {
      execute({find_executable("kill"), id});
    } catch (const Failure&) {
      throw Failure(fmt::format("Could not kill {}, PID {}: ", resource_.name(), id));
    }
  }

 protected:
  virtual bool has_status_command() const { return false; }
  virtual bool has_stop_command() const { return false; }
  std::vector<std::string> words_for(std::string_view) override {
    const std::string binary = resource_.text("binary");
    if (binary.empty()) throw Failure("Services must specify a start command or a binary");
    return {binary};
  }
  std::vector<std::string> restart_command() override { return {}; }

 private:
  std::string process_id() const {
    const std::string pattern = resource_.text("pattern");
    const Regex* form = nullptr;
    try {
      form = Regex::compile(pattern);
    } catch (const RegexError& error) {
      throw Failure(error.what());
    }
    ExecutionRequest request;
    request.line = "ps -ef";
    const std::string table = replace_invalid_utf8(execute(request));
    std::string_view rest = table;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (!form->matches(line)) continue;
      const size_t user = line.find_first_not_of(' ');
      const size_t id = line.find_first_not_of(' ', line.find(' ', user));
      if (id == std::string_view::npos) continue;
      return std::string(line.substr(id, line.find(' ', id) - id));
    }
    return {};
  }
};

// Scripts in /etc/init.d and similar directories.
class InitProvider final : public BaseProvider {
 public:
  using BaseProvider::BaseProvider;

 protected:
  bool has_status_command() const override {
    return resource_.value("hasstatus").is_symbol("true");
  }
  bool has_stop_command() const override { return true; }
  std::vector<std::string> words_for(std::string_view action) override {
    return {init_script(resource_), std::string(action)};
  }
  std::vector<std::string> restart_command() override {
    if (!resource_.value("hasrestart").is_symbol("true")) return {};
    return words_for("restart");
  }
};

// A provider kind that requires programs, and is the default on some systems.
template <typename ProviderType>
class ScriptKind final : public ProviderKind {
 public:
  struct Traits {
    std::string_view name;
    std::string_view features;
    int ancestors;
    bool (*is_suitable)(const Host&);
    bool (*is_default)(const Host&);
    std::vector<Instance> (*instances)();
  };
  explicit ScriptKind(const Traits& traits) : traits_(traits) {}
  std::string_view name() const override { return traits_.name; }
  std::string_view features() const override { return traits_.features; }
  bool is_suitable(const Host& host) const override { return traits_.is_suitable(host); }
  bool is_default(const Host& host) const override { return traits_.is_default(host); }
  int specificity(const Host& host) const override {
    return traits_.ancestors + (is_default(host) ? 100 : 0);
  }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<ProviderType>(resource);
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override { return traits_.instances(); }

 private:
  Traits traits_;
};

bool can_run(const char* path) {
  return access(path, X_OK) == 0;
}

bool is_never(const Host&) {
  return false;
}

}  // namespace

std::unique_ptr<ProviderKind> make_debian_kind() {
  return std::make_unique<DebianKind>();
}

std::unique_ptr<ProviderKind> make_redhat_kind() {
  return std::make_unique<ScriptKind<RedHatProvider>>(ScriptKind<RedHatProvider>::Traits{
      "redhat", "enableable refreshable", 5,
      [](const Host&) { return can_run("/sbin/chkconfig") && can_run("/sbin/service"); },
      [](const Host& host) { return host.fact("os.family") == "RedHat"; }, init_scripts});
}

std::unique_ptr<ProviderKind> make_openrc_kind() {
  return std::make_unique<ScriptKind<OpenrcProvider>>(ScriptKind<OpenrcProvider>::Traits{
      "openrc", "enableable refreshable", 4,
      [](const Host&) {
        return can_run("/bin/rc-status") && can_run("/sbin/rc-service") &&
               can_run("/sbin/rc-update");
      },
      [](const Host& host) { return is_one_of(host.fact("os.name"), {"Gentoo", "Funtoo"}); },
      openrc_services});
}

std::unique_ptr<ProviderKind> make_init_kind() {
  return std::make_unique<ScriptKind<InitProvider>>(ScriptKind<InitProvider>::Traits{
      "init", "refreshable", 4,
      [](const Host& host) {
        return !is_one_of(host.fact("os.name"), {"Debian", "Ubuntu"}) &&
               host.fact("os.family") != "RedHat";
      },
      is_never, init_scripts});
}

std::unique_ptr<ProviderKind> make_base_kind() {
  return std::make_unique<ScriptKind<BaseProvider>>(ScriptKind<BaseProvider>::Traits{
      "base", "refreshable", 3, [](const Host&) { return !find_executable("kill").empty(); },
      is_never, no_services});
}

}  // namespace bunraku::apply

// The provider systemd.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apply/providers/service/service_provider.h"

namespace bunraku::apply {
namespace {

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
  // Static and indirect units can be neither enabled nor disabled.
  std::optional<bool> own_enablement_check(const Datum&) override {
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
    return std::nullopt;
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

  // Runs the action. A failure includes the service's log.
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

// The services in systemctl's list: name, state.
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

}  // namespace

std::unique_ptr<ProviderKind> make_systemd_kind() {
  return std::make_unique<SystemdKind>();
}

}  // namespace bunraku::apply

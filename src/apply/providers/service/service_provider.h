// The common part of all service providers.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/execution.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {

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
  virtual void enable() {}
  virtual void disable() {}
  virtual void mask() {}
  // "true", "false" or "mask"
  virtual std::string enabled() { return "false"; }
  // Returns whether `enable` is as desired; no value where the words are compared.
  virtual std::optional<bool> own_enablement_check(const Datum& /*current*/) { return {}; }

  virtual bool is_running() { return run_command(command_for("status")).is_success(); }

  Datum get(std::string_view property) override {
    if (property == "ensure") return Datum::symbol(is_running() ? "running" : "stopped");
    if (property == "enable") return Datum::symbol(enabled());
    return Provider::get(property);
  }

 protected:
  virtual std::vector<std::string> words_for(std::string_view action) = 0;
  virtual std::vector<std::string> restart_command() { return words_for("restart"); }

  // The command that the manifest sets for the action.
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

// Runs a program for its output; a failure is a valid result, too.
ExecutionResult ask(std::vector<std::string> words);
std::string without_end(std::string text);
bool is_one_of(const std::string& value, std::initializer_list<std::string_view> values);
// Returns whether systemd is the first process of this host.
bool is_started_by_systemd();
// Returns "true" or "false": whether a script's service is started at boot, according to
// invoke-rc.d.
std::string debian_enabled(const std::string& service);
// The path of the service's script in the directories of `path` or in /etc/init.d. Throws Failure.
std::string init_script(const Resource& resource);

std::unique_ptr<ProviderKind> make_systemd_kind();
std::unique_ptr<ProviderKind> make_debian_kind();
std::unique_ptr<ProviderKind> make_redhat_kind();
std::unique_ptr<ProviderKind> make_openrc_kind();
std::unique_ptr<ProviderKind> make_init_kind();
std::unique_ptr<ProviderKind> make_base_kind();

}  // namespace bunraku::apply

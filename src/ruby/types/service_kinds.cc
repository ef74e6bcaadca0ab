#include "ruby/types/service_kinds.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "apply/providers/service/service_provider.h"
#include "ruby/types/native_kind.h"

namespace bunraku::ruby_types {

using apply::Datum;
using apply::Resource;

namespace {

// Forwards each operation to the provider of the resource's object in the process.
class RubyServiceProvider final : public apply::ServiceProvider {
 public:
  RubyServiceProvider(Resource& resource, std::string_view kind, TypeWorker& worker)
      : ServiceProvider(resource), object_(resource, kind, worker) {}

  void start() override { object_.call("start"); }
  void stop() override { object_.call("stop"); }
  void restart() override { object_.call("restart"); }
  void enable() override { object_.call("enable"); }
  void disable() override { object_.call("disable"); }
  void mask() override { object_.call("mask"); }
  std::string enabled() override { return get("enable").to_text(); }
  bool is_running() override { return get("ensure").is_symbol("running"); }
  std::optional<bool> own_enablement_check(const Datum& current) override {
    const Datum answer = object_.ask("service_enabled_insync", {current});
    return answer.is_null() ? std::nullopt : std::optional(answer.is_true());
  }

  Datum get(std::string_view property) override {
    if (property == "ensure") return object_.call("status");
    if (property == "enable") return object_.call("enabled?");
    return object_.call(property);
  }
  void set(std::string_view property, const Datum& value) override {
    if (property != "enable") {
      object_.ask("native_set", {Datum::string(property), value});
      return;
    }
    object_.call(value.is_symbol("manual") ? "manual_start" : "delayed_start");
  }
  void flush() override { object_.ask("native_flush"); }

  int64_t number() { return object_.number(); }

 protected:
  std::vector<std::string> words_for(std::string_view) override { return {}; }

 private:
  ResourceObject object_;
};

class RubyServiceKind final : public RubyKindOf<RubyServiceProvider> {
 public:
  using RubyKindOf::RubyKindOf;

  std::vector<apply::Instance> instances(apply::Context&) const override {
    std::vector<apply::Instance> all;
    const Datum answer = worker().call("service_instances", {Datum::string(name())});
    for (const Datum& one : answer.items()) {
      all.push_back({one.to_text(), {}, std::string(name()), false});
    }
    return all;
  }
};

}  // namespace

Datum run_service_action(const apply::ResourceType& type, apply::Catalog& catalog,
                         std::string_view action, std::string title, const Datum& attributes) {
  apply::ResourceData data;
  data.title = std::move(title);
  for (const auto& [name, value] : attributes.entries()) {
    data.attributes.emplace_back(name.to_text(), value);
  }
  const Resource resource(type, std::move(data), catalog);
  if (resource.provider() == nullptr) {
    throw apply::Failure(fmt::format("{} has no provider", resource.reference()));
  }
  auto& provider = resource.provider_as<apply::ServiceProvider>();
  if (action == "status") return provider.get("ensure");
  if (action == "enabled?") return provider.get("enable");
  if (action == "start") provider.start();
  if (action == "stop") provider.stop();
  if (action == "restart") provider.restart();
  if (action == "enable") provider.enable();
  if (action == "disable") provider.disable();
  return {};
}

std::vector<std::unique_ptr<apply::ProviderKind>> service_kinds(TypeWorker& worker) {
  return kinds_of<RubyServiceKind>("service", worker);
}

}  // namespace bunraku::ruby_types

// service: system services.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/foreign_providers.h"
#include "apply/providers/registry.h"
#include "apply/providers/service/service_provider.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kServiceAttributes[] = {
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

class Service final : public ResourceType {
 public:
  explicit Service(std::vector<std::unique_ptr<ProviderKind>> more) {
    for (auto make : {make_systemd_kind, make_debian_kind, make_redhat_kind, make_openrc_kind,
                      make_init_kind, make_base_kind}) {
      add_provider(make());
    }
    add_missing_providers(std::move(more));
    add_missing_providers(foreign_providers("service"));
  }
  std::string_view name() const override { return "service"; }
  std::span<const AttributeInfo> attributes() const override { return kServiceAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name != "path") return ResourceType::munge(resource, attribute, value);
    Datum::List parts;
    for (const Datum& item : value.is_array() ? value.items() : Datum::List{value}) {
      if (!item.is_string()) {
        throw munging_failure(
            attribute, value,
            fmt::format("undefined method `split' for {}:{}", item.inspected(), class_of(item)));
      }
      std::string_view rest = item.text();
      while (!rest.empty()) {
        const size_t colon = std::min(rest.find(':'), rest.size());
        parts.push_back(Datum::string(rest.substr(0, colon)));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
      }
    }
    return Datum::array(std::move(parts));
  }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name != "pattern") return ResourceType::default_of(resource, attribute);
    const std::string binary = resource.text("binary");
    return Datum::string(binary.empty() ? resource.name() : binary);
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (resource.provider() == nullptr) return Datum::symbol("absent");
    return resource.provider()->get(property.name());
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "enable" && property.has_value() && resource.provider() != nullptr) {
      if (auto result = resource.provider_as<ServiceProvider>().own_enablement_check(current)) {
        return *result;
      }
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
        if (wanted.is_symbol("false")) return provider.disable();
        provider.set("enable", wanted);
      });
      return;
    }
    if (property.name() != "ensure") return provider.set(property.name(), wanted);
    set_word(resource, property,
             [&] { wanted.is_symbol("running") ? provider.start() : provider.stop(); });
    // `enable` is synchronized at the same time.
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

std::unique_ptr<ResourceType> make_service_type(std::vector<std::unique_ptr<ProviderKind>> more) {
  return std::make_unique<Service>(std::move(more));
}

}  // namespace bunraku::apply

// package: software packages.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apply/providers/foreign_providers.h"
#include "apply/providers/package/package_provider.h"
#include "apply/providers/registry.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kPackageAttributes[] = {
    {.name = "ensure",
     .kind = AttributeKind::kProperty,
     .values = "present absent purged disabled installed=present latest",
     .patterns = "/./",
     .default_value = "present",
     .value_features = "purged=purgeable disabled=disableable latest=upgradeable"},
    {.name = "package_settings", .kind = AttributeKind::kProperty, .feature = "package_settings"},
    {.name = "flavor", .kind = AttributeKind::kProperty, .feature = "supports_flavors"},
    {.name = "mark",
     .kind = AttributeKind::kProperty,
     .values = "hold none",
     .feature = "holdable"},
    {.name = "name", .is_namevar = true},
    {.name = "provider", .is_namevar = true},
    {.name = "command", .is_namevar = true, .default_value = "default", .feature = "targetable"},
    {.name = "source"},
    {.name = "instance"},
    {.name = "status"},
    {.name = "adminfile"},
    {.name = "responsefile"},
    {.name = "configfiles", .values = "keep replace", .default_value = "keep"},
    {.name = "category"},
    {.name = "platform"},
    {.name = "root"},
    {.name = "vendor"},
    {.name = "description"},
    {.name = "allowcdrom", .values = "true false"},
    {.name = "enable_only", .is_boolean = true, .default_value = "false"},
    {.name = "install_only",
     .is_boolean = true,
     .default_value = "false",
     .feature = "install_only"},
    {.name = "install_options", .feature = "install_options"},
    {.name = "uninstall_options", .feature = "uninstall_options"},
    {.name = "allow_virtual", .is_boolean = true, .feature = "virtual_packages"},
    {.name = "reinstall_on_refresh", .values = "true false", .default_value = "false"},
};

class Package final : public ResourceType {
 public:
  explicit Package(std::vector<std::unique_ptr<ProviderKind>> more) {
    for (auto make : {make_apt_kind, make_dpkg_kind, make_dnf_kind, make_yum_kind, make_zypper_kind,
                      make_rpm_kind, make_dnf_module_kind, make_gem_kind, make_puppet_gem_kind,
                      make_puppetserver_gem_kind, make_pip_kind, make_pip3_kind}) {
      add_provider(make());
    }
    add_missing_providers(std::move(more));
    add_missing_providers(foreign_providers("package"));
  }
  std::string_view name() const override { return "package"; }
  std::span<const AttributeInfo> attributes() const override { return kPackageAttributes; }
  // A refresh is reported but does nothing. Only Portage, which is not native, reinstalls the
  // package.
  bool can_refresh() const override { return true; }
  void refresh(Resource&) const override {}

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    if (attribute.name == "install_options" || attribute.name == "uninstall_options") return value;
    if (attribute.name == "name" && !value.is_string()) {
      throw Failure(fmt::format("Name must be a String not {}", class_of(value)));
    }
    refuse_variant_of_disabled(resource, attribute, value);
    const Datum munged = ResourceType::munge(resource, attribute, value);
    if (attribute.name != "ensure" || munged.is_symbol() || resource.provider_kind() == nullptr) {
      return munged;
    }
    if (!resource.has_feature("versionable")) {
      throw Failure(
          fmt::format("Provider {} must have features 'versionable' to set 'ensure' to "
                      "'{}'",
                      resource.provider_kind()->name(), text));
    }
    return munged;
  }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name != "allow_virtual") return std::nullopt;
    // Providers for Debian use names literally.
    const std::string_view kind =
        resource.provider_kind() == nullptr ? "" : resource.provider_kind()->name();
    return Datum::boolean(kind != "apt" && kind != "dpkg");
  }

  void validate(Resource& resource) const override {
    const Datum& ensure = resource.value("ensure");
    if (resource.find("mark") != nullptr &&
        (ensure.is_symbol(kAbsent) || ensure.is_symbol(kPurged))) {
      throw Failure(
          "You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", "
          "\"purged\"]");
    }
  }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    std::vector<AutomaticRelation> relations;
    for (const std::string_view attribute : {"responsefile", "adminfile", "source"}) {
      const std::string path = resource.text(attribute);
      if (path.starts_with('/')) relations.push_back({RelationKind::kRequire, "file", path});
    }
    return relations;
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (resource.provider() == nullptr) return Datum::symbol(kAbsent);
    return resource.provider_as<PackageProvider>().get(property.name());
  }

  bool is_present(const Resource& resource, const CurrentValues& current) const override {
    const Datum* ensure = find_value(current, "ensure");
    return ResourceType::is_present(resource, current) &&
           (ensure == nullptr || !ensure->is_symbol(kPurged));
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "mark") {
      return property.values.empty() ||
             property.values.front().is_symbol("hold") == current.is_symbol("hold");
    }
    if (property.name() != "ensure" || property.values.empty()) {
      return ResourceType::is_in_sync(resource, property, current);
    }
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol(kPresent)) return is_installed(current);
    if (wanted.is_symbol(kAbsent)) return is_missing(current);
    if (wanted.is_symbol(kLatest)) {
      if (!is_installed(current)) return false;
      const std::string& latest = latest_version(resource);
      return has_version(current, latest) || current.is_symbol(kPresent);
    }
    return current == wanted || has_version(current, wanted.to_text()) ||
           resource.provider_as<PackageProvider>().is_version(current, wanted.to_text());
  }

  void sync(Resource& resource, Attribute& property) const override {
    PackageProvider& provider = resource.provider_as<PackageProvider>();
    if (property.name() != "ensure") return sync_with_provider(resource, property);
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol(kPresent)) {
      set_word(resource, property, [&] { provider.install(); });
    } else if (wanted.is_symbol(kAbsent)) {
      set_word(resource, property, [&] { provider.uninstall(); });
    } else if (wanted.is_symbol(kPurged)) {
      set_word(resource, property, [&] { provider.purge(); });
    } else if (wanted.is_symbol(kDisabled)) {
      set_word(resource, property, [&] { provider.disable(); });
    } else {
      try {
        if (wanted.is_symbol(kLatest)) {
          provider.update();
        } else {
          provider.install();
        }
      } catch (const Failure& failure) {
        throw Failure(fmt::format("Could not update: {}", failure.message()));
      }
    }
  }

  std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                          const Datum& desired) const override {
    if (property.name() == "ensure") {
      if (desired.is_symbol(kPurged)) return "purged";
      if ((current.is_null() || is_missing(current)) && !is_missing(desired)) return "created";
    }
    return ResourceType::change_text(resource, property, current, desired);
  }

  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override {
    if (property.name() == "ensure" && desired.is_symbol(kLatest) &&
        resource.provider() != nullptr) {
      PackageProvider& provider = resource.provider_as<PackageProvider>();
      if (provider.knows_latest()) return Datum::string(provider.latest_version()).to_display();
    }
    return ResourceType::desired_text(resource, property, desired);
  }

  std::string event_name(const Resource& resource, const Attribute& property) const override {
    if (property.name() == "ensure" && property.has_value()) {
      const Datum& wanted = property.values.front();
      if (wanted.is_symbol(kPresent)) return "package_installed";
      if (wanted.is_symbol(kPurged)) return "package_purged";
    }
    return ResourceType::event_name(resource, property);
  }

 private:
  static bool is_missing(const Datum& ensure) {
    return ensure.is_symbol(kAbsent) || ensure.is_symbol(kPurged);
  }

  // `flavor` and `enable_only` exclude each other, and `ensure => disabled` excludes both.
  static void refuse_variant_of_disabled(Resource& resource, const AttributeInfo& attribute,
                                         const Datum& value) {
    const bool is_disabled = resource.value("ensure").is_symbol(kDisabled);
    if (attribute.name == "flavor" && is_disabled) {
      throw Failure("Cannot have both `ensure => disabled` and `flavor`");
    }
    // Its default is not checked.
    const auto is_it = [](const auto& given) { return given.first == "enable_only"; };
    if (attribute.name != "enable_only" || std::ranges::none_of(resource.given(), is_it)) return;
    if (value.to_text() == "true" && resource.find("flavor") != nullptr) {
      throw Failure("Cannot have both `enable_only => true` and `flavor`");
    }
    if (is_disabled) {
      throw Failure("Cannot have both `ensure => disabled` and `enable_only => true`");
    }
  }

  // Several versions of a package may be installed.
  static bool has_version(const Datum& current, const std::string& version) {
    const auto is_it = [&](const Datum& one) { return one.is_string() && one.text() == version; };
    return is_it(current) || std::ranges::any_of(current.items(), is_it);
  }
  static const std::string& latest_version(Resource& resource) {
    try {
      return resource.provider_as<PackageProvider>().latest_version();
    } catch (const Failure& failure) {
      throw Failure(fmt::format("Could not get latest version: {}", failure.message()));
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_package_type(std::vector<std::unique_ptr<ProviderKind>> more) {
  return std::make_unique<Package>(std::move(more));
}

}  // namespace bunraku::apply

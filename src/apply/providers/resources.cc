// resources: removes resources of a type that the host has and the catalog does not.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "base/text/number_text.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kResourcesAttributes[] = {
    {.name = "name", .is_namevar = true},
    {.name = "purge", .is_boolean = true, .default_value = "false"},
    {.name = "unless_system_user"},
    {.name = "unless_uid"},
};

constexpr std::string_view kSystemUsers[] = {"root", "nobody", "bin", "noaccess", "daemon", "sys"};
constexpr int64_t kLargestSystemUser = 499;

// The number below UID_MIN in /etc/login.defs.
int64_t largest_system_user() {
  std::ifstream file("/etc/login.defs");
  for (std::string word; file >> word;) {
    int64_t number = 0;
    if (word == "UID_MIN" && file >> number) return number - 1;
    std::string rest;
    std::getline(file, rest);
  }
  return kLargestSystemUser;
}

class Resources : public ResourceType {
 public:
  std::string_view name() const override { return "resources"; }
  std::span<const AttributeInfo> attributes() const override { return kResourcesAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name == "name") {
      if (resource.context().types.find(value.to_text()) == nullptr) {
        throw Failure(fmt::format("Could not find resource type '{}'", value.to_text()));
      }
      return value;
    }
    if (attribute.name == "unless_system_user") {
      const std::string text = value.to_text();
      if (const std::optional<int64_t> number = parse_integer(text)) return Datum::integer(*number);
      if (text == "true") return Datum::integer(largest_system_user());
      if (text == "false") return Datum::boolean(false);
      throw Failure(fmt::format("Invalid value {}", text));
    }
    if (attribute.name == "unless_uid") {
      Datum::List numbers;
      for (const Datum& item : value.is_array() ? value.items() : Datum::List{value}) {
        const std::optional<int64_t> number = parse_integer(item.to_text());
        if (!number) throw Failure(fmt::format("Invalid value {}.", item.to_text()));
        numbers.push_back(Datum::integer(*number));
      }
      return Datum::array(std::move(numbers));
    }
    const Datum munged = ResourceType::munge(resource, attribute, value);
    if (attribute.name == "purge" && munged.is_true()) check_purgeable(resource);
    return munged;
  }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "unless_system_user" && resource.name() == "user") {
      return Datum::string("true");
    }
    return std::nullopt;
  }

  std::vector<std::unique_ptr<Resource>> generate(Resource& resource) const override;

 private:
  static void check_purgeable(const Resource& resource) {
    const ResourceType& type = *resource.context().types.find(resource.name());
    if (type.find_attribute("ensure") == nullptr) {
      throw Failure("Purging is only supported on types that accept 'ensure'");
    }
    if (!type.can_list()) {
      throw Failure(
          fmt::format("Purging resources of type {} is not supported, since they cannot "
                      "be queried from the system",
                      resource.name()));
    }
  }
  static bool is_kept(const Resource& resource, const Instance& instance);
};

// Returns whether an account is a system user, which is never removed.
bool Resources::is_kept(const Resource& resource, const Instance& instance) {
  const Datum& limit = resource.value("unless_system_user");
  if (resource.name() != "user" || !limit.is_integer()) return false;
  if (std::ranges::find(kSystemUsers, instance.title) != std::end(kSystemUsers)) return true;
  for (const auto& [name, value] : instance.properties) {
    if (name != "uid" || !value.is_integer()) continue;
    const Datum::List& kept = resource.value("unless_uid").items();
    return value.integer_value() <= limit.integer_value() ||
           std::ranges::find(kept, value) != kept.end();
  }
  return false;
}

std::vector<std::unique_ptr<Resource>> Resources::generate(Resource& resource) const {
  if (!resource.is_true("purge")) return {};
  Context& context = resource.context();
  const ResourceType& type = *context.types.find(resource.name());
  std::vector<std::unique_ptr<Resource>> purged;
  for (const Instance& instance : type.instances(context)) {
    if (resource.catalog().find(type.name(), instance.title) != nullptr) continue;
    if (is_kept(resource, instance)) continue;
    ResourceData data;
    data.title = instance.title;
    data.attributes.emplace_back("ensure", Datum::string("absent"));
    if (!instance.provider.empty()) {
      data.attributes.emplace_back("provider", Datum::string(instance.provider));
    }
    for (const std::string_view name : {"noop", "schedule", "loglevel"}) {
      const Datum& value = resource.value(name);
      if (!value.is_null()) data.attributes.emplace_back(std::string(name), value);
    }
    // The file in which it was found, such as another user's crontab.
    for (const auto& [name, value] : instance.properties) {
      if (name == "target") data.attributes.emplace_back(name, value);
    }
    if (resource.name() == "user" && resource.value("unless_system_user").is_integer()) {
      data.attributes.emplace_back("audit", Datum::string("uid"));
    }
    purged.push_back(std::make_unique<Resource>(type, std::move(data), resource.catalog()));
  }
  return purged;
}

}  // namespace

std::unique_ptr<ResourceType> make_resources_type() {
  return std::make_unique<Resources>();
}

}  // namespace bunraku::apply

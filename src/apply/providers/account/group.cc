// group: groups of users, with the provider groupadd.
#include <fmt/format.h>
#include <grp.h>

#include "apply/providers/account/account_support.h"
#include "apply/providers/foreign_providers.h"
#include "apply/providers/registry.h"
#include "base/text/number_text.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kAttributes[] = {
    {.name = "ensure",
     .kind = AttributeKind::kProperty,
     .values = "present absent",
     .default_value = "present"},
    {.name = "gid", .kind = AttributeKind::kProperty},
    {.name = "members",
     .kind = AttributeKind::kProperty,
     .takes_all = true,
     .feature = "manages_members"},
    {.name = "attributes", .kind = AttributeKind::kProperty, .feature = "manages_aix_lam"},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "auth_membership", .is_boolean = true, .default_value = "false"},
    {.name = "allowdupe", .is_boolean = true, .default_value = "false"},
    {.name = "ia_load_module", .feature = "manages_aix_lam"},
    {.name = "attribute_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "system", .is_boolean = true, .default_value = "false"},
    {.name = "forcelocal",
     .is_boolean = true,
     .default_value = "false",
     .feature = "manages_local_users_and_groups"},
};

class GroupaddProvider final : public Provider {
 public:
  explicit GroupaddProvider(Resource& resource) : resource_(resource) {}

  bool exists() override { return entry() != nullptr; }

  Datum get(std::string_view property) override {
    const group* found = entry();
    if (found == nullptr || property != "gid") return Datum::symbol("absent");
    return Datum::integer(found->gr_gid);
  }

  void create() override {
    std::vector<std::string> words = {needed_program("groupadd")};
    if (const Datum& gid = resource_.value("gid"); !gid.is_null()) {
      words.insert(words.end(), {"-g", gid.to_text()});
    }
    if (resource_.is_true("allowdupe")) words.emplace_back("-o");
    if (resource_.is_true("system")) words.emplace_back("-r");
    words.push_back(resource_.name());
    change_account(std::move(words), fmt::format("Could not create group {}", resource_.name()));
  }

  void destroy() override {
    change_account({needed_program("groupdel"), resource_.name()},
                   fmt::format("Could not delete group {}", resource_.name()));
  }

  void set(std::string_view property, const Datum& value) override {
    if (property != "gid") return Provider::set(property, value);
    std::vector<std::string> words = {needed_program("groupmod"), "-g", value.to_text()};
    if (resource_.is_true("allowdupe")) words.emplace_back("-o");
    words.push_back(resource_.name());
    change_account(std::move(words),
                   fmt::format("Could not set gid on group[{}]", resource_.name()));
  }

 private:
  const group* entry() const { return getgrnam(resource_.name().c_str()); }

  Resource& resource_;
};

class GroupaddKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "groupadd"; }
  std::string_view features() const override { return "system_groups"; }
  bool is_suitable(const Host&) const override {
    return have_account_programs({"groupadd", "groupdel", "groupmod"});
  }
  int specificity(const Host&) const override { return 3; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<GroupaddProvider>(resource);
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    setgrent();
    while (const group* entry = getgrent()) {
      instances.push_back(
          {entry->gr_name,
           {{"ensure", Datum::symbol("present")}, {"gid", Datum::integer(entry->gr_gid)}}});
    }
    endgrent();
    return instances;
  }
};

class Group final : public ResourceType {
 public:
  Group() {
    add_provider(std::make_unique<GroupaddKind>());
    for (auto& kind : foreign_providers("group")) add_provider(std::move(kind));
  }
  std::string_view name() const override { return "group"; }
  std::span<const AttributeInfo> attributes() const override { return kAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name != "gid") return ResourceType::munge(resource, attribute, value);
    const Datum number = number_or_text(value);
    if (!number.is_integer()) throw Failure(fmt::format("Invalid GID {}", value.to_text()));
    return number;
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_group_type() {
  return std::make_unique<Group>();
}

}  // namespace bunraku::apply

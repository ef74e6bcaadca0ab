// group: groups of users, with the provider groupadd.
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <optional>

#include "apply/providers/account/account_support.h"
#include "apply/providers/account/local_accounts.h"
#include "apply/providers/foreign_providers.h"
#include "apply/providers/registry.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kGroupAttributes[] = {
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

// Returns whether groupmod itself can add members, as the reference assumes of Fedora since 40.
bool is_fedora_since_40() {
  static const bool is_it = [] {
    constexpr const char* kPath = "/etc/os-release";
    if (!exists(kPath)) return false;
    int64_t version = 0;
    bool is_fedora = false;
    for (const std::string& line : lines_of(read_file(kPath))) {
      is_fedora = is_fedora || line == "ID=fedora";
      constexpr std::string_view kVersion = "VERSION_ID=";
      if (line.starts_with(kVersion)) {
        version = parse_integer(line.substr(kVersion.size())).value_or(0);
      }
    }
    return is_fedora && version >= 40;
  }();
  return is_it;
}

std::vector<std::string> members_of(const Datum& value) {
  std::vector<std::string> members;
  for (const Datum& item : value.is_array() ? value.items() : Datum::List{value}) {
    std::string_view rest = item.is_string() ? std::string_view(item.text()) : "";
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      members.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return members;
}

class GroupaddProvider final : public Provider {
 public:
  explicit GroupaddProvider(Resource& resource) : resource_(resource) {}

  bool exists() override {
    return is_local() ? find_local_gid(resource_.name(), what()).has_value() : entry() != nullptr;
  }

  Datum get(std::string_view property) override {
    if (property == "gid" && is_local()) {
      const std::optional<std::string> gid = find_local_gid(resource_.name(), what());
      return gid ? Datum::string(*gid) : Datum::symbol("absent");
    }
    const group* found = entry();
    if (found == nullptr) return Datum::symbol("absent");
    if (property == "gid") return Datum::integer(found->gr_gid);
    if (property != "members") return Datum::symbol("absent");
    std::vector<std::string> members;
    for (char** member = found->gr_mem; *member != nullptr; ++member) members.emplace_back(*member);
    return Datum::strings(members);
  }

  void create() override {
    std::vector<std::string> words = {needed_program(is_local() ? "lgroupadd" : "groupadd")};
    if (const Datum& gid = resource_.value("gid"); !gid.is_null()) {
      words.insert(words.end(), {"-g", gid.to_text()});
    }
    add_duplicate_option(words);
    if (resource_.is_true("system")) words.emplace_back("-r");
    words.push_back(resource_.name());
    change_account(std::move(words), fmt::format("Could not create group {}", resource_.name()),
                   false, is_local());
    if (const Attribute* members = resource_.find("members")) {
      set("members", Datum::array(members->values));
    }
  }

  void destroy() override {
    change_account({needed_program(is_local() ? "lgroupdel" : "groupdel"), resource_.name()},
                   fmt::format("Could not delete group {}", resource_.name()), false, is_local());
  }

  void set(std::string_view property, const Datum& value) override {
    if (property != "gid" && property != "members") return Provider::set(property, value);
    const bool uses_libuser = has_libuser() && (is_local() || resource_.find("members") != nullptr);
    std::vector<std::string> words = {needed_program(uses_libuser ? "lgroupmod" : "groupmod")};
    if (property == "gid") {
      words.insert(words.end(), {"-g", value.to_text()});
      add_duplicate_option(words);
    } else {
      const std::vector<std::string> wanted = members_of(value);
      for (const std::string& member : wanted) {
        if (getpwnam(member.c_str()) != nullptr) continue;
        throw Failure(fmt::format("can't find user for {}", member));
      }
      if (resource_.is_true("auth_membership")) remove_members();
      words.insert(words.end(), {has_libuser() ? "-M" : "-aU", joined(wanted)});
    }
    words.push_back(resource_.name());
    change_account(std::move(words),
                   fmt::format("Could not set {} on group[{}]", property, resource_.name()), false,
                   uses_libuser);
  }

  // The members after a change.
  std::vector<std::string> wanted_members(const Datum& current, std::vector<std::string> wanted) {
    if (!resource_.is_true("auth_membership")) {
      for (std::string& member : members_of(current)) wanted.push_back(std::move(member));
    }
    return sorted_once(std::move(wanted));
  }

 private:
  const group* entry() const { return getgrnam(resource_.name().c_str()); }
  // Whether only the files of this host count.
  bool is_local() const { return resource_.is_true("forcelocal"); }
  std::string what() const { return fmt::format("group resource '{}'", resource_.name()); }

  // The option for `allowdupe`. Programs of libuser permit duplicates themselves.
  void add_duplicate_option(std::vector<std::string>& words) const {
    const Datum& gid = resource_.value("gid");
    if (is_local() && !resource_.is_true("allowdupe")) {
      if (gid.is_null() || !has_local_gid(gid.to_text(), what())) return;
      throw Failure(fmt::format("GID {} already exists, use allowdupe to force group creation",
                                gid.to_text()));
    }
    if (!is_local() && resource_.is_true("allowdupe")) words.emplace_back("-o");
  }

  void remove_members() {
    const std::vector<std::string> members = members_of(get("members"));
    if (members.empty()) return;
    if (has_libuser()) {
      execute({needed_program("lgroupmod"), "-m", joined(members), resource_.name()});
      return;
    }
    for (const std::string& member : members) {
      execute({needed_program("usermod"), "-rG", resource_.name(), member});
    }
  }

  Resource& resource_;
};

class GroupaddKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "groupadd"; }
  std::string_view features() const override {
    if (has_libuser()) return "manages_local_users_and_groups manages_members system_groups";
    return is_fedora_since_40() ? "manages_members system_groups" : "system_groups";
  }
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
    add_missing_providers(foreign_providers("group"));
  }
  std::string_view name() const override { return "group"; }
  std::span<const AttributeInfo> attributes() const override { return kGroupAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name != "gid") return ResourceType::munge(resource, attribute, value);
    const Datum number = number_or_text(value);
    if (!number.is_integer()) throw Failure(fmt::format("Invalid GID {}", value.to_text()));
    return number;
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() != "members" || !property.has_value()) {
      return ResourceType::is_in_sync(resource, property, current);
    }
    return sorted_once(members_of(current)) == wanted_members(resource, property, current);
  }
  std::string current_text(Resource& resource, const Attribute& property,
                           const Datum& current) const override {
    return property.name() == "members" ? joined(members_of(current))
                                        : ResourceType::current_text(resource, property, current);
  }
  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override {
    if (property.name() != "members" || resource.provider() == nullptr) {
      return ResourceType::desired_text(resource, property, desired);
    }
    return joined(wanted_members(resource, property, resource.provider()->get("members")));
  }

 private:
  static std::vector<std::string> wanted_members(Resource& resource, const Attribute& property,
                                                 const Datum& current) {
    return resource.provider_as<GroupaddProvider>().wanted_members(
        current, members_of(Datum::array(property.values)));
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_group_type() {
  return std::make_unique<Group>();
}

}  // namespace bunraku::apply

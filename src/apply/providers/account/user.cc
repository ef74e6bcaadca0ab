// user: user accounts, with the provider useradd.
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "apply/providers/account/account_support.h"
#include "apply/providers/account/local_accounts.h"
#include "apply/providers/foreign_providers.h"
#include "apply/providers/parsed/ssh_key_file.h"
#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kUserAttributes[] = {
    {.name = "ensure",
     .kind = AttributeKind::kProperty,
     .values = "present absent role",
     .is_present_if_managed = true,
     .value_features = "role=manages_solaris_rbac"},
    {.name = "home", .kind = AttributeKind::kProperty},
    {.name = "uid", .kind = AttributeKind::kProperty},
    {.name = "gid", .kind = AttributeKind::kProperty},
    {.name = "comment", .kind = AttributeKind::kProperty},
    {.name = "shell", .kind = AttributeKind::kProperty, .feature = "manages_shell"},
    {.name = "password",
     .kind = AttributeKind::kProperty,
     .feature = "manages_passwords",
     .is_sensitive = true},
    {.name = "password_min_age",
     .kind = AttributeKind::kProperty,
     .feature = "manages_password_age"},
    {.name = "password_max_age",
     .kind = AttributeKind::kProperty,
     .feature = "manages_password_age"},
    {.name = "password_warn_days",
     .kind = AttributeKind::kProperty,
     .feature = "manages_password_age"},
    {.name = "groups", .kind = AttributeKind::kProperty, .takes_all = true},
    {.name = "expiry", .kind = AttributeKind::kProperty, .feature = "manages_expiry"},
    {.name = "roles", .kind = AttributeKind::kProperty, .feature = "manages_solaris_rbac"},
    {.name = "auths", .kind = AttributeKind::kProperty, .feature = "manages_solaris_rbac"},
    {.name = "profiles", .kind = AttributeKind::kProperty, .feature = "manages_solaris_rbac"},
    {.name = "keys", .kind = AttributeKind::kProperty, .feature = "manages_solaris_rbac"},
    {.name = "project", .kind = AttributeKind::kProperty, .feature = "manages_solaris_rbac"},
    {.name = "attributes", .kind = AttributeKind::kProperty, .feature = "manages_aix_lam"},
    {.name = "salt", .kind = AttributeKind::kProperty, .feature = "manages_password_salt"},
    {.name = "iterations", .kind = AttributeKind::kProperty, .feature = "manages_password_salt"},
    {.name = "loginclass", .kind = AttributeKind::kProperty, .feature = "manages_loginclass"},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "system", .is_boolean = true, .default_value = "false"},
    {.name = "allowdupe", .is_boolean = true, .default_value = "false"},
    {.name = "managehome", .is_boolean = true, .default_value = "false"},
    {.name = "role_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "auth_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "profile_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "key_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "ia_load_module", .feature = "manages_aix_lam"},
    {.name = "attribute_membership", .values = "inclusive minimum", .default_value = "minimum"},
    {.name = "forcelocal",
     .is_boolean = true,
     .default_value = "false",
     .feature = "manages_local_users_and_groups"},
    {.name = "purge_ssh_keys", .default_value = "false"},
};

// The option for a property in useradd, usermod or chage.
std::string flag_of(std::string_view property) {
  if (property == "home") return "-d";
  if (property == "groups") return "-G";
  if (property == "password_min_age") return "-m";
  if (property == "password_max_age") return "-M";
  if (property == "password_warn_days") return "-W";
  return fmt::format("-{}", property[0]);
}

bool is_of_password_age(std::string_view property) {
  return property.starts_with("password_");
}

std::string date_of_day(long day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// The names of the groups that have the user as a member, which may be the primary one, too.
std::vector<std::string> groups_of(const passwd& user) {
  std::vector<gid_t> ids(64);
  auto count = static_cast<int>(ids.size());
  while (getgrouplist(user.pw_name, user.pw_gid, ids.data(), &count) < 0) {
    ids.resize(static_cast<size_t>(count) + 64);
    count = static_cast<int>(ids.size());
  }
  ids.resize(static_cast<size_t>(count));
  std::vector<std::string> names;
  for (const gid_t id : ids) {
    const group* entry = getgrgid(id);
    if (entry == nullptr) continue;
    const char* const* member = entry->gr_mem;
    while (*member != nullptr && std::string_view(*member) != user.pw_name) ++member;
    if (*member != nullptr) names.emplace_back(entry->gr_name);
  }
  return names;
}

class UseraddProvider final : public Provider {
 public:
  explicit UseraddProvider(Resource& resource) : resource_(resource) {}

  bool exists() override {
    return is_local() ? find_local_user(resource_.name(), what()).has_value() : entry() != nullptr;
  }
  Datum get(std::string_view property) override;
  void create() override;
  void destroy() override {
    std::vector<std::string> words = {needed_program(is_local() ? "luserdel" : "userdel")};
    if (resource_.is_true("managehome")) words.emplace_back("-r");
    words.push_back(resource_.name());
    change_account(std::move(words), fmt::format("Could not delete user {}", resource_.name()),
                   false, is_local());
  }
  void set(std::string_view property, const Datum& value) override;

  // The desired groups, with the present ones if the membership is minimal.
  std::vector<std::string> wanted_groups() {
    std::vector<std::string> wanted;
    for (const Datum& name : resource_.find("groups")->values) wanted.push_back(name.to_text());
    if (resource_.value("membership").is_symbol("minimum")) {
      for (std::string& name : present_groups()) wanted.push_back(std::move(name));
    }
    return sorted_once(std::move(wanted));
  }

 private:
  const passwd* entry() const { return getpwnam(resource_.name().c_str()); }
  // Whether only the files of this host count.
  bool is_local() const { return resource_.is_true("forcelocal"); }
  std::string what() const { return fmt::format("user resource '{}'", resource_.name()); }
  std::vector<std::string> present_groups() const {
    if (is_local()) return local_groups_of(resource_.name());
    const passwd* user = entry();
    return user == nullptr ? std::vector<std::string>() : groups_of(*user);
  }
  Datum local_value(std::string_view property) const;
  // The options for `allowdupe`. Programs of libuser permit duplicates themselves.
  void add_duplicate_option(std::vector<std::string>& words) const;
  Datum shadow_value(std::string_view property) const;
  void set_password(const Datum& password);
  void check_shell(const std::string& shell) const {
    if (!bunraku::exists(shell)) throw Failure(fmt::format("Shell {} must exist", shell));
    if (access(shell.c_str(), X_OK) != 0) {
      throw Failure(fmt::format("Shell {} must be executable", shell));
    }
  }
  bool has_sensitive_data() const {
    return std::ranges::any_of(resource_.attributes(), [](const auto& attribute) {
      return attribute->is_property() && attribute->is_sensitive;
    });
  }

  Resource& resource_;
};

Datum UseraddProvider::shadow_value(std::string_view property) const {
  const spwd* shadow = getspnam(resource_.name().c_str());
  if (shadow == nullptr) return Datum::symbol("absent");
  if (property == "password") return Datum::string(shadow->sp_pwdp);
  if (property == "password_min_age") return Datum::integer(shadow->sp_min);
  if (property == "password_max_age") return Datum::integer(shadow->sp_max);
  if (property == "password_warn_days") return Datum::integer(shadow->sp_warn);
  return shadow->sp_expire == -1 ? Datum::symbol("absent")
                                 : Datum::string(date_of_day(shadow->sp_expire));
}

Datum UseraddProvider::local_value(std::string_view property) const {
  const std::optional<LocalUser> user = find_local_user(resource_.name(), what());
  if (!user) return Datum::symbol("absent");
  if (property == "home") return Datum::string(user->home);
  if (property == "uid") return Datum::string(user->uid);
  if (property == "gid") return number_or_text(Datum::string(user->gid));
  if (property == "comment") return Datum::string(user->comment);
  if (property == "shell") return Datum::string(user->shell);
  return Datum::strings(present_groups());
}

void UseraddProvider::add_duplicate_option(std::vector<std::string>& words) const {
  const Datum& uid = resource_.value("uid");
  if (is_local() && !resource_.is_true("allowdupe")) {
    if (uid.is_null() || !has_local_uid(uid.to_text(), what())) return;
    throw Failure(
        fmt::format("UID {} already exists, use allowdupe to force user creation", uid.to_text()));
  }
  if (!is_local() && resource_.is_true("allowdupe")) words.emplace_back("-o");
}

Datum UseraddProvider::get(std::string_view property) {
  const bool is_shadow =
      is_of_password_age(property) || property == "password" || property == "expiry";
  if (is_local() && !is_shadow) return local_value(property);
  const passwd* user = entry();
  if (user == nullptr) return Datum::symbol("absent");
  if (property == "home") return Datum::string(user->pw_dir);
  if (property == "uid") return Datum::integer(user->pw_uid);
  if (property == "gid") return Datum::integer(user->pw_gid);
  if (property == "comment") return Datum::string(user->pw_gecos);
  if (property == "shell") return Datum::string(user->pw_shell);
  if (property == "groups") return Datum::strings(groups_of(*user));
  return shadow_value(property);
}

void UseraddProvider::create() {
  const std::string shell = resource_.text("shell");
  if (!shell.empty()) check_shell(shell);
  const std::string failure = fmt::format("Could not create user {}", resource_.name());
  std::vector<std::string> words = {needed_program(is_local() ? "luseradd" : "useradd")};
  if (resource_.value("gid").is_null() && getgrnam(resource_.name().c_str()) != nullptr) {
    words.insert(words.end(), {"-g", resource_.name()});
  }
  // Sorted by name.
  for (const std::string_view property :
       {"comment", "expiry", "gid", "groups", "home", "shell", "uid"}) {
    // luseradd has no options for these two.
    const bool is_later = is_local() && (property == "expiry" || property == "groups");
    if (is_later) continue;
    const Datum& value = resource_.value(property);
    std::string text = property == "groups" && resource_.find("groups") != nullptr
                           ? joined(wanted_groups())
                           : value.to_text();
    if (property == "expiry" && value.is_symbol("absent")) {
      words.insert(words.end(), {"-e", ""});
    } else if (!text.empty()) {
      words.insert(words.end(), {flag_of(property), std::move(text)});
    }
  }
  add_duplicate_option(words);
  if (!resource_.is_true("managehome")) {
    words.emplace_back("-M");
  } else if (!is_local()) {
    words.emplace_back("-m");
  }
  if (resource_.is_true("system")) words.emplace_back("-r");
  words.push_back(resource_.name());
  change_account(std::move(words), failure, has_sensitive_data(), is_local());

  std::vector<std::string> ages = {needed_program(is_local() ? "lchage" : "chage")};
  for (const std::string_view property :
       {"password_min_age", "password_max_age", "password_warn_days"}) {
    const Datum& value = resource_.value(property);
    if (!value.is_null()) ages.insert(ages.end(), {flag_of(property), value.to_text()});
  }
  if (ages.size() > 1) {
    ages.push_back(resource_.name());
    change_account(std::move(ages), failure, has_sensitive_data(), is_local());
  }
  for (const std::string_view property : {"groups", "expiry"}) {
    if (is_local() && resource_.find(property) != nullptr) set(property, resource_.value(property));
  }
  if (const Datum password = resource_.value("password"); !password.is_null()) {
    set_password(password);
  }
}

// The hash is passed through a pipe, as other users can see arguments.
void UseraddProvider::set_password(const Datum& password) {
  ExecutionRequest request;
  request.words = {needed_program("chpasswd"), "-e"};
  request.input = fmt::format("{}:{}\n", resource_.name(), password.to_text());
  request.is_sensitive = true;
  const ExecutionResult result = run_command(request);
  if (!result.output.empty()) throw Failure(fmt::format("chpasswd said {}", result.output));
}

void UseraddProvider::set(std::string_view property, const Datum& value) {
  if (property == "password") return set_password(value);
  if (property == "shell") check_shell(value.to_text());
  std::string text = property == "groups" ? joined(wanted_groups()) : value.to_text();
  if (property == "expiry" && value.is_symbol("absent")) text.clear();
  const bool uses_libuser = is_local() && property != "groups" && property != "expiry";
  const std::string command = is_of_password_age(property) ? "chage" : "usermod";
  std::vector<std::string> words = {needed_program(!uses_libuser        ? command
                                                   : command == "chage" ? "lchage"
                                                                        : "lusermod"),
                                    flag_of(property), text};
  if (property == "uid") add_duplicate_option(words);
  words.push_back(resource_.name());
  change_account(std::move(words),
                 fmt::format("Could not set {} on user[{}]", property, resource_.name()),
                 resource_.is_sensitive(property), uses_libuser);
}

class UseraddKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "useradd"; }
  std::string_view features() const override {
    return has_libuser() ? "allows_duplicates manages_expiry manages_homedir "
                           "manages_local_users_and_groups manages_password_age manages_passwords "
                           "manages_shell system_users"
                         : "allows_duplicates manages_expiry manages_homedir manages_password_age "
                           "manages_passwords manages_shell system_users";
  }
  bool is_suitable(const Host&) const override {
    return have_account_programs({"useradd", "userdel", "usermod", "chage", "chpasswd"});
  }
  int specificity(const Host&) const override { return 3; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<UseraddProvider>(resource);
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    setpwent();
    while (const passwd* entry = getpwent()) {
      instances.push_back(
          {entry->pw_name,
           {{"ensure", Datum::symbol("present")}, {"uid", Datum::integer(entry->pw_uid)}}});
    }
    endpwent();
    return instances;
  }
};

std::optional<gid_t> group_number(const Datum& value) {
  if (value.is_integer()) return static_cast<gid_t>(value.integer_value());
  const group* entry = getgrnam(value.to_text().c_str());
  return entry == nullptr ? std::nullopt : std::optional<gid_t>(entry->gr_gid);
}

class User final : public ResourceType {
 public:
  User() {
    add_provider(std::make_unique<UseraddKind>());
    add_missing_providers(foreign_providers("user"));
  }
  std::string_view name() const override { return "user"; }
  std::span<const AttributeInfo> attributes() const override { return kUserAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override;
  std::vector<std::unique_ptr<Resource>> generate(Resource& resource) const override;

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    std::vector<AutomaticRelation> relations;
    if (const Datum& gid = resource.value("gid"); !gid.is_null()) {
      relations.push_back({RelationKind::kRequire, "group", gid.to_text()});
    }
    for (std::string& name : resource.texts("groups")) {
      relations.push_back({RelationKind::kRequire, "group", std::move(name)});
    }
    return relations;
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "gid" && current.is_integer()) {
      return std::ranges::any_of(property.values, [&](const Datum& wanted) {
        return group_number(wanted) == static_cast<gid_t>(current.integer_value());
      });
    }
    if (property.name() == "groups" && resource.provider() != nullptr) {
      std::vector<std::string> now;
      for (const Datum& name : current.items()) now.push_back(name.to_text());
      std::ranges::sort(now);
      return now == resource.provider_as<UseraddProvider>().wanted_groups();
    }
    return ResourceType::is_in_sync(resource, property, current);
  }

  void sync(Resource& resource, Attribute& property) const override {
    if (property.name() != "gid") return sync_with_provider(resource, property);
    std::string names;
    for (const Datum& wanted : property.values) {
      if (const std::optional<gid_t> number = group_number(wanted)) {
        return resource.provider()->set("gid", Datum::integer(*number));
      }
      names += (names.empty() ? "" : ",") + wanted.to_text();
    }
    throw Failure(fmt::format("Could not find group(s) {}", names));
  }

  std::string current_text(Resource& resource, const Attribute& property,
                           const Datum& current) const override {
    if (property.name() != "groups" || !current.is_array()) {
      return ResourceType::current_text(resource, property, current);
    }
    std::vector<std::string> names;
    for (const Datum& name : current.items()) names.push_back(name.to_text());
    return joined(names);
  }

  Datum desired(const Resource& resource, const Attribute& property) const override {
    if (property.name() == "groups" && resource.provider() != nullptr) {
      return Datum::string(joined(resource.provider_as<UseraddProvider>().wanted_groups()));
    }
    return ResourceType::desired(resource, property);
  }

  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override {
    if (property.name() == "groups" && resource.provider() != nullptr) {
      return Datum::strings(resource.provider_as<UseraddProvider>().wanted_groups()).to_display();
    }
    return ResourceType::desired_text(resource, property, desired);
  }

 private:
  static Datum key_files(const Resource& resource, const Datum& value);
};

// The files for purge_ssh_keys: the user's own for true, otherwise the named ones, in which ~ and
// %h are replaced by the home directory.
Datum User::key_files(const Resource& resource, const Datum& value) {
  const std::string text = value.to_text();
  if (text == "false") return Datum::array({});
  std::string home = resource.text("home");
  if (const passwd* entry = getpwnam(resource.name().c_str()); home.empty() && entry != nullptr) {
    home = entry->pw_dir;
  }
  if (text == "true") {
    return home.empty() ? Datum::array({}) : Datum::strings({home + "/.ssh/authorized_keys"});
  }
  if (!value.is_string() && !value.is_array()) {
    throw Failure(
        fmt::format("purge_ssh_keys must be true, false, or an array of file names, not {}", text));
  }
  std::vector<std::string> files;
  for (const Datum& item : value.is_array() ? value.items() : Datum::List{value}) {
    const std::string path = item.to_text();
    const bool is_below_home = path.starts_with("~/") || path.starts_with("%h/");
    if (!is_below_home && !path.starts_with('/')) {
      throw Failure(fmt::format("Paths to keyfiles must be absolute, not {}", path));
    }
    if (!is_below_home) {
      files.push_back(path);
    } else if (!home.empty()) {
      files.push_back(home + path.substr(path.find('/')));
    }
  }
  return Datum::strings(files);
}

// Generates removals of the keys that are not in the catalog.
std::vector<std::unique_ptr<Resource>> User::generate(Resource& resource) const {
  std::vector<std::unique_ptr<Resource>> removed;
  const ResourceType& type = *resource.context().types.find("ssh_authorized_key");
  for (const std::string& file : resource.texts("purge_ssh_keys")) {
    for (const std::string& key : names_of_authorized_keys(file)) {
      if (resource.catalog().find(type.name(), key) != nullptr) continue;
      ResourceData data;
      data.title = key;
      data.attributes = {{"ensure", Datum::string("absent")},
                         {"target", Datum::string(file)},
                         {"user", Datum::string(resource.name())}};
      for (const std::string_view name : {"noop", "schedule", "loglevel"}) {
        const Datum& value = resource.value(name);
        if (!value.is_null()) data.attributes.emplace_back(std::string(name), value);
      }
      removed.push_back(std::make_unique<Resource>(type, std::move(data), resource.catalog()));
    }
  }
  return removed;
}

Datum User::munge(Resource& resource, const AttributeInfo& attribute, const Datum& value) const {
  const std::string_view name = attribute.name;
  const std::string text = value.to_text();
  if (name == "uid" || name == "gid") return number_or_text(value);
  if (name == "password" && value.is_string() && text.find(':') != std::string::npos) {
    throw Failure("Passwords cannot include ':'");
  }
  if (is_of_password_age(name)) {
    const Datum number = number_or_text(value);
    if (number.is_integer()) return number;
    const std::string_view kind = name == "password_min_age"   ? "Password minimum age"
                                  : name == "password_max_age" ? "Password maximum age"
                                                               : "Password warning days";
    throw Failure(fmt::format("{} must be provided as a number.", kind));
  }
  if (name == "groups") {
    if (number_or_text(value).is_integer()) {
      throw Failure("Group names must be provided, not GID numbers.");
    }
    if (text.find(',') != std::string::npos) {
      throw Failure("Group names must be provided as an array, not a comma-separated list.");
    }
    if (text.empty()) {
      throw Failure(
          "Group names must not be empty. If you want to specify \"no groups\" pass an "
          "empty array");
    }
  }
  if (name == "expiry") {
    if (text == "absent") return Datum::symbol("absent");
    int year = 0;
    int month = 0;
    int day = 0;
    if (text.size() != 10 || std::sscanf(text.c_str(), "%4d-%2d-%2d", &year, &month, &day) != 3) {
      throw Failure("Expiry dates must be YYYY-MM-DD or the string \"absent\"");
    }
  }
  if (name == "purge_ssh_keys") return key_files(resource, value);
  return ResourceType::munge(resource, attribute, value);
}

}  // namespace

std::unique_ptr<ResourceType> make_user_type() {
  return std::make_unique<User>();
}

}  // namespace bunraku::apply

// Local accounts: the files, and libuser.
#include "apply/providers/account/local_accounts.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr const char* kUsers = "/etc/passwd";
constexpr const char* kGroups = "/etc/group";

// Without it, new accounts would get the defaults of the host's libuser.conf, and its other modules
// could reach a directory.
constexpr std::string_view kConfiguration =
    "[import]\n"
    "login_defs = /etc/login.defs\n"
    "default_useradd = /etc/default/useradd\n"
    "[defaults]\n"
    "crypt_style = sha512\n"
    "modules = files shadow\n"
    "create_modules = files shadow\n"
    "[userdefaults]\n"
    "LU_USERNAME = %n\n"
    "LU_GIDNUMBER = %u\n"
    "[groupdefaults]\n"
    "LU_GROUPNAME = %n\n";

using Fields = std::vector<std::string>;

Fields fields_of(std::string_view line, char separator) {
  Fields fields;
  while (true) {
    const size_t end = line.find(separator);
    fields.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::vector<Fields> read_accounts(const char* path, const std::string& what) {
  if (!exists(path)) {
    throw Failure(fmt::format("Forcelocal set for {}, but {} does not exist", what, path));
  }
  std::vector<Fields> accounts;
  for (const std::string& line : lines_of(read_file(path))) {
    accounts.push_back(fields_of(line, ':'));
  }
  return accounts;
}

// The account whose field of that number has the value; empty when there is none.
Fields find_account(const char* path, size_t field, std::string_view value,
                    const std::string& what) {
  for (Fields& account : read_accounts(path, what)) {
    if (account.size() > field && account[field] == value) return std::move(account);
  }
  return {};
}

constexpr size_t kName = 0;
constexpr size_t kIdField = 2;  // of users and groups
constexpr size_t kMembers = 3;

}  // namespace

bool has_libuser() {
  return access("/usr/sbin/lgroupadd", X_OK) == 0 && access("/usr/sbin/luseradd", X_OK) == 0;
}

std::vector<std::pair<std::string, std::string>> libuser_environment() {
  // A file without a name, which the programs open by its descriptor in this process.
  static const int file = [] {
    const int made = memfd_create("libuser.conf", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(kConfiguration.size());
    if (made < 0 || ::write(made, kConfiguration.data(), kConfiguration.size()) != size) {
      throw Failure("Could not make a configuration for libuser");
    }
    return made;
  }();
  return {{"LIBUSER_CONF", fmt::format("/proc/{}/fd/{}", getpid(), file)}};
}

std::optional<LocalUser> find_local_user(std::string_view name, const std::string& what) {
  Fields fields = find_account(kUsers, kName, name, what);
  if (fields.empty()) return std::nullopt;
  constexpr size_t kFields = 7;
  fields.resize(kFields);
  return LocalUser{fields[kIdField], fields[3], fields[4], fields[5], fields[6]};
}

bool has_local_uid(std::string_view uid, const std::string& what) {
  return !find_account(kUsers, kIdField, uid, what).empty();
}

std::vector<std::string> local_groups_of(std::string_view user) {
  std::vector<std::string> names;
  for (Fields& fields : read_accounts(kGroups, fmt::format("user resource '{}'", user))) {
    if (fields.size() <= kMembers) continue;
    const Fields members = fields_of(fields[kMembers], ',');
    if (std::ranges::find(members, user) != members.end())
      names.push_back(std::move(fields[kName]));
  }
  return names;
}

std::optional<std::string> find_local_gid(std::string_view group, const std::string& what) {
  const Fields fields = find_account(kGroups, kName, group, what);
  return fields.size() > kIdField ? std::optional(fields[kIdField]) : std::nullopt;
}

bool has_local_gid(std::string_view gid, const std::string& what) {
  return !find_account(kGroups, kIdField, gid, what).empty();
}

}  // namespace bunraku::apply

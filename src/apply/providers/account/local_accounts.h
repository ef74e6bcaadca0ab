// Accounts in /etc/passwd and /etc/group themselves, and the programs of libuser that change only
// these, for `forcelocal`. Other accounts of the host may be in a directory (LDAP).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::apply {

// Returns whether libuser is installed.
bool has_libuser();
// The variables for programs of libuser: a configuration by which they use the files.
std::vector<std::pair<std::string, std::string>> libuser_environment();

struct LocalUser {
  std::string uid;
  std::string gid;
  std::string comment;
  std::string home;
  std::string shell;
};

// Each reads the file anew. Throws Failure when there is none; `what` names the resource: "user
// resource 'x'".
std::optional<LocalUser> find_local_user(std::string_view name, const std::string& what);
bool has_local_uid(std::string_view uid, const std::string& what);
// The groups that have the user as a member, in the order of the file.
std::vector<std::string> local_groups_of(std::string_view user);
// The number of a group.
std::optional<std::string> find_local_gid(std::string_view group, const std::string& what);
bool has_local_gid(std::string_view gid, const std::string& what);

}  // namespace bunraku::apply

// The names, features and programs of the foreign providers.
#include "apply/providers/foreign_providers.h"

#include "apply/transaction/execution.h"

namespace bunraku::apply {
namespace {

struct ForeignProvider {
  std::string_view type;
  std::string_view name;
  std::string_view features;
  // A program by which a Linux host could use the provider; empty: for other systems.
  std::string_view program;
};

constexpr ForeignProvider kProviders[] = {
    {"package", "aix", "installable uninstallable upgradeable versionable", ""},
    {"package", "appdmg", "installable", ""},
    {"package", "apple", "installable", ""},
    {"package", "aptitude", "holdable installable purgeable uninstallable upgradeable versionable",
     "/usr/bin/aptitude"},
    {"package", "aptrpm", "installable purgeable uninstallable upgradeable versionable", ""},
    {"package", "blastwave", "installable uninstallable upgradeable", ""},
    {"package", "fink", "holdable installable purgeable uninstallable upgradeable versionable", ""},
    {"package", "freebsd", "installable purgeable uninstallable upgradeable", ""},
    {"package", "hpux", "installable uninstallable", ""},
    {"package", "macports", "installable uninstallable upgradeable versionable", ""},
    {"package", "nim", "installable uninstallable upgradeable versionable", ""},
    {"package", "openbsd",
     "install_options installable purgeable supports_flavors uninstall_options uninstallable "
     "upgradeable versionable",
     ""},
    {"package", "opkg", "installable uninstallable upgradeable", "opkg"},
    {"package", "pacman",
     "install_options installable uninstall_options uninstallable upgradeable virtual_packages",
     "/usr/bin/pacman"},
    {"package", "pip2",
     "install_options installable targetable uninstallable upgradeable versionable", "pip2"},
    {"package", "pkg", "holdable install_options installable uninstallable upgradeable versionable",
     ""},
    {"package", "pkgdmg", "installable", ""},
    {"package", "pkgin", "installable uninstallable upgradeable versionable", ""},
    {"package", "pkgng", "install_options installable uninstallable upgradeable versionable", ""},
    {"package", "pkgutil", "installable uninstallable upgradeable", ""},
    {"package", "portage",
     "install_options installable purgeable reinstallable uninstall_options uninstallable "
     "upgradeable versionable virtual_packages",
     "/usr/bin/emerge"},
    {"package", "ports", "installable purgeable uninstallable upgradeable", ""},
    {"package", "portupgrade", "installable uninstallable upgradeable", ""},
    {"package", "rug", "installable uninstallable upgradeable versionable", ""},
    {"package", "sun", "install_options installable uninstallable upgradeable", ""},
    {"package", "sunfreeware", "installable uninstallable upgradeable", ""},
    {"package", "tdnf",
     "install_options installable purgeable uninstallable upgradeable versionable virtual_packages",
     "tdnf"},
    {"package", "up2date", "installable uninstallable upgradeable", "/usr/sbin/up2date-nox"},
    {"package", "urpmi", "installable purgeable uninstallable upgradeable versionable", "urpmi"},
    {"package", "windows",
     "install_options installable uninstall_options uninstallable versionable", ""},
    {"service", "bsd", "enableable refreshable", ""},
    {"service", "daemontools", "enableable refreshable", "/usr/bin/svc"},
    {"service", "freebsd", "enableable refreshable", ""},
    {"service", "gentoo", "enableable refreshable", ""},
    {"service", "launchd", "enableable refreshable", ""},
    {"service", "openbsd", "enableable flaggable refreshable", ""},
    {"service", "openwrt", "enableable refreshable", ""},
    {"service", "rcng", "enableable refreshable", ""},
    {"service", "runit", "enableable refreshable", "/usr/bin/sv"},
    {"service", "smf", "enableable refreshable", ""},
    {"service", "src", "enableable refreshable", ""},
    {"service", "upstart", "enableable refreshable", "/sbin/initctl"},
    {"service", "windows",
     "configurable_timeout delayed_startable enableable manages_logon_credentials manual_startable "
     "refreshable",
     ""},
    {"user", "aix",
     "manages_aix_lam manages_expiry manages_homedir manages_local_users_and_groups "
     "manages_password_age manages_passwords manages_shell",
     ""},
    {"user", "directoryservice", "manages_password_salt manages_passwords manages_shell", ""},
    {"user", "hpuxuseradd", "allows_duplicates manages_homedir manages_passwords", ""},
    {"user", "ldap", "manages_passwords manages_shell", ""},
    {"user", "openbsd",
     "manages_expiry manages_homedir manages_loginclass manages_passwords manages_shell "
     "system_users",
     ""},
    {"user", "pw",
     "allows_duplicates manages_expiry manages_homedir manages_passwords manages_shell", ""},
    {"user", "user_role_add",
     "allows_duplicates manages_homedir manages_password_age manages_passwords manages_roles "
     "manages_shell manages_solaris_rbac",
     ""},
    {"user", "windows_adsi", "manages_homedir manages_passwords manages_roles", ""},
    {"group", "aix", "manages_aix_lam manages_local_users_and_groups manages_members", ""},
    {"group", "directoryservice", "manages_members", ""},
    {"group", "ldap", "", ""},
    {"group", "pw", "manages_members", ""},
    {"group", "windows_adsi", "manages_members", ""},
};

class ForeignKind final : public ProviderKind {
 public:
  explicit ForeignKind(const ForeignProvider& provider) : provider_(provider) {}
  std::string_view name() const override { return provider_.name; }
  std::string_view features() const override { return provider_.features; }
  bool is_suitable(const Host&) const override { return false; }
  bool is_supported() const override {
    return provider_.program.empty() || find_executable(provider_.program).empty();
  }
  std::unique_ptr<Provider> make(Resource&) const override { return nullptr; }

 private:
  const ForeignProvider& provider_;
};

}  // namespace

std::vector<std::unique_ptr<ProviderKind>> foreign_providers(std::string_view type) {
  std::vector<std::unique_ptr<ProviderKind>> kinds;
  for (const ForeignProvider& provider : kProviders) {
    if (provider.type == type) kinds.push_back(std::make_unique<ForeignKind>(provider));
  }
  return kinds;
}

}  // namespace bunraku::apply

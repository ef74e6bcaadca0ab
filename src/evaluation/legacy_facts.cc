#include "evaluation/legacy_facts.h"

#include <algorithm>
#include <iterator>

namespace bunraku {
namespace {

struct LegacyFact {
  std::string_view name;
  std::string_view path;  // with dots
};

// Sorted by name.
constexpr LegacyFact kLegacyFacts[] = {
    {"architecture", "os.architecture"},
    {"augeasversion", "augeas.version"},
    {"bios_release_date", "dmi.bios.release_date"},
    {"bios_vendor", "dmi.bios.vendor"},
    {"bios_version", "dmi.bios.version"},
    {"boardassettag", "dmi.board.asset_tag"},
    {"boardmanufacturer", "dmi.board.manufacturer"},
    {"boardproductname", "dmi.board.product"},
    {"boardserialnumber", "dmi.board.serial_number"},
    {"chassisassettag", "dmi.chassis.asset_tag"},
    {"chassistype", "dmi.chassis.type"},
    {"domain", "networking.domain"},
    {"fqdn", "networking.fqdn"},
    {"gid", "identity.group"},
    {"hardwareisa", "processors.isa"},
    {"hardwaremodel", "os.hardware"},
    {"hostname", "networking.hostname"},
    {"id", "identity.user"},
    {"interfaces", "networking.interfaces"},
    {"ipaddress", "networking.ip"},
    {"ipaddress6", "networking.ip6"},
    {"lsbdistcodename", "os.distro.codename"},
    {"lsbdistdescription", "os.distro.description"},
    {"lsbdistid", "os.distro.id"},
    {"lsbdistrelease", "os.distro.release.full"},
    {"lsbmajdistrelease", "os.distro.release.major"},
    {"lsbminordistrelease", "os.distro.release.minor"},
    {"lsbrelease", "os.distro.specification"},
    {"macaddress", "networking.mac"},
    {"macosx_buildversion", "os.macosx.build"},
    {"macosx_productname", "os.macosx.product"},
    {"macosx_productversion", "os.macosx.version.full"},
    {"macosx_productversion_major", "os.macosx.version.major"},
    {"macosx_productversion_minor", "os.macosx.version.minor"},
    {"manufacturer", "dmi.manufacturer"},
    {"memoryfree", "memory.system.available"},
    {"memorysize", "memory.system.total"},
    {"netmask", "networking.netmask"},
    {"netmask6", "networking.netmask6"},
    {"network", "networking.network"},
    {"network6", "networking.network6"},
    {"operatingsystem", "os.name"},
    {"operatingsystemmajrelease", "os.release.major"},
    {"operatingsystemrelease", "os.release.full"},
    {"osfamily", "os.family"},
    {"physicalprocessorcount", "processors.physicalcount"},
    {"processorcount", "processors.count"},
    {"productname", "dmi.product.name"},
    {"rubyplatform", "ruby.platform"},
    {"rubysitedir", "ruby.sitedir"},
    {"rubyversion", "ruby.version"},
    {"selinux", "os.selinux.enabled"},
    {"selinux_config_mode", "os.selinux.config_mode"},
    {"selinux_config_policy", "os.selinux.config_policy"},
    {"selinux_current_mode", "os.selinux.current_mode"},
    {"selinux_enforced", "os.selinux.enforced"},
    {"selinux_policyversion", "os.selinux.policy_version"},
    {"serialnumber", "dmi.product.serial_number"},
    {"sshdsakey", "ssh.dsa.key"},
    {"sshecdsakey", "ssh.ecdsa.key"},
    {"sshed25519key", "ssh.ed25519.key"},
    {"sshrsakey", "ssh.rsa.key"},
    {"swapencrypted", "memory.swap.encrypted"},
    {"swapfree", "memory.swap.available"},
    {"swapsize", "memory.swap.total"},
    {"system32", "os.windows.system32"},
    {"uptime", "system_uptime.uptime"},
    {"uptime_days", "system_uptime.days"},
    {"uptime_hours", "system_uptime.hours"},
    {"uptime_seconds", "system_uptime.seconds"},
    {"uuid", "dmi.product.uuid"},
    {"xendomains", "xen.domains"},
    {"zonename", "solaris_zones.current"},
};

// Facts of each network interface, such as ipaddress_eth0.
constexpr LegacyFact kInterfaceFacts[] = {
    {"ipaddress6_", "ip6"},    {"ipaddress_", "ip"},      {"macaddress_", "mac"},
    {"mtu_", "mtu"},           {"netmask6_", "netmask6"}, {"netmask_", "netmask"},
    {"network6_", "network6"}, {"network_", "network"},
};

std::string with_brackets(std::string_view path) {
  std::string text;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    text.append("['").append(path.substr(0, dot)).append("']");
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return text;
}

}  // namespace

std::string path_of_legacy_fact(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kLegacyFacts, name, {}, &LegacyFact::name);
  if (found != std::end(kLegacyFacts) && found->name == name) return with_brackets(found->path);
  for (const LegacyFact& fact : kInterfaceFacts) {
    if (!name.starts_with(fact.name) || name.size() == fact.name.size()) continue;
    const std::string interface(name.substr(fact.name.size()));
    return "['networking']['interfaces']['" + interface + "']['" + std::string(fact.path) + "']";
  }
  return {};
}

}  // namespace bunraku

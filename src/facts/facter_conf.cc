// Parsing of facter.conf, and the groups of facts that it names.
#include "facts/facter_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/diagnostics/log.h"
#include "base/formats/hocon.h"
#include "base/memory/arena.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

struct Group {
  std::string_view name;
  std::string_view facts;  // separated by blanks
};

constexpr std::array kGroups = std::to_array<Group>({
    {"EC2", "ec2_metadata ec2_userdata"},
    {"GCE", "gce"},
    {"Xen", "xen xendomains"},
    {"augeas", "augeas augeasversion"},
    {"desktop management interface",
     "dmi bios_vendor bios_version bios_release_date boardassettag boardmanufacturer "
     "boardproductname boardserialnumber chassisassettag manufacturer productname serialnumber "
     "uuid chassistype"},
    {"disks", "blockdevices disks"},
    {"file system", "mountpoints filesystems partitions"},
    {"fips", "fips_enabled"},
    {"hypervisors", "hypervisors"},
    {"id", "id gid identity"},
    {"kernel", "kernel kernelversion kernelrelease kernelmajversion"},
    {"load_average", "load_averages"},
    {"memory",
     "memory memoryfree memoryfree_mb memorysize memorysize_mb swapfree swapfree_mb swapsize "
     "swapsize_mb swapencrypted"},
    {"networking",
     "networking hostname ipaddress ipaddress6 netmask netmask6 network network6 scope6 "
     "macaddress interfaces domain fqdn dhcp_servers"},
    {"operating system",
     "os operatingsystem osfamily operatingsystemrelease operatingsystemmajrelease hardwaremodel "
     "architecture lsbdistid lsbdistrelease lsbdistcodename lsbdistdescription lsbmajdistrelease "
     "lsbminordistrelease lsbrelease selinux selinux_enforced selinux_policyversion "
     "selinux_current_mode selinux_config_mode selinux_config_policy"},
    {"path", "path"},
    {"processor", "processors processorcount physicalprocessorcount hardwareisa"},
    {"ssh",
     "ssh sshdsakey sshrsakey sshecdsakey sshed25519key sshfp_dsa sshfp_rsa sshfp_ecdsa "
     "sshfp_ed25519"},
    {"timezone", "timezone"},
    {"uptime", "system_uptime uptime uptime_days uptime_hours uptime_seconds"},
    {"virtualization", "virtual is_virtual cloud"},
    {"ZFS", "zfs_version zfs_featurenumbers"},
    {"ZFS storage pool", "zpool_version zpool_featureflags zpool_featurenumbers"},
});

struct Unit {
  std::string_view name;
  double seconds;
};

constexpr std::array kUnits = std::to_array<Unit>({{"ns", 1e-9},
                                                   {"nanos", 1e-9},
                                                   {"nanoseconds", 1e-9},
                                                   {"us", 1e-6},
                                                   {"micros", 1e-6},
                                                   {"microseconds", 1e-6},
                                                   {"", 1e-3},
                                                   {"ms", 1e-3},
                                                   {"milis", 1e-3},
                                                   {"milliseconds", 1e-3},
                                                   {"s", 1},
                                                   {"seconds", 1},
                                                   {"m", 60},
                                                   {"minutes", 60},
                                                   {"h", 3600},
                                                   {"hours", 3600},
                                                   {"d", 86400},
                                                   {"days", 86400}});

void log_line(LogSink& log, LogLevel level, std::string message) {
  LogRecord record;
  record.level = level;
  record.source = "Facter";
  record.message = std::move(message);
  log.log(record);
}

// Returns a single text or the texts of a list.
std::vector<std::string> texts_of(const DataNode* node) {
  std::vector<std::string> texts;
  if (node == nullptr) return texts;
  if (node->is(DataKind::kString)) texts.emplace_back(node->text_value());
  if (!node->is(DataKind::kArray)) return texts;
  for (const DataNode& item : node->items()) {
    if (item.is(DataKind::kString)) texts.emplace_back(item.text_value());
  }
  return texts;
}

bool is_true(const DataNode* node) {
  if (node == nullptr) return false;
  if (node->is(DataKind::kBoolean)) return node->boolean_value();
  return node->is(DataKind::kString) && node->text_value() == "true";
}

// Parses "30 days"; nothing for an unknown unit.
std::optional<std::chrono::seconds> lifetime_of(const DataNode& node, LogSink& log) {
  if (node.is(DataKind::kInteger)) return std::chrono::seconds(node.integer_value() / 1000);
  if (!node.is(DataKind::kString)) return std::nullopt;
  const auto parts = words(node.text_value());
  std::string unit = parts.size() > 1 ? std::string(parts[1]) : std::string();
  if (unit.size() > 2 && !unit.ends_with('s')) unit.push_back('s');
  const auto known = std::ranges::find(kUnits, unit, &Unit::name);
  if (parts.empty() || known == kUnits.end()) {
    log_line(log, LogLevel::kErr, fmt::format("Could not parse time unit {}", unit));
    return std::nullopt;
  }
  const double seconds = static_cast<double>(leading_integer(parts[0])) * known->seconds;
  return std::chrono::seconds(static_cast<int64_t>(seconds));
}

void read_lifetimes(const DataNode* list, FacterConf& conf, LogSink& log) {
  if (list == nullptr || !list->is(DataKind::kArray)) return;
  for (const DataNode& item : list->items()) {
    if (!item.is(DataKind::kHash)) continue;
    for (const DataEntry& entry : item.entries()) {
      if (!entry.key.is(DataKind::kString)) continue;
      if (const auto lifetime = lifetime_of(entry.value, log)) {
        conf.lifetimes[std::string(entry.key.text_value())] = *lifetime;
      }
    }
  }
}

FacterConf conf_of(const DataNode& document, LogSink& log) {
  FacterConf conf;
  if (const DataNode* global = document.find("global")) {
    conf.external_directories = texts_of(global->find("external-dir"));
    conf.custom_directories = texts_of(global->find("custom-dir"));
    conf.has_external_facts = !is_true(global->find("no-external-facts"));
    conf.has_custom_facts =
        !is_true(global->find("no-custom-facts")) && !is_true(global->find("no-ruby"));
    conf.shows_legacy = is_true(global->find("show-legacy"));
  }
  const DataNode* groups = document.find("fact-groups");
  if (groups != nullptr && groups->is(DataKind::kHash)) {
    for (const DataEntry& entry : groups->entries()) {
      if (entry.key.is(DataKind::kString)) {
        conf.groups[std::string(entry.key.text_value())] = texts_of(&entry.value);
      }
    }
  }
  if (const DataNode* facts = document.find("facts")) {
    for (const std::string& name : texts_of(facts->find("blocklist"))) {
      if (name == "legacy") {
        conf.blocks_legacy = true;
        continue;
      }
      std::vector<std::string> members = facts_of_group(conf, name);
      if (members.empty()) members.push_back(name);
      conf.blocked.insert(conf.blocked.end(), members.begin(), members.end());
    }
    read_lifetimes(facts->find("ttls"), conf, log);
  }
  return conf;
}

}  // namespace

std::string default_facter_conf(const Machine& machine) {
  constexpr std::string_view kOfPackages = "/etc/puppetlabs/facter/facter.conf";
  return machine.is_file(kOfPackages) ? std::string(kOfPackages) : "/etc/facter/facter.conf";
}

FacterConf read_facter_conf(const Machine& machine, const std::string& path, LogSink& log) {
  const auto text = machine.read(path);
  if (!text) return {};
  Arena arena;
  try {
    return conf_of(read_hocon(*text, arena), log);
  } catch (const DataError& error) {
    log_line(log, LogLevel::kWarning,
             fmt::format("Facter failed to read config file {} with the following error: {}", path,
                         error.what()));
    return {};
  }
}

std::vector<std::string> facts_of_group(const FacterConf& conf, std::string_view group) {
  if (const auto found = conf.groups.find(group); found != conf.groups.end()) {
    return found->second;
  }
  std::vector<std::string> names;
  const auto known = std::ranges::find(kGroups, group, &Group::name);
  if (known != kGroups.end()) {
    for (const std::string_view name : words(known->facts)) names.emplace_back(name);
  }
  return names;
}

bool is_blocked(const FacterConf& conf, std::string_view name) {
  return std::ranges::any_of(conf.blocked, [&](const std::string& blocked) {
    return name == blocked || (name.size() > blocked.size() && name.starts_with(blocked) &&
                               name[blocked.size()] == '.');
  });
}

}  // namespace bunraku::facts

// Smaller subjects: time, the user, security, host keys, and versions of software.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/base64.h"
#include "base/text/digest.h"
#include "base/text/number_text.h"
#include "facts/collection.h"
#include "facts/core_facts.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

// Seconds since the machine, or the first process of the container, started.
std::optional<int64_t> uptime_seconds(Collection& collection) {
  const Machine& machine = collection.machine();
  const auto uptime = machine.read("/proc/uptime");
  if (!uptime) return std::nullopt;
  const int64_t seconds = leading_integer(*uptime);
  if (collection.virtualization().container != "docker") return seconds;
  // The start of the first process is the 20th word after its name, which is in parentheses.
  const std::string status = machine.text("/proc/1/stat");
  const auto parts = words(std::string_view(status).substr(status.rfind(')') + 1));
  constexpr size_t kStart = 19;
  if (parts.size() <= kStart) return seconds;
  return std::max<int64_t>(seconds - leading_integer(parts[kStart]) / machine.clock_ticks(), 0);
}

void add_uptime(Collection& collection) {
  const std::optional<int64_t> seconds = uptime_seconds(collection);
  if (!seconds) return;
  const int64_t hours = *seconds / 3600;
  const int64_t days = hours / 24;
  std::string text = fmt::format("{}:{:02} hours", hours, *seconds / 60 % 60);
  if (days > 0) text = days == 1 ? "1 day" : fmt::format("{} days", days);
  HashFact uptime = collection.hash();
  const auto set = [&](std::string_view key, int64_t value) {
    uptime.set(key, DataNode::integer(value));
    collection.facts().add(fmt::format("uptime_{}", key), DataNode::integer(value),
                           FactKind::kLegacy);
  };
  set("days", days);
  set("hours", hours);
  set("seconds", *seconds);
  collection.set_both(uptime, "uptime", "uptime", text);
  collection.facts().add_hash("system_uptime", uptime);
}

void add_load_averages(Collection& collection) {
  const std::string text = collection.machine().text("/proc/loadavg");
  const auto parts = words(text);
  if (parts.size() < 3) return;
  HashFact averages = collection.hash();
  constexpr std::array<std::string_view, 3> kNames = {"1m", "5m", "15m"};
  for (size_t at = 0; at < kNames.size(); ++at) {
    averages.set(kNames[at], DataNode::floating(parse_float(parts[at]).value_or(0)));
  }
  collection.facts().add_hash("load_averages", averages);
}

struct KeyType {
  std::string_view type;
  std::string_view name;
  int number;  // in SSHFP records
};

constexpr std::array<KeyType, 4> kKeyTypes = {{{"ssh-rsa", "rsa", 1},
                                               {"ssh-dss", "dsa", 2},
                                               {"ecdsa-sha2-nistp256", "ecdsa", 3},
                                               {"ssh-ed25519", "ed25519", 4}}};

void add_host_key(Collection& collection, HashFact& to, std::string_view type,
                  std::string_view key) {
  const auto known = std::ranges::find(kKeyTypes, type, &KeyType::type);
  if (known == kKeyTypes.end()) return;
  const std::string bytes = decode_base64_leniently(key);
  const std::string sha1 =
      fmt::format("SSHFP {} 1 {}", known->number, digest_hex(DigestAlgorithm::kSha1, bytes));
  const std::string sha256 =
      fmt::format("SSHFP {} 2 {}", known->number, digest_hex(DigestAlgorithm::kSha256, bytes));
  HashFact fingerprints = collection.hash();
  fingerprints.set_text("sha1", sha1);
  fingerprints.set_text("sha256", sha256);
  HashFact fact = collection.hash();
  fact.set_hash("fingerprints", fingerprints);
  fact.set_text("key", key);
  fact.set_text("type", type);
  to.set(known->name, fact.finish());
  collection.add_legacy(fmt::format("ssh{}key", known->name), key);
  collection.add_legacy(fmt::format("sshfp_{}", known->name), sha1 + "\n" + sha256);
}

// The settings of Ruby's build, from the assignments in rbconfig.rb.
class RubyConfiguration {
 public:
  explicit RubyConfiguration(const Machine& machine) {
    const std::string program = machine.find_program("ruby");
    if (program.empty()) return;
    const size_t bin = program.rfind("/bin/");
    const std::string prefix = bin == std::string::npos ? "/usr" : program.substr(0, bin);
    const std::string wanted = std::string(after_last_slash(machine.link_target(program)));
    for (const std::string& path : candidates(machine, prefix)) {
      text_ = machine.text(path);
      // Debian has one program per version, such as "ruby3.1".
      const bool is_other = wanted.starts_with("ruby") && wanted.size() > 4 &&
                            !(value("ruby_install_name") == wanted);
      if (!text_.empty() && !is_other) return;
    }
    text_.clear();
  }

  bool is_known() const { return !text_.empty(); }

  // The value, with references such as "$(prefix)" expanded.
  std::string value(std::string_view name) const {
    std::string value = raw_value(name);
    for (int count = 0; count < 20; ++count) {
      const size_t at = value.find("$(");
      const size_t end = value.find(')', at);
      if (at == std::string::npos || end == std::string::npos) break;
      value.replace(at, end + 1 - at, raw_value(value.substr(at + 2, end - at - 2)));
    }
    return value;
  }

 private:
  static std::vector<std::string> candidates(const Machine& machine, const std::string& prefix) {
    std::vector<std::string> paths;
    // Debian: lib/x86_64-linux-gnu/ruby/3.1.0/rbconfig.rb
    for (const std::string& triplet : machine.names(prefix + "/lib")) {
      if (!contains(triplet, "-linux-")) continue;
      const std::string directory = prefix + "/lib/" + triplet + "/ruby/";
      for (const std::string& version : machine.names(directory)) {
        paths.push_back(directory + version + "/rbconfig.rb");
      }
    }
    // Other systems: lib/ruby/3.1.0/x86_64-linux/rbconfig.rb, lib64/ruby/rbconfig.rb
    for (const std::string_view library : {"/lib/ruby/", "/lib64/ruby/"}) {
      const std::string directory = prefix + std::string(library);
      if (machine.is_file(directory + "rbconfig.rb")) paths.push_back(directory + "rbconfig.rb");
      for (const std::string& version : machine.names(directory)) {
        for (const std::string& platform : machine.names(directory + version)) {
          const std::string path = directory + version + "/" + platform + "/rbconfig.rb";
          if (contains(platform, "linux") && machine.is_file(path)) paths.push_back(path);
        }
      }
    }
    return paths;
  }

  std::string raw_value(std::string_view name) const {
    const std::string key = fmt::format("CONFIG[\"{}\"] = ", name);
    const size_t at = text_.find(key);
    if (at == std::string::npos) return name == "prefix" ? "/usr" : "";
    // The text between the quotes; the prefix is assigned as `(TOPDIR || DESTDIR + "/usr")`.
    const std::string_view line =
        std::string_view(text_).substr(at + key.size(), text_.find('\n', at) - at - key.size());
    const size_t begin = line.find('"');
    const size_t end = line.rfind('"');
    return end == begin ? std::string() : std::string(line.substr(begin + 1, end - begin - 1));
  }

  std::string text_;
};

void add_ruby(Collection& collection) {
  const RubyConfiguration configuration(collection.machine());
  if (!configuration.is_known()) return;
  HashFact ruby = collection.hash();
  collection.set_both(ruby, "platform", "rubyplatform", configuration.value("arch"));
  collection.set_both(ruby, "sitedir", "rubysitedir", configuration.value("sitelibdir"));
  collection.set_both(ruby, "version", "rubyversion",
                      fmt::format("{}.{}.{}", configuration.value("MAJOR"),
                                  configuration.value("MINOR"), configuration.value("TEENY")));
  collection.facts().add_hash("ruby", ruby);
}

// The version at the start of a file, "7.23.0" or "7.23.0.5".
std::string version_at_start(std::string_view text) {
  size_t end = 0;
  int numbers = 0;
  while (numbers < 5) {
    const size_t digits = std::min(text.find_first_not_of("0123456789", end), text.size());
    if (digits == end) break;
    ++numbers;
    if (digits >= text.size() || text[digits] != '.') {
      end = digits + 1;
      break;
    }
    end = digits + 1;
  }
  return numbers < 3 ? std::string() : std::string(text.substr(0, end - 1));
}

}  // namespace

void collect_time(Collection& collection) {
  add_load_averages(collection);
  add_uptime(collection);
  collection.facts().add_text("timezone", collection.machine().time_zone());
}

void collect_identity(Collection& collection) {
  const Identity who = collection.machine().identity();
  HashFact identity = collection.hash();
  identity.set("gid", DataNode::integer(who.gid));
  collection.set_both(identity, "group", "gid", who.group);
  identity.set("privileged", DataNode::boolean(who.uid == 0));
  identity.set("uid", DataNode::integer(who.uid));
  collection.set_both(identity, "user", "id", who.user);
  collection.facts().add_hash("identity", identity);
}

DataNode selinux_fact(Collection& collection) {
  const Machine& machine = collection.machine();
  HashFact selinux = collection.hash();
  const auto mount = std::ranges::find(collection.mounts(), "selinuxfs", &Mount::filesystem);
  const std::string configuration = machine.text("/etc/selinux/config");
  const bool is_enabled = mount != collection.mounts().end() && !configuration.empty();
  const auto set_boolean = [&](std::string_view key, std::string_view legacy, bool value) {
    selinux.set(key, DataNode::boolean(value));
    collection.facts().add(legacy, DataNode::boolean(value), FactKind::kLegacy);
  };
  set_boolean("enabled", "selinux", is_enabled);
  if (!is_enabled) return selinux.finish();
  for (const std::string_view line : lines(configuration)) {
    const std::string_view value = stripped(line.substr(line.rfind('=') + 1));
    if (line.starts_with("SELINUX=")) {
      collection.set_both(selinux, "config_mode", "selinux_config_mode", value);
    } else if (line.starts_with("SELINUXTYPE=")) {
      collection.set_both(selinux, "config_policy", "selinux_config_policy", value);
    }
  }
  const bool is_enforced = machine.text(mount->path + "/enforce") == "1";
  set_boolean("enforced", "selinux_enforced", is_enforced);
  collection.set_both(selinux, "current_mode", "selinux_current_mode",
                      is_enforced ? "enforcing" : "permissive");
  collection.set_both(selinux, "policy_version", "selinux_policyversion",
                      machine.text(mount->path + "/policyvers"));
  return selinux.finish();
}

void collect_security(Collection& collection) {
  const std::string fips = collection.machine().stripped_text("/proc/sys/crypto/fips_enabled");
  collection.facts().add("fips_enabled", DataNode::boolean(fips == "1"));
}

void collect_ssh(Collection& collection) {
  HashFact keys = collection.hash();
  for (const std::string_view directory :
       {"/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh"}) {
    for (const std::string_view name : {"rsa", "dsa", "ecdsa", "ed25519"}) {
      const std::string text =
          collection.machine().text(fmt::format("{}/ssh_host_{}_key.pub", directory, name));
      const auto parts = words(text);
      if (parts.size() >= 2) add_host_key(collection, keys, parts[0], parts[1]);
    }
  }
  collection.facts().add_hash("ssh", keys);
}

void collect_software(Collection& collection) {
  FactSet& facts = collection.facts();
  const Machine& machine = collection.machine();
  facts.add_text("facterversion", kFacterVersion);
  facts.add_text("path", machine.variable("PATH").value_or(std::string()));
  facts.add_text("aio_agent_version",
                 version_at_start(machine.text("/opt/puppetlabs/puppet/VERSION")));
  if (const std::string version = machine.augeas_version(); !version.empty()) {
    HashFact augeas = collection.hash();
    collection.set_both(augeas, "version", "augeasversion", version);
    facts.add_hash("augeas", augeas);
  }
  add_ruby(collection);
}

}  // namespace bunraku::facts

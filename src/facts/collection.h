// The state that collectors of core facts share: the machine, the facts so far, and data that
// several of them need, read once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/fact_set.h"
#include "facts/machine.h"

namespace bunraku::facts {

struct Mount {
  std::string device;
  std::string path;
  std::string filesystem;
  std::string options;
};

// The platform that the machine runs on.
struct Virtualization {
  std::string platform;    // "kvm", "physical"; the fact `virtual`
  std::string container;   // "docker", "lxc", "podman"...; empty outside of containers
  std::string identifier;  // of the container, when it is known
  // The result of the detection by processor and firmware alone; empty on hardware.
  std::string hypervisor;
};

// For one thread; the machine and the facts must outlive it.
class Collection {
 public:
  Collection(const Machine& machine, FactSet& facts) : machine_(machine), facts_(facts) {}
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  const Machine& machine() const { return machine_; }
  FactSet& facts() { return facts_; }
  HashFact hash() const { return HashFact(facts_.arena()); }

  const KernelName& kernel();
  // The pairs of /etc/os-release, keys in lower case, without quotes.
  const std::map<std::string, std::string, std::less<>>& os_release();
  // The value of a key in /etc/os-release; empty when it is missing.
  std::string os_release(std::string_view key);
  // The contents of a file in /sys/class/dmi/id without surrounding white space; empty when there
  // is none.
  const std::string& dmi(std::string_view name);
  const std::vector<Mount>& mounts();
  const Virtualization& virtualization();
  // The operating system's family, "Debian".
  const std::string& os_family();

  // Adds a flat fact, which is shown only on request.
  void add_legacy(std::string_view name, std::string_view value) {
    facts_.add_text(name, value, FactKind::kLegacy);
  }
  void add_legacy(std::string_view name, uint64_t value) {
    facts_.add_integer(name, value, FactKind::kLegacy);
  }
  // Sets a part of a structured fact, and the flat fact of the same value.
  void set_both(HashFact& hash, std::string_view key, std::string_view legacy_name,
                std::string_view value) {
    hash.set_text(key, value);
    add_legacy(legacy_name, value);
  }

 private:
  const Machine& machine_;
  FactSet& facts_;
  std::optional<KernelName> kernel_;
  std::optional<std::map<std::string, std::string, std::less<>>> os_release_;
  std::map<std::string, std::string, std::less<>> dmi_;
  std::optional<std::vector<Mount>> mounts_;
  std::optional<Virtualization> virtualization_;
  std::optional<std::string> os_family_;
};

// The collectors, one per subject.
void collect_kernel(Collection& collection);
void collect_operating_system(Collection& collection);
void collect_networking(Collection& collection);
void collect_memory(Collection& collection);
void collect_processors(Collection& collection);
void collect_disks(Collection& collection);
void collect_partitions(Collection& collection);
void collect_mountpoints(Collection& collection);
void collect_filesystems(Collection& collection);
void collect_dmi(Collection& collection);
void collect_virtualization(Collection& collection);
void collect_ssh(Collection& collection);
void collect_time(Collection& collection);
void collect_identity(Collection& collection);
void collect_security(Collection& collection);
void collect_software(Collection& collection);

// Parts that are implemented in separate files.
Virtualization detect_virtualization(Collection& collection);
std::string detect_os_family(Collection& collection);
DataNode selinux_fact(Collection& collection);

}  // namespace bunraku::facts

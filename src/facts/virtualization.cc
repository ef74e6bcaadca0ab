// The platform of the machine: hardware, a hypervisor, a container. The order of the tests is that
// of the reference. Where it runs the program virt-what, the same sources (the processor's
// identification, the firmware's names, /proc) are read here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "facts/collection.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

struct NamedPlatform {
  std::string_view part;
  std::string_view platform;
};

// Product names of virtual machines.
constexpr std::array kProducts = std::to_array<NamedPlatform>({{"VMware", "vmware"},
                                                               {"VirtualBox", "virtualbox"},
                                                               {"Parallels", "parallels"},
                                                               {"KVM", "kvm"},
                                                               {"Virtual Machine", "hyperv"},
                                                               {"RHEV Hypervisor", "rhev"},
                                                               {"oVirt Node", "ovirt"},
                                                               {"HVM domU", "xenhvm"},
                                                               {"Bochs", "bochs"},
                                                               {"OpenBSD", "vmm"},
                                                               {"BHYVE", "bhyve"}});

constexpr std::array<std::string_view, 6> kPhysical = {
    "physical", "xen0", "vmware_server", "vmware_workstation", "openvzhn", "vserver_host"};

std::string platform_of_product(Collection& collection) {
  const std::string& product = collection.dmi("product_name");
  for (const NamedPlatform& known : kProducts) {
    if (contains(product, known.part)) return std::string(known.platform);
  }
  return {};
}

// The value of `container=` in the first process's environment.
std::string container_variable(const std::string& environment) {
  size_t at = 0;
  while (at < environment.size()) {
    const size_t end = std::min(environment.find('\0', at), environment.size());
    const std::string_view entry = std::string_view(environment).substr(at, end - at);
    if (entry.starts_with("container=")) return std::string(entry.substr(10));
    at = end + 1;
  }
  return {};
}

// Sets the container, if the system itself identifies one.
void detect_container(Collection& collection, Virtualization& to) {
  const Machine& machine = collection.machine();
  const auto groups = machine.read("/proc/1/cgroup");
  const auto environment = machine.read("/proc/1/environ");
  if (!groups || !environment) return;
  const std::string variable = container_variable(*environment);
  if (const size_t at = groups->find("docker/"); at != std::string::npos) {
    const size_t end = std::min(groups->find('\n', at), groups->size());
    to.identifier = groups->substr(at + 7, end - at - 7);
    to.container = to.identifier.empty() ? "" : "docker";
  }
  std::string lxc_name;
  for (const std::string_view line : lines(*groups)) {
    if (!line.starts_with("/lxc/")) continue;
    lxc_name = line.substr(5, line.find('/', 5) - 5);
  }
  if (!lxc_name.empty() || variable == "lxc") {
    to.container = "lxc";
    to.identifier = lxc_name;
  }
  if (to.container.empty() && variable == "systemd-nspawn") {
    to.container = "systemd_nspawn";
    to.identifier = machine.stripped_text("/etc/machine-id");
  }
}

bool any_contains(Collection& collection, std::initializer_list<std::string_view> names,
                  std::string_view part) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return contains(collection.dmi(name), part); });
}

bool has_manufacturer(Collection& collection, std::string_view name) {
  for (const std::string_view field : {"sys_vendor", "board_vendor", "chassis_vendor"}) {
    if (collection.dmi(field).starts_with(name)) return true;
  }
  return false;
}

bool has_product(Collection& collection, std::string_view name) {
  return collection.dmi("product_name").starts_with(name) ||
         collection.dmi("board_name").starts_with(name);
}

std::string container_of_files(const Machine& machine) {
  const std::string groups = machine.text("/proc/self/cgroup");
  if (machine.exists("/.dockerenv") || machine.exists("/.dockerinit") ||
      contains(groups, "/docker/")) {
    return "docker";
  }
  const std::string variable = container_variable(machine.text("/proc/1/environ"));
  return variable.starts_with("podman") || contains(groups, "/libpod-") ? "podman" : "";
}

// The name of a hypervisor by the tables of the firmware; the order of the tests matters.
std::string hypervisor_of_firmware(Collection& collection, const std::string& signature) {
  if (has_manufacturer(collection, "Alibaba")) return "alibaba_cloud";
  if (signature == "VMwareVMware" || has_manufacturer(collection, "VMware")) return "vmware";
  if (signature == "Microsoft Hv") return "hyperv";
  if (has_manufacturer(collection, "Microsoft Corporation") &&
      has_product(collection, "Virtual Machine")) {
    return "virtualpc";
  }
  if (has_manufacturer(collection, "innotek GmbH")) return "virtualbox";
  if (signature == "bhyve bhyve " || any_contains(collection, {"bios_vendor"}, "BHYVE")) {
    return "bhyve";
  }
  return {};
}

std::string system_z(const Machine& machine) {
  const std::string processors = machine.text("/proc/cpuinfo");
  return contains(processors, "IBM/S390") ? "zlinux" : "";
}

// Returns "vserver", "vserver_host", or an empty text.
std::string vserver(const Machine& machine) {
  const std::string status = machine.text("/proc/self/status");
  for (const std::string_view line : lines(status)) {
    const auto parts = words(line);
    if (parts.size() != 2) continue;
    if (!parts[0].starts_with("s_context:") && !parts[0].starts_with("VxID:")) continue;
    return parts[1] == "0" ? "vserver_host" : "vserver";
  }
  return {};
}

std::string xen_of_processor(Collection& collection, const std::string& signature) {
  const Machine& machine = collection.machine();
  if (signature == "XenVMMXenVMM" && machine.is_directory("/sys/class/dmi")) return "xenhvm";
  if (machine.is_directory("/proc/xen")) {
    return contains(machine.text("/proc/xen/capabilities"), "control_d") ? "xen0" : "xenu";
  }
  return contains(machine.text("/sys/hypervisor/type"), "xen") ? "xen" : "";
}

std::string kvm_or_qemu(Collection& collection, const std::string& signature) {
  if (signature == "KVMKVMKVM") return "kvm";
  if (signature == "TCGTCGTCGTCG") return "qemu";
  if (has_product(collection, "KVM") || has_manufacturer(collection, "KVM")) return "kvm";
  // Bare metal has the same manufacturer, but no hypervisor.
  if (has_manufacturer(collection, "Amazon EC2") && !signature.empty()) return "kvm";
  if (has_manufacturer(collection, "QEMU")) return "qemu";
  const Machine& machine = collection.machine();
  if (contains(machine.text("/proc/device-tree/hypervisor/compatible"), "linux,kvm")) return "kvm";
  return contains(machine.text("/proc/cpuinfo"), "QEMU") ? "qemu" : "";
}

// The first line of the program virt-what's output.
std::string detected_hypervisor(Collection& collection) {
  const Machine& machine = collection.machine();
  const std::string signature = machine.hypervisor_signature();
  if (const std::string xen = xen_of_processor(collection, signature); !xen.empty()) return xen;
  if (std::string found = hypervisor_of_firmware(collection, signature); !found.empty()) {
    return found;
  }
  if (machine.is_directory("/proc/vz") && !machine.is_directory("/proc/bc")) return "openvz";
  if (container_variable(machine.text("/proc/1/environ")).starts_with("lxc")) return "lxc";
  if (contains(machine.text("/proc/cpuinfo"), "UML")) return "uml";
  if (std::string found = system_z(machine); !found.empty()) return found;
  const bool is_parallels = collection.dmi("bios_vendor").starts_with("Parallels");
  if (is_parallels) return "parallels";
  if (has_manufacturer(collection, "Nutanix")) return "nutanix_ahv";
  if (has_manufacturer(collection, "oVirt")) return "ovirt";
  if (has_product(collection, "RHEV Hypervisor")) return "rhev";
  if (has_product(collection, "Google Compute Engine")) return "google_cloud";
  if (std::string found = kvm_or_qemu(collection, signature); !found.empty()) return found;
  if (signature == "LKVMLKVMLKVM") return "lkvm";
  if (has_manufacturer(collection, "Red Hat")) return "redhat";
  if (std::string found = container_of_files(machine); !found.empty()) return found;
  return signature == "OpenBSDVMM58" ? "vmm" : "";
}

struct OpenVz {
  std::string platform;  // empty outside of OpenVZ
  int64_t id = 0;
};

OpenVz open_vz(const Machine& machine) {
  if (machine.names("/proc/vz").empty() || machine.is_file("/proc/lve/list")) return {};
  const std::string status = machine.text("/proc/self/status");
  const auto id = line_value(status, "envID:");
  if (!id) return {};
  return {*id == "0" ? "openvzhn" : "openvzve", leading_integer(*id)};
}

std::string xen_of_files(const Machine& machine) {
  if (machine.exists("/dev/xen/evtchn")) return "xen0";
  return machine.exists("/proc/xen") || machine.exists("/dev/xvda1") ? "xenu" : "";
}

// The platform by the vendors of PCI devices.
std::string platform_of_devices(const Machine& machine) {
  constexpr std::array<NamedPlatform, 7> kVendors = {{{"0x80ee", "virtualbox"},
                                                      {"0x5853", "xenhvm"},
                                                      {"0x1414", "hyperv"},
                                                      {"0x1ae0", "gce"},
                                                      {"0x15ad", "vmware"},
                                                      {"0x1ab8", "parallels"},
                                                      {"0x1af4", "kvm"}}};
  constexpr std::string_view kDirectory = "/sys/bus/pci/devices/";
  for (const std::string& device : machine.names(kDirectory)) {
    const std::string directory = std::string(kDirectory) + device;
    const std::string vendor = machine.stripped_text(directory + "/vendor");
    for (const NamedPlatform& known : kVendors) {
      if (vendor != known.part) continue;
      // Google devices of other classes also exist in other machines.
      if (known.platform == "gce" &&
          !machine.stripped_text(directory + "/class").starts_with("0x8007")) {
        continue;
      }
      return std::string(known.platform);
    }
  }
  return {};
}

std::string detect_platform(Collection& collection, const Virtualization& known) {
  const Machine& machine = collection.machine();
  if (!known.container.empty()) return known.container;
  if (contains(collection.dmi("bios_vendor"), "Google")) return "gce";
  if (!known.hypervisor.empty()) return known.hypervisor;
  for (const std::string& found :
       {open_vz(machine).platform, vserver(machine), xen_of_files(machine)}) {
    if (!found.empty()) return found;
  }
  if (contains(collection.dmi("bios_vendor"), "Amazon EC2")) return "kvm";
  if (std::string found = platform_of_product(collection); !found.empty()) return found;
  const std::string found = platform_of_devices(machine);
  return found.empty() ? "physical" : found;
}

// The cloud vendor of a KVM guest.
HashFact kvm_fact(Collection& collection) {
  HashFact kvm = collection.hash();
  const std::string& manufacturer = collection.dmi("sys_vendor");
  if (manufacturer == "Google") kvm.set("google", DataNode::boolean(true));
  if (manufacturer.starts_with("OpenStack")) kvm.set("openstack", DataNode::boolean(true));
  if (manufacturer.starts_with("Amazon")) kvm.set("amazon", DataNode::boolean(true));
  return kvm;
}

bool is_kvm(Collection& collection, const std::string& product_platform,
            const std::string& device_platform) {
  if (product_platform == "virtualbox" || product_platform == "parallels") return false;
  const std::string& vendor = collection.dmi("bios_vendor");
  return collection.virtualization().hypervisor == "kvm" || device_platform == "kvm" ||
         contains(vendor, "Amazon EC2") || contains(vendor, "Google") ||
         contains(collection.dmi("product_name"), "OpenStack");
}

// The text after `key` in the firmware's table, read from sysfs.
std::string firmware_text_after(Collection& collection, std::string_view key) {
  const std::string table = collection.machine().text("/sys/firmware/dmi/tables/DMI");
  const size_t at = table.find(key);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(table).substr(at + key.size());
  return std::string(rest.substr(0, rest.find_first_of(std::string_view(" \0\n", 3))));
}

// The version of VMware by the start address of its firmware.
std::string vmware_version(Collection& collection) {
  struct Known {
    unsigned int address;
    std::string_view version;
  };
  constexpr std::array kKnown = std::to_array<Known>({{0xe8480, "ESXi 2.5"},
                                                      {0xe7c70, "ESXi 3.0"},
                                                      {0xe66c0, "ESXi 3.5"},
                                                      {0xe7910, "ESXi 3.5"},
                                                      {0xea550, "ESXi 4.0"},
                                                      {0xea6c0, "ESXi 4.0"},
                                                      {0xea2e0, "ESXi 4.1"},
                                                      {0xe72c0, "ESXi 5.0"},
                                                      {0xea0c0, "ESXi 5.1"},
                                                      {0xea050, "ESXi 5.5"},
                                                      {0xe99e0, "ESXi 6.0"},
                                                      {0xe9a40, "ESXi 6.0"},
                                                      {0xea580, "ESXi 6.5"},
                                                      {0xea520, "ESXi 6.7"},
                                                      {0xea490, "ESXi 6.7"},
                                                      {0xea5e0, "Fusion 8.5"}});
  const std::string table = collection.machine().text("/sys/firmware/dmi/tables/DMI");
  // The firmware's own entry is the first: type 0, with its segment at offset 6.
  if (table.size() < 8 || table[0] != 0) return {};
  const unsigned int segment =
      static_cast<unsigned char>(table[6]) |
      (static_cast<unsigned int>(static_cast<unsigned char>(table[7])) << 8);
  const auto found = std::ranges::find(kKnown, segment << 4, &Known::address);
  return found == kKnown.end() ? std::string() : std::string(found->version);
}

void add_container_hypervisor(Collection& collection, HashFact& to) {
  const Virtualization& virtualization = collection.virtualization();
  if (virtualization.container.empty()) return;
  HashFact container = collection.hash();
  container.set_text(virtualization.container == "lxc" ? "name" : "id", virtualization.identifier);
  to.set(virtualization.container, container.finish());
}

HashFact hypervisors_fact(Collection& collection) {
  HashFact all = collection.hash();
  const Machine& machine = collection.machine();
  const std::string& hypervisor = collection.virtualization().hypervisor;
  const std::string& product = collection.dmi("product_name");
  const std::string product_platform = platform_of_product(collection);
  const std::string devices = platform_of_devices(machine);
  add_container_hypervisor(collection, all);
  if (contains(collection.dmi("sys_vendor"), "Microsoft") || product == "Virtual Machine") {
    all.set("hyperv", collection.hash().finish());
  }
  if (is_kvm(collection, product_platform, devices)) all.set("kvm", kvm_fact(collection).finish());
  if (const OpenVz vz = open_vz(machine); !vz.platform.empty()) {
    HashFact fact = collection.hash();
    fact.set("id", DataNode::integer(vz.id));
    fact.set("host", DataNode::boolean(vz.platform == "openvzhn"));
    all.set("openvz", fact.finish());
  }
  if (product == "VirtualBox" || hypervisor == "virtualbox" || devices == "virtualbox") {
    HashFact fact = collection.hash();
    fact.set_text("version", firmware_text_after(collection, "vboxVer_"));
    fact.set_text("revision", firmware_text_after(collection, "vboxRev_"));
    all.set("virtualbox", fact.finish());
  }
  if (hypervisor == "vmware" || product == "VMware" || devices == "vmware" ||
      collection.dmi("sys_vendor") == "VMware, Inc.") {
    HashFact fact = collection.hash();
    fact.set_text("version", vmware_version(collection));
    all.set("vmware", fact.finish());
  }
  if (contains(collection.virtualization().platform, "xen")) {
    HashFact fact = collection.hash();
    const bool is_full = product_platform == "xenhvm" || devices == "xenhvm";
    const bool is_privileged = machine.stripped_text("/proc/xen/capabilities") == "control_d" ||
                               xen_of_files(machine) == "xen0";
    fact.set_text("context", is_full ? "hvm" : "pv");
    fact.set("privileged", DataNode::boolean(is_privileged));
    all.set("xen", fact.finish());
  }
  return all;
}

}  // namespace

Virtualization detect_virtualization(Collection& collection) {
  Virtualization found;
  detect_container(collection, found);
  found.hypervisor = detected_hypervisor(collection);
  found.platform = detect_platform(collection, found);
  return found;
}

void collect_virtualization(Collection& collection) {
  const std::string& platform = collection.virtualization().platform;
  collection.facts().add_text("virtual", platform);
  collection.facts().add(
      "is_virtual", DataNode::boolean(std::ranges::find(kPhysical, platform) == kPhysical.end()));
  collection.facts().add_hash("hypervisors", hypervisors_fact(collection));
}

}  // namespace bunraku::facts

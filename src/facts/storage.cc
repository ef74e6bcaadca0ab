// Disks, partitions, mounted file systems.
#include <fmt/format.h>

#include <algorithm>

#include "facts/collection.h"
#include "facts/text.h"
#include "facts/units.h"

namespace bunraku::facts {
namespace {

constexpr std::string_view kBlockDirectory = "/sys/block/";
constexpr uint64_t kSectorSize = 512;

// A property of a device in udev's database; empty when there is none.
std::string udev_property(const std::string& database, std::string_view name) {
  const std::string key = fmt::format("E:{}=", name);
  for (const std::string_view line : lines(database)) {
    if (line.starts_with(key)) return std::string(stripped(line.substr(key.size())));
  }
  return {};
}

std::string udev_database(const Machine& machine, const std::string& device_directory) {
  return machine.text("/run/udev/data/b" + machine.stripped_text(device_directory + "/dev"));
}

std::string first_of(std::initializer_list<std::string> candidates) {
  for (const std::string& candidate : candidates) {
    if (!candidate.empty()) return candidate;
  }
  return {};
}

HashFact disk_fact(Collection& collection, const std::string& name) {
  const Machine& machine = collection.machine();
  const std::string directory = std::string(kBlockDirectory) + name;
  const std::string udev = udev_database(machine, directory);
  HashFact disk = collection.hash();
  const std::string model = machine.stripped_text(directory + "/device/model");
  const std::string vendor = machine.stripped_text(directory + "/device/vendor");
  disk.set_text("model", model);
  collection.add_legacy("blockdevice_" + name + "_model", model);
  if (const auto sectors = machine.read(directory + "/size")) {
    const uint64_t size = static_cast<uint64_t>(leading_integer(*sectors)) * kSectorSize;
    disk.set_integer("size_bytes", size);
    disk.set_text("size", bytes_text(size));
    collection.add_legacy("blockdevice_" + name + "_size", size);
  }
  disk.set_text("vendor", vendor);
  collection.add_legacy("blockdevice_" + name + "_vendor", vendor);
  if (const auto rotational = machine.read(directory + "/queue/rotational")) {
    disk.set_text("type", stripped(*rotational) == "0" ? "ssd" : "hdd");
  }
  disk.set_text("serial", first_of({udev_property(udev, "SCSI_IDENT_SERIAL"),
                                    udev_property(udev, "ID_SCSI_SERIAL"),
                                    udev_property(udev, "ID_SERIAL_SHORT"),
                                    machine.stripped_text(directory + "/device/serial")}));
  disk.set_text(
      "wwn", first_of({udev_property(udev, "ID_WWN_WITH_EXTENSION"), udev_property(udev, "ID_WWN"),
                       machine.stripped_text(directory + "/device/wwid")}));
  return disk;
}

// A block device with a file system, or one that can have it.
struct Partition {
  std::string name;  // "/dev/vda1"
  std::string directory;
  std::string backing_file;
};

void add_partitions_of_device(const Machine& machine, const std::string& device,
                              std::vector<Partition>& to) {
  const std::string directory = std::string(kBlockDirectory) + device;
  if (machine.is_directory(directory + "/device")) {
    for (const std::string& name : machine.names(directory)) {
      const std::string part = directory + "/" + name;
      if (contains(name, device) && machine.is_directory(part)) {
        to.push_back({"/dev/" + name, part, {}});
      }
    }
  } else if (machine.is_directory(directory + "/dm")) {
    const std::string name = machine.stripped_text(directory + "/dm/name");
    to.push_back({name.empty() ? "/dev/" + device : "/dev/mapper/" + name, directory, {}});
  } else if (machine.is_directory(directory + "/loop")) {
    to.push_back(
        {"/dev/" + device, directory, machine.stripped_text(directory + "/loop/backing_file")});
  }
}

BlockContents contents_of(const Machine& machine, const Partition& partition,
                          const std::map<std::string, BlockContents>& known) {
  if (const auto found = known.find(partition.name); found != known.end()) return found->second;
  const std::string udev = udev_database(machine, partition.directory);
  return {udev_property(udev, "ID_FS_TYPE"), udev_property(udev, "ID_FS_UUID"),
          udev_property(udev, "ID_FS_LABEL"), udev_property(udev, "ID_PART_ENTRY_UUID"),
          udev_property(udev, "ID_PART_ENTRY_NAME")};
}

HashFact partition_fact(Collection& collection, const Partition& partition,
                        const BlockContents& contents) {
  HashFact hash = collection.hash();
  const uint64_t size = static_cast<uint64_t>(leading_integer(
                            collection.machine().text(partition.directory + "/size"))) *
                        kSectorSize;
  hash.set_integer("size_bytes", size);
  hash.set_text("size", bytes_text(size));
  hash.set_text("backing_file", partition.backing_file);
  hash.set_text("filesystem", contents.filesystem);
  hash.set_text("uuid", contents.uuid);
  hash.set_text("label", contents.label);
  hash.set_text("partuuid", contents.partition_uuid);
  hash.set_text("partlabel", contents.partition_label);
  return hash;
}

// The device of the root file system in the kernel's command line.
std::string root_device(const Machine& machine,
                        const std::map<std::string, BlockContents>& contents) {
  const std::string arguments = machine.text("/proc/cmdline");
  for (const std::string_view word : words(arguments)) {
    if (!word.starts_with("root=")) continue;
    const std::string_view root = word.substr(5);
    const size_t equals = root.rfind('=');
    if (equals == std::string_view::npos) return std::string(root);
    for (const auto& [device, content] : contents) {
      const std::string_view id = root.substr(equals + 1);
      if (content.partition_uuid == id || content.uuid == id) return device;
    }
    return std::string(root);
  }
  return {};
}

std::string capacity_text(uint64_t used, uint64_t total) {
  if (used == total) return "100%";
  return used > 0 ? percent_text(used, total) : "0%";
}

bool is_shown(const Mount& mount) {
  if (mount.filesystem == "autofs") return false;
  const bool is_of_kernel = mount.path.starts_with("/proc") || mount.path.starts_with("/sys");
  return !is_of_kernel || mount.filesystem == "tmpfs";
}

DataNode options_fact(Collection& collection, std::string_view options) {
  std::vector<DataNode> items;
  for (const std::string_view option : split(options, ',')) {
    items.push_back(collection.facts().text(stripped(option)));
  }
  return DataNode::array(collection.facts().arena().copy(std::span<const DataNode>(items)));
}

HashFact mount_fact(Collection& collection, const Mount& mount) {
  HashFact hash = collection.hash();
  const std::string device =
      mount.device == "/dev/root"
          ? root_device(collection.machine(), collection.machine().block_contents())
          : mount.device;
  const FilesystemSizes sizes =
      collection.machine().filesystem_sizes(mount.path).value_or(FilesystemSizes{});
  const uint64_t used = sizes.size - std::min(sizes.free, sizes.size);
  hash.set_text("device", device);
  hash.set_text("filesystem", mount.filesystem);
  hash.set("options", options_fact(collection, mount.options));
  hash.set_integer("size_bytes", sizes.size);
  hash.set_integer("available_bytes", sizes.available);
  hash.set_integer("used_bytes", used);
  hash.set_text("capacity", capacity_text(used, used + sizes.available));
  hash.set_text("size", bytes_text(sizes.size));
  hash.set_text("available", bytes_text(sizes.available));
  hash.set_text("used", bytes_text(used));
  return hash;
}

}  // namespace

void collect_disks(Collection& collection) {
  HashFact disks = collection.hash();
  std::string names;
  for (const std::string& name : collection.machine().names(kBlockDirectory)) {
    if (!collection.machine().exists(std::string(kBlockDirectory) + name + "/device")) continue;
    disks.set(name, disk_fact(collection, name).finish());
    names += (names.empty() ? "" : ",") + name;
  }
  collection.add_legacy("blockdevices", names);
  collection.facts().add_hash("disks", disks);
}

void collect_partitions(Collection& collection) {
  std::vector<Partition> partitions;
  for (const std::string& device : collection.machine().names(kBlockDirectory)) {
    add_partitions_of_device(collection.machine(), device, partitions);
  }
  if (partitions.empty()) return;
  const std::map<std::string, BlockContents> contents = collection.machine().block_contents();
  HashFact all = collection.hash();
  for (const Partition& partition : partitions) {
    HashFact hash = partition_fact(collection, partition,
                                   contents_of(collection.machine(), partition, contents));
    const auto mount = std::ranges::find_if(collection.mounts(), [&](const Mount& candidate) {
      return candidate.device == partition.name && is_shown(candidate);
    });
    if (mount != collection.mounts().end()) hash.set_text("mount", mount->path);
    all.set(partition.name, hash.finish());
  }
  collection.facts().add_hash("partitions", all);
}

void collect_mountpoints(Collection& collection) {
  HashFact mountpoints = collection.hash();
  for (const Mount& mount : collection.mounts()) {
    if (is_shown(mount)) mountpoints.set(mount.path, mount_fact(collection, mount).finish());
  }
  collection.facts().add_hash("mountpoints", mountpoints);
}

void collect_filesystems(Collection& collection) {
  std::vector<std::string> names;
  const std::string table = collection.machine().text("/proc/filesystems");
  for (const std::string_view line : lines(table)) {
    const auto parts = words(line);
    if (parts.size() == 1 && parts[0] != "fuseblk") names.emplace_back(parts[0]);
  }
  std::ranges::sort(names);
  collection.facts().add_text("filesystems", fmt::format("{}", fmt::join(names, ",")));
}

}  // namespace bunraku::facts

// Memory, processors, and the data of the firmware.
#include <algorithm>
#include <array>
#include <set>

#include "facts/collection.h"
#include "facts/text.h"
#include "facts/units.h"

namespace bunraku::facts {
namespace {

// The amount in a line of /proc/meminfo, in bytes.
std::optional<uint64_t> meminfo(std::string_view text, std::string_view name) {
  const auto line = line_value(text, name);
  if (!line) return std::nullopt;
  return static_cast<uint64_t>(leading_integer(*line)) * 1024;
}

struct MemoryNames {
  std::string_view size, free;  // names of the flat facts
};

HashFact memory_part(Collection& collection, uint64_t total, uint64_t available,
                     const MemoryNames& names) {
  const uint64_t used = total - std::min(available, total);
  HashFact part = collection.hash();
  collection.set_both(part, "available", names.free, bytes_text(available));
  part.set_integer("available_bytes", available);
  part.set_text("capacity", percent_text(used, total));
  collection.set_both(part, "total", names.size, bytes_text(total));
  part.set_integer("total_bytes", total);
  part.set_text("used", bytes_text(used));
  part.set_integer("used_bytes", used);
  const auto add_megabytes = [&](std::string_view name, uint64_t bytes) {
    collection.facts().add(std::string(name) + "_mb",
                           DataNode::floating(static_cast<double>(bytes) / 1048576.0),
                           FactKind::kLegacy);
  };
  add_megabytes(names.size, total);
  add_megabytes(names.free, available);
  return part;
}

struct ProcessorTable {
  std::vector<std::string> models;
  uint64_t count = 0;
  std::set<int64_t> packages;
  uint64_t hertz = 0;
};

ProcessorTable read_processors(const std::string& text) {
  ProcessorTable table;
  for (const std::string_view line : lines(text)) {
    const std::string_view key = stripped(line.substr(0, line.find(':')));
    const std::string_view value = stripped(line.substr(line.rfind(':') + 1));
    if (key == "processor") ++table.count;
    if (key == "model name" || key == "cpu") table.models.emplace_back(value);
    if (key == "physical id") table.packages.insert(leading_integer(value));
    if (key == "cpu MHz" || (key == "clock" && contains(value, "MHz"))) {
      table.hertz = static_cast<uint64_t>(leading_integer(value)) * 1'000'000;
    }
  }
  return table;
}

constexpr std::string_view kProcessorDirectory = "/sys/devices/system/cpu/";

std::vector<std::string> processor_directories(const Machine& machine) {
  std::vector<std::string> directories;
  for (const std::string& name : machine.names(kProcessorDirectory)) {
    if (!name.starts_with("cpu") || name.size() == 3 ||
        name.find_first_not_of("0123456789", 3) != std::string::npos) {
      continue;
    }
    directories.push_back(std::string(kProcessorDirectory) + name + "/topology/");
  }
  return directories;
}

uint64_t package_count(const Machine& machine) {
  std::set<std::string> packages;
  for (const std::string& directory : processor_directories(machine)) {
    const auto package = machine.read(directory + "physical_package_id");
    if (package) packages.emplace(stripped(*package));
  }
  return packages.size();
}

// The size of a set of processors in the format of sysfs, "0-3,8".
uint64_t list_size(std::string_view list) {
  uint64_t size = 0;
  for (const std::string_view part : split(stripped(list), ',')) {
    const size_t dash = part.find('-');
    const int64_t first = leading_integer(part);
    const int64_t last =
        dash == std::string_view::npos ? first : leading_integer(part.substr(dash + 1));
    if (last >= first) size += static_cast<uint64_t>(last - first) + 1;
  }
  return size;
}

// Threads per core and cores per socket, counted as by lscpu.
void add_topology(Collection& collection, HashFact& processors) {
  const Machine& machine = collection.machine();
  for (const std::string& directory : processor_directories(machine)) {
    const uint64_t threads = list_size(machine.text(directory + "thread_siblings_list"));
    const uint64_t siblings = list_size(machine.text(directory + "core_siblings_list"));
    if (threads == 0 || siblings == 0) continue;
    processors.set_integer("cores", std::max<uint64_t>(siblings / threads, 1));
    processors.set_integer("threads", threads);
    return;
  }
}

// The output of `uname -p`: GNU's prints "unknown", except in distributions that patch it.
std::string instruction_set(Collection& collection) {
  const std::string& family = collection.os_family();
  const std::string& machine = collection.kernel().machine;
  return family == "RedHat" || family == "Suse" ? machine : "unknown";
}

constexpr std::array<std::string_view, 32> kChassisTypes = {"Other",
                                                            "",
                                                            "Desktop",
                                                            "Low Profile Desktop",
                                                            "Pizza Box",
                                                            "Mini Tower",
                                                            "Tower",
                                                            "Portable",
                                                            "Laptop",
                                                            "Notebook",
                                                            "Hand Held",
                                                            "Docking Station",
                                                            "All in One",
                                                            "Sub Notebook",
                                                            "Space-Saving",
                                                            "Lunch Box",
                                                            "Main System Chassis",
                                                            "Expansion Chassis",
                                                            "SubChassis",
                                                            "Bus Expansion Chassis",
                                                            "Peripheral Chassis",
                                                            "Storage Chassis",
                                                            "Rack Mount Chassis",
                                                            "Sealed-Case PC",
                                                            "Multi-system",
                                                            "CompactPCI",
                                                            "AdvancedTCA",
                                                            "Blade",
                                                            "Blade Enclosure",
                                                            "Tablet",
                                                            "Convertible",
                                                            "Detachable"};

std::string_view chassis_type(std::string_view number) {
  if (number.empty()) return {};
  const int64_t type = leading_integer(number);
  if (type < 1 || type > static_cast<int64_t>(kChassisTypes.size())) return {};
  return kChassisTypes[static_cast<size_t>(type - 1)];
}

}  // namespace

void collect_memory(Collection& collection) {
  const std::string text = collection.machine().text("/proc/meminfo");
  const auto total = meminfo(text, "MemTotal:");
  if (!total || *total == 0) return;
  const uint64_t available =
      meminfo(text, "MemAvailable:")
          .value_or(meminfo(text, "MemFree:").value_or(0) + meminfo(text, "Buffers:").value_or(0) +
                    meminfo(text, "Cached:").value_or(0));
  HashFact memory = collection.hash();
  const uint64_t swap = meminfo(text, "SwapTotal:").value_or(0);
  if (swap > 0) {
    memory.set_hash("swap", memory_part(collection, swap, meminfo(text, "SwapFree:").value_or(0),
                                        {"swapsize", "swapfree"}));
  }
  memory.set_hash("system",
                  memory_part(collection, *total, available, {"memorysize", "memoryfree"}));
  collection.facts().add_hash("memory", memory);
}

void collect_processors(Collection& collection) {
  const std::string text = collection.machine().text("/proc/cpuinfo");
  HashFact processors = collection.hash();
  if (!text.empty()) {
    const ProcessorTable table = read_processors(text);
    add_topology(collection, processors);
    processors.set_integer("count", table.count);
    collection.add_legacy("processorcount", table.count);
    std::vector<DataNode> models;
    for (size_t at = 0; at < table.models.size(); ++at) {
      models.push_back(collection.facts().text(table.models[at]));
      collection.add_legacy("processor" + std::to_string(at), table.models[at]);
    }
    processors.set(
        "models",
        DataNode::array(collection.facts().arena().copy(std::span<const DataNode>(models))));
    const uint64_t packages =
        table.packages.empty() ? package_count(collection.machine()) : table.packages.size();
    processors.set_integer("physicalcount", packages);
    collection.add_legacy("physicalprocessorcount", packages);
    processors.set_text("speed", hertz_text(table.hertz));
  }
  collection.set_both(processors, "isa", "hardwareisa", instruction_set(collection));
  collection.facts().add_hash("processors", processors);
}

void collect_dmi(Collection& collection) {
  if (!collection.machine().is_directory("/sys/class/dmi")) return;
  HashFact dmi = collection.hash();
  HashFact bios = collection.hash();
  collection.set_both(bios, "release_date", "bios_release_date", collection.dmi("bios_date"));
  collection.set_both(bios, "vendor", "bios_vendor", collection.dmi("bios_vendor"));
  collection.set_both(bios, "version", "bios_version", collection.dmi("bios_version"));
  dmi.set_hash("bios", bios);
  HashFact board = collection.hash();
  collection.set_both(board, "asset_tag", "boardassettag", collection.dmi("board_asset_tag"));
  collection.set_both(board, "manufacturer", "boardmanufacturer", collection.dmi("board_vendor"));
  collection.set_both(board, "product", "boardproductname", collection.dmi("board_name"));
  collection.set_both(board, "serial_number", "boardserialnumber", collection.dmi("board_serial"));
  dmi.set_hash("board", board);
  HashFact chassis = collection.hash();
  collection.set_both(chassis, "asset_tag", "chassisassettag", collection.dmi("chassis_asset_tag"));
  collection.set_both(chassis, "type", "chassistype", chassis_type(collection.dmi("chassis_type")));
  dmi.set_hash("chassis", chassis);
  collection.set_both(dmi, "manufacturer", "manufacturer", collection.dmi("sys_vendor"));
  HashFact product = collection.hash();
  collection.set_both(product, "name", "productname", collection.dmi("product_name"));
  collection.set_both(product, "serial_number", "serialnumber", collection.dmi("product_serial"));
  collection.set_both(product, "uuid", "uuid", collection.dmi("product_uuid"));
  dmi.set_hash("product", product);
  collection.facts().add_hash("dmi", dmi);
}

}  // namespace bunraku::facts

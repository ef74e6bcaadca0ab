// The machine that facts are collected of: its files below a root directory, and what the kernel
// and the C library answer. A test puts recorded files under a root of its own and overrides the
// calls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::facts {

struct KernelName {
  std::string name;     // "Linux"
  std::string release;  // "6.1.0-18-amd64"
  std::string machine;  // "x86_64"
};

// One address of a network interface, in the order in which the system lists them.
struct InterfaceAddress {
  enum class Family : uint8_t { kNone, kLink, kIpv4, kIpv6 };
  std::string interface;
  Family family = Family::kNone;
  std::string address;  // as text; of a link "02:fc:00:00:00:01"
  std::string netmask;  // as text, empty where there is none
};

// A route of the main table that names the address to send from.
struct SourceRoute {
  std::string interface;
  std::string address;
  bool is_ipv6 = false;
};

struct FilesystemSizes {
  uint64_t size = 0;  // bytes, as the others
  uint64_t free = 0;
  uint64_t available = 0;  // to users other than root
};

struct Identity {
  int64_t uid = 0;
  int64_t gid = 0;
  std::string user;
  std::string group;
};

// What is known of a block device's contents; empty where it is not known.
struct BlockContents {
  std::string filesystem;
  std::string uuid;
  std::string label;
  std::string partition_uuid;
  std::string partition_label;
};

// Of one thread at a time. No method throws for what the machine lacks.
class Machine {
 public:
  // `root` is put before every path; empty for the machine itself.
  explicit Machine(std::string root = {}) : root_(std::move(root)) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The contents of a file of at most a few megabytes; nothing when it cannot be read.
  std::optional<std::string> read(std::string_view path) const;
  // The same, and empty when it cannot be read.
  std::string text(std::string_view path) const { return read(path).value_or(std::string()); }
  // Without the white space around it.
  std::string stripped_text(std::string_view path) const;
  // The names in a directory, in the order of their bytes; none when it cannot be read.
  std::vector<std::string> names(std::string_view path) const;
  bool exists(std::string_view path) const;
  bool is_directory(std::string_view path) const;
  bool is_file(std::string_view path) const;
  // What a symbolic link points to; empty when it is none.
  std::string link_target(std::string_view path) const;
  // The path of a program along PATH, without the root; empty when there is none.
  std::string find_program(std::string_view name) const;
  std::string rooted(std::string_view path) const;

  virtual KernelName kernel() const;
  virtual std::string host_name() const;
  // The name by which the resolver calls the host; empty when it does not know it.
  virtual std::string canonical_name(const std::string& host) const;
  virtual std::vector<InterfaceAddress> interface_addresses() const;
  virtual std::vector<SourceRoute> source_routes() const;
  // The largest packet that an interface takes; nothing when it is not known.
  virtual std::optional<uint64_t> interface_mtu(const std::string& interface) const;
  virtual std::optional<FilesystemSizes> filesystem_sizes(const std::string& path) const;
  virtual Identity identity() const;
  // The abbreviation of the time zone, "CET".
  virtual std::string time_zone() const;
  // An environment variable; nothing when it is not set.
  virtual std::optional<std::string> variable(const std::string& name) const;
  // The 12 letters by which a hypervisor calls itself; empty on hardware.
  virtual std::string hypervisor_signature() const;
  // By the names of devices, "/dev/vda1".
  virtual std::map<std::string, BlockContents> block_contents() const;
  // The version of the installed Augeas library; empty when there is none.
  virtual std::string augeas_version() const;
  // The ticks of the clock in which /proc/PID/stat counts, a second.
  virtual int64_t clock_ticks() const;

 private:
  std::string root_;
};

}  // namespace bunraku::facts

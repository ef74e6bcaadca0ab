// The machine whose facts are collected: its files below a root directory, and the results of
// system calls. A test uses recorded files below another root and overrides the calls.
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

// One address of a network interface, in the system's order.
struct InterfaceAddress {
  enum class Family : uint8_t { kNone, kLink, kIpv4, kIpv6 };
  std::string interface;
  Family family = Family::kNone;
  std::string address;  // as text; for a link "02:fc:00:00:00:01"
  std::string netmask;  // as text; empty when there is none
};

// A route of the main table with a source address.
struct SourceRoute {
  std::string interface;
  std::string address;
  bool is_ipv6 = false;
};

struct FilesystemSizes {
  uint64_t size = 0;  // in bytes, as the others
  uint64_t free = 0;
  uint64_t available = 0;  // to users other than root
};

struct Identity {
  int64_t uid = 0;
  int64_t gid = 0;
  std::string user;
  std::string group;
};

// The properties of a block device's contents; empty when unknown.
struct BlockContents {
  std::string filesystem;
  std::string uuid;
  std::string label;
  std::string partition_uuid;
  std::string partition_label;
};

// Not thread-safe. No method throws when something is missing on the machine.
class Machine {
 public:
  // `root` is prepended to every path; empty for the real machine.
  explicit Machine(std::string root = {}) : root_(std::move(root)) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The contents of a file, up to a few megabytes; nothing when it cannot be read.
  std::optional<std::string> read(std::string_view path) const;
  // The same, and empty when it cannot be read.
  std::string text(std::string_view path) const { return read(path).value_or(std::string()); }
  // Returns the contents without surrounding white space.
  std::string stripped_text(std::string_view path) const;
  // The names in a directory, sorted by bytes; none when it cannot be read.
  std::vector<std::string> names(std::string_view path) const;
  bool exists(std::string_view path) const;
  bool is_directory(std::string_view path) const;
  bool is_file(std::string_view path) const;
  // The target of a symbolic link; empty when it is not a link.
  std::string link_target(std::string_view path) const;
  // The path of a program in PATH, without the root; empty when there is none.
  std::string find_program(std::string_view name) const;
  std::string rooted(std::string_view path) const;

  virtual KernelName kernel() const;
  virtual std::string host_name() const;
  // The resolver's canonical name of the host; empty when there is none.
  virtual std::string canonical_name(const std::string& host) const;
  virtual std::vector<InterfaceAddress> interface_addresses() const;
  virtual std::vector<SourceRoute> source_routes() const;
  // The MTU of an interface; nothing when it is not known.
  virtual std::optional<uint64_t> interface_mtu(const std::string& interface) const;
  virtual std::optional<FilesystemSizes> filesystem_sizes(const std::string& path) const;
  virtual Identity identity() const;
  // The abbreviation of the time zone, "CET".
  virtual std::string time_zone() const;
  // An environment variable; nothing when it is not set.
  virtual std::optional<std::string> variable(const std::string& name) const;
  // The 12 letters that identify a hypervisor; empty on hardware.
  virtual std::string hypervisor_signature() const;
  // By device name, such as "/dev/vda1".
  virtual std::map<std::string, BlockContents> block_contents() const;
  // The version of the installed Augeas library; empty when there is none.
  virtual std::string augeas_version() const;
  // The clock ticks per second of /proc/PID/stat.
  virtual int64_t clock_ticks() const;

 private:
  std::string root_;
};

}  // namespace bunraku::facts

// A simulated machine: its files are in a directory of the test, and the results of queries are
// set.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "facts/core_facts.h"
#include "facts/fact_set.h"
#include "facts/machine.h"

namespace bunraku::facts {

class TemporaryRoot {
 public:
  TemporaryRoot() {
    char name[] = "/tmp/bunraku-facts-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TemporaryRoot() { std::filesystem::remove_all(path_); }
  TemporaryRoot(const TemporaryRoot&) = delete;
  TemporaryRoot& operator=(const TemporaryRoot&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class RecordedMachine : private TemporaryRoot, public Machine {
 public:
  RecordedMachine() : Machine(TemporaryRoot::path()) {}

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = rooted(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void link(const std::string& path, const std::string& target) {
    const std::filesystem::path file = rooted(path);
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  }

  KernelName kernel() const override { return kernel_name; }
  std::string host_name() const override { return host; }
  std::string canonical_name(const std::string&) const override { return canonical; }
  std::vector<InterfaceAddress> interface_addresses() const override { return addresses; }
  std::vector<SourceRoute> source_routes() const override { return routes; }
  std::optional<uint64_t> interface_mtu(const std::string&) const override { return 1500; }
  std::optional<FilesystemSizes> filesystem_sizes(const std::string& path) const override {
    const auto found = sizes.find(path);
    if (found == sizes.end()) return std::nullopt;
    return found->second;
  }
  Identity identity() const override { return {0, 0, "root", "root"}; }
  std::string time_zone() const override { return "CET"; }
  std::optional<std::string> variable(const std::string& name) const override {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  }
  std::string hypervisor_signature() const override { return signature; }
  std::map<std::string, BlockContents> block_contents() const override { return blocks; }
  std::string augeas_version() const override { return {}; }
  int64_t clock_ticks() const override { return 100; }

  // The value for a name, as compact JSON; "(none)" when there is no such fact.
  std::string fact(const std::string& name) const {
    Arena arena;
    FactSet set(arena);
    collect_core_facts(*this, set);
    DataNode at = set.as_hash(true);
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('.', begin), name.size());
      const DataNode* found = at.find(name.substr(begin, end - begin));
      if (found == nullptr) return "(none)";
      at = *found;
      begin = end + 1;
    }
    std::string text;
    JsonWriter(text).data(at);
    return text;
  }

  KernelName kernel_name{"Linux", "6.1.0-18-amd64", "x86_64"};
  std::string host = "web01";
  std::string canonical;
  std::string signature;
  std::vector<InterfaceAddress> addresses;
  std::vector<SourceRoute> routes;
  std::map<std::string, FilesystemSizes> sizes;
  std::map<std::string, std::string> variables;
  std::map<std::string, BlockContents> blocks;
};

}  // namespace bunraku::facts

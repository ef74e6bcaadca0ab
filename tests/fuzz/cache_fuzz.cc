// Input: any bytes as the files that a run leaves for the next one: the index of a fleet's cache
// (the first byte decides whether its digest is made valid), the state of resources, stored values,
// and texts kept about modules (the first byte decides whether their stamps are made valid).
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apply/transaction/context.h"
#include "apply/transaction/state_file.h"
#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/kept_texts.h"
#include "base/system/reads.h"
#include "fleet/node_cache.h"
#include "site/environment/file_index.h"
#include "site/environment/module.h"

using namespace bunraku;

namespace {

// A directory of this process, removed at the end.
struct Scratch {
  Scratch() {
    path = (std::filesystem::temp_directory_path() / ("bunraku-fuzz-" + std::to_string(getpid())))
               .string();
    std::filesystem::create_directories(path);
    chmod(path.c_str(), 0700);
  }
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string path;
};

const std::string& scratch() {
  static const Scratch kept;
  return kept.path;
}

std::string with_size(std::string_view text) {
  std::string result;
  size_t size = text.size();
  for (; size >= 0x80; size >>= 7) result.push_back(static_cast<char>(size | 0x80));
  result.push_back(static_cast<char>(size));
  return result.append(text);
}

// Returns whether no directories would be searched for paths in the input.
bool looks_at_files_only(const ReadTable& table) {
  for (const Read& read : table.reads()) {
    if (read.kind != ReadKind::kFile && read.kind != ReadKind::kFact) return false;
  }
  return true;
}

void read_index(std::string_view bytes, bool has_digest) {
  std::string text = "bunraku fleet cache 3\n";
  if (has_digest) {
    const std::string rest = with_size("key") + std::string(bytes);
    text += with_size(read_digest(rest)) + rest;
  } else {
    text += bytes;
  }
  write_file(scratch() + "/index", text, 0600);
  NodeCache cache(scratch(), "key", CacheUse::kRead);
  if (!looks_at_files_only(cache.table())) return;
  cache.check();
  for (const auto& [name, known] : cache.nodes()) {
    FleetNode node;
    node.name = name;
    node.path = scratch() + "/none.yaml";
    cache.find(node);
    cache.catalog(known);
  }
}

void read_state(std::string_view bytes) {
  LogKeeper lines;
  apply::RunLog log(lines);
  const std::string path = scratch() + "/state.yaml";
  write_file(path, std::string(bytes), 0600);
  apply::StateFile state;
  state.read(path);
  state.report_problem(log);
  state.store(path, 0, log);
  write_file(path, std::string(bytes), 0600);
  apply::TransactionStore store;
  store.read(path);
  store.report_problem(log);
  store.save(path);
}

// A directory with the parts of a module of which texts are kept.
const std::string& module_directory() {
  static const std::string path = [] {
    const std::string directory = scratch() + "/module";
    std::filesystem::create_directories(directory + "/lib/puppet");
    write_file(directory + "/metadata.json", "{}", 0600);
    return directory;
  }();
  return path;
}

void read_kept_texts(std::string_view bytes, bool is_current) {
  std::string text = "bunraku kept texts 1\n";
  if (is_current) {
    for (const char* const part : {"/lib", "/lib/puppet", "/metadata.json"}) {
      const std::string path = module_directory() + part;
      const FileStamp stamp = file_stamp(path);
      text += fmt::format("{} {} {} {} {}\t{}\n", stamp.size, stamp.inode, stamp.modified,
                          stamp.changed, path, bytes);
    }
  } else {
    text += bytes;
  }
  write_file(scratch() + "/kept.txt", text, 0600);
  KeptTexts texts(scratch() + "/kept.txt");
  constexpr IndexedDirectory kDirectories[] = {{"lib", Links::kSkipped}};
  const FileIndex index(module_directory(), kDirectories, &texts);
  index.has_file("lib/puppet/a.rb");
  index.has_directory("lib/puppet/functions");
  Module module;
  module.path = module_directory();
  std::vector<SettingsProblem> problems;
  read_metadata(module, Strictness::kError, &texts, problems);
  texts.save();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 3) != 0) {
    read_index(bytes, (data[0] & 2) != 0);
  } else if ((data[0] & 4) != 0) {
    read_kept_texts(bytes, (data[0] & 8) != 0);
  } else {
    read_state(bytes);
  }
  return 0;
}

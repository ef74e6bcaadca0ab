// Input: any bytes as the files that a run leaves for the next one: the index of a fleet's cache
// (the first byte decides whether its digest is made valid), the state of resources, and stored
// values.
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "apply/transaction/context.h"
#include "apply/transaction/state_file.h"
#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/reads.h"
#include "fleet/node_cache.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 3) != 0) {
    read_index(bytes, (data[0] & 2) != 0);
  } else {
    read_state(bytes);
  }
  return 0;
}

// Checks that a process respects its memory limit while half of its nodes are memory bombs.
//
//   memory_bombs_bench [MEGABYTES [THREADS]]
//
// Sixteen threads compile eight nodes each; every other one allocates memory without end, in one of
// four ways. The exit code is 1 when the process was ever larger than MEGABYTES (default 800), a
// harmless node failed, or a bomb did not fail with the memory limit.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/system/limits.h"
#include "compilation/catalog_compilation.h"

namespace {

using namespace bunraku;
using namespace bunraku::compilation;

constexpr size_t kNodesOfThread = 8;

constexpr const char* kCode = R"(
case $facts['kind'] {
  'text':      { $a = Integer[1, 60].reduce('x') |$m, $i| { "${m}${m}" } }
  'arrays':    { $a = Integer[1, 60].reduce([1]) |$m, $i| { $m + $m } }
  'hashes':    { $a = Integer[1, 30000000].reduce({}) |$m, $i| { $m + { $i => "a${i}" } } }
  'resources': { Integer[1, 30000000].each |$i| { notify { "a${i}": message => "text of ${i}" } } }
  default:     { notify { $facts['kind']: } }
}
)";
constexpr const char* kBombs[] = {"text", "arrays", "hashes", "resources"};

// The peak memory of this process.
size_t most_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

// Returns whether the node had the expected result.
bool compile(Service& service, size_t number, size_t memory) {
  const bool is_bomb = number % 2 == 1;
  const std::string kind = is_bomb ? kBombs[number / 2 % std::size(kBombs)] : "harmless";
  const Document facts{"{\"kind\": \"" + kind + "\"}", "facts"};
  CatalogRequest request;
  const std::string name = "node" + std::to_string(number) + ".example.com";
  request.node.name = name;
  request.node.facts = document_facts(facts);
  request.node.limits.memory = memory;
  const CatalogAnswer answer = compile_catalog(service, request);
  if (!is_bomb) {
    if (answer.failure) std::fprintf(stderr, "%s\n", answer.failure->message.c_str());
    return !answer.failure;
  }
  if (!answer.failure) {
    std::fprintf(stderr, "the bomb of %s compiles\n", kind.c_str());
    return false;
  }
  if (answer.failure->limit == Limit::kMemory) return true;
  std::fprintf(stderr, "%s: %s\n", kind.c_str(), answer.failure->message.c_str());
  return false;
}

}  // namespace

int main(int count, char** words) {
  const size_t most = (count > 1 ? std::strtoul(words[1], nullptr, 10) : 800) << 20;
  const size_t thread_count = count > 2 ? std::strtoul(words[2], nullptr, 10) : 16;
  Sources sources;
  sources.code = kCode;
  Service service(Settings({{}, "server"}), {}, std::move(sources));
  const size_t share = memory_share(most, thread_count);
  std::atomic<size_t> wrong = 0;
  std::vector<std::jthread> threads;
  for (size_t thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      for (size_t i = 0; i < kNodesOfThread; ++i) {
        if (!compile(service, thread * kNodesOfThread + i, share)) ++wrong;
      }
    });
  }
  threads.clear();
  std::printf("%zu nodes, %zu wrong, %zu MB at most, %zu MB allowed\n",
              thread_count * kNodesOfThread, wrong.load(), most_bytes() >> 20, most >> 20);
#if defined(__SANITIZE_THREAD__)
  // The sanitizer's own memory is several times that of the program.
  return wrong == 0 ? 0 : 1;
#else
  return wrong == 0 && most_bytes() <= most ? 0 : 1;
#endif
}

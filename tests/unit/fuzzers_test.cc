// Runs the inputs of the corpora, including former findings, through every fuzzer, which calls
// abort() for errors.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test_directory.h"

#define FUZZER(NAME) extern "C" int fuzz_##NAME(const uint8_t* data, size_t size);
#include "fuzzers.def"
#undef FUZZER

namespace {

struct Fuzzer {
  const char* name;
  int (*run)(const uint8_t* data, size_t size);
};

constexpr Fuzzer kFuzzers[] = {
#define FUZZER(NAME) {#NAME, fuzz_##NAME},
#include "fuzzers.def"
#undef FUZZER
};

std::vector<std::string> inputs() {
  std::vector<std::string> all;
  const std::filesystem::path directory = bunraku::test_directory() / "fuzz/corpus";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

}  // namespace

TEST_CASE("fuzzers: every input of the corpora") {
  const std::vector<std::string> all = inputs();
  REQUIRE(all.size() > 100);
  for (const Fuzzer& fuzzer : kFuzzers) {
    CAPTURE(fuzzer.name);
    for (const std::string& input : all) {
      CHECK(fuzzer.run(reinterpret_cast<const uint8_t*>(input.data()), input.size()) == 0);
    }
  }
}

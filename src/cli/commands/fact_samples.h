// Samples of facts embedded in the program: common systems, for users without facts of their own.
// The texts are share/facts/*.json.
#pragma once

#include <span>
#include <string_view>

namespace bunraku {

struct FactSample {
  std::string_view name;       // "debian-12"
  std::string_view system;     // "Debian 12 (bookworm)"
  std::string_view (*text)();  // JSON, for the node sample.example.com
};

std::span<const FactSample> fact_samples();

std::string_view almalinux_9_facts();
std::string_view debian_12_facts();
std::string_view ubuntu_24_04_facts();
std::string_view windows_2022_facts();

}  // namespace bunraku

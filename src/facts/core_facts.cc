// The list of subjects and their collection.
#include "facts/core_facts.h"

#include <algorithm>
#include <array>

#include "facts/collection.h"

namespace bunraku::facts {
namespace {

struct Subject {
  std::string_view name;
  void (*collect)(Collection& collection);
};

constexpr std::array kSubjects = std::to_array<Subject>({
    {"kernel", collect_kernel},
    {"os", collect_operating_system},
    {"networking", collect_networking},
    {"memory", collect_memory},
    {"processors", collect_processors},
    {"disks", collect_disks},
    {"partitions", collect_partitions},
    {"mountpoints", collect_mountpoints},
    {"filesystems", collect_filesystems},
    {"dmi", collect_dmi},
    {"virtual", collect_virtualization},
    {"ssh", collect_ssh},
    {"system_uptime", collect_time},
    {"identity", collect_identity},
    {"fips_enabled", collect_security},
    {"ruby", collect_software},
});

}  // namespace

void collect_core_facts(const Machine& machine, FactSet& to, const CoreOptions& options) {
  using Clock = std::chrono::steady_clock;
  Collection collection(machine, to);
  for (const Subject& subject : kSubjects) {
    if (options.is_wanted && !options.is_wanted(subject.name)) continue;
    const Clock::time_point started = Clock::now();
    subject.collect(collection);
    if (options.timings == nullptr) continue;
    options.timings->push_back(
        {std::string(subject.name),
         std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started)});
  }
}

}  // namespace bunraku::facts

#include "functions/core/registry.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "base/text/digest.h"
#include "functions/core/families.h"
#include "functions/modules/families.h"
#include "functions/stdlib/digests.h"
#include "functions/stdlib/families.h"

namespace bunraku {

namespace {

using Family = std::span<const NativeFunctionInfo>;

// All families in one sorted list, and a table by name with open addressing. Built once, and read
// without locks after that.
class Registry {
 public:
  explicit Registry(std::initializer_list<Family> families) {
    for (const Family family : families) {
      for (const NativeFunctionInfo& info : family) all_.push_back(&info);
    }
    std::ranges::sort(all_, {}, &NativeFunctionInfo::name);
    for (const NativeFunctionInfo* info : all_) add(info);
  }

  std::span<const NativeFunctionInfo* const> all() const { return all_; }

  const NativeFunctionInfo* find(std::string_view name) const {
    auto found = std::ranges::lower_bound(all_, name, {}, &NativeFunctionInfo::name);
    return found != all_.end() && (*found)->name == name ? *found : nullptr;
  }
  const Function* find_function(Name name) const {
    for (uint32_t at = name.hash();; ++at) {
      const Slot& slot = slots_[at % kSlots];
      if (slot.name == name) return slot.function;
      if (slot.function == nullptr) return nullptr;
    }
  }

 private:
  static constexpr uint32_t kSlots = 512;
  struct Slot {
    Name name;
    const Function* function = nullptr;
  };

  void add(const NativeFunctionInfo* info) {
    const Name name(info->name);
    uint32_t at = name.hash();
    while (slots_[at % kSlots].function != nullptr) ++at;
    slots_[at % kSlots] = {name, &native_function(*info)};
  }

  std::vector<const NativeFunctionInfo*> all_;
  Slot slots_[kSlots];
};

const Registry& builtin_registry() {
  static const Registry registry(
      {call_functions(), collection_functions(), digest_functions(), file_functions(),
       catalog_functions(), data_functions(), grouping_functions(), iteration_functions(),
       lazy_iteration_functions(), logging_functions(), number_functions(), pattern_functions(),
       store_functions(), template_functions(), text_functions(), time_functions(),
       type_functions()});
  return registry;
}

const Registry& stdlib_registry() {
  static const Registry registry(
      {stdlib::array_functions(), stdlib::check_functions(), stdlib::choice_functions(),
       stdlib::conversion_functions(), stdlib::data_functions(), stdlib::hash_functions(),
       stdlib::network_functions(), stdlib::newer_functions(), stdlib::path_functions(),
       stdlib::resource_functions(), stdlib::secret_functions(), stdlib::text_functions(),
       stdlib::validation_functions()});
  return registry;
}

const Registry& shim_registry() {
  static const Registry registry({stdlib::shim_functions()});
  return registry;
}

const Registry& module_registry() {
  static const Registry registry({modules::apache_functions(), modules::database_functions(),
                                  modules::openstack_functions(), modules::service_functions()});
  return registry;
}

const Registry& older_stdlib_registry(size_t version) {
  static const auto* const registries = [] {
    auto* made = new std::vector<Registry>();
    for (size_t i = 0; i < stdlib::kOlderVersions; ++i) {
      made->push_back(Registry({stdlib::older_functions(i)}));
    }
    return made;
  }();
  return (*registries)[version];
}

const Registry& older_module_registry() {
  static const Registry registry({modules::older_database_functions()});
  return registry;
}

enum class Verdict : uint8_t { kUnknown, kKnown, kShim, kOlder };
struct Judgement {
  Verdict verdict = Verdict::kUnknown;
  size_t version = 0;  // of an older function of the standard library
};

// The verdict on each module's file, kept until the file changes.
class SourceVerdicts {
 public:
  Judgement judgement(std::string_view function, const std::string& path) {
    // Every caller depends on the file, even when another caller read it first.
    if (ReadObserver::current() != nullptr && exists(path)) read_file(path);
    const ObservedReads no_observer(nullptr);
    const FileStamp stamp = file_stamp(path);
    const std::lock_guard lock(mutex_);
    auto [found, is_new] = files_.try_emplace(path);
    if (is_new || found->second.stamp != stamp) {
      found->second = {stamp, judgement_of(function, path)};
    }
    return found->second.judgement;
  }

 private:
  struct File {
    FileStamp stamp;
    Judgement judgement;
  };

  static Judgement judgement_of(std::string_view function, const std::string& path) {
    try {
      const std::string content = read_file(path);
      // A file that defines nothing counts as the version that the native function reproduces.
      const bool is_definition = content.find("newfunction") != content.npos ||
                                 content.find("create_function") != content.npos;
      if (!is_definition) {
        const bool is_shim = !function.starts_with("stdlib::") &&
                             shim_registry().find_function(Name(function)) != nullptr;
        return {is_shim ? Verdict::kShim : Verdict::kKnown};
      }
      const std::string digest = digest_hex(DigestAlgorithm::kSha256, content);
      if (stdlib::is_known_source(function, digest)) return {Verdict::kKnown};
      if (modules::is_known_source(function, digest)) return {Verdict::kKnown};
      if (modules::is_older_source(function, digest)) return {Verdict::kOlder};
      if (const auto version = stdlib::older_version(function, digest)) {
        return {Verdict::kOlder, *version};
      }
      return {stdlib::is_shim_source(function, digest) ? Verdict::kShim : Verdict::kUnknown};
    } catch (const FileError&) {
      return {};
    }
  }

  std::mutex mutex_;
  std::unordered_map<std::string, File> files_;
};

}  // namespace

std::span<const NativeFunctionInfo* const> builtin_functions() {
  return builtin_registry().all();
}
const NativeFunctionInfo* find_builtin_function_info(std::string_view name) {
  return builtin_registry().find(name);
}
const Function* find_builtin_function(Name name) {
  return builtin_registry().find_function(name);
}

std::span<const NativeFunctionInfo* const> stdlib_functions() {
  return stdlib_registry().all();
}
const NativeFunctionInfo* find_stdlib_function_info(std::string_view name) {
  return stdlib_registry().find(name);
}
const Function* find_stdlib_function(Name name) {
  return stdlib_registry().find_function(name);
}

namespace {

SourceVerdicts& source_verdicts() {
  static SourceVerdicts verdicts;
  return verdicts;
}

}  // namespace

std::span<const NativeFunctionInfo* const> module_functions() {
  return module_registry().all();
}
const Function* find_module_function(Name name) {
  return module_registry().find_function(name);
}

const Function* find_module_function(Name name, const std::string& path) {
  const Function* function = find_module_function(name);
  if (function == nullptr) return nullptr;
  switch (source_verdicts().judgement(name.text(), path).verdict) {
    case Verdict::kKnown:
      return function;
    case Verdict::kOlder:
      return older_module_registry().find_function(name);
    case Verdict::kShim:
    case Verdict::kUnknown:
      break;
  }
  return nullptr;
}

const Function* find_stdlib_function(Name name, const std::string& path) {
  const Function* function = find_stdlib_function(name);
  if (function == nullptr) return nullptr;
  const Judgement judgement = source_verdicts().judgement(name.text(), path);
  switch (judgement.verdict) {
    case Verdict::kKnown:
      return function;
    case Verdict::kShim:
      return shim_registry().find_function(name);
    case Verdict::kOlder:
      return older_stdlib_registry(judgement.version).find_function(name);
    case Verdict::kUnknown:
      break;
  }
  return nullptr;
}

}  // namespace bunraku

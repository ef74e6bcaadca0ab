#include "functions/registry.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "functions/families.h"

namespace bunraku {

namespace {

// All families in one sorted list, and a table by name with open addressing. Made once; read without
// locks after that.
class Registry {
 public:
  Registry() {
    for (auto family :
         {call_functions(), collection_functions(), digest_functions(), file_functions(),
          catalog_functions(), data_functions(), grouping_functions(), iteration_functions(),
          lazy_iteration_functions(), logging_functions(), number_functions(), pattern_functions(),
          text_functions(), time_functions(), type_functions()}) {
      for (const NativeFunctionInfo& info : family) all_.push_back(&info);
    }
    std::ranges::sort(all_, {}, &NativeFunctionInfo::name);
    for (const NativeFunctionInfo* info : all_) add(info);
  }

  std::span<const NativeFunctionInfo* const> all() const { return all_; }

  const NativeFunctionInfo* find(Name name) const {
    for (uint32_t at = name.hash();; ++at) {
      const Slot& slot = slots_[at % kSlots];
      if (slot.name == name) return slot.info;
      if (slot.info == nullptr) return nullptr;
    }
  }

 private:
  static constexpr uint32_t kSlots = 512;
  struct Slot {
    Name name;
    const NativeFunctionInfo* info = nullptr;
  };

  void add(const NativeFunctionInfo* info) {
    Name name(info->name);
    uint32_t at = name.hash();
    while (slots_[at % kSlots].info != nullptr) ++at;
    slots_[at % kSlots] = {name, info};
  }

  std::vector<const NativeFunctionInfo*> all_;
  Slot slots_[kSlots];
};

const Registry& registry() {
  static const Registry registry;
  return registry;
}

}  // namespace

std::span<const NativeFunctionInfo* const> builtin_functions() { return registry().all(); }

const NativeFunctionInfo* find_builtin_function_info(std::string_view name) {
  std::span<const NativeFunctionInfo* const> all = registry().all();
  auto found = std::ranges::lower_bound(all, name, {}, &NativeFunctionInfo::name);
  return found != all.end() && (*found)->name == name ? *found : nullptr;
}

const Function* find_builtin_function(Name name) {
  const NativeFunctionInfo* info = registry().find(name);
  return info == nullptr ? nullptr : &native_function(*info);
}

}  // namespace bunraku

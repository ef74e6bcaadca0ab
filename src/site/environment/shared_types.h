// Data types that are the same in every compilation of an environment, so that they are made once:
// aliases that files of modules define with nothing but built-in types and each other, and
// parameters' types made of such.
#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/memory/arena.h"
#include "syntax/tree.h"
#include "types/type_text.h"

namespace bunraku {

class Environment;

// Any thread may ask. What is returned lives as long as this.
class SharedTypes {
 public:
  // The environment must outlive this.
  explicit SharedTypes(const Environment& environment) : environment_(environment) {}

  // The alias of that name; null when there is none that could be shared.
  const Type* find_alias(std::string_view lower_case_name);
  // The type that the expression of the program says; null when it cannot be shared. The program is
  // kept alive.
  const Type* find(const ProgramPointer& program, const Expression& expression);

 private:
  class Maker;
  struct Entry {
    const Type* type = nullptr;  // null: it cannot be shared
    // The aliases within, in lower case.
    std::vector<std::string> aliases;
  };
  // A caller that receives a type has read the files of its aliases.
  const Type* reported(const Entry& entry) const;

  const Environment& environment_;
  std::shared_mutex mutex_;
  Arena arena_;
  std::unordered_map<std::string, Entry> aliases_;
  std::unordered_map<const Expression*, Entry> expressions_;
  std::unordered_set<ProgramPointer> programs_;
};

}  // namespace bunraku

// Data types that are the same in every compilation of an environment and are made only once:
// aliases in files of modules that use only built-in types and each other, and parameters' types
// made of these.
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

// Safe from any thread. Returned types live as long as this object.
class SharedTypes {
 public:
  // The environment must outlive this.
  explicit SharedTypes(const Environment& environment) : environment_(environment) {}

  // Returns the alias of that name; null when none can be shared.
  const Type* find_alias(std::string_view lower_case_name);
  // Returns the type of the program's expression; null when it cannot be shared. The program is
  // kept alive.
  const Type* find(const ProgramPointer& program, const Expression& expression);

 private:
  class Maker;
  struct Entry {
    const Type* type = nullptr;  // null: the type cannot be shared
    // The names of the aliases used in the type, in lower case.
    std::vector<std::string> aliases;
  };
  // Reports the files of the type's aliases as read by the caller.
  const Type* reported(const Entry& entry) const;

  const Environment& environment_;
  std::shared_mutex mutex_;
  Arena arena_;
  std::unordered_map<std::string, Entry> aliases_;
  std::unordered_map<const Expression*, Entry> expressions_;
  std::unordered_set<ProgramPointer> programs_;
};

}  // namespace bunraku

// Facts that are not kept, by their names: PuppetDB's settings facts-blocklist and
// facts-blocklist-type.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::store {

// Immutable and cheap to copy; any thread may use it.
class FactFilter {
 public:
  // Keeps all.
  FactFilter() = default;
  // Leaves out the facts with these names or, where they are regular expressions, those whose names
  // one of them matches as a whole. Names are those of whole facts: nothing within one is left out.
  // Throws StoreError (kInput) for an expression that does not compile.
  FactFilter(const std::vector<std::string>& names, bool are_patterns);

  bool keeps_all() const { return rules_ == nullptr; }
  bool keeps(std::string_view name) const;
  // Filters of the same text keep the same facts. Empty for one that keeps all.
  std::string_view text() const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace bunraku::store

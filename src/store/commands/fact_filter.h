// The names of facts that are not stored: PuppetDB's settings facts-blocklist and
// facts-blocklist-type.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::store {

// Immutable and cheap to copy; safe from any thread.
class FactFilter {
 public:
  // Keeps all facts.
  FactFilter() = default;
  // Excludes the facts with these names, or, if they are patterns, the facts whose whole name
  // matches one of them. Only whole facts are excluded, never parts of one. Throws StoreError
  // (kInput) for an invalid pattern.
  FactFilter(const std::vector<std::string>& names, bool are_patterns);

  bool keeps_all() const { return rules_ == nullptr; }
  bool keeps(std::string_view name) const;
  // Filters with equal texts keep the same facts. Empty for a filter that keeps all.
  std::string_view text() const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace bunraku::store

// Version ranges in `ensure` of a package: ">1.0", ">=1.0 <2.0".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::apply {

// The order of versions for one kind of packages. Immutable, safe to use from any thread.
class VersionOrder {
 public:
  virtual ~VersionOrder() = default;
  virtual bool is_version(std::string_view text) const = 0;
  // Returns less than 0, 0 or more than 0. Both texts are versions; `bound` is from a range, and
  // may have fewer parts than the version of a package.
  virtual int compare(std::string_view version, std::string_view bound) const = 0;
};

const VersionOrder& debian_versions();
const VersionOrder& rpm_versions();
const VersionOrder& gem_versions();
const VersionOrder& pip_versions();

// One version, or the versions between two bounds. Its order must outlive it.
class VersionRange {
 public:
  // Returns no value for other text. As in the reference, text after the second bound is ignored.
  static std::optional<VersionRange> parse(std::string_view text, const VersionOrder& order);

  // Returns whether it is a single version without an operator.
  bool is_single() const { return bounds_.size() == 1 && bounds_.front().operation.empty(); }
  // Returns false for text that is not a version.
  bool includes(std::string_view version) const;
  // The newest of the versions within the range.
  std::optional<std::string> newest_of(const std::vector<std::string>& versions) const;
  // The text of the bounds, separated by `separator`.
  std::string text(std::string_view separator) const;

 private:
  struct Bound {
    std::string operation;  // < <= > >=; empty: the version itself
    std::string version;
  };
  explicit VersionRange(const VersionOrder& order) : order_(&order) {}

  const VersionOrder* order_;
  std::vector<Bound> bounds_;
};

// Returns whether a gem's version meets a requirement in RubyGems' syntax, such as "~> 1.2, !=
// 1.2.5"; no value when the text is not a requirement.
std::optional<bool> meets_gem_requirement(std::string_view requirement, std::string_view version);

}  // namespace bunraku::apply

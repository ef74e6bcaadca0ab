// Ranges of versions, as `ensure` of a package takes them: ">1.0", ">=1.0 <2.0".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::apply {

// How the versions of one kind of packages are ordered. Immutable, safe to use from any thread.
class VersionOrder {
 public:
  virtual ~VersionOrder() = default;
  virtual bool is_version(std::string_view text) const = 0;
  // Less than 0, 0 or more than 0. Both texts are versions; `bound` is one that a range names,
  // which may say less than the version of a package.
  virtual int compare(std::string_view version, std::string_view bound) const = 0;
};

const VersionOrder& debian_versions();
const VersionOrder& rpm_versions();
const VersionOrder& gem_versions();
const VersionOrder& pip_versions();

// One version, or those between two bounds. Refers to its order, which must outlive it.
class VersionRange {
 public:
  // Nothing when the text is neither. As in the reference, all beyond the second bound is ignored.
  static std::optional<VersionRange> parse(std::string_view text, const VersionOrder& order);

  // Is it a version by itself, without an operator?
  bool is_single() const { return bounds_.size() == 1 && bounds_.front().operation.empty(); }
  // False for what is no version.
  bool includes(std::string_view version) const;
  // The newest of the versions that it includes.
  std::optional<std::string> newest_of(const std::vector<std::string>& versions) const;
  // The bounds with `separator` between them.
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

// Does a gem's version meet what RubyGems calls a requirement, such as "~> 1.2, != 1.2.5"? Nothing
// when the text is none.
std::optional<bool> meets_gem_requirement(std::string_view requirement, std::string_view version);

}  // namespace bunraku::apply

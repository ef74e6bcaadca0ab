// Orders of versions, and version ranges.
#include "apply/providers/package/version_range.h"

#include <doctest/doctest.h>

namespace bunraku::apply {
namespace {

int sign(int order) {
  return (order > 0) - (order < 0);
}

// The versions must be in ascending order.
void check_order(const VersionOrder& order, const std::vector<std::string>& versions) {
  for (size_t i = 0; i < versions.size(); ++i) {
    for (size_t j = 0; j < versions.size(); ++j) {
      CAPTURE(versions[i]);
      CAPTURE(versions[j]);
      CHECK(sign(order.compare(versions[i], versions[j])) == (i > j) - (i < j));
    }
  }
}

TEST_CASE("versions of Debian") {
  check_order(debian_versions(), {"1.0~~", "1.0~~a", "1.0~", "1.0", "1.0-1~bpo", "1.0-1", "1.0-1.1",
                                  "1.0-2", "1.0-10", "1.0a", "1.0+b", "1.9", "1.10", "1:0.1"});
  CHECK(debian_versions().compare("0:1.0-1", "1.0-1") == 0);
  CHECK(debian_versions().compare("1.0", "1.0-0") == 0);
  CHECK(!debian_versions().is_version(""));
  CHECK(!debian_versions().is_version("1 2"));
}

TEST_CASE("versions of RubyGems") {
  check_order(gem_versions(), {"0.9", "1.0.a", "1.0.a.2", "1.0.a.10", "1.0.b1", "1.0.pre", "1",
                               "1.0.1", "1.9", "1.10"});
  CHECK(gem_versions().compare("1.0", "1") == 0);
  CHECK(gem_versions().compare("1.0.0.a", "1.a") == 0);
  CHECK(gem_versions().compare("1.0-x", "1.0.pre.x") == 0);
}

TEST_CASE("versions of Python") {
  check_order(pip_versions(),
              {"0.9", "1.0.dev1", "1.0a1.dev1", "1.0a1", "1.0a2", "1.0b1", "1.0rc1", "1.0",
               "1.0+local", "1.0.post1.dev2", "1.0.post1", "1.0.1", "1.10", "1!0.1"});
  CHECK(pip_versions().compare("1.0", "1.0.0") == 0);
  CHECK(pip_versions().compare("v1.0-ALPHA.1", "1.0a1") == 0);
  CHECK(pip_versions().compare("1.0-1", "1.0.post1") == 0);
  CHECK(!pip_versions().is_version("latest"));
}

TEST_CASE("a range of versions") {
  const auto range = VersionRange::parse(">=1.0  <2.0 <1.1", debian_versions());
  REQUIRE(range);
  CHECK(!range->is_single());
  CHECK(range->text(", ") == ">=1.0, <2.0");
  CHECK(range->includes("1.0"));
  CHECK(range->includes("2.0~rc1-1"));
  CHECK(!range->includes("2.0"));
  CHECK(!range->includes("nonsense!"));
  CHECK(range->newest_of({"0.9", "1.2", "1.10", "2.0"}) == "1.10");
  CHECK(!range->newest_of({"0.9", "2.0"}));
  CHECK(VersionRange::parse("1.0", debian_versions())->is_single());
  CHECK(!VersionRange::parse("", debian_versions()));
  CHECK(!VersionRange::parse("=>1.0", debian_versions()));
  CHECK(!VersionRange::parse("> 1.0", debian_versions()));
}

TEST_CASE("bounds of versions of RPM") {
  const auto range = VersionRange::parse(">1.2 <=2.0-3", rpm_versions());
  REQUIRE(range);
  CHECK(range->includes("1.3-1.el8"));
  CHECK(range->includes("1.2-1.el8"));
  CHECK(range->includes("2.0-3"));
  CHECK(!range->includes("2.0-4"));
  CHECK(!range->includes("1:1.3-1"));
}

TEST_CASE("requirements of RubyGems") {
  CHECK(meets_gem_requirement("~> 1.2", "1.9") == true);
  CHECK(meets_gem_requirement("~> 1.2", "2.0") == false);
  CHECK(meets_gem_requirement("~> 1.9.9", "1.9.10") == true);
  CHECK(meets_gem_requirement("~> 1.9.9", "1.10") == false);
  CHECK(meets_gem_requirement(">= 1.0, != 1.5", "1.5") == false);
  CHECK(meets_gem_requirement("1.0", "1") == true);
  CHECK(!meets_gem_requirement(">1.0 <2.0", "1"));
}

}  // namespace
}  // namespace bunraku::apply

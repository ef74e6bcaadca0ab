// Versions of RPM packages.
#include "apply/providers/package/rpm_version.h"

#include <doctest/doctest.h>

namespace bunraku::apply {
namespace {

int sign(int order) {
  return (order > 0) - (order < 0);
}

TEST_CASE("parts of versions are compared as numbers and words") {
  CHECK(compare_rpm_parts("1.10", "1.9") > 0);
  CHECK(compare_rpm_parts("1.010", "1.10") == 0);
  CHECK(compare_rpm_parts("1.0", "1.0.1") < 0);
  CHECK(compare_rpm_parts("1.0a", "1.0") > 0);
  CHECK(compare_rpm_parts("1.a", "1.1") < 0);
  CHECK(compare_rpm_parts("2_0", "2.0") == 0);
}

TEST_CASE("a tilde is before everything") {
  CHECK(compare_rpm_parts("1.0~rc1", "1.0") < 0);
  CHECK(compare_rpm_parts("1.0~rc1", "1.0~rc2") < 0);
  CHECK(compare_rpm_parts("~", "") < 0);
}

TEST_CASE("an epoch or a release that is not wanted is not compared") {
  CHECK(compare_rpm_versions("1.2", "1.2-3.el8") == 0);
  CHECK(compare_rpm_versions("1.2-3", "1:1.2-3") == 0);
  CHECK(compare_rpm_versions("1:1.2", "1.2-3") > 0);
  CHECK(compare_rpm_versions("0:1.2-4", "0:1.2-3") > 0);
  CHECK(compare_rpm_versions("1.2-3.x86_64", "1.2-3") == 0);
}

TEST_CASE("turned around, the order is the other one") {
  constexpr const char* kVersions[] = {"1.0~a", "1.0", "1.0.1", "1.0a", "1.9", "1.10", "2~", "2"};
  for (const char* one : kVersions) {
    for (const char* other : kVersions) {
      CHECK(sign(compare_rpm_parts(one, other)) == -sign(compare_rpm_parts(other, one)));
    }
  }
}

TEST_CASE("the architecture goes behind the version") {
  CHECK(with_architecture_at_end("bash.x86_64-5.1-2") == "bash-5.1-2.x86_64");
  CHECK(with_architecture_at_end("bash-5.1-2") == "bash-5.1-2");
}

}  // namespace
}  // namespace bunraku::apply

// Versions of RPM packages: "epoch:version-release".
#pragma once

#include <string>
#include <string_view>

namespace bunraku::apply {

// Compares parts of a version as rpm does: less than 0, 0 or more than 0.
int compare_rpm_parts(std::string_view a, std::string_view b);

// Compares a desired version with an installed one. The epoch or release is ignored if the desired
// version has none.
int compare_rpm_versions(std::string_view wanted, std::string_view installed);

// Compares a version with the bound of a range. A missing epoch is 0, and the release counts if the
// version has one.
int compare_rpm_with_bound(std::string_view version, std::string_view bound);

// Moves an architecture between name and version to the end: "a.x86_64-1" becomes "a-1.x86_64".
std::string with_architecture_at_end(const std::string& package);

}  // namespace bunraku::apply

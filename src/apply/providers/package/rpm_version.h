// Versions of RPM packages: "epoch:version-release".
#pragma once

#include <string>
#include <string_view>

namespace bunraku::apply {

// Less than 0, 0 or more than 0, as rpm compares parts of a version.
int compare_rpm_parts(std::string_view a, std::string_view b);

// How a version that is wanted stands to one that is installed. An epoch or a release that is not
// wanted is not compared.
int compare_rpm_versions(std::string_view wanted, std::string_view installed);

// How a version stands to the bound of a range. An epoch that is missing is 0, and a release counts
// where the version has one.
int compare_rpm_with_bound(std::string_view version, std::string_view bound);

// Moves the architecture that stands between name and version behind them: "a.x86_64-1" becomes
// "a-1.x86_64".
std::string with_architecture_at_end(const std::string& package);

}  // namespace bunraku::apply

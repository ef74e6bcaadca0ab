// What of the machine would change the answers of cases.
#pragma once

#include <string>

namespace bunraku::cases {

// Hides what the vendor's packages have installed from this process and all that it starts: where
// it is, settings have other defaults and hosts other facts. Nothing happens on a machine without
// them. Needs the superuser. Why cases may fail, where they cannot be hidden; empty otherwise.
std::string hide_vendor_packages();

}  // namespace bunraku::cases

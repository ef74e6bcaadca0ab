// Native functions of common modules other than the standard library; each family is a table in the
// file of its module.
#pragma once

#include <span>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku::modules {

std::span<const NativeFunctionInfo> apache_functions();
std::span<const NativeFunctionInfo> database_functions();   // mysql, postgresql
std::span<const NativeFunctionInfo> openstack_functions();  // openstacklib, neutron, nova
std::span<const NativeFunctionInfo> service_functions();    // collectd, haproxy, redis and others

// The functions of the same names in older versions of their modules.
std::span<const NativeFunctionInfo> older_database_functions();

// Returns whether the file with this SHA-256 (hexadecimal digits) is a version that the native
// function reproduces.
bool is_known_source(std::string_view function, std::string_view digest);
// The same for functions of older versions.
bool is_older_source(std::string_view function, std::string_view digest);

}  // namespace bunraku::modules

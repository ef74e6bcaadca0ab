// Names of hosts as certificates have them.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::certificates {

// Why the name cannot be a host's, in the reference's words; empty when it can. What passes is safe
// as the name of a file and on a terminal.
std::string name_problem(std::string_view name);
inline bool is_host_name(std::string_view name) {
  return name_problem(name).empty();
}

// May the text stand in a certificate as an alternative name ("DNS:a", "IP:::1", or a name alone)?
bool is_alternative_name(std::string_view text);

}  // namespace bunraku::certificates

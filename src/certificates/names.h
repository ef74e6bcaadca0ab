// Names of hosts in certificates.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::certificates {

// The problem with a host name, in the reference's words; empty when it is valid. A valid name is
// safe as a file name and on a terminal.
std::string name_problem(std::string_view name);
inline bool is_host_name(std::string_view name) {
  return name_problem(name).empty();
}

// Returns whether the text is a valid alternative name in a certificate ("DNS:a", "IP:::1", or a
// bare name).
bool is_alternative_name(std::string_view text);

}  // namespace bunraku::certificates

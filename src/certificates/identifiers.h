// Names of Puppet's object identifiers, and of those in a mapping file.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bunraku::certificates {

inline constexpr std::string_view kPuppetArc = "1.3.6.1.4.1.34380.1.";
inline constexpr std::string_view kRegistrationArc = "1.3.6.1.4.1.34380.1.1.";
inline constexpr std::string_view kPrivateArc = "1.3.6.1.4.1.34380.1.2.";
inline constexpr std::string_view kAuthorizationArc = "1.3.6.1.4.1.34380.1.3.";
inline constexpr std::string_view kAutoRenew = "1.3.6.1.4.1.34380.1.3.2";
inline constexpr std::string_view kCliAuth = "1.3.6.1.4.1.34380.1.3.39";

class Identifiers {
 public:
  // The table of Puppet's own identifiers.
  Identifiers();
  // Adds the identifiers in custom_trusted_oid_mapping.yaml. Throws DataError and CertificateError.
  void add_mapping(std::string_view yaml, const std::string& file);

  // "pp_role"; the identifier itself when it has no name.
  std::string name_of(std::string_view identifier) const;
  // The digits with dots for a name; empty for an unknown name.
  std::string identifier_of(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> identifiers_;
};

}  // namespace bunraku::certificates

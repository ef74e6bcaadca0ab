// The table of Puppet's object identifiers.
#include "certificates/identifiers.h"

#include <array>
#include <utility>

#include "base/formats/yaml.h"
#include "base/memory/arena.h"
#include "certificates/error.h"

namespace bunraku::certificates {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 30> kNames{{
    {"1.1", "pp_uuid"},           {"1.2", "pp_instance_id"},
    {"1.3", "pp_image_name"},     {"1.4", "pp_preshared_key"},
    {"1.5", "pp_cost_center"},    {"1.6", "pp_product"},
    {"1.7", "pp_project"},        {"1.8", "pp_application"},
    {"1.9", "pp_service"},        {"1.10", "pp_employee"},
    {"1.11", "pp_created_by"},    {"1.12", "pp_environment"},
    {"1.13", "pp_role"},          {"1.14", "pp_software_version"},
    {"1.15", "pp_department"},    {"1.16", "pp_cluster"},
    {"1.17", "pp_provisioner"},   {"1.18", "pp_region"},
    {"1.19", "pp_datacenter"},    {"1.20", "pp_zone"},
    {"1.21", "pp_network"},       {"1.22", "pp_securitypolicy"},
    {"1.23", "pp_cloudplatform"}, {"1.24", "pp_apptier"},
    {"1.25", "pp_hostname"},      {"1.26", "pp_owner"},
    {"3.1", "pp_authorization"},  {"3.2", "pp_auth_auto_renew"},
    {"3.13", "pp_auth_role"},     {"3.39", "pp_cli_auth"},
}};

}  // namespace

Identifiers::Identifiers() {
  for (const auto& [digits, name] : kNames) {
    const std::string identifier = std::string(kPuppetArc) + digits;
    names_[identifier] = name;
    identifiers_[name] = identifier;
  }
}

void Identifiers::add_mapping(std::string_view yaml, const std::string& file) {
  Arena arena;
  const DataNode data = read_yaml(yaml, {.file = file}, arena);
  const DataNode* mapping = data.find("oid_mapping");
  if (mapping == nullptr) return;
  if (!mapping->is(DataKind::kHash)) {
    throw CertificateError(file + ": 'oid_mapping' is not a hash");
  }
  for (const DataEntry& entry : mapping->entries()) {
    const DataNode* name = entry.value.find("shortname");
    if (!entry.key.is(DataKind::kString) || name == nullptr || !name->is(DataKind::kString)) {
      throw CertificateError(file + ": an entry of 'oid_mapping' has no 'shortname'");
    }
    names_[std::string(entry.key.text_value())] = name->text_value();
    identifiers_[std::string(name->text_value())] = entry.key.text_value();
  }
}

std::string Identifiers::name_of(std::string_view identifier) const {
  const auto found = names_.find(identifier);
  return found == names_.end() ? std::string(identifier) : found->second;
}

std::string Identifiers::identifier_of(std::string_view name) const {
  const auto found = identifiers_.find(name);
  if (found != identifiers_.end()) return found->second;
  const bool is_dotted = name.find('.') != std::string_view::npos &&
                         name.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_dotted ? std::string(name) : std::string();
}

}  // namespace bunraku::certificates

// Creates an authority, with or without an intermediate, or imports one.
#include <algorithm>

#include "base/system/file_system.h"
#include "certificates/authority.h"
#include "certificates/authority_files.h"

namespace bunraku::certificates {
namespace {

constexpr std::time_t kBackdated = 24 * 3600;

Issuing issuing_for(const char* serial, int64_t ttl) {
  Issuing issuing;
  const std::time_t now = std::time(nullptr);
  issuing.serial_hex = serial;
  issuing.not_before = now - kBackdated;
  issuing.not_after = now + ttl;
  return issuing;
}

}  // namespace

bool Authority::exists() const {
  const AuthorityFiles& files = options_.files;
  std::vector<std::string> missing;
  std::vector<std::string> found;
  for (const std::string& file :
       {files.certificates, files.revocations, files.key, files.inventory, files.serial}) {
    (is_file(file) ? found : missing).push_back(file);
  }
  if (missing.empty()) return true;
  if (found.empty()) return false;
  std::string text = "The authority's files are incomplete. Found:";
  for (const std::string& file : found) text += "\n  " + file;
  text += "\nMissing:";
  for (const std::string& file : missing) text += "\n  " + file;
  throw CertificateError(text);
}

// The key is written last but one: without a serial the authority counts as incomplete.
void Authority::write_new(const Key& key, const std::vector<Certificate>& bundle,
                          const std::vector<RevocationList>& lists,
                          const std::string& serial) const {
  const AuthorityFiles& files = options_.files;
  create_directory(files.directory);
  files.make_directory(files.requests);
  files.make_directory(files.signed_certificates);
  std::string bundle_text;
  for (const Certificate& certificate : bundle) bundle_text += certificate.pem();
  std::string list_text;
  for (const RevocationList& list : lists) list_text += list.pem();
  files.write(files.certificates, bundle_text, kPublicMode);
  files.write(files.revocations, list_text, kPublicMode);
  files.write(files.infra_revocations, list_text, kPublicMode);
  if (!is_file(files.infra_inventory)) files.write(files.infra_inventory, "", kPublicMode);
  if (!is_file(files.infra_serials)) files.write(files.infra_serials, "", kPublicMode);
  files.write(files.public_key, key.public_pem(), kPublicMode);
  if (!is_file(files.inventory)) {
    std::string inventory;
    for (auto certificate = bundle.rbegin(); certificate != bundle.rend(); ++certificate) {
      inventory += inventory_line(*certificate) + "\n";
    }
    files.write(files.inventory, inventory, kPublicMode);
  }
  files.write(files.key, key.private_pem(), kSecretMode);
  if (!is_file(files.serial)) files.write(files.serial, serial, kPublicMode);
}

void Authority::create() const {
  const Lock lock(options_.files);
  if (exists()) return;  // another process has created it meanwhile
  const Key key = Key::generate(options_.key);
  const Certificate root = issue_authority_certificate(
      options_.name, key, issuing_for("01", options_.authority_ttl), nullptr, key);
  write_new(key, {root}, {RevocationList::make(root, key)}, "0002");
}

void Authority::create_chain(const std::string& root_name) const {
  const Lock lock(options_.files);
  if (exists())
    throw CertificateError("There is an authority already in " + options_.files.directory);
  const Key root_key = Key::generate(options_.key);
  const Certificate root = issue_authority_certificate(
      root_name, root_key, issuing_for("01", options_.authority_ttl), nullptr, root_key);
  const Key key = Key::generate(options_.key);
  const Certificate intermediate = issue_authority_certificate(
      options_.name, key, issuing_for("02", options_.authority_ttl), &root, root_key);
  create_directory(options_.files.directory);
  write_file(join_path(options_.files.directory, "root_key.pem"), root_key.private_pem(),
             kSecretMode);
  write_new(key, {intermediate, root},
            {RevocationList::make(intermediate, key), RevocationList::make(root, root_key)},
            "0003");
}

void Authority::import(std::string_view key_pem, std::string_view bundle_pem,
                       std::string_view lists_pem) const {
  const Lock lock(options_.files);
  if (exists())
    throw CertificateError("There is an authority already in " + options_.files.directory);
  const Key key = Key::from_pem(key_pem);
  const std::vector<Certificate> bundle = Certificate::all_from_pem(bundle_pem);
  std::vector<RevocationList> lists = RevocationList::all_from_pem(lists_pem);
  if (bundle.empty()) throw CertificateError("The bundle holds no certificate");
  if (!key.belongs_to(bundle.front().get())) {
    throw CertificateError(
        "The private key does not belong to the first certificate of the bundle");
  }
  const std::time_t now = std::time(nullptr);
  for (size_t i = 0; i < bundle.size(); ++i) {
    const Certificate& issuer = bundle[std::min(i + 1, bundle.size() - 1)];
    if (!bundle[i].is_authority()) {
      throw CertificateError(bundle[i].subject() + " is no authority's certificate");
    }
    if (bundle[i].not_after() < now) throw CertificateError(bundle[i].subject() + " has expired");
    if (!bundle[i].is_issued_by(issuer)) {
      throw CertificateError(bundle[i].subject() + " is not issued by the next one of the bundle");
    }
    const auto list = std::ranges::find_if(
        lists, [&](const RevocationList& entry) { return entry.is_signed_by(bundle[i]); });
    if (list == lists.end()) {
      throw CertificateError("There is no list of revoked certificates of " + bundle[i].subject());
    }
    if (list->is_delta()) throw CertificateError("A list of revoked certificates is only a delta");
    if (list->next_update() != 0 && list->next_update() < now) {
      throw CertificateError("The list of revoked certificates of " + bundle[i].subject() +
                             " has expired");
    }
    std::rotate(lists.begin() + static_cast<ptrdiff_t>(std::min(i, lists.size() - 1)), list,
                list + 1);
  }
  write_new(key, bundle, lists, "0001");
}

}  // namespace bunraku::certificates

// Revocation of certificates, and maintenance of the lists.
#include <algorithm>
#include <set>

#include "base/system/file_system.h"
#include "certificates/authority.h"
#include "certificates/authority_files.h"

namespace bunraku::certificates {
namespace {

constexpr std::time_t kRenewalTime = 30 * 24 * 3600;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The list that this authority has signed, which must exist.
const RevocationList& list_of(const std::vector<RevocationList>& lists, const Certificate& issuer) {
  const auto found = std::ranges::find_if(
      lists, [&](const RevocationList& list) { return list.issuer() == issuer.subject(); });
  if (found == lists.end()) {
    throw CertificateError("The authority's own list of revoked certificates is missing");
  }
  return *found;
}

}  // namespace

RevocationList Authority::own_list() const {
  return list_of(RevocationList::all_from_pem(revocations_pem()), signing_certificate());
}

// Writes its own list first, and those of its issuers after it.
void Authority::write_lists(const RevocationList& own) const {
  std::string text = own.pem();
  for (const RevocationList& list : RevocationList::all_from_pem(revocations_pem())) {
    if (list.issuer() != own.issuer()) text += list.pem();
  }
  options_.files.write(options_.files.revocations, text, kPublicMode);
}

std::vector<std::string> Authority::live_serials(const std::string& name) const {
  std::set<std::string> serials;
  const std::time_t now = std::time(nullptr);
  for (const InventoryEntry& entry : inventory()) {
    if (entry.subject == "/CN=" + name && entry.not_after > now) serials.insert(entry.serial);
  }
  if (const auto pem = certificate_pem(name)) {
    serials.insert(Certificate::from_pem(*pem).serial_decimal());
  }
  return {serials.begin(), serials.end()};
}

std::vector<std::string> Authority::update_infra_serials() const {
  const std::string before = read_if_there(options_.files.infra_serials).value_or("");
  std::vector<std::string> serials = lines_of(before);
  for (const std::string& name :
       lines_of(read_if_there(options_.files.infra_inventory).value_or(""))) {
    for (const std::string& serial : live_serials(name)) {
      if (std::ranges::find(serials, serial) == serials.end()) serials.push_back(serial);
    }
  }
  std::string text;
  for (const std::string& serial : serials) text += serial + "\n";
  if (text != before) options_.files.write(options_.files.infra_serials, text, kPublicMode);
  return serials;
}

void Authority::revoke_locked(const std::vector<std::string>& decimal) {
  const Certificate issuer = signing_certificate();
  const Key key = signing_key();
  write_lists(own_list().with(decimal, {}, issuer, key));
  const std::optional<std::string> infra = read_if_there(options_.files.infra_revocations);
  if (!infra) return;
  const std::vector<std::string> known = update_infra_serials();
  std::vector<std::string> concerned;
  std::ranges::copy_if(decimal, std::back_inserter(concerned), [&](const std::string& serial) {
    return std::ranges::find(known, serial) != known.end();
  });
  if (concerned.empty()) return;
  const std::vector<RevocationList> lists = RevocationList::all_from_pem(*infra);
  std::string text = list_of(lists, issuer).with(concerned, {}, issuer, key).pem();
  for (const RevocationList& list : lists) {
    if (list.issuer() != issuer.subject()) text += list.pem();
  }
  options_.files.write(options_.files.infra_revocations, text, kPublicMode);
}

std::vector<std::string> Authority::revoke(const std::vector<std::string>& names) {
  const Lock lock(options_.files);
  std::vector<std::string> unknown;
  std::vector<std::string> serials;
  for (const std::string& name : names) {
    const std::vector<std::string> of_name = live_serials(name);
    if (of_name.empty()) unknown.push_back(name);
    serials.insert(serials.end(), of_name.begin(), of_name.end());
  }
  if (!serials.empty()) revoke_locked(serials);
  return unknown;
}

void Authority::revoke_serials(const std::vector<std::string>& decimal) {
  const Lock lock(options_.files);
  revoke_locked(decimal);
}

void Authority::update_lists(std::string_view pem) {
  const std::vector<RevocationList> offered = RevocationList::all_from_pem(pem);
  if (offered.empty()) throw CertificateError("No valid CRLs submitted.", 400);
  const Lock lock(options_.files);
  const Certificate own = signing_certificate();
  const std::vector<Certificate> bundle = Certificate::all_from_pem(certificates_pem());
  std::vector<RevocationList> lists = RevocationList::all_from_pem(revocations_pem());
  for (const RevocationList& list : offered) {
    if (list.is_delta()) throw CertificateError("A delta CRL cannot be taken.", 400);
    if (list.issuer() == own.subject()) continue;
    const bool is_known = std::ranges::any_of(
        bundle, [&](const Certificate& issuer) { return list.is_signed_by(issuer); });
    if (!is_known) throw CertificateError("The issuer of a CRL is not in the CA's chain.", 400);
    for (RevocationList& present : lists) {
      if (present.issuer() == list.issuer() && list.is_newer_than(present)) present = list;
    }
  }
  std::string text;
  for (const RevocationList& list : lists) text += list.pem();
  options_.files.write(options_.files.revocations, text, kPublicMode);
}

Authority::Pruned Authority::prune(bool removes_expired, const std::vector<std::string>& serials) {
  const Lock lock(options_.files);
  const RevocationList list = own_list();
  Pruned pruned;
  std::vector<std::string> present = list.serials();
  std::vector<std::string> removed;
  if (removes_expired) {
    std::set<std::string> expired;
    const std::time_t now = std::time(nullptr);
    for (const InventoryEntry& entry : inventory()) {
      if (entry.not_after < now) expired.insert(entry.serial);
    }
    std::ranges::copy_if(present, std::back_inserter(removed),
                         [&](const std::string& serial) { return expired.contains(serial); });
    pruned.expired = removed.size();
  }
  for (const std::string& serial : serials) {
    if (std::ranges::find(present, serial) == present.end()) continue;
    removed.push_back(serial);
    ++pruned.entries;
  }
  // Lists written here have no duplicates, but imported ones may.
  std::ranges::sort(present);
  const auto repeated = std::ranges::unique(present);
  pruned.duplicates = static_cast<size_t>(std::ranges::distance(repeated));
  if (pruned.duplicates > 0) {
    present.erase(repeated.begin(), repeated.end());
    const std::vector<std::string> all = list.serials();
    removed.insert(removed.end(), all.begin(), all.end());
    std::erase_if(present, [&](const std::string& serial) {
      return std::ranges::find(serials, serial) != serials.end();
    });
    const RevocationList empty = list.with({}, removed, signing_certificate(), signing_key());
    write_lists(empty.with(present, {}, signing_certificate(), signing_key()));
  } else if (!removed.empty()) {
    write_lists(list.with({}, removed, signing_certificate(), signing_key()));
  }
  return pruned;
}

bool Authority::renew_list() {
  const Lock lock(options_.files);
  const RevocationList list = own_list();
  const std::time_t end = list.next_update();
  if (end != 0 && end - std::time(nullptr) > kRenewalTime) return false;
  write_lists(list.with({}, {}, signing_certificate(), signing_key()));
  return true;
}

void Authority::enable_infra_list() {
  const Lock lock(options_.files);
  if (!is_file(options_.files.infra_inventory)) {
    options_.files.write(options_.files.infra_inventory, "", kPublicMode);
  }
  update_infra_serials();
  const Certificate issuer = signing_certificate();
  std::string text = RevocationList::make(issuer, signing_key()).pem();
  for (const RevocationList& list : RevocationList::all_from_pem(revocations_pem())) {
    if (list.issuer() != issuer.subject()) text += list.pem();
  }
  options_.files.write(options_.files.infra_revocations, text, kPublicMode);
}

}  // namespace bunraku::certificates

#include "certificates/authority.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "base/system/file_system.h"
#include "certificates/identifiers.h"

using namespace bunraku;
using namespace bunraku::certificates;

namespace {

class TemporaryAuthority {
 public:
  TemporaryAuthority() {
    std::string pattern = (std::filesystem::temp_directory_path() / "authority-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    options.files = AuthorityFiles::below(directory_ + "/ca");
    options.name = "Puppet CA: test";
    options.key.is_elliptic = true;
  }
  ~TemporaryAuthority() { std::filesystem::remove_all(directory_); }
  AuthorityOptions options;

 private:
  std::string directory_;
};

Key elliptic_key() {
  return Key::generate({.is_elliptic = true, .bits = 0, .curve = "prime256v1"});
}

std::string request_for(const std::string& name, ExtensionList extensions = {},
                        std::vector<std::string> names = {}) {
  return Request::make({name, std::move(names), std::move(extensions), {}}, elliptic_key()).pem();
}

bool never(const std::string&, const std::string&) {
  return false;
}

int status_of(Authority& authority, const std::string& name, const std::string& pem) {
  try {
    authority.submit(name, pem, never);
  } catch (const CertificateError& error) {
    return error.status();
  }
  return 200;
}

int signing_status(Authority& authority, const std::string& name) {
  try {
    authority.sign(name, {});
  } catch (const CertificateError& error) {
    return error.status();
  }
  return 204;
}

}  // namespace

TEST_CASE("a request is kept, signed, revoked and cleaned") {
  const TemporaryAuthority temporary;
  Authority authority(temporary.options);
  CHECK_FALSE(authority.exists());
  authority.create();
  CHECK(authority.exists());
  struct stat status{};
  REQUIRE(::stat(temporary.options.files.key.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);

  CHECK(status_of(authority, "a.test",
                  request_for("a.test", {{"1.3.6.1.4.1.34380.1.1.13", "web"}})) == 200);
  CHECK(authority.status("a.test")->state == CertificateState::kRequested);
  CHECK(status_of(authority, "a.test", request_for("a.test")) == 400);
  const Certificate certificate = authority.sign("a.test", {});
  CHECK(certificate.common_name() == "a.test");
  CHECK(certificate.alternative_names() == std::vector<std::string>{"DNS:a.test"});
  REQUIRE(certificate.extensions().size() == 1);
  CHECK(certificate.extensions().front().second == "web");
  CHECK(verification_problem(certificate, Certificate::all_from_pem(authority.certificates_pem()),
                             authority.revocations_pem())
            .empty());
  CHECK(authority.revoke({"a.test", "nobody"}) == std::vector<std::string>{"nobody"});
  CHECK(authority.status("a.test")->state == CertificateState::kRevoked);
  CHECK(RevocationList::all_from_pem(authority.revocations_pem()).front().number() == "1");
  CHECK_FALSE(verification_problem(certificate,
                                   Certificate::all_from_pem(authority.certificates_pem()),
                                   authority.revocations_pem())
                  .empty());
  CHECK(authority.remove("a.test"));
  CHECK_FALSE(authority.status("a.test"));
}

TEST_CASE("requests that break a rule are refused") {
  const TemporaryAuthority temporary;
  Authority authority(temporary.options);
  authority.create();
  CHECK(status_of(authority, "b.test", request_for("a.test")) == 400);
  CHECK(status_of(authority, "A.test", request_for("A.test")) == 400);
  CHECK(status_of(authority, "../x", request_for("../x")) == 400);
  CHECK(status_of(authority, "a\nb", request_for("a\nb")) == 400);
  CHECK(status_of(authority, "a.test", "no pem") == 400);
  CHECK(status_of(authority, "c.test", request_for("c.test", {}, {"DNS:puppet"})) == 200);
  CHECK(signing_status(authority, "c.test") == 409);
  CHECK(status_of(authority, "d.test", request_for("d.test", {{std::string(kCliAuth), "true"}})) ==
        200);
  CHECK(signing_status(authority, "d.test") == 409);
  CHECK(signing_status(authority, "nobody") == 409);
}

TEST_CASE("a renewed certificate has the same key, and all of a name are revoked") {
  TemporaryAuthority temporary;
  temporary.options.allows_renewal = true;
  Authority authority(temporary.options);
  authority.create();
  status_of(authority, "a.test", request_for("a.test"));
  const Certificate first = authority.sign("a.test", {});
  const Certificate second = authority.renew(first);
  CHECK(first.serial_decimal() != second.serial_decimal());
  authority.revoke({"a.test"});
  const RevocationList list = RevocationList::all_from_pem(authority.revocations_pem()).front();
  CHECK(list.has_serial(first.serial_decimal()));
  CHECK(list.has_serial(second.serial_decimal()));
  CHECK_THROWS_AS(authority.renew(second), CertificateError);
}

TEST_CASE("many sign at once, and no serial number is used twice") {
  TemporaryAuthority temporary;
  Authority(temporary.options).create();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&temporary, thread] {
      Authority authority(temporary.options);
      for (int i = 0; i < 20; ++i) {
        const std::string name = "n" + std::to_string(thread) + "-" + std::to_string(i);
        authority.submit(name, request_for(name), [](const auto&, const auto&) { return true; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> serials;
  const Authority authority(temporary.options);
  for (const InventoryEntry& entry : authority.inventory()) serials.insert(entry.serial);
  CHECK(authority.inventory().size() == 81);
  CHECK(serials.size() == 81);
}

TEST_CASE("an authority with an intermediate issues what verifies up to its root") {
  const TemporaryAuthority temporary;
  Authority authority(temporary.options);
  authority.create_chain("Puppet Root CA: test");
  status_of(authority, "a.test", request_for("a.test"));
  const Certificate certificate = authority.sign("a.test", {});
  const auto bundle = Certificate::all_from_pem(authority.certificates_pem());
  REQUIRE(bundle.size() == 2);
  CHECK(RevocationList::all_from_pem(authority.revocations_pem()).size() == 2);
  CHECK(verification_problem(certificate, bundle, authority.revocations_pem()).empty());

  // Imported into another directory, where it continues.
  const TemporaryAuthority other;
  const Authority taken(other.options);
  taken.import(read_file(temporary.options.files.key), authority.certificates_pem(),
               authority.revocations_pem());
  CHECK(taken.exists());
  const TemporaryAuthority third;
  CHECK_THROWS_AS(Authority(third.options)
                      .import(elliptic_key().private_pem(), authority.certificates_pem(),
                              authority.revocations_pem()),
                  CertificateError);
}

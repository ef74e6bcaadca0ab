// The authority's lock, inventory and serial.
#include "certificates/authority_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/system/file_system.h"
#include "certificates/openssl.h"

namespace bunraku::certificates {

AuthorityFiles AuthorityFiles::below(const std::string& directory) {
  const auto in = [&](const char* name) { return join_path(directory, name); };
  return {directory,        in("ca_crt.pem"),          in("ca_key.pem"),    in("ca_pub.pem"),
          in("ca_crl.pem"), in("inventory.txt"),       in("serial"),        in("requests"),
          in("signed"),     in("infra_inventory.txt"), in("infra_serials"), in("infra_crl.pem")};
}

std::optional<FileOwner> AuthorityFiles::owner() const {
  struct stat status{};
  if (::geteuid() != 0 || ::stat(directory.c_str(), &status) != 0 || status.st_uid == 0) return {};
  return FileOwner{status.st_uid, status.st_gid};
}

void AuthorityFiles::write(const std::string& path, std::string_view text, mode_t mode) const {
  const std::optional<FileOwner> of_service = owner();
  write_file(path, text,
             {.mode = mode, .owner = of_service, .replaces_anything = of_service.has_value()});
}

void AuthorityFiles::make_directory(const std::string& path) const {
  if (is_directory(path)) return;
  create_directory(path);
  const std::optional<FileOwner> of_service = owner();
  if (of_service && ::lchown(path.c_str(), of_service->user, of_service->group) != 0) {
    throw CertificateError(path + ": " + std::strerror(errno));
  }
}

namespace {

// Opens a file that is changed in place, and creates it if it is missing.
Descriptor open_kept(const AuthorityFiles& files, const std::string& path, int flags, mode_t mode) {
  const std::optional<FileOwner> owner = files.owner();
  // Links are refused, so that the account of the service cannot redirect root's commands.
  if (owner) flags |= O_NOFOLLOW;
  Descriptor file(::open(path.c_str(), flags | O_RDWR | O_CREAT | O_CLOEXEC, mode));
  if (owner && file.is_open() && ::fchown(file.number(), owner->user, owner->group) != 0) return {};
  return file;
}

}  // namespace

Authority::Lock::Lock(const AuthorityFiles& files) {
  create_directory(files.directory);
  const std::string path = join_path(files.directory, ".lock");
  descriptor_ = open_kept(files, path, 0, kSecretMode);
  const auto fail = [&] {
    throw CertificateError("Cannot lock the authority: " + path + ": " + std::strerror(errno));
  };
  if (!descriptor_.is_open()) fail();
  while (::flock(descriptor_.number(), LOCK_EX) != 0) {
    if (errno != EINTR) fail();
  }
}

std::optional<std::string> read_if_there(const std::string& path) {
  try {
    return read_file(path);
  } catch (const FileError& error) {
    if (error.kind() == FileErrorKind::kMissing) return std::nullopt;
    throw;
  }
}

void append_line(const AuthorityFiles& files, const std::string& path, const std::string& line) {
  const Descriptor file = open_kept(files, path, O_APPEND, kPublicMode);
  if (!file.is_open()) throw CertificateError(path + ": " + std::strerror(errno));
  const off_t size = ::lseek(file.number(), 0, SEEK_END);
  char last = '\n';
  std::string text = line + "\n";
  if (size > 0 && ::pread(file.number(), &last, 1, size - 1) == 1 && last != '\n')
    text.insert(0, "\n");
  if (::write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fdatasync(file.number()) != 0) {
    throw CertificateError(path + ": " + std::strerror(errno));
  }
}

bool remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  throw CertificateError(path + ": " + std::strerror(errno));
}

std::string next_hex(const std::string& digits) {
  BIGNUM* number = nullptr;
  if (BN_hex2bn(&number, digits.c_str()) != static_cast<int>(digits.size())) {
    openssl::fail("'" + digits + "' is no serial number");
  }
  const openssl::Owned<BIGNUM> owned(number);
  BN_add_word(number, 1);
  const openssl::Owned<char> text(BN_bn2hex(number));
  std::string next = text.get();
  while (next.size() > 4 && next.starts_with('0')) next.erase(0, 1);
  return std::string(next.size() < 4 ? 4 - next.size() : 0, '0') + next;
}

std::string time_text(std::time_t time) {
  std::tm fields{};
  gmtime_r(&time, &fields);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SUTC", &fields);
  return {text.data(), size};
}

std::string inventory_line(const Certificate& certificate) {
  return "0x" + certificate.serial_hex() + " " + time_text(certificate.not_before()) + " " +
         time_text(certificate.not_after()) + " " + certificate.subject();
}

std::optional<InventoryEntry> parse_inventory_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = line.find(' ', first + 1);
  const size_t third = line.find(' ', second + 1);
  if (third == std::string_view::npos || !line.starts_with("0x")) return std::nullopt;
  const std::string hex(line.substr(2, first - 2));
  if (hex.empty() || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    return std::nullopt;
  }
  InventoryEntry entry;
  entry.serial = openssl::decimal_of(openssl::integer_of_hex(hex).get());
  entry.subject = line.substr(third + 1);
  std::tm fields{};
  const std::string end(line.substr(second + 1, third - second - 1));
  if (strptime(end.c_str(), "%Y-%m-%dT%H:%M:%S", &fields) == nullptr) return std::nullopt;
  entry.not_after = timegm(&fields);
  return entry;
}

}  // namespace bunraku::certificates

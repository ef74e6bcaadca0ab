// Files of a machine, and data from the C library.
#include "facts/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "base/system/file_system.h"
#include "facts/text.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace bunraku::facts {
namespace {

constexpr uint64_t kLargestRead = uint64_t{16} << 20;

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

}  // namespace

std::string Machine::rooted(std::string_view path) const {
  return root_ + std::string(path);
}

std::optional<std::string> Machine::read(std::string_view path) const {
  const std::string file = rooted(path);
  // Reading a pipe or a device could block.
  const auto status = status_of(file);
  if (!status || !S_ISREG(status->st_mode)) return std::nullopt;
  try {
    return read_file(file, kLargestRead);
  } catch (const FileError&) {
    return std::nullopt;
  }
}

std::string Machine::stripped_text(std::string_view path) const {
  return std::string(stripped(text(path)));
}

std::vector<std::string> Machine::names(std::string_view path) const {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(rooted(path).c_str()), closedir);
  if (directory == nullptr) return names;
  while (const dirent* entry = readdir(directory.get())) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

bool Machine::exists(std::string_view path) const {
  return status_of(rooted(path)).has_value();
}

bool Machine::is_directory(std::string_view path) const {
  const auto status = status_of(rooted(path));
  return status && S_ISDIR(status->st_mode);
}

bool Machine::is_file(std::string_view path) const {
  const auto status = status_of(rooted(path));
  return status && S_ISREG(status->st_mode);
}

std::string Machine::link_target(std::string_view path) const {
  std::array<char, 4096> target;
  const ssize_t size = readlink(rooted(path).c_str(), target.data(), target.size());
  return size <= 0 ? std::string() : std::string(target.data(), static_cast<size_t>(size));
}

std::string Machine::find_program(std::string_view name) const {
  const std::string path = variable("PATH").value_or("/usr/sbin:/usr/bin:/sbin:/bin");
  for (const std::string_view directory : split(path, ':')) {
    if (!directory.starts_with('/')) continue;
    std::string candidate = join_path(directory, name);
    if (is_file(candidate) && access(rooted(candidate).c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

KernelName Machine::kernel() const {
  utsname name;
  if (uname(&name) != 0) return {};
  return {name.sysname, name.release, name.machine};
}

std::string Machine::host_name() const {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

std::string Machine::canonical_name(const std::string& host) const {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_CANONNAME;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0 || found == nullptr) return {};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> guard(found, freeaddrinfo);
  return found->ai_canonname == nullptr ? std::string() : found->ai_canonname;
}

std::optional<FilesystemSizes> Machine::filesystem_sizes(const std::string& path) const {
  struct statvfs status;
  if (statvfs(rooted(path).c_str(), &status) != 0) return std::nullopt;
  const uint64_t unit = status.f_frsize != 0 ? status.f_frsize : status.f_bsize;
  return FilesystemSizes{status.f_blocks * unit, status.f_bfree * unit, status.f_bavail * unit};
}

Identity Machine::identity() const {
  Identity identity{static_cast<int64_t>(getuid()), static_cast<int64_t>(getgid()), {}, {}};
  // The group is that of the user's entry, not that of the process.
  if (const passwd* user = getpwuid(getuid())) {
    identity.user = user->pw_name;
    identity.gid = user->pw_gid;
  }
  if (const group* group = getgrgid(static_cast<gid_t>(identity.gid))) {
    identity.group = group->gr_name;
  }
  return identity;
}

std::string Machine::time_zone() const {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (localtime_r(&now, &local) == nullptr) return {};
  std::array<char, 64> text{};
  return std::string(text.data(), std::strftime(text.data(), text.size(), "%Z", &local));
}

std::optional<std::string> Machine::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string Machine::hypervisor_signature() const {
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned int kHypervisorBit = 1U << 31;
  constexpr unsigned int kSignatureLeaf = 0x40000000;
  // NOLINTBEGIN(misc-const-correctness): __cpuid sets them.
  unsigned int eax = 0;
  unsigned int ebx = 0;
  unsigned int ecx = 0;
  unsigned int edx = 0;
  // NOLINTEND(misc-const-correctness)
  __cpuid(1, eax, ebx, ecx, edx);
  if ((ecx & kHypervisorBit) == 0) return {};
  __cpuid(kSignatureLeaf, eax, ebx, ecx, edx);
  std::string signature;
  for (const unsigned int part : {ebx, ecx, edx}) {
    for (unsigned int shift = 0; shift < 32; shift += 8) {
      const char letter = static_cast<char>((part >> shift) & 0xff);
      if (letter != '\0') signature.push_back(letter);
    }
  }
  return signature;
#else
  return {};
#endif
}

int64_t Machine::clock_ticks() const {
  return std::max<int64_t>(sysconf(_SC_CLK_TCK), 1);
}

}  // namespace bunraku::facts

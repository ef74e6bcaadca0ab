// The operating system: its name, family, release and distribution.
#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/text/ascii.h"
#include "facts/collection.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

std::string capitalized(std::string_view text) {
  std::string word = to_lower(text);
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

// The distribution whose rules for names and releases apply.
enum class Rules : uint8_t {
  kLinux,
  kDebian,
  kUbuntu,
  kLinuxMint,
  kDevuan,
  kRedHat,
  kAmazon,
  kReleaseFile,  // the version is in a file of the distribution
  kSuse
};

struct Distribution {
  std::string_view id;
  Rules rules;
  std::string_view release_file = {};
  std::string_view before_version = {};  // the text before the version in that file
};

constexpr std::array kDistributions = std::to_array<Distribution>({
    {"debian", Rules::kDebian},
    {"elementary", Rules::kDebian},
    {"raspbian", Rules::kDebian},
    {"ubuntu", Rules::kUbuntu},
    {"linuxmint", Rules::kLinuxMint, "/etc/linuxmint/info", "RELEASE="},
    {"devuan", Rules::kDevuan},
    {"rhel", Rules::kRedHat},
    {"fedora", Rules::kRedHat},
    {"centos", Rules::kRedHat},
    {"scientific", Rules::kRedHat},
    {"meego", Rules::kRedHat},
    {"amzn", Rules::kAmazon, "/etc/system-release"},
    {"ol", Rules::kRedHat, "/etc/oracle-release", "release "},
    {"oel", Rules::kRedHat, "/etc/enterprise-release", "release "},
    {"ovs", Rules::kRedHat, "/etc/ovs-release", "release "},
    {"sles", Rules::kSuse},
    {"sled", Rules::kSuse},
    {"opensuse", Rules::kSuse},
    {"gentoo", Rules::kReleaseFile, "/etc/gentoo-release", "release "},
    {"alpine", Rules::kReleaseFile, "/etc/alpine-release", ""},
    {"photon", Rules::kReleaseFile, "/etc/lsb-release", "DISTRIB_RELEASE=\""},
    {"slackware", Rules::kReleaseFile, "/etc/slackware-version", "Slackware "},
    {"mageia", Rules::kReleaseFile, "/etc/mageia-release", "Mageia release "},
    {"mariner", Rules::kReleaseFile, "/etc/mariner-release", "CBL-Mariner "},
});

constexpr Distribution kOther{"linux", Rules::kLinux};

struct Family {
  std::string_view name;
  std::span<const std::string_view> members;
};

constexpr std::array kRedHats =
    std::to_array<std::string_view>({"redhat", "rhel", "fedora", "centos", "scientific", "ascendos",
                                     "cloudlinux", "psbm", "oraclelinux", "ovs", "oel", "amazon",
                                     "xenserver", "xcp-ng", "virtuozzo", "photon", "mariner"});
constexpr std::array kDebians =
    std::to_array<std::string_view>({"debian", "ubuntu", "huaweios", "linuxmint", "devuan", "kde"});
constexpr std::array kSuses = std::to_array<std::string_view>({"sles", "sled", "suse"});
constexpr std::array kGentoos = std::to_array<std::string_view>({"gentoo"});
constexpr std::array kArches = std::to_array<std::string_view>({"arch", "manjaro"});
constexpr std::array kMandrakes =
    std::to_array<std::string_view>({"mandrake", "mandriva", "mageia"});
// The order matters, because a name may match several.
constexpr std::array kFamilies = std::to_array<Family>({{"RedHat", kRedHats},
                                                        {"Debian", kDebians},
                                                        {"Suse", kSuses},
                                                        {"Gentoo", kGentoos},
                                                        {"Archlinux", kArches},
                                                        {"Mandrake", kMandrakes}});

const Distribution* known_distribution(std::string_view id) {
  const auto found = std::ranges::find(kDistributions, id, &Distribution::id);
  return found == kDistributions.end() ? nullptr : &*found;
}

std::string distribution_id(Collection& collection) {
  const Machine& machine = collection.machine();
  if (machine.read("/etc/devuan_version")) return "devuan";
  const std::string id = to_lower(collection.os_release("id"));
  if (contains(id, "opensuse")) return "opensuse";
  if (!id.empty()) return id;
  if (machine.exists("/etc/redhat-release")) return "rhel";
  const std::string suse = machine.text("/etc/SuSE-release");
  return suse.empty() ? std::string() : to_lower(words(suse).front());
}

const Distribution& distribution_of(Collection& collection) {
  if (const Distribution* known = known_distribution(distribution_id(collection))) return *known;
  const std::string like = to_lower(collection.os_release("id_like"));
  for (const std::string_view id : words(like)) {
    if (const Distribution* known = known_distribution(id)) return *known;
  }
  return kOther;
}

// The contents of /etc/redhat-release: "CentOS Linux release 7.9.2009 (Core)".
struct RedHatRelease {
  explicit RedHatRelease(const std::string& text) : description(stripped(text)) {
    const size_t at = description.find("release");
    if (at == std::string::npos) return;
    const std::string_view rest = std::string_view(description).substr(at + 7);
    const auto parts = words(rest);
    if (!parts.empty()) version = parts.front();
    const size_t open = rest.find('(');
    const size_t close = rest.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open) {
      codename = rest.substr(open + 1, close - open - 1);
    }
    for (const std::string_view word : words(std::string_view(description).substr(0, at))) {
      if (to_lower(word) == "linux") continue;
      id += word;
      if (count++ < 2) name += word;
    }
  }
  std::string description, version, codename, id, name;
  int count = 0;
};

std::string os_name(Collection& collection, const Distribution& distribution) {
  if (distribution.rules == Rules::kLinuxMint) return capitalized(collection.os_release("id"));
  const std::string full = collection.os_release("name");
  const auto parts = words(full);
  if (parts.empty()) return RedHatRelease(collection.machine().text("/etc/redhat-release")).name;
  const std::string lower = to_lower(full);
  std::string name(parts.front());
  if (lower.starts_with("red") || lower.starts_with("oracle") || lower.starts_with("arch") ||
      lower.starts_with("manjaro")) {
    if (parts.size() > 1) name += parts[1];
  } else if (lower.ends_with("mariner")) {
    name = parts.back();
  }
  if (lower.starts_with("arch") || lower.starts_with("manjaro")) name = capitalized(name);
  if (lower.starts_with("virtuozzo")) name += "Linux";
  return name;
}

// The version, always with a minor part.
std::string version_id(Collection& collection) {
  std::string version = collection.os_release("version_id");
  if (!version.empty() && !contains(version, ".")) version += ".0";
  return version;
}

struct Release {
  std::string full, major, minor;
};

Release release_of_text(const std::string& version) {
  const auto parts = split(version, '.');
  if (parts.empty()) return {};
  return {version, std::string(parts[0]), parts.size() > 1 ? std::string(parts[1]) : std::string()};
}

Release debian_release(Collection& collection) {
  Release release = release_of_text(collection.machine().stripped_text("/etc/debian_version"));
  if (release.minor.size() > 1 && release.minor[0] == '0' && release.minor[1] != '0') {
    release.minor.erase(0, 1);
  }
  return release;
}

// The version from a file of the distribution, or from os-release.
Release file_release(Collection& collection, const Distribution& distribution) {
  const std::string text = collection.machine().text(distribution.release_file);
  const size_t at = text.find(distribution.before_version);
  if (!text.empty() && at != std::string::npos) {
    const std::string_view rest =
        std::string_view(text).substr(at + distribution.before_version.size());
    const size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    if (end > 0) return release_of_text(std::string(rest.substr(0, end)));
  }
  return release_of_text(version_id(collection));
}

Release amazon_release(Collection& collection) {
  const std::string text = collection.machine().text("/etc/system-release");
  for (const std::string_view before : {"release ", "Amazon Linux "}) {
    const size_t at = text.find(before);
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(text).substr(at + before.size());
    const size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    if (end > 0) return release_of_text(std::string(rest.substr(0, end)));
  }
  return release_of_text(version_id(collection));
}

Release os_release_of(Collection& collection, const Distribution& distribution) {
  switch (distribution.rules) {
    case Rules::kDebian:
      return debian_release(collection);
    case Rules::kUbuntu: {
      const std::string version = version_id(collection);
      return {version, version, {}};
    }
    case Rules::kDevuan: {
      const std::string version = collection.machine().stripped_text("/etc/devuan_version");
      return release_of_text(version.empty() ? version_id(collection) : version);
    }
    case Rules::kRedHat: {
      if (!distribution.release_file.empty()) return file_release(collection, distribution);
      const RedHatRelease file(collection.machine().text("/etc/redhat-release"));
      return release_of_text(file.version.empty() ? version_id(collection) : file.version);
    }
    case Rules::kAmazon:
      return amazon_release(collection);
    case Rules::kLinuxMint:
    case Rules::kReleaseFile:
      return file_release(collection, distribution);
    case Rules::kSuse: {
      Release release = release_of_text(version_id(collection));
      return release;
    }
    case Rules::kLinux: {
      const std::string version = version_id(collection);
      return {version, version, {}};
    }
  }
  return {};
}

// The output of the program lsb_release.
struct LsbRelease {
  std::string id, description, codename, release;
};

LsbRelease lsb_release(Collection& collection) {
  if (collection.machine().find_program("lsb_release").empty()) return {};
  const std::string text = collection.machine().text("/etc/lsb-release");
  if (contains(text, "DISTRIB_ID=")) {
    LsbRelease release;
    for (const std::string_view line : lines(text)) {
      const size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      std::string value(line.substr(equals + 1));
      std::erase(value, '"');
      const std::string_view key = line.substr(0, equals);
      if (key == "DISTRIB_ID") release.id = value;
      if (key == "DISTRIB_DESCRIPTION") release.description = value;
      if (key == "DISTRIB_CODENAME") release.codename = value;
      if (key == "DISTRIB_RELEASE") release.release = value;
    }
    return release;
  }
  return {capitalized(collection.os_release("id")), collection.os_release("pretty_name"),
          collection.os_release("version_codename"), collection.os_release("version_id")};
}

std::string debian_codename(Collection& collection) {
  std::string codename = collection.os_release("version_codename");
  if (!codename.empty()) return codename;
  const std::string version = collection.os_release("version");
  const size_t open = version.find('(');
  if (open != std::string::npos && version.ends_with(')')) {
    return version.substr(open + 1, version.size() - open - 2);
  }
  return {};
}

void set_release(Collection& collection, HashFact& to, const Release& release) {
  HashFact hash = collection.hash();
  hash.set_text("full", release.full);
  hash.set_text("major", release.major);
  hash.set_text("minor", release.minor);
  to.set_hash("release", hash);
}

HashFact distro_fact(Collection& collection, const Distribution& distribution,
                     const Release& os_release) {
  HashFact distro = collection.hash();
  const LsbRelease lsb = lsb_release(collection);
  std::string id = lsb.id;
  std::string description = lsb.description;
  std::string codename = lsb.codename;
  Release release = release_of_text(lsb.release);
  switch (distribution.rules) {
    case Rules::kDebian:
    case Rules::kUbuntu:
    case Rules::kLinuxMint:
    case Rules::kDevuan:
      id = capitalized(collection.os_release("id"));
      description = collection.os_release("pretty_name");
      codename = debian_codename(collection);
      if (distribution.rules == Rules::kLinuxMint) {
        const std::string version = version_id(collection);
        release = {version, version, {}};
      } else if (distribution.rules != Rules::kDevuan) {
        release = os_release;
      }
      break;
    case Rules::kRedHat: {
      const RedHatRelease file(collection.machine().text("/etc/redhat-release"));
      id = file.id;
      description = file.description;
      codename = file.codename;
      release = release_of_text(file.version.empty() ? version_id(collection) : file.version);
      break;
    }
    case Rules::kAmazon: {
      const RedHatRelease file(collection.machine().text("/etc/system-release"));
      id = file.id;
      description = file.description;
      codename = file.codename.empty() ? "n/a" : file.codename;
      release = os_release;
      break;
    }
    case Rules::kSuse:
      id = collection.os_release("version_id").starts_with("12") ? "SUSE LINUX" : "SUSE";
      description = collection.os_release("pretty_name");
      codename = collection.os_release("version_codename");
      if (codename.empty()) codename = "n/a";
      release = os_release;
      break;
    default:
      break;
  }
  distro.set_text("codename", codename);
  distro.set_text("description", description);
  distro.set_text("id", id);
  set_release(collection, distro, release);
  // The flat facts are those of the program lsb_release, except for the release.
  const bool has_own_lsb =
      distribution.rules == Rules::kDebian || distribution.rules == Rules::kUbuntu ||
      distribution.rules == Rules::kLinuxMint || distribution.rules == Rules::kDevuan ||
      distribution.rules == Rules::kRedHat || distribution.rules == Rules::kAmazon;
  collection.add_legacy("lsbdistcodename", has_own_lsb ? lsb.codename : codename);
  collection.add_legacy("lsbdistdescription", has_own_lsb ? lsb.description : description);
  collection.add_legacy("lsbdistid", has_own_lsb ? lsb.id : id);
  collection.add_legacy("lsbdistrelease", release.full);
  collection.add_legacy("lsbmajdistrelease", release.major);
  collection.add_legacy("lsbminordistrelease", release.minor);
  return distro;
}

std::string architecture(Collection& collection, const Distribution& distribution) {
  const std::string& machine = collection.kernel().machine;
  const bool is_debian =
      distribution.rules == Rules::kDebian || distribution.rules == Rules::kUbuntu ||
      distribution.rules == Rules::kLinuxMint || distribution.rules == Rules::kDevuan;
  if (is_debian && machine == "x86_64") return "amd64";
  if (machine.size() == 4 && machine[0] == 'i' && machine.ends_with("86")) return "i386";
  return contains(machine, "pentium") ? "i386" : machine;
}

}  // namespace

std::string detect_os_family(Collection& collection) {
  const Distribution& distribution = distribution_of(collection);
  if (distribution.rules == Rules::kRedHat || distribution.rules == Rules::kAmazon) {
    return "RedHat";
  }
  if (distribution.rules == Rules::kSuse) return "Suse";
  std::string id = collection.os_release("id_like");
  if (id.empty()) id = collection.os_release("id");
  const std::string lower = to_lower(id);
  for (const Family& family : kFamilies) {
    const auto is_member = [&](std::string_view member) { return contains(lower, member); };
    if (std::ranges::any_of(family.members, is_member)) return capitalized(family.name);
  }
  return capitalized(id);
}

void collect_operating_system(Collection& collection) {
  const Distribution& distribution = distribution_of(collection);
  const Release release = os_release_of(collection, distribution);
  HashFact os = collection.hash();
  collection.set_both(os, "architecture", "architecture", architecture(collection, distribution));
  os.set_hash("distro", distro_fact(collection, distribution, release));
  collection.set_both(os, "family", "osfamily", collection.os_family());
  collection.set_both(os, "hardware", "hardwaremodel", collection.kernel().machine);
  collection.set_both(os, "name", "operatingsystem", os_name(collection, distribution));
  set_release(collection, os, release);
  collection.add_legacy("operatingsystemmajrelease", release.major);
  collection.add_legacy("operatingsystemrelease", release.full);
  os.set("selinux", selinux_fact(collection));
  collection.facts().add_hash("os", os);
}

void collect_kernel(Collection& collection) {
  FactSet& facts = collection.facts();
  const KernelName& kernel = collection.kernel();
  facts.add_text("kernel", kernel.name);
  facts.add_text("kernelrelease", kernel.release);
  const auto parts = split(kernel.release, '.');
  if (parts.empty()) return;
  std::string major(parts[0]);
  if (parts.size() > 1) major += "." + std::string(parts[1]);
  facts.add_text("kernelmajversion", major);
  // The first three numbers, with any separators.
  std::string version;
  int count = 0;
  for (size_t at = 0; at < kernel.release.size() && count < 3; ++count) {
    const size_t begin = kernel.release.find_first_of("0123456789", at);
    if (begin == std::string::npos) break;
    at = std::min(kernel.release.find_first_not_of("0123456789", begin), kernel.release.size());
    if (!version.empty()) version.push_back('.');
    version += kernel.release.substr(begin, at - begin);
  }
  facts.add_text("kernelversion", version);
}

}  // namespace bunraku::facts

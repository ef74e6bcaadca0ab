// The providers rpm, yum, dnf and zypper.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "apply/providers/package/package_provider.h"
#include "apply/providers/package/rpm_version.h"
#include "apply/providers/package/version_range.h"
#include "apply/transaction/execution.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kFormat =
    "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n";
constexpr std::string_view kSeparator = "; ";

struct RpmPackage {
  std::string name, version, release, architecture;
  std::string ensure;  // "epoch:version-release" of all installed versions
};

std::vector<std::string> versions_of(std::string_view ensure) {
  std::vector<std::string> versions;
  while (!ensure.empty()) {
    const size_t end = ensure.find(kSeparator);
    versions.emplace_back(ensure.substr(0, end));
    ensure.remove_prefix(end == std::string_view::npos ? ensure.size() : end + kSeparator.size());
  }
  return versions;
}

// Parses rpm's output in our query format. Several versions of a package are merged into one entry.
std::map<std::string, RpmPackage> read_packages(const std::string& output) {
  std::vector<std::string> lines = lines_of(output);
  std::ranges::sort(lines);
  std::map<std::string, RpmPackage> packages;
  for (const std::string& line : lines) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() != 5) continue;
    std::string ensure = fmt::format("{}-{}", words[2], words[3]);
    if (words[1] != "0") ensure = fmt::format("{}:{}", words[1], ensure);
    const auto [known, is_new] =
        packages.try_emplace(words[0], RpmPackage{words[0], words[2], words[3], words[4], ensure});
    if (!is_new && known->second.ensure.find(ensure) == std::string::npos) {
      known->second.ensure += std::string(kSeparator) + ensure;
    }
  }
  return packages;
}

std::string program(std::string_view name) {
  std::string path = find_executable(name);
  if (path.empty()) throw Failure(fmt::format("Command {} is missing", name));
  return path;
}

class RpmProvider : public PackageProvider {
 public:
  using PackageProvider::PackageProvider;

  void install() override {
    const std::string source = needed_source();
    const Datum installed = state().ensure;
    const Datum& wanted = resource_.value("ensure");
    if (installed.is_string() &&
        (wanted == installed || (wanted.is_symbol(kLatest) && installed.text() == latest()))) {
      return;
    }
    std::vector<std::string> words = {program("rpm")};
    if (installed.is_string()) {
      words.insert(words.end(), {"-U", "--oldpackage"});
    } else {
      words.emplace_back("-i");
    }
    add_options(words, "install_options");
    words.push_back(source);
    execute(words);
  }

  void uninstall() override {
    const std::optional<RpmPackage> found = find();
    const std::string& name = resource_.name();
    std::vector<std::string> words = {program("rpm"), "-e"};
    add_options(words, "uninstall_options");
    if (!found) {
      words.push_back(name);
    } else {
      const std::string version = fmt::format("{}-{}", found->name, found->version);
      const std::string release = fmt::format("{}-{}", version, found->release);
      const std::string end =
          name.ends_with("." + found->architecture) ? "." + found->architecture : "";
      if (name.starts_with(release)) {
        words.push_back(release + end);
      } else if (name.starts_with(version)) {
        words.push_back(version + end);
      } else if (resource_.is_true("install_only")) {
        for (const std::string& one : versions_of(found->ensure)) {
          words.push_back(fmt::format("{}-{}{}", found->name, one, end));
        }
      } else {
        words.push_back(found->name + end);
      }
    }
    execute(words);
  }

  std::string latest() override {
    const std::string output =
        execute({program("rpm"), "-q", "--qf", std::string(kFormat), "-p", needed_source()});
    const auto packages = read_packages(output);
    return packages.empty() ? std::string() : packages.begin()->second.ensure;
  }

  bool is_version(const Datum& current, const std::string& wanted) override {
    if (!current.is_string()) return false;
    const std::vector<std::string> versions = versions_of(current.text());
    if (versions.size() > 1 && !resource_.is_true("install_only")) return false;
    return std::ranges::any_of(versions, [&](const std::string& version) {
      return compare_rpm_versions(wanted, version) == 0;
    });
  }

  PackageState query() override {
    PackageState state;
    const std::optional<RpmPackage> found = find();
    if (found) {
      state.name = found->name;
      state.ensure = Datum::string(found->ensure);
    } else if (!resource_.has_feature("purgeable")) {
      state.ensure = Datum::symbol(kAbsent);
    }
    return state;
  }

 protected:
  std::optional<RpmPackage> find() const {
    ExecutionRequest request;
    request.words = {program("rpm"), "-q",   resource_.name(),    "--nosignature",
                     "--nodigest",   "--qf", std::string(kFormat)};
    ExecutionResult result = run_command(request);
    if (!result.is_success()) {
      if (!resource_.is_true("allow_virtual")) return std::nullopt;
      request.words.emplace_back("--whatprovides");
      result = run_command(request);
      if (!result.is_success()) return std::nullopt;
    }
    const auto packages = read_packages(result.output);
    if (packages.empty()) return std::nullopt;
    return packages.begin()->second;
  }

  void add_options(std::vector<std::string>& words, std::string_view attribute) const {
    for (std::string& word : option_words(resource_.value(attribute))) {
      words.push_back(std::move(word));
    }
  }

  void check_version(const std::string& wanted) {
    const PackageState now = query();
    if (!now.ensure.is_string()) {
      throw Failure(fmt::format("Could not find package {}", resource_.name()));
    }
    if (now.ensure.text() == wanted || is_version(now.ensure, wanted)) return;
    throw Failure(fmt::format("Failed to update to version {}, got version {} instead", wanted,
                              now.ensure.text()));
  }

 private:
  std::string needed_source() const {
    std::string source = resource_.text("source");
    if (source.empty()) throw Failure("RPMs must specify a package source");
    return source;
  }
};

// For archives with several versions of a package: yum, dnf and zypper.
class RepositoryProvider : public RpmProvider {
 public:
  using RpmProvider::RpmProvider;

  bool is_version(const Datum& current, const std::string& wanted) override {
    const auto range = VersionRange::parse(wanted, rpm_versions());
    if (!range || range->is_single()) return RpmProvider::is_version(current, wanted);
    if (!current.is_string()) return false;
    const std::vector<std::string> versions = versions_of(current.text());
    if (versions.size() > 1 && !resource_.is_true("install_only")) return false;
    return std::ranges::any_of(
        versions, [&](const std::string& version) { return range->includes(version); });
  }

 protected:
  // The versions that can be installed.
  virtual std::vector<std::string> available_versions() = 0;

  // The newest version within the desired range; any other text unchanged.
  std::string wanted_version(const std::string& wanted) {
    const auto range = VersionRange::parse(wanted, rpm_versions());
    if (!range || range->is_single()) return wanted;
    if (const auto newest = range->newest_of(available_versions())) return *newest;
    resource_.debug(fmt::format("No available version for package {} is included in range {}",
                                resource_.name(), range->text(" ")));
    return wanted;
  }
};

// yum and dnf, whose commands are nearly equal.
class YumProvider final : public RepositoryProvider {
 public:
  YumProvider(Resource& resource, bool is_dnf) : RepositoryProvider(resource), is_dnf_(is_dnf) {}

  void install() override {
    const Datum& wanted = resource_.value("ensure");
    std::string package = resource_.name();
    if (!resource_.is_true("allow_virtual")) {
      std::vector<std::string> words = start(true);
      words.insert(words.end(), {"list", package});
      execute(words);
    }
    std::string operation = "install";
    std::string version;
    const std::string source = resource_.text("source");
    if (wanted.is_symbol(kLatest)) {
      if (query().ensure.is_string()) operation = update_word();
    } else if (wanted.is_symbol()) {
      if (!source.empty()) package = source;
    } else {
      version = wanted.to_text();
      if (source.empty()) version = without_epoch(wanted, wanted_version(version));
      package = source.empty() ? with_architecture_at_end(fmt::format("{}-{}", package, version))
                               : source;
      const Datum installed = query().ensure;
      if (installed.is_string()) {
        const int order = compare_rpm_versions(version, installed.text());
        if (resource_.is_true("install_only") || order > 0) {
          operation = update_word();
        } else if (order < 0) {
          operation = "downgrade";
        }
      }
    }
    std::vector<std::string> words = start(true);
    words.insert(words.end(), {operation, package});
    const std::string output = execute(words);
    if (output.find(fmt::format("No package {} available.", package)) != std::string::npos) {
      throw Failure(fmt::format("Could not find package {}", package));
    }
    if (!version.empty()) check_version(version);
  }

  void purge() override { execute({command(), "-y", "erase", resource_.name()}); }

  std::string latest() override {
    const std::map<std::string, std::string> updates = check_updates();
    const auto found = updates.find(resource_.name());
    return found == updates.end() ? state().ensure.to_text() : found->second;
  }

 private:
  std::string command() const { return program(is_dnf_ ? "dnf" : "yum"); }
  std::string update_word() const { return is_dnf_ ? "upgrade" : "update"; }

  std::vector<std::string> start(bool has_options) const {
    std::vector<std::string> words = {command(), "-d", "0", "-e", is_dnf_ ? "1" : "0", "-y"};
    if (has_options) add_options(words, "install_options");
    return words;
  }

  // A version chosen from a range is requested without its epoch.
  static std::string without_epoch(const Datum& wanted, const std::string& version) {
    if (version == wanted.to_text()) return version;
    const size_t colon = version.find(':');
    return colon == std::string::npos ? version : version.substr(colon + 1);
  }

  // The install options that select repositories.
  std::vector<std::string> repository_options() const {
    std::vector<std::string> options = option_words(resource_.value("install_options"));
    std::erase_if(options, [](const std::string& option) {
      return !option.starts_with("--enablerepo=") && !option.starts_with("--disablerepo=") &&
             !option.starts_with("--disableexcludes=");
    });
    return options;
  }

  // The second column of the lines after the heading.
  std::vector<std::string> available_versions() override {
    std::vector<std::string> words = {command(), "list", resource_.name(), "--showduplicates"};
    std::ranges::copy(repository_options(), std::back_inserter(words));
    std::vector<std::string> versions;
    bool is_available = false;
    for (const std::string& line : lines_of(execute(std::move(words)))) {
      const std::vector<std::string> columns = words_of(line);
      if (is_available && columns.size() > 1) versions.push_back(columns[1]);
      if (line.starts_with("Available Packages")) is_available = true;
    }
    return versions;
  }

  // Newer versions of packages, by name and by name with architecture.
  std::map<std::string, std::string> check_updates() {
    ExecutionRequest request;
    request.words = {command(), "check-update"};
    std::ranges::copy(repository_options(), std::back_inserter(request.words));
    request.includes_errors = false;
    const ExecutionResult result = run_command(request);
    std::map<std::string, std::string> updates;
    if (result.status == 0) return updates;
    constexpr int kHasUpdates = 100;
    if (result.status != kHasUpdates) {
      resource_.log(LogLevel::kWarning,
                    fmt::format("Could not check for updates, '{} check-update' exited with {}",
                                command(), result.status.value_or(-1)));
      return updates;
    }
    for (const std::string& line : lines_of(result.output)) {
      if (line.starts_with("Obsoleting") || line.starts_with("Security:") ||
          line.starts_with("Update")) {
        break;
      }
      const std::vector<std::string> words = words_of(line);
      if (words.size() != 3) continue;
      const size_t dot = words[0].rfind('.');
      if (dot == std::string::npos || words[1].find('-') == std::string::npos) continue;
      const std::string version =
          words[1].find(':') == std::string::npos ? "0:" + words[1] : words[1];
      updates.try_emplace(words[0].substr(0, dot), version);
      updates.try_emplace(words[0], version);
    }
    return updates;
  }

  bool is_dnf_;
};

class ZypperProvider final : public RepositoryProvider {
 public:
  using RepositoryProvider::RepositoryProvider;

  void install() override {
    const Datum& wanted = resource_.value("ensure");
    std::string package = resource_.name();
    if (!wanted.is_symbol()) package += "-" + wanted_version(wanted.to_text());
    std::vector<std::string> words = {"/usr/bin/zypper", "--quiet"};
    std::vector<std::string> options = option_words(resource_.value("install_options"));
    for (const std::string_view global : {"--no-gpg-check", "--no-gpg-checks"}) {
      const auto found = std::ranges::find(options, global);
      if (found == options.end()) continue;
      words.push_back(*found);
      options.erase(found);
    }
    words.insert(words.end(), {"install", "--auto-agree-with-licenses", "--no-confirm"});
    words.insert(words.end(), options.begin(), options.end());
    if (!resource_.is_true("allow_virtual") && wanted.is_symbol()) words.emplace_back("--name");
    words.push_back(package);
    execute(words);
    if (!query().ensure.is_string()) {
      throw Failure(fmt::format("Could not find package {}", resource_.name()));
    }
  }

  void uninstall() override {
    execute({"/usr/bin/zypper", "remove", "--no-confirm", resource_.name()});
  }

  // Lines of the table: v | repository | name | current | available | architecture.
  std::string latest() override {
    const std::string output = execute({"/usr/bin/zypper", "list-updates"});
    for (const std::string& line : lines_of(output)) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells.size() > 4 && cells[0] == "v" && cells[2] == resource_.name()) return cells[4];
    }
    return state().ensure.to_text();
  }

 private:
  static std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const std::string& word : words_of(line)) {
      if (word == "|") {
        cells.emplace_back();
      } else {
        cells.back() += (cells.back().empty() ? "" : " ") + word;
      }
    }
    return cells;
  }

  // Lines of the table: status | name | kind | version | architecture | repository.
  std::vector<std::string> available_versions() override {
    std::vector<std::string> versions;
    const std::string output = execute({"/usr/bin/zypper", "search", "--match-exact", "--type",
                                        "package", "--uninstalled-only", "-s", resource_.name()});
    for (const std::string& line : lines_of(output)) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells.size() > 3 && cells[1] == resource_.name()) versions.push_back(cells[3]);
    }
    return versions;
  }
};

bool is_red_hat_until_7(const Host& host) {
  const std::string major = host.fact("os.release.major");
  return host.fact("os.family") == "RedHat" && major.size() == 1 && major >= "4" && major <= "7";
}

class RpmKind : public ProviderKind {
 public:
  std::string_view name() const override { return "rpm"; }
  std::string_view source() const override { return "rpm"; }
  std::string_view features() const override {
    return "install_only install_options installable uninstall_options uninstallable upgradeable "
           "versionable virtual_packages";
  }
  bool is_suitable(const Host&) const override { return !find_executable("rpm").empty(); }
  int specificity(const Host&) const override { return 2; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<RpmProvider>(resource);
  }
  bool can_prefetch() const override { return true; }
  void prefetch(Context&, std::span<Resource* const> resources) const override {
    const std::map<std::string, RpmPackage> packages = all_packages();
    for (Resource* resource : resources) {
      const auto found = packages.find(resource->name());
      if (found == packages.end()) continue;
      PackageState state;
      state.name = found->first;
      state.ensure = Datum::string(found->second.ensure);
      resource->provider_as<PackageProvider>().set_state(std::move(state));
    }
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    for (const auto& [name, package] : all_packages()) {
      instances.push_back({name, {{"ensure", Datum::string(package.ensure)}}});
    }
    return instances;
  }

 private:
  static std::map<std::string, RpmPackage> all_packages() {
    try {
      return read_packages(execute(
          {program("rpm"), "-qa", "--nosignature", "--nodigest", "--qf", std::string(kFormat)}));
    } catch (const Failure&) {
      throw Failure("Failed to list packages");
    }
  }
};

class YumKind final : public RpmKind {
 public:
  explicit YumKind(bool is_dnf) : is_dnf_(is_dnf) {}
  std::string_view name() const override { return is_dnf_ ? "dnf" : "yum"; }
  std::string_view features() const override {
    return "install_only install_options installable purgeable uninstallable upgradeable "
           "versionable virtual_packages";
  }
  bool is_suitable(const Host& host) const override {
    return RpmKind::is_suitable(host) && !find_executable(name()).empty();
  }
  bool is_default(const Host& host) const override {
    const std::string os = host.fact("os.name");
    const std::string major = host.fact("os.release.major");
    if (!is_dnf_) return (os == "Amazon" && major != "2023") || is_red_hat_until_7(host);
    if (os == "Fedora") return major != "19" && major != "20" && major != "21";
    return (host.fact("os.family") == "RedHat" && os != "Amazon" && !is_red_hat_until_7(host)) ||
           (os == "Amazon" && major == "2023");
  }
  int specificity(const Host& host) const override {
    return (is_default(host) ? 100 : 0) + (is_dnf_ ? 4 : 3);
  }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<YumProvider>(resource, is_dnf_);
  }
  void prefetch(Context& context, std::span<Resource* const> resources) const override {
    if (geteuid() != 0) {
      throw Failure(fmt::format("The {} provider can only be used as root", name()));
    }
    RpmKind::prefetch(context, resources);
  }

 private:
  bool is_dnf_;
};

class ZypperKind final : public RpmKind {
 public:
  std::string_view name() const override { return "zypper"; }
  std::string_view features() const override {
    return "install_options installable uninstallable upgradeable versionable virtual_packages";
  }
  bool is_suitable(const Host& host) const override {
    return RpmKind::is_suitable(host) && have_programs({"/usr/bin/zypper"}) && is_default(host);
  }
  bool is_default(const Host& host) const override {
    const std::string os = host.fact("os.name");
    return os == "SuSE" || os == "SLES" || os == "SLED" || os == "OpenSuSE" || os == "openSUSE";
  }
  int specificity(const Host& host) const override { return is_default(host) ? 103 : 3; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<ZypperProvider>(resource);
  }
};

}  // namespace

std::unique_ptr<ProviderKind> make_rpm_kind() {
  return std::make_unique<RpmKind>();
}

std::unique_ptr<ProviderKind> make_yum_kind() {
  return std::make_unique<YumKind>(false);
}

std::unique_ptr<ProviderKind> make_dnf_kind() {
  return std::make_unique<YumKind>(true);
}

std::unique_ptr<ProviderKind> make_zypper_kind() {
  return std::make_unique<ZypperKind>();
}

}  // namespace bunraku::apply

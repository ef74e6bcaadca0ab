// The providers apt and dpkg.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "apply/providers/package/package_provider.h"
#include "apply/providers/package/version_range.h"
#include "apply/transaction/execution.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kQueryFormat = "${Status} ${Package} ${Version}\\n";

// Parses a line of dpkg-query: the desired state, the error, the status, the name, the version.
std::optional<PackageState> read_state(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 4) return std::nullopt;
  PackageState state;
  state.name = words[3];
  state.error = words[1];
  state.mark = Datum::symbol(words[0] == "hold" ? "hold" : "none");
  const std::string& status = words[2];
  if (status == "not-installed") {
    state.ensure = Datum::symbol(kPurged);
  } else if (status == "config-files" || status == "half-installed" || status == "unpacked" ||
             status == "half-configured") {
    state.ensure = Datum::symbol(kAbsent);
  } else {
    state.ensure = Datum::string(words.size() > 4 ? words[4] : std::string());
  }
  return state;
}

std::map<std::string, PackageState> installed_packages() {
  ExecutionRequest request;
  request.words = {"/usr/bin/dpkg-query", "-W", "--showformat", std::string(kQueryFormat)};
  const std::string output = execute(request);
  std::map<std::string, PackageState> packages;
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    if (auto state = read_state(std::string_view(output).substr(at, end - at))) {
      const std::string name = state->name;
      packages.insert_or_assign(name, std::move(*state));
    }
    at = end + 1;
  }
  return packages;
}

class DpkgProvider : public PackageProvider {
 public:
  using PackageProvider::PackageProvider;

  void install() override {
    const std::string source = resource_.text("source");
    if (source.empty()) {
      throw Failure::of_system("You cannot install dpkg packages without a source");
    }
    const bool keeps = resource_.value("configfiles").is_symbol("keep");
    with_hold([&] {
      execute({"/usr/bin/dpkg", keeps ? "--force-confold" : "--force-confnew", "-i", source});
    });
  }
  void uninstall() override { execute({"/usr/bin/dpkg", "-r", resource_.name()}); }
  void purge() override { execute({"/usr/bin/dpkg", "--purge", resource_.name()}); }
  void set_hold(bool is_held) override {
    ExecutionRequest request;
    request.words = {"/usr/bin/dpkg", "--set-selections"};
    request.input = fmt::format("{} {}\n", resource_.name(), is_held ? "hold" : "install");
    request.includes_errors = false;
    run_command(request);
  }
  std::string latest() override {
    const std::string source = resource_.text("source");
    if (source.empty()) {
      throw Failure("Could not update: You cannot install dpkg packages without a source");
    }
    const std::string line = execute({"/usr/bin/dpkg-deb", "--show", source});
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) return {};
    if (line.substr(0, tab).find(resource_.name()) == std::string::npos) {
      resource_.log(LogLevel::kWarning, fmt::format("source doesn't contain named package, but {}",
                                                    line.substr(0, tab)));
    }
    return line.substr(tab + 1, line.find('\n', tab) - tab - 1);
  }
  PackageState query() override {
    ExecutionRequest request;
    request.words = {"/usr/bin/dpkg-query", "-W", "--showformat", std::string(kQueryFormat),
                     resource_.name()};
    const ExecutionResult result = run_command(request);
    PackageState state;
    if (!result.is_success()) return state;
    state.ensure = Datum::symbol(kAbsent);
    if (const auto found = read_state(result.output.substr(0, result.output.find('\n')))) {
      state = *found;
    }
    if (state.error != "ok") {
      throw Failure(fmt::format("Package {}, version {} is in error state: {}", state.name,
                                state.ensure.to_text(), state.error));
    }
    return state;
  }

 protected:
  // Runs the action with a hold on the package lifted, and sets the hold again if it is desired.
  template <typename Action>
  void with_hold(Action action) {
    if (state().mark.is_symbol("hold")) set_hold(false);
    const bool holds_again = resource_.value("mark").is_symbol("hold");
    try {
      action();
    } catch (...) {
      if (holds_again) set_hold(true);
      throw;
    }
    if (holds_again) set_hold(true);
  }
};

class AptProvider final : public DpkgProvider {
 public:
  using DpkgProvider::DpkgProvider;

  void install() override {
    preseed();
    check_cdrom();
    const Datum wanted = resource_.value("ensure");
    const std::string source = resource_.text("source");
    std::vector<std::string> command = {"-q", "-y", "-o"};
    const bool keeps = resource_.value("configfiles").is_symbol("keep");
    command.emplace_back(keeps ? "DPkg::Options::=--force-confold"
                               : "DPkg::Options::=--force-confnew");
    std::string package = resource_.name();
    if (!wanted.is_symbol()) {
      package += "=" + wanted_version(wanted.to_text());
      command.emplace_back("--allow-downgrades");
    }
    for (std::string& word : option_words(resource_.value("install_options"))) {
      command.push_back(std::move(word));
    }
    command.emplace_back("install");
    command.push_back(source.empty() ? package : source);
    with_hold([&] { apt_get(command); });
    if (source.empty() || wanted.is_symbol(kPresent)) return;
    const std::string found = query().ensure.to_text();
    if (!wanted.is_symbol() && found != wanted.to_text() &&
        !is_version(Datum::string(found), wanted.to_text())) {
      throw Failure(fmt::format("Failed to update to version {}, got version {} instead",
                                wanted.to_text(), found));
    }
  }

  void uninstall() override {
    preseed();
    apt_get(removal({}));
  }
  void purge() override {
    preseed();
    apt_get(removal({"--purge"}));
    // dpkg may know packages that the archive does not.
    DpkgProvider::purge();
  }

  std::string latest() override {
    const std::string output = execute({"/usr/bin/apt-cache", "policy", resource_.name()});
    constexpr std::string_view kCandidate = "Candidate: ";
    const size_t at = output.find(kCandidate);
    if (at == std::string::npos) {
      resource_.log(LogLevel::kErr, "Could not find latest version");
      return {};
    }
    const size_t begin = at + kCandidate.size();
    return output.substr(begin, output.find_first_of(" \n", begin) - begin);
  }

  bool is_version(const Datum& current, const std::string& wanted) override {
    const auto range = VersionRange::parse(wanted, debian_versions());
    return current.is_string() && range && range->includes(current.text());
  }

  void flush() override {
    if (has_set_mark_ || resource_.value("ensure").is_symbol(kAbsent)) return;
    execute({"/usr/bin/apt-mark", "manual", resource_.name()});
  }

 private:
  // The newest version in the archive within the desired range; any other text unchanged.
  std::string wanted_version(const std::string& wanted) {
    const auto range = VersionRange::parse(wanted, debian_versions());
    if (!range || range->is_single()) return wanted;
    std::vector<std::string> versions;
    const std::string output = execute({"/usr/bin/apt-cache", "madison", resource_.name()});
    for (size_t at = 0; at < output.size();) {
      const size_t end = std::min(output.find('\n', at), output.size());
      const std::vector<std::string> words =
          words_of(std::string_view(output).substr(at, end - at));
      if (words.size() > 2 && words[1] == "|") versions.push_back(words[2]);
      at = end + 1;
    }
    if (const auto newest = range->newest_of(versions)) return *newest;
    resource_.debug(fmt::format("No available version for package {} is included in range {}",
                                resource_.name(), range->text(" ")));
    return range->text(" ");
  }

  std::vector<std::string> removal(const std::vector<std::string>& options) {
    std::vector<std::string> command = {"-y", "-q"};
    if (state().mark.is_symbol("hold")) command.emplace_back("--allow-change-held-packages");
    command.emplace_back("remove");
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(resource_.name());
    return command;
  }

  static void apt_get(const std::vector<std::string>& arguments) {
    ExecutionRequest request;
    request.words = {"/usr/bin/apt-get"};
    request.words.insert(request.words.end(), arguments.begin(), arguments.end());
    request.environment = {{"DEBIAN_FRONTEND", "noninteractive"},
                           {"APT_LISTBUGS_FRONTEND", "none"},
                           {"APT_LISTCHANGES_FRONTEND", "none"}};
    execute(request);
  }

  void preseed() {
    const std::string file = resource_.text("responsefile");
    if (file.empty()) return;
    if (!exists_file(file)) {
      resource_.log(LogLevel::kInfo,
                    "No responsefile specified or non existent, not preseeding anything");
      return;
    }
    resource_.log(LogLevel::kInfo, fmt::format("Preseeding {} to debconf-set-selections", file));
    execute({"/usr/bin/debconf-set-selections", file});
  }
  static bool exists_file(const std::string& path) { return bunraku::exists(path); }

  void check_cdrom() {
    if (resource_.value("allowcdrom").is_symbol("true")) return;
    std::string text;
    try {
      text = read_file("/etc/apt/sources.list");
    } catch (const FileError&) {
      return;
    }
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      const std::string active = line.substr(0, line.find('#'));
      if (active.find("cdrom:") != std::string::npos) {
        throw Failure(
            "/etc/apt/sources.list contains a cdrom source; not installing.  Use 'allowcdrom' to "
            "override this failure.");
      }
      at = end + 1;
    }
  }
};

class DpkgKind : public ProviderKind {
 public:
  std::string_view name() const override { return "dpkg"; }
  std::string_view source() const override { return "dpkg"; }
  std::string_view features() const override {
    return "holdable installable purgeable uninstallable upgradeable virtual_packages";
  }
  bool is_suitable(const Host&) const override {
    return have_programs({"/usr/bin/dpkg", "/usr/bin/dpkg-deb", "/usr/bin/dpkg-query"});
  }
  int specificity(const Host&) const override { return 2; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<DpkgProvider>(resource);
  }
  bool can_prefetch() const override { return true; }
  void prefetch(Context&, std::span<Resource* const> resources) const override {
    const std::map<std::string, PackageState> packages = installed_packages();
    for (Resource* resource : resources) {
      const auto found = packages.find(resource->name());
      // Other resources query later: their package may exist under another name.
      if (found != packages.end() && found->second.error == "ok") {
        resource->provider_as<PackageProvider>().set_state(found->second);
      }
    }
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    for (const auto& [title, state] : installed_packages()) {
      instances.push_back({title, {{"ensure", state.ensure}, {"mark", state.mark}}});
    }
    return instances;
  }
};

class AptKind final : public DpkgKind {
 public:
  std::string_view name() const override { return "apt"; }
  std::string_view features() const override {
    return "holdable install_options installable purgeable uninstallable upgradeable "
           "version_ranges versionable virtual_packages";
  }
  bool is_suitable(const Host& host) const override {
    return DpkgKind::is_suitable(host) &&
           have_programs({"/usr/bin/apt-get", "/usr/bin/apt-cache", "/usr/bin/apt-mark",
                          "/usr/bin/debconf-set-selections"});
  }
  bool is_default(const Host& host) const override { return host.fact("os.family") == "Debian"; }
  int specificity(const Host& host) const override { return is_default(host) ? 103 : 3; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<AptProvider>(resource);
  }
};

}  // namespace

std::unique_ptr<ProviderKind> make_apt_kind() {
  return std::make_unique<AptKind>();
}

std::unique_ptr<ProviderKind> make_dpkg_kind() {
  return std::make_unique<DpkgKind>();
}

}  // namespace bunraku::apply

// package: software packages, with the providers apt and dpkg.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "apply/providers/registry.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/resource.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kPresent = "present";
constexpr std::string_view kAbsent = "absent";
constexpr std::string_view kPurged = "purged";
constexpr std::string_view kLatest = "latest";

constexpr AttributeInfo kAttributes[] = {
    {.name = "ensure",
     .kind = AttributeKind::kProperty,
     .values = "present absent purged disabled installed=present latest",
     .patterns = "/./",
     .default_value = "present",
     .value_features = "purged=purgeable disabled=disableable latest=upgradeable"},
    {.name = "package_settings", .kind = AttributeKind::kProperty, .feature = "package_settings"},
    {.name = "flavor", .kind = AttributeKind::kProperty, .feature = "supports_flavors"},
    {.name = "mark",
     .kind = AttributeKind::kProperty,
     .values = "hold none",
     .feature = "holdable"},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "command", .default_value = "default", .feature = "targetable"},
    {.name = "source"},
    {.name = "instance"},
    {.name = "status"},
    {.name = "adminfile"},
    {.name = "responsefile"},
    {.name = "configfiles", .values = "keep replace", .default_value = "keep"},
    {.name = "category"},
    {.name = "platform"},
    {.name = "root"},
    {.name = "vendor"},
    {.name = "description"},
    {.name = "allowcdrom", .values = "true false"},
    {.name = "enable_only", .is_boolean = true, .default_value = "false"},
    {.name = "install_only",
     .is_boolean = true,
     .default_value = "false",
     .feature = "install_only"},
    {.name = "install_options", .feature = "install_options"},
    {.name = "uninstall_options", .feature = "uninstall_options"},
    {.name = "allow_virtual", .is_boolean = true, .feature = "virtual_packages"},
    {.name = "reinstall_on_refresh", .values = "true false", .default_value = "false"},
};

// What is known of one package on the host.
struct PackageState {
  Datum ensure = Datum::symbol(kPurged);  // its version, or the symbols absent and purged
  Datum mark = Datum::symbol("none");
  std::string error = "ok";
  std::string name;
};

// A provider of packages, as the type asks it.
class PackageProvider : public Provider {
 public:
  explicit PackageProvider(Resource& resource) : resource_(resource) {}
  virtual void install() = 0;
  virtual void update() { install(); }
  virtual void uninstall() = 0;
  virtual void purge() = 0;
  virtual void set_hold(bool is_held) = 0;
  // The newest version that there is; empty when it is not known.
  virtual std::string latest() = 0;
  virtual PackageState query() = 0;

  // What prefetching found, or what is asked now.
  const PackageState& state() {
    if (!state_) state_ = query();
    return *state_;
  }
  void set_state(PackageState state) { state_ = std::move(state); }
  // The latest version, asked for once.
  const std::string& latest_version() {
    if (!latest_) latest_ = latest();
    return *latest_;
  }
  bool knows_latest() const { return latest_.has_value() && !latest_->empty(); }

  Datum get(std::string_view property) override {
    if (property == "ensure") return state().ensure;
    if (property == "mark") return state().mark;
    return Datum();
  }
  void set(std::string_view property, const Datum& value) override {
    if (property != "mark") return Provider::set(property, value);
    has_set_mark_ = true;
    set_hold(value.is_symbol("hold"));
  }

 protected:
  Resource& resource_;
  bool has_set_mark_ = false;

 private:
  std::optional<PackageState> state_;
  std::optional<std::string> latest_;
};

bool is_installed(const Datum& ensure) {
  return !ensure.is_symbol(kAbsent) && !ensure.is_symbol(kPurged) && !ensure.is_symbol("disabled");
}

constexpr std::string_view kQueryFormat = "${Status} ${Package} ${Version}\\n";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  size_t at = line.find_first_not_of(' ');
  while (at != std::string_view::npos) {
    const size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

// A line of dpkg-query: what is wanted, the error, the status, the name, the version.
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

// Options as words of a command: texts as they are, pairs of a hash as "key=value".
std::vector<std::string> option_words(const Datum& options) {
  std::vector<std::string> words;
  const auto quoted = [](const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "\"" + text + "\"";
  };
  const auto add = [&](const Datum& option) {
    if (!option.is_hash()) return words.push_back(quoted(option.to_text()));
    std::vector<std::string> pairs;
    for (const auto& [key, value] : option.entries()) {
      pairs.push_back(quoted(key.to_text()) + "=" + quoted(value.to_text()));
    }
    std::ranges::sort(pairs);
    words.insert(words.end(), pairs.begin(), pairs.end());
  };
  if (options.is_array()) {
    for (const Datum& option : options.items()) add(option);
  } else if (!options.is_null()) {
    add(options);
  }
  return words;
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
  // Lets a package on hold be changed; it is held again where that is wanted.
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
      package += "=" + wanted.to_text();
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
    if (!wanted.is_symbol() && found != wanted.to_text()) {
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
    // What the archive does not know, dpkg still does.
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

  void flush() override {
    if (has_set_mark_ || resource_.value("ensure").is_symbol(kAbsent)) return;
    execute({"/usr/bin/apt-mark", "manual", resource_.name()});
  }

 private:
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

bool have_programs(std::initializer_list<const char*> paths) {
  return std::ranges::all_of(paths, [](const char* path) { return access(path, X_OK) == 0; });
}

class DpkgKind : public ProviderKind {
 public:
  std::string_view name() const override { return "dpkg"; }
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
      // What dpkg does not list may still be asked for by another name.
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
    return "holdable install_options installable purgeable uninstallable upgradeable versionable "
           "virtual_packages";
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

class Package final : public ResourceType {
 public:
  Package() {
    add_provider(std::make_unique<AptKind>());
    add_provider(std::make_unique<DpkgKind>());
  }
  std::string_view name() const override { return "package"; }
  std::span<const AttributeInfo> attributes() const override { return kAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    if (attribute.name == "install_options" || attribute.name == "uninstall_options") return value;
    if (attribute.name == "name" && value.is_array()) {
      throw Failure("Package names must be strings");
    }
    const Datum munged = ResourceType::munge(resource, attribute, value);
    if (attribute.name != "ensure" || munged.is_symbol() || resource.provider_kind() == nullptr) {
      return munged;
    }
    if (!resource.has_feature("versionable")) {
      throw Failure(
          fmt::format("Provider {} must have features 'versionable' to set 'ensure' to "
                      "'{}'",
                      resource.provider_kind()->name(), text));
    }
    if (text.find_first_of("<>") != std::string::npos) {
      throw Failure(fmt::format("Ranges of versions are not supported yet: '{}'", text));
    }
    return munged;
  }

  std::optional<Datum> default_of(Resource&, const AttributeInfo& attribute) const override {
    // Providers of Debian take names as they are.
    if (attribute.name == "allow_virtual") return Datum::boolean(false);
    return std::nullopt;
  }

  void validate(Resource& resource) const override {
    const Datum& ensure = resource.value("ensure");
    if (resource.find("mark") != nullptr &&
        (ensure.is_symbol(kAbsent) || ensure.is_symbol(kPurged))) {
      throw Failure(
          "You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", "
          "\"purged\"]");
    }
  }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    std::vector<AutomaticRelation> relations;
    for (const std::string_view attribute : {"responsefile", "adminfile", "source"}) {
      const std::string path = resource.text(attribute);
      if (path.starts_with('/')) relations.push_back({RelationKind::kRequire, "file", path});
    }
    return relations;
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (resource.provider() == nullptr) return Datum::symbol(kAbsent);
    return resource.provider_as<PackageProvider>().get(property.name());
  }

  bool is_present(const Resource& resource, const CurrentValues& current) const override {
    const Datum* ensure = find_value(current, "ensure");
    return ResourceType::is_present(resource, current) &&
           (ensure == nullptr || !ensure->is_symbol(kPurged));
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "mark") {
      return property.values.empty() ||
             property.values.front().is_symbol("hold") == current.is_symbol("hold");
    }
    if (property.name() != "ensure" || property.values.empty()) {
      return ResourceType::is_in_sync(resource, property, current);
    }
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol(kPresent)) return is_installed(current);
    if (wanted.is_symbol(kAbsent)) return current.is_symbol(kAbsent) || current.is_symbol(kPurged);
    if (wanted.is_symbol(kLatest)) {
      if (!is_installed(current)) return false;
      return current.text() == latest_version(resource) || current.is_symbol(kPresent);
    }
    return current == wanted || (!current.is_symbol() && current.text() == wanted.to_text());
  }

  void sync(Resource& resource, Attribute& property) const override {
    PackageProvider& provider = resource.provider_as<PackageProvider>();
    if (property.name() != "ensure") return sync_with_provider(resource, property);
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol(kPresent)) {
      set_word(resource, property, [&] { provider.install(); });
    } else if (wanted.is_symbol(kAbsent)) {
      set_word(resource, property, [&] { provider.uninstall(); });
    } else if (wanted.is_symbol(kPurged)) {
      set_word(resource, property, [&] { provider.purge(); });
    } else {
      try {
        if (wanted.is_symbol(kLatest)) {
          provider.update();
        } else {
          provider.install();
        }
      } catch (const Failure& failure) {
        throw Failure(fmt::format("Could not update: {}", failure.message()));
      }
    }
  }

  std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                          const Datum& desired) const override {
    if (property.name() == "ensure") {
      if (desired.is_symbol(kPurged)) return "purged";
      const bool was_missing = current.is_null() || !is_installed(current);
      if (was_missing && is_installed(desired)) return "created";
    }
    return ResourceType::change_text(resource, property, current, desired);
  }

  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override {
    if (property.name() == "ensure" && desired.is_symbol(kLatest) &&
        resource.provider() != nullptr) {
      PackageProvider& provider = resource.provider_as<PackageProvider>();
      if (provider.knows_latest()) return Datum::string(provider.latest_version()).to_display();
    }
    return ResourceType::desired_text(resource, property, desired);
  }

  std::string event_name(const Resource& resource, const Attribute& property) const override {
    if (property.name() == "ensure" && property.has_value()) {
      const Datum& wanted = property.values.front();
      if (wanted.is_symbol(kPresent)) return "package_installed";
      if (wanted.is_symbol(kPurged)) return "package_purged";
    }
    return ResourceType::event_name(resource, property);
  }

 private:
  static const std::string& latest_version(Resource& resource) {
    try {
      return resource.provider_as<PackageProvider>().latest_version();
    } catch (const Failure& failure) {
      throw Failure(fmt::format("Could not get latest version: {}", failure.message()));
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_package_type() {
  return std::make_unique<Package>();
}

}  // namespace bunraku::apply

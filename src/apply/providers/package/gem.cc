// The providers gem, puppet_gem and puppetserver_gem: Ruby packages.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/package/gem_command.h"
#include "apply/providers/package/package_provider.h"
#include "apply/providers/package/version_range.h"
#include "apply/transaction/execution.h"

namespace bunraku::apply {
namespace {

struct Gem {
  std::string name;
  std::vector<std::string> versions;
};

std::string run_gem(GemCommand command, const std::vector<std::string>& arguments) {
  ExecutionRequest request;
  request.words = std::move(command.words);
  request.words.insert(request.words.end(), arguments.begin(), arguments.end());
  request.environment = std::move(command.environment);
  return execute(request);
}

// Parses lines of the form "name (default: 1.0, 0.9 ruby)". Gems with the word `default` are a part
// of Ruby.
std::vector<Gem> read_gems(const std::string& output, bool includes_default) {
  std::vector<Gem> gems;
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t open = line.find(" (");
    const size_t close = line.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) continue;
    constexpr std::string_view kDefault = "default: ";
    if (!includes_default && line.substr(open + 2).starts_with(kDefault)) continue;
    Gem gem{std::string(line.substr(0, open)), {}};
    std::string_view list = line.substr(open + 2, close - open - 2);
    while (!list.empty()) {
      std::string_view one = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), one.size() + 1));
      one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
      if (one.starts_with(kDefault)) one.remove_prefix(kDefault.size());
      gem.versions.emplace_back(one.substr(0, one.find(' ')));
    }
    gems.push_back(std::move(gem));
  }
  return gems;
}

std::vector<Gem> list_gems(GemCommand command, const std::vector<std::string>& arguments,
                           bool includes_default) {
  std::vector<std::string> words = {"list"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  try {
    return read_gems(run_gem(std::move(command), words), includes_default);
  } catch (const Failure& failure) {
    throw Failure(fmt::format("Could not list gems: {}", failure.message()));
  }
}

class GemProvider final : public PackageProvider {
 public:
  GemProvider(Resource& resource, GemTarget target) : PackageProvider(resource), target_(target) {}

  void install() override { install(true); }
  void update() override { install(false); }

  void uninstall() override {
    std::vector<std::string> words = {"uninstall", "--executables", "--all", resource_.name()};
    for (std::string& option : option_words(resource_.value("uninstall_options"))) {
      words.push_back(std::move(option));
    }
    const std::string output = run_gem(command(), words);
    if (output.find("ERROR") != std::string::npos) {
      throw Failure(fmt::format("Could not uninstall: {}", without_end(output)));
    }
  }

  bool is_version(const Datum& current, const std::string& wanted) override {
    const auto range = VersionRange::parse(wanted, gem_versions());
    const auto is_it = [&](const Datum& version) {
      if (!version.is_string()) return false;
      const std::optional<bool> is_met = meets_gem_requirement(wanted, version.text());
      return is_met ? *is_met : range && range->includes(version.text());
    };
    return is_it(current) || std::ranges::any_of(current.items(), is_it);
  }

  std::string latest() override {
    std::vector<std::string> words = {"--remote"};
    if (const std::string source = resource_.text("source"); !source.empty()) {
      words.insert(words.end(), {"--source", source});
    }
    words.push_back(fmt::format("\\A{}\\z", resource_.name()));
    const std::vector<Gem> gems = list_gems(command(), words, true);
    return gems.empty() || gems.front().versions.empty() ? "" : gems.front().versions.front();
  }

  PackageState query() override {
    PackageState state;
    state.ensure = Datum::symbol(kAbsent);
    const std::vector<Gem> gems = list_gems(existing(local_gem_command(target_, given_program())),
                                            {"--local", fmt::format("\\A{}\\z", resource_.name())},
                                            target_ != GemTarget::kServer);
    if (!gems.empty()) {
      state.name = gems.front().name;
      state.ensure = Datum::strings(gems.front().versions);
    }
    return state;
  }

 private:
  // Only resources of the host's gems may name a program.
  std::string given_program() const {
    return target_ == GemTarget::kHost ? resource_.text("command") : std::string();
  }
  GemCommand command() const { return existing(gem_command(target_, given_program())); }

  GemCommand existing(GemCommand command) const {
    if (!command.words.empty()) return command;
    const std::string given = given_program();
    throw Failure(fmt::format("Provider gem package command '{}' does not exist on this host",
                              given.empty() || given == "default" ? "gem" : given));
  }

  static std::string without_end(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

  void install(bool uses_version) {
    std::vector<std::string> words = {"install"};
    for (std::string& option : option_words(resource_.value("install_options"))) {
      words.push_back(std::move(option));
    }
    const Datum& wanted = resource_.value("ensure");
    if (!wanted.is_symbol()) {
      const std::string version = wanted.to_text();
      // RubyGems accepts its own requirements; a range in Puppet's syntax is converted to one.
      const auto range = meets_gem_requirement(version, "0")
                             ? std::nullopt
                             : VersionRange::parse(version, gem_versions());
      if (uses_version || range) {
        words.insert(words.end(), {"-v", range ? range->text(", ") : version});
      }
    }
    words.emplace_back("--no-document");
    const std::string source = resource_.text("source");
    const size_t scheme = source.find("://");
    if (source.starts_with("puppet:")) {
      throw Failure("puppet:// URLs are not supported as gem sources");
    }
    if (source.starts_with("file:")) {
      words.push_back(source.substr(scheme == std::string::npos ? 5 : scheme + 3));
    } else if (!source.empty() && scheme == std::string::npos) {
      words.push_back(source);
    } else if (!source.empty()) {
      words.insert(words.end(), {"--source", source, resource_.name()});
    } else {
      words.push_back(resource_.name());
    }
    const std::string output = run_gem(command(), words);
    if (output.find("ERROR") != std::string::npos) {
      throw Failure(fmt::format("Could not install: {}", without_end(output)));
    }
  }

  GemTarget target_;
};

class GemKind final : public ProviderKind {
 public:
  explicit GemKind(GemTarget target) : target_(target) {}

  std::string_view name() const override {
    switch (target_) {
      case GemTarget::kHost:
        return "gem";
      case GemTarget::kAgent:
        return "puppet_gem";
      case GemTarget::kServer:
        return "puppetserver_gem";
    }
    return {};
  }
  std::string_view features() const override {
    return target_ == GemTarget::kHost
               ? "install_options installable targetable uninstall_options uninstallable "
                 "upgradeable version_ranges versionable"
               : "install_options installable uninstall_options uninstallable upgradeable "
                 "versionable";
  }
  // The program of the host's gems may be installed during the run, and is looked for when it is
  // needed.
  bool is_suitable(const Host&) const override {
    return target_ == GemTarget::kHost || !gem_command(target_).words.empty();
  }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<GemProvider>(resource, target_);
  }
  // The host's gems are listed once.
  bool can_list() const override { return has_own_ruby(target_); }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    GemCommand command = local_gem_command(target_);
    if (command.words.empty()) return instances;
    for (Gem& gem : list_gems(std::move(command), {"--local"}, target_ != GemTarget::kServer)) {
      instances.push_back(
          {std::move(gem.name), {{"ensure", Datum::strings(gem.versions)}}, {}, true});
    }
    return instances;
  }

 private:
  GemTarget target_;
};

}  // namespace

std::unique_ptr<ProviderKind> make_gem_kind() {
  return std::make_unique<GemKind>(GemTarget::kHost);
}

std::unique_ptr<ProviderKind> make_puppet_gem_kind() {
  return std::make_unique<GemKind>(GemTarget::kAgent);
}

std::unique_ptr<ProviderKind> make_puppetserver_gem_kind() {
  return std::make_unique<GemKind>(GemTarget::kServer);
}

}  // namespace bunraku::apply

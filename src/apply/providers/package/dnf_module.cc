// The provider dnfmodule: modules of DNF. The version of a module is its stream, its flavor a
// profile.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "apply/providers/package/package_provider.h"
#include "apply/providers/package/version_range.h"
#include "apply/transaction/execution.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kProgram = "/usr/bin/dnf";
constexpr std::string_view kOldest = "3.0.1";

std::vector<std::string> module_command(std::string_view action) {
  return {std::string(kProgram), "module", std::string(action), "-d", "0", "-e", "1", "-y"};
}

void run_module(std::string_view action, const std::string& argument) {
  std::vector<std::string> words = module_command(action);
  words.push_back(argument);
  execute(std::move(words));
}

void erase_all(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
}

// Parses a line of the form "perl 5.26 [d][e] common [d] [i], minimal A summary". Only modules that
// are enabled, installed or disabled have a state.
std::optional<PackageState> read_module(std::string line) {
  const auto has_flag = [&](char flag) {
    return line.find(fmt::format("[{}] ", flag)) != std::string::npos ||
           line.find(fmt::format("[{}],", flag)) != std::string::npos;
  };
  if (!has_flag('e') && !has_flag('i') && !has_flag('x')) return std::nullopt;
  erase_all(line, "[d]");
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 2) return std::nullopt;
  PackageState state;
  state.name = words[0];
  state.ensure =
      line.find("[x]") == std::string::npos ? Datum::string(words[1]) : Datum::symbol("disabled");
  state.flavor = Datum::symbol(kAbsent);
  if (const size_t installed = line.find("[i]"); installed != std::string::npos) {
    const std::vector<std::string> before = words_of(std::string_view(line).substr(0, installed));
    if (!before.empty()) state.flavor = Datum::string(before.back());
  }
  return state;
}

std::vector<PackageState> list_modules() {
  const std::string output =
      execute({std::string(kProgram), "module", "list", "-y", "-d", "0", "-e", "1"});
  std::vector<PackageState> modules;
  for (const std::string& line : lines_of(output)) {
    if (auto state = read_module(line)) modules.push_back(std::move(*state));
  }
  return modules;
}

class DnfModuleProvider final : public PackageProvider {
 public:
  using PackageProvider::PackageProvider;

  void install() override {
    const Datum& present = state().ensure;
    if (!present.is_symbol(kAbsent) && !present.is_symbol(kPurged)) uninstall();
    std::string module = resource_.name();
    if (const Datum& wanted = resource_.value("ensure"); !wanted.is_symbol()) {
      module += ":" + wanted.to_text();
    }
    const std::string flavor = resource_.text("flavor");
    if (!flavor.empty()) module += "/" + flavor;
    if (resource_.is_true("enable_only")) return run_module("enable", module);
    try {
      run_module("install", module);
    } catch (const Failure& failure) {
      // Before version 4.2.8, a stream without a default profile could only be enabled.
      if (!flavor.empty() || !is_without_profile(failure.message(), module)) throw;
      run_module("enable", module);
    }
  }

  void uninstall() override {
    run_module("remove", resource_.name());
    run_module("reset", resource_.name());
  }
  void purge() override { execute({std::string(kProgram), "-y", "erase", resource_.name()}); }
  void disable() override { run_module("disable", resource_.name()); }

  // Streams have no order.
  std::string latest() override { return state().ensure.to_text(); }

  PackageState query() override {
    for (PackageState& one : list_modules()) {
      if (one.name == resource_.name()) return std::move(one);
    }
    return {};
  }

  void set(std::string_view property, const Datum& value) override {
    if (property != "flavor") return PackageProvider::set(property, value);
    install();
  }

 private:
  static bool is_without_profile(std::string_view message, const std::string& module) {
    for (const std::string_view kind : {"missing", "broken"}) {
      const std::string line = fmt::format("{} groups or modules: {}", kind, module);
      const size_t at = message.find(line);
      if (at == std::string_view::npos || (at > 0 && message[at - 1] != '\n')) continue;
      const std::string_view rest = message.substr(at + line.size());
      if (rest.empty() || rest.front() == '\n') return true;
    }
    return false;
  }
};

class DnfModuleKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "dnfmodule"; }
  std::string_view features() const override {
    return "disableable installable purgeable supports_flavors uninstallable upgradeable "
           "versionable";
  }
  bool is_suitable(const Host&) const override { return have_programs({kProgram.data()}); }
  int specificity(const Host&) const override { return 5; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<DnfModuleProvider>(resource);
  }

  bool can_prefetch() const override { return true; }
  void prefetch(Context&, std::span<Resource* const> resources) const override {
    const std::string output = execute({std::string(kProgram), "--version"});
    const std::string version = output.substr(0, output.find_first_of(" \n"));
    if (gem_versions().compare(version, kOldest) < 0) {
      throw Failure(
          fmt::format("Modules are not supported on DNF versions lower than {}", kOldest));
    }
    if (geteuid() != 0) {
      throw Failure(fmt::format("The {} provider can only be used as root", name()));
    }
    const std::vector<PackageState> modules = list_modules();
    for (Resource* resource : resources) {
      // The last of several streams counts.
      for (const PackageState& one : modules) {
        if (one.name == resource->name()) resource->provider_as<PackageProvider>().set_state(one);
      }
    }
  }

  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    std::vector<Instance> instances;
    for (PackageState& one : list_modules()) {
      instances.push_back({std::move(one.name),
                           {{"ensure", std::move(one.ensure)}, {"flavor", std::move(one.flavor)}}});
    }
    return instances;
  }
};

}  // namespace

std::unique_ptr<ProviderKind> make_dnf_module_kind() {
  return std::make_unique<DnfModuleKind>();
}

}  // namespace bunraku::apply

// The providers pip and pip3: Python packages.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/package/package_provider.h"
#include "apply/providers/package/version_range.h"
#include "apply/transaction/execution.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

class PipProvider final : public PackageProvider {
 public:
  PipProvider(Resource& resource, bool is_three) : PackageProvider(resource), is_three_(is_three) {}

  void install() override {
    std::vector<std::string> words = {command(), "install", "-q"};
    add_install_options(words);
    const Datum& wanted = resource_.value("ensure");
    const std::string& name = resource_.name();
    const std::string source = resource_.text("source");
    if (!source.empty()) {
      words.push_back(wanted.is_symbol()
                          ? fmt::format("{}#egg={}", source, name)
                          : fmt::format("{}@{}#egg={}", source, wanted.to_text(), name));
    } else if (wanted.is_symbol(kLatest)) {
      words.insert(words.end(), {"--upgrade", name});
    } else {
      words.push_back(wanted.is_symbol() ? name : requirement(wanted.to_text()));
    }
    execute(words);
  }

  void uninstall() override { execute({command(), "uninstall", "-y", "-q", resource_.name()}); }

  std::string latest() override {
    const std::vector<std::string> versions = available_versions();
    return versions.empty() ? std::string() : versions.back();
  }

  bool is_version(const Datum& current, const std::string& wanted) override {
    const auto range = VersionRange::parse(wanted, pip_versions());
    return current.is_string() && range && range->includes(current.text());
  }

  PackageState query() override {
    PackageState state;
    state.ensure = Datum::symbol(kAbsent);
    const std::string output = execute({command(), "freeze", "--all"});
    std::string_view rest = output;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const size_t equals = line.find("==");
      if (equals == std::string_view::npos ||
          downcase(line.substr(0, equals)) != downcase(resource_.name())) {
        continue;
      }
      std::string_view version = line.substr(equals + 2);
      if (version.starts_with('=')) version.remove_prefix(1);
      state.name = line.substr(0, equals);
      state.ensure = Datum::string(version);
    }
    return state;
  }

 private:
  // "name==1.2"; for a range, with the newest version in it.
  std::string requirement(const std::string& wanted) {
    const std::string& name = resource_.name();
    const auto range = VersionRange::parse(wanted, pip_versions());
    if (!range || range->is_single()) return fmt::format("{}=={}", name, wanted);
    if (const auto newest = range->newest_of(available_versions())) {
      return fmt::format("{}=={}", name, *newest);
    }
    resource_.debug(fmt::format("No available version for package {} is included in range {}", name,
                                range->text(" ")));
    return fmt::format("{} {}", name, range->text(","));
  }

  // Sorted, the oldest first. Requesting an impossible version makes pip list the available ones.
  std::vector<std::string> available_versions() {
    ExecutionRequest request;
    request.words = {command(), "install", fmt::format("{}==9!0dev0+x", resource_.name())};
    add_install_options(request.words);
    const ExecutionResult result = run_command(request);
    constexpr std::string_view kVersions = "from versions: ";
    const size_t at = result.output.find(kVersions);
    const size_t end = result.output.find(')', at);
    std::vector<std::string> versions;
    if (at == std::string::npos || end == std::string::npos) return versions;
    std::string_view list =
        std::string_view(result.output).substr(at + kVersions.size(), end - at - kVersions.size());
    while (!list.empty()) {
      const size_t comma = std::min(list.find(", "), list.size());
      if (pip_versions().is_version(list.substr(0, comma))) {
        versions.emplace_back(list.substr(0, comma));
      }
      list.remove_prefix(std::min(comma + 2, list.size()));
    }
    std::ranges::stable_sort(versions, [](const std::string& a, const std::string& b) {
      return pip_versions().compare(a, b) < 0;
    });
    return versions;
  }

  void add_install_options(std::vector<std::string>& words) const {
    for (std::string& option : option_words(resource_.value("install_options"))) {
      words.push_back(std::move(option));
    }
  }

  std::string command() const {
    const std::string given = resource_.text("command");
    if (!given.empty() && given != "default") {
      std::string path = find_executable(given);
      if (!path.empty()) return path;
      throw Failure(fmt::format("Provider {} package command '{}' does not exist on this host",
                                is_three_ ? "pip3" : "pip", given));
    }
    static constexpr std::string_view kNames[] = {"pip", "pip-python", "pip2", "pip-2"};
    static constexpr std::string_view kNamesOfThree[] = {"pip3", "pip-3"};
    const std::span<const std::string_view> names =
        is_three_ ? std::span<const std::string_view>(kNamesOfThree)
                  : std::span<const std::string_view>(kNames);
    for (const std::string_view name : names) {
      std::string path = find_executable(name);
      if (!path.empty()) return path;
    }
    throw Failure(fmt::format("Provider {} package command is not functional on this host",
                              is_three_ ? "pip3" : "pip"));
  }

  bool is_three_;
};

class PipKind final : public ProviderKind {
 public:
  explicit PipKind(bool is_three) : is_three_(is_three) {}
  std::string_view name() const override { return is_three_ ? "pip3" : "pip"; }
  std::string_view features() const override {
    return "install_options installable targetable uninstallable upgradeable version_ranges "
           "versionable";
  }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<PipProvider>(resource, is_three_);
  }

 private:
  bool is_three_;
};

}  // namespace

std::unique_ptr<ProviderKind> make_pip_kind() {
  return std::make_unique<PipKind>(false);
}

std::unique_ptr<ProviderKind> make_pip3_kind() {
  return std::make_unique<PipKind>(true);
}

}  // namespace bunraku::apply

// selboolean and selmodule: booleans and policy modules of SELinux, by its programs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "apply/providers/registry.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/resource.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kGetBoolean = "/usr/sbin/getsebool";
constexpr std::string_view kSetBoolean = "/usr/sbin/setsebool";
constexpr std::string_view kModules = "/usr/sbin/semodule";

constexpr AttributeInfo kBooleanAttributes[] = {
    {.name = "value", .kind = AttributeKind::kProperty, .values = "on off true false"},
    {.name = "name", .is_namevar = true},
    {.name = "persistent", .values = "true false", .default_value = "false"},
    {.name = "provider"},
};

constexpr AttributeInfo kModuleAttributes[] = {
    kEnsurePresent,
    {.name = "syncversion", .kind = AttributeKind::kProperty, .values = "true false"},
    {.name = "name", .is_namevar = true},
    {.name = "selmoduledir", .default_value = "/usr/share/selinux/targeted"},
    {.name = "selmodulepath"},
    {.name = "provider"},
};

// Runs a command. A failure is reported with the first line of its output.
void run(std::vector<std::string> words) {
  ExecutionRequest request;
  request.words = std::move(words);
  const ExecutionResult result = run_command(request);
  if (!result.is_success()) throw Failure(result.output.substr(0, result.output.find('\n')));
}

class BooleanProvider final : public Provider {
 public:
  explicit BooleanProvider(Resource& resource) : resource_(resource) {}

  Datum get(std::string_view) override {
    std::string status = execute({std::string(kGetBoolean), resource_.name()});
    while (status.ends_with('\n')) status.pop_back();
    if (status.ends_with(" off")) return Datum::symbol("off");
    if (status.ends_with(" on")) return Datum::symbol("on");
    throw Failure(fmt::format("Invalid response '{}' returned from getsebool", status));
  }

  void set(std::string_view, const Datum& value) override {
    std::vector<std::string> words = {std::string(kSetBoolean)};
    if (resource_.value("persistent").is_symbol("true")) words.emplace_back("-P");
    words.push_back(resource_.name());
    words.push_back(value.to_text());
    run(std::move(words));
  }

 private:
  Resource& resource_;
};

class BooleanKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "getsetsebool"; }
  bool is_suitable(const Host&) const override {
    return !find_executable(kGetBoolean).empty() && !find_executable(kSetBoolean).empty();
  }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<BooleanProvider>(resource);
  }
};

class SelBoolean final : public ResourceType {
 public:
  SelBoolean() { add_provider(std::make_unique<BooleanKind>()); }
  std::string_view name() const override { return "selboolean"; }
  std::span<const AttributeInfo> attributes() const override { return kBooleanAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const Datum munged = ResourceType::munge(resource, attribute, value);
    if (attribute.name != "value") return munged;
    return Datum::symbol(munged.is_symbol("true") || munged.is_symbol("on") ? "on" : "off");
  }
};

// The names and versions of the loaded modules.
using LoadedModules = std::map<std::string, std::string>;

LoadedModules loaded_modules() {
  ExecutionRequest request;
  request.words = {std::string(kModules), "--list"};
  const ExecutionResult result = run_command(request);
  LoadedModules modules;
  std::string all;
  for (size_t at = 0; at < result.output.size();) {
    const size_t end = std::min(result.output.find('\n', at), result.output.size());
    const std::string line = result.output.substr(at, end - at);
    at = end + 1;
    all += (all.empty() ? "" : " ") + line;
    const size_t name_end = std::min(line.find_first_of(" \t"), line.size());
    const size_t version = std::min(line.find_first_not_of(" \t", name_end), line.size());
    modules[line.substr(0, name_end)] =
        line.substr(version, line.find_first_of(" \t", version) - version);
  }
  if (!result.is_success()) {
    throw Failure(fmt::format("Could not list policy modules: \"{} --list\" failed with \"{}\"",
                              kModules, all));
  }
  return modules;
}

// The version in a compiled module. Throws Failure for a file that is not a module.
std::string module_version(const std::string& path) {
  constexpr uint32_t kMagic = 0xF97CFF8F;
  constexpr size_t kModuleHeader = 14;
  std::string data;
  try {
    data = read_file(path);
  } catch (const FileError& error) {
    throw Failure::of_system(error.what());
  }
  size_t at = 0;
  const auto need = [&](size_t size) {
    if (size > data.size() - at) throw Failure(fmt::format("{} ends too early", path));
  };
  const auto number = [&] {
    need(4);
    uint32_t value = 0;
    for (size_t i = 4; i > 0; --i)
      value = value << 8 | static_cast<unsigned char>(data[at + i - 1]);
    at += 4;
    return value;
  };
  const auto text = [&] {
    const size_t size = number();
    need(size);
    at += size;
    return data.substr(at - size, size);
  };
  if (const uint32_t magic = number(); magic != kMagic) {
    throw Failure(fmt::format("Found {} instead of magic {} in {}", magic, kMagic, path));
  }
  if (const uint32_t version = number(); version != 1) {
    throw Failure(fmt::format("Unknown policy file version {} in {}", version, path));
  }
  const size_t offsets = (size_t{number()} + 1) * 4;
  need(offsets);
  at += offsets;
  text();
  text();
  need(kModuleHeader);
  at += kModuleHeader;
  text();
  return text();
}

class ModuleProvider final : public Provider {
 public:
  explicit ModuleProvider(Resource& resource) : resource_(resource) {}
  void attach(std::shared_ptr<const LoadedModules> modules) { modules_ = std::move(modules); }

  bool exists() override { return loaded().contains(resource_.name()); }
  void create() override { change("load", {"--install", file()}); }
  void destroy() override { change("remove", {"--remove", resource_.name()}); }
  Datum get(std::string_view) override {
    const auto found = loaded().find(resource_.name());
    const bool is_same = found != loaded().end() && module_version(file()) == found->second;
    return Datum::symbol(is_same ? "true" : "false");
  }
  void set(std::string_view, const Datum&) override { change("upgrade", {"--upgrade", file()}); }

 private:
  std::string file() const {
    const std::string path = resource_.text("selmodulepath");
    if (!path.empty()) return path;
    return fmt::format("{}/{}.pp", resource_.text("selmoduledir"), resource_.name());
  }
  const LoadedModules& loaded() {
    if (modules_ == nullptr) modules_ = std::make_shared<const LoadedModules>(loaded_modules());
    return *modules_;
  }
  static void change(std::string_view action, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), std::string(kModules));
    try {
      run(std::move(arguments));
    } catch (const Failure& failure) {
      throw Failure(fmt::format("Could not {} policy module: {}", action, failure.message()));
    }
  }

  Resource& resource_;
  std::shared_ptr<const LoadedModules> modules_;
};

class ModuleKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "semodule"; }
  bool is_suitable(const Host&) const override { return !find_executable(kModules).empty(); }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<ModuleProvider>(resource);
  }
  bool can_prefetch() const override { return true; }
  void prefetch(Context&, std::span<Resource* const> resources) const override {
    const auto modules = std::make_shared<const LoadedModules>(loaded_modules());
    for (Resource* resource : resources) resource->provider_as<ModuleProvider>().attach(modules);
  }
};

class SelModule final : public ResourceType {
 public:
  SelModule() { add_provider(std::make_unique<ModuleKind>()); }
  std::string_view name() const override { return "selmodule"; }
  std::span<const AttributeInfo> attributes() const override { return kModuleAttributes; }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    const std::string path = resource.text("selmodulepath");
    return {{RelationKind::kRequire, "file",
             path.empty() ? fmt::format("{}/{}.pp", resource.text("selmoduledir"), resource.name())
                          : path}};
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_selboolean_type() {
  return std::make_unique<SelBoolean>();
}

std::unique_ptr<ResourceType> make_selmodule_type() {
  return std::make_unique<SelModule>();
}

}  // namespace bunraku::apply

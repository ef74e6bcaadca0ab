#include "ruby/types/package_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "apply/providers/package/package_provider.h"
#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"

namespace bunraku::ruby_types {

using apply::Datum;
using apply::PackageState;
using apply::ProviderKind;
using apply::Resource;

namespace {

const Datum& part(const Datum& hash, std::string_view key) {
  static const Datum kNull{};
  const Datum* found = hash.find(key);
  return found == nullptr ? kNull : *found;
}

// Forwards each operation to the provider of the resource's object in the process.
class RubyPackageProvider final : public apply::PackageProvider {
 public:
  RubyPackageProvider(Resource& resource, std::string_view kind, TypeWorker& worker)
      : PackageProvider(resource), kind_(kind), worker_(worker) {}

  void install() override { call("install"); }
  void update() override { call("update"); }
  void uninstall() override { call("uninstall"); }
  void purge() override { call("purge"); }
  void disable() override { call("disable"); }
  void set_hold(bool holds) override { call(holds ? "hold" : "unhold"); }
  std::string latest() override {
    const Datum found = call("latest");
    return found.is_null() ? std::string() : found.to_text();
  }
  bool is_version(const Datum& current, const std::string&) override {
    return ask("package_insync", {current}).is_true();
  }

  PackageState query() override {
    properties_ = ask("package_properties", {});
    PackageState state;
    state.ensure = part(properties_, "ensure");
    if (const Datum& mark = part(properties_, "mark"); !mark.is_null()) state.mark = mark;
    return state;
  }

  Datum get(std::string_view property) override {
    if (property == "ensure" || property == "mark") return PackageProvider::get(property);
    state();
    return part(properties_, property);
  }
  void set(std::string_view property, const Datum& value) override {
    if (property == "mark") return PackageProvider::set(property, value);
    ask("package_set", {Datum::string(property), value});
  }
  void flush() override { ask("package_flush", {}); }

  // The number of the resource's object. Made when it is first needed, and again when the process
  // has been replaced.
  int64_t number() {
    if (number_ < 0 || generation_ != worker_.generation()) {
      number_ = worker_
                    .call("package_make", {Datum::string(kind_), Datum::string(resource_.title())},
                          &resource_.catalog())
                    .integer_value();
      generation_ = worker_.generation();
    }
    return number_;
  }

 private:
  Datum call(std::string_view method) { return ask("package_call", {Datum::string(method)}); }
  Datum ask(std::string_view request, Datum::List arguments) {
    arguments.insert(arguments.begin(), Datum::integer(number()));
    return worker_.call(request, std::move(arguments), &resource_.catalog());
  }

  std::string_view kind_;
  TypeWorker& worker_;
  Datum properties_;
  int64_t generation_ = 0;
  int64_t number_ = -1;
};

class RubyPackageKind final : public ProviderKind {
 public:
  RubyPackageKind(std::string name, bool may_be_default, TypeWorker& worker)
      : name_(std::move(name)), may_be_default_(may_be_default), worker_(worker) {}

  std::string_view name() const override { return name_; }
  std::string_view features() const override { return description().features; }
  bool can_be_default() const override { return may_be_default_; }
  bool is_default(const apply::Host&) const override { return description().is_default; }
  int specificity(const apply::Host&) const override { return description().specificity; }
  bool can_prefetch() const override { return description().can_prefetch; }
  bool can_list() const override { return true; }

  // The answer is kept once it is true, for the rest of the run. Packages of other providers can be
  // listed where this one cannot be asked.
  bool is_suitable(const apply::Host&) const override {
    if (is_suitable_) return true;
    try {
      is_suitable_ =
          worker_.call("suitable", {Datum::string("package"), Datum::string(name_)}).is_true();
    } catch (const apply::Failure& failure) {
      worker_.log().log(
          LogLevel::kWarning,
          fmt::format("The package provider {} cannot be used: {}", name_, failure.message()));
    }
    return is_suitable_;
  }

  std::unique_ptr<apply::Provider> make(Resource& resource) const override {
    return std::make_unique<RubyPackageProvider>(resource, name_, worker_);
  }

  void prefetch(apply::Context&, std::span<Resource* const> resources) const override {
    if (resources.empty()) return;
    Datum::List numbers;
    for (Resource* resource : resources) {
      numbers.push_back(Datum::integer(resource->provider_as<RubyPackageProvider>().number()));
    }
    worker_.call("prefetch",
                 {Datum::string("package"), Datum::string(name_), Datum::array(std::move(numbers))},
                 &resources.front()->catalog());
  }

  std::vector<apply::Instance> instances(apply::Context&) const override {
    std::vector<apply::Instance> all;
    const Datum answer = worker_.call("package_instances", {Datum::string(name_)});
    for (const Datum& one : answer.items()) {
      apply::Instance instance{part(one, "name").to_text(), {}, name_, true};
      instance.properties.emplace_back("ensure", part(one, "ensure"));
      all.push_back(std::move(instance));
    }
    return all;
  }

 private:
  struct Description {
    std::string features;
    bool can_prefetch;
    bool is_default;
    int specificity;
  };

  const Description& description() const {
    if (!description_) {
      const Datum answer = worker_.call("package_provider", {Datum::string(name_)});
      description_ =
          Description{part(answer, "features").to_text(), part(answer, "prefetches").is_true(),
                      part(answer, "default").is_true(),
                      static_cast<int>(part(answer, "specificity").integer_value())};
    }
    return *description_;
  }

  std::string name_;
  bool may_be_default_;
  TypeWorker& worker_;
  mutable std::optional<Description> description_;
  mutable bool is_suitable_ = false;
};

}  // namespace

std::vector<std::unique_ptr<ProviderKind>> package_kinds(TypeWorker& worker) {
  std::vector<std::string> directories;
  for (const std::string& module : worker.options().modules) directories.push_back(module + "/lib");
  const std::vector<std::string>& libraries = worker.options().libraries;
  directories.insert(directories.end(), libraries.begin(), libraries.end());
  std::vector<std::unique_ptr<ProviderKind>> kinds;
  for (const std::string& directory : directories) {
    const std::string path = join_path(directory, "puppet/provider/package");
    if (!is_directory(path)) continue;
    for (const DirectoryEntry& entry : list_directory(path)) {
      constexpr std::string_view kSuffix = ".rb";
      const std::string file = join_path(path, entry.name);
      if (!entry.name.ends_with(kSuffix) || !is_file(file)) continue;
      std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
      if (std::ranges::find(kinds, name, &ProviderKind::name) != kinds.end()) continue;
      const bool may_be_default = read_file(file).find("defaultfor") != std::string::npos;
      kinds.push_back(std::make_unique<RubyPackageKind>(std::move(name), may_be_default, worker));
    }
  }
  return kinds;
}

}  // namespace bunraku::ruby_types

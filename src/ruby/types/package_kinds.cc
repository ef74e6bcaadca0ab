#include "ruby/types/package_kinds.h"

#include <string>

#include "apply/providers/package/package_provider.h"
#include "ruby/types/native_kind.h"

namespace bunraku::ruby_types {

using apply::Datum;
using apply::PackageState;
using apply::Resource;

namespace {

// Forwards each operation to the provider of the resource's object in the process.
class RubyPackageProvider final : public apply::PackageProvider {
 public:
  RubyPackageProvider(Resource& resource, std::string_view kind, TypeWorker& worker)
      : PackageProvider(resource), object_(resource, kind, worker) {}

  void install() override { object_.call("install"); }
  void update() override { object_.call("update"); }
  void uninstall() override { object_.call("uninstall"); }
  void purge() override { object_.call("purge"); }
  void disable() override { object_.call("disable"); }
  void set_hold(bool holds) override { object_.call(holds ? "hold" : "unhold"); }
  std::string latest() override {
    const Datum found = object_.call("latest");
    return found.is_null() ? std::string() : found.to_text();
  }
  bool is_version(const Datum& current, const std::string&) override {
    return object_.ask("package_insync", {current}).is_true();
  }

  PackageState query() override {
    properties_ = object_.ask("package_properties");
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
    object_.ask("native_set", {Datum::string(property), value});
  }
  void flush() override { object_.ask("native_flush"); }

  int64_t number() { return object_.number(); }

 private:
  ResourceObject object_;
  Datum properties_;
};

class RubyPackageKind final : public RubyKindOf<RubyPackageProvider> {
 public:
  using RubyKindOf::RubyKindOf;

  std::vector<apply::Instance> instances(apply::Context&) const override {
    std::vector<apply::Instance> all;
    const Datum answer = worker().call("package_instances", {Datum::string(name())});
    for (const Datum& one : answer.items()) {
      apply::Instance instance{part(one, "name").to_text(), {}, std::string(name()), true};
      instance.properties.emplace_back("ensure", part(one, "ensure"));
      all.push_back(std::move(instance));
    }
    return all;
  }
};

}  // namespace

std::vector<std::unique_ptr<apply::ProviderKind>> package_kinds(TypeWorker& worker) {
  return kinds_of<RubyPackageKind>("package", worker);
}

}  // namespace bunraku::ruby_types

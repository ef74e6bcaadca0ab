// The common part of providers that modules have in Ruby for native types.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/transaction/resource.h"
#include "apply/transaction/resource_type.h"
#include "ruby/types/type_worker.h"

namespace bunraku::ruby_types {

// The value of a key; null when the hash does not have it.
const apply::Datum& part(const apply::Datum& hash, std::string_view key);

// The object of one resource in the Ruby process.
class ResourceObject {
 public:
  // All arguments must outlive the object.
  ResourceObject(apply::Resource& resource, std::string_view kind, TypeWorker& worker)
      : resource_(resource), kind_(kind), worker_(worker) {}

  // The object's number. The object is made when it is first needed, and again when the process has
  // been replaced.
  int64_t number();
  // Sends a request about the object. Throws Failure.
  apply::Datum ask(std::string_view request, apply::Datum::List arguments = {});
  // Calls a method of the resource's provider.
  apply::Datum call(std::string_view method);

 private:
  apply::Resource& resource_;
  std::string_view kind_;
  TypeWorker& worker_;
  int64_t generation_ = 0;
  int64_t number_ = -1;
};

// A file puppet/provider/TYPE/NAME.rb of a module or library.
struct ProviderFile {
  std::string name;
  bool may_be_default;  // it contains `defaultfor`
};

// The provider files of a type; the first one of each name.
std::vector<ProviderFile> provider_files(const TypeWorker& worker, std::string_view type);

// The Ruby process is only used once a resource names the provider, resources are listed, or the
// default provider is chosen from those that may be it.
class RubyNativeKind : public apply::ProviderKind {
 public:
  // The worker must outlive the kind.
  RubyNativeKind(std::string_view type, ProviderFile file, TypeWorker& worker)
      : type_(type), file_(std::move(file)), worker_(worker) {}

  std::string_view name() const override { return file_.name; }
  std::string_view features() const override { return description().features; }
  bool can_be_default() const override { return file_.may_be_default; }
  bool is_default(const apply::Host&) const override { return description().is_default; }
  int specificity(const apply::Host&) const override { return description().specificity; }
  bool can_prefetch() const override { return description().can_prefetch; }
  bool is_suitable(const apply::Host&) const override;
  void finish_run() const override;

 protected:
  TypeWorker& worker() const { return worker_; }
  // Lets the provider's class prefetch the objects with these numbers.
  void prefetch_objects(const apply::Resource& first, apply::Datum::List numbers) const;

 private:
  struct Description {
    std::string features;
    bool can_prefetch;
    bool finishes;
    bool is_default;
    int specificity;
  };

  const Description& description() const;

  std::string_view type_;
  ProviderFile file_;
  TypeWorker& worker_;
  mutable std::optional<Description> description_;
  mutable bool is_suitable_ = false;
};

// A kind whose providers are of the class RubyProvider, which has a constructor with the resource,
// the name of the kind and the worker, and number() of the resource's object.
template <typename RubyProvider>
class RubyKindOf : public RubyNativeKind {
 public:
  using RubyNativeKind::RubyNativeKind;

  bool can_list() const override { return true; }

  std::unique_ptr<apply::Provider> make(apply::Resource& resource) const override {
    return std::make_unique<RubyProvider>(resource, name(), worker());
  }

  void prefetch(apply::Context&, std::span<apply::Resource* const> resources) const override {
    if (resources.empty()) return;
    apply::Datum::List numbers;
    for (apply::Resource* resource : resources) {
      numbers.push_back(apply::Datum::integer(resource->provider_as<RubyProvider>().number()));
    }
    prefetch_objects(*resources.front(), std::move(numbers));
  }
};

// Makes a kind for each provider file of the type.
template <typename Kind>
std::vector<std::unique_ptr<apply::ProviderKind>> kinds_of(std::string_view type,
                                                           TypeWorker& worker) {
  std::vector<std::unique_ptr<apply::ProviderKind>> kinds;
  for (ProviderFile& file : provider_files(worker, type)) {
    kinds.push_back(std::make_unique<Kind>(type, std::move(file), worker));
  }
  return kinds;
}

}  // namespace bunraku::ruby_types

// The interface of resource types and providers: attributes, how properties are retrieved, compared
// and changed, and the providers that do so. apply/providers/notify.cc is the smallest type;
// CONTRIBUTING.md explains how to add one.
//
// A type and its provider kinds are immutable and shared. State of one resource (a cached stat, the
// results of prefetching) lives in the resource's Provider.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/reports/datum.h"
#include "apply/transaction/context.h"
#include "apply/transaction/failure.h"

namespace bunraku::apply {

class Catalog;
class ProviderKind;
class Resource;
class ResourceType;
struct Attribute;
struct ResourceData;

enum class AttributeKind : uint8_t { kProperty, kParameter };

// An attribute of a type. The tables of attributes are static.
struct AttributeInfo {
  std::string_view name;
  AttributeKind kind = AttributeKind::kParameter;
  bool is_namevar = false;
  // For a property with several values: all must be present, in order. Otherwise any one of them is
  // enough.
  bool takes_all = false;
  // A property whose values form one list; an empty list is a value, too.
  bool is_list = false;
  // The allowed words, separated by spaces; they become symbols. In "installed=present" the first
  // is an alias of the second. Empty, without patterns: any value is allowed.
  std::string_view values = {};
  // Regular expressions, separated by spaces, for other allowed values, which stay unchanged.
  // Messages show them as written here.
  std::string_view patterns = {};
  // Accepts true and false, yes and no, as words or booleans; becomes a boolean.
  bool is_boolean = false;
  // The default value, as a word of `values` or as text. The type's default_of() can override it.
  std::string_view default_value = {};
  // The default value is `present` if any property has a value, as for ensure of most types.
  bool is_present_if_managed = false;
  // The feature that the provider must have; otherwise the attribute is ignored.
  std::string_view feature = {};
  // The features that single values require: "latest=upgradeable purged=purgeable".
  std::string_view value_features = {};
  // A property that is only shown; a value for it is refused.
  bool is_read_only = false;
  // The values are never shown.
  bool is_sensitive = false;
  // Whether setting the property twice has the same effect as once. False for `message` of notify.
  bool is_idempotent = true;
  // Whether items of the list may be sensitive, as for notify. Otherwise such items are an error.
  bool takes_sensitive_items = false;
};

// The `ensure` of types whose resources are present or absent.
inline constexpr AttributeInfo kEnsurePresent = {.name = "ensure",
                                                 .kind = AttributeKind::kProperty,
                                                 .values = "present absent",
                                                 .is_present_if_managed = true};

// An attribute of one resource.
struct Attribute {
  const AttributeInfo* info = nullptr;
  // One value of a parameter, or the desired values of a property; empty for a property that is
  // only audited.
  std::vector<Datum> values;
  // The values as written.
  std::vector<Datum> original;
  bool is_sensitive = false;
  // Set by code of a module after its resource was made.
  bool is_set_by_code = false;

  std::string_view name() const { return info->name; }
  bool is_property() const { return info->kind == AttributeKind::kProperty; }
  bool has_value() const { return !values.empty(); }
};

// The part of one resource that reads and changes the host. A provider is created and destroyed
// with its resource. All functions may throw Failure.
class Provider {
 public:
  virtual ~Provider() = default;
  // The current value of a property; the symbol `absent` when there is none.
  virtual Datum get(std::string_view property);
  virtual void set(std::string_view property, const Datum& value);
  // For types whose resources exist or not (see ResourceType::retrieve).
  virtual bool exists();
  virtual void create();
  virtual void destroy();
  // Called after a resource was changed.
  virtual void flush() {}
};

// A resource that `instances` finds on the host.
struct Instance {
  std::string title;
  std::vector<std::pair<std::string, Datum>> properties;
  std::string provider = {};  // the provider's name; empty when the type has none
  // Whether these are all properties. Otherwise the resource has to be retrieved.
  bool is_complete = false;
};

// A kind of provider, such as apt or systemd.
class ProviderKind {
 public:
  virtual ~ProviderKind() = default;
  virtual std::string_view name() const = 0;
  // Separated by spaces.
  virtual std::string_view features() const { return {}; }
  bool has_feature(std::string_view feature) const;
  // Returns whether it can work on this host now. Called again after other resources have changed.
  virtual bool is_suitable(const Host&) const { return true; }
  // False for a provider of the reference that suits this host but is not implemented.
  virtual bool is_supported() const { return true; }
  // 100 for each condition of the matching `defaultfor` entry, 0 without one, plus one for each
  // ancestor class of the reference's provider; see default_provider.
  virtual int specificity(const Host&) const { return 0; }
  // False for a provider that is only used where a resource names it, so that nothing else about it
  // is asked when a default is chosen.
  virtual bool can_be_default() const { return true; }
  // Returns whether a `defaultfor` entry matches, and no `notdefaultfor`.
  virtual bool is_default(const Host&) const { return false; }
  virtual std::unique_ptr<Provider> make(Resource& resource) const = 0;

  // Retrieves all resources of the kind together, before the first of them is evaluated. If it
  // throws, all of them have failed.
  virtual bool can_prefetch() const { return false; }
  virtual void prefetch(Context&, std::span<Resource* const>) const {}
  // Called at the end of a run in which it managed resources.
  virtual void finish_run() const {}
  // All resources of the type that this provider finds. `can_list` is false when it cannot list
  // them.
  virtual bool can_list() const { return false; }
  // Providers with the same source find the same resources, so only one of them lists them.
  virtual std::string_view source() const { return name(); }
  virtual std::vector<Instance> instances(Context&) const { return {}; }
};

enum class RelationKind : uint8_t { kRequire, kSubscribe, kBefore, kNotify };

// A relation that a type adds itself; ignored when the catalog has no such resource.
struct AutomaticRelation {
  RelationKind kind;
  std::string type;  // "file"
  std::string title;
};

using CurrentValues = std::vector<std::pair<std::string, Datum>>;
// Returns null when the name is not among them.
const Datum* find_value(const CurrentValues& values, std::string_view name);

// The result of a type that reads attributes itself.
struct ReadAttributes {
  std::string name;                        // the value of the namevar
  std::string title;                       // may differ from the title in the catalog
  const ProviderKind* provider = nullptr;  // null: the type has none, or none is suitable yet
  std::vector<Attribute> attributes;
  std::vector<std::string> tags;  // those of the catalog, and those that the type adds
};

class ResourceType {
 public:
  virtual ~ResourceType() = default;
  // "file"
  virtual std::string_view name() const = 0;
  // Properties in the order in which they are synchronized (ensure first), then parameters.
  virtual std::span<const AttributeInfo> attributes() const = 0;
  const AttributeInfo* find_attribute(std::string_view name) const;
  const AttributeInfo& namevar() const;
  // Returns whether two resources with the same key are the same thing.
  virtual bool is_isomorphic() const { return true; }
  // The values of all namevars, in the order of their names.
  std::vector<Datum> uniqueness_key(const Resource& resource) const;
  // Returns whether it is a container or one of its ends, which is no resource of the host.
  virtual bool is_container() const { return false; }
  // Returns whether it stands for a type that this host does not have; attributes are not read.
  virtual bool is_missing() const { return false; }
  // The values of `provider`, when the type has that parameter.
  std::span<const std::unique_ptr<ProviderKind>> providers() const { return providers_; }
  const ProviderKind* find_provider(std::string_view name) const;
  // The provider for resources that name none; null when none is suitable. Among the suitable
  // kinds, the default ones are preferred, and of these the one with the highest specificity.
  virtual const ProviderKind* default_provider(Context& context) const;
  // Returns whether any provider can list resources. Does not access the host.
  virtual bool can_list() const;
  // All resources of the type on this host, from the default provider and then the other suitable
  // ones. Throws Failure when none of them can list.
  virtual std::vector<Instance> instances(Context& context) const;
  // The first provider, in the same order, that lists a resource of the title. Returns null when
  // none does, and for types of which at most one suitable provider can list.
  const ProviderKind* provider_listing(Context& context, std::string_view title) const;

  // --- Making a resource ---
  // For types whose code is in another process: read() makes the resource. It reads all attributes
  // except metaparameters, chooses the provider and validates; of the functions below, only
  // finish() is called then. Throws Failure with the complete text.
  virtual bool reads_attributes() const { return false; }
  virtual ReadAttributes read(Resource&, const ResourceData&) const;
  // The namevar's value for a title.
  virtual Datum name_of_title(const std::string& title) const { return Datum::string(title); }
  // The title in the resource's reference, if it differs from the written one; empty otherwise.
  virtual std::string reference_title(const Resource&) const { return {}; }
  // The value in the type's form. `value` is one element of a property's list, or the whole value
  // of a parameter. The default implementation applies the table. Throws Failure.
  virtual Datum munge(Resource& resource, const AttributeInfo& attribute, const Datum& value) const;
  // The default value; no value: the table's default.
  virtual std::optional<Datum> default_of(Resource& resource, const AttributeInfo& attribute) const;
  // Adds attributes to `names` that are sensitive because others are.
  virtual void mark_sensitive(Resource& resource, std::vector<std::string>& names) const;
  // Checks the attributes as a whole. Throws Failure.
  virtual void validate(Resource&) const {}
  // Called when all resources of the catalog exist. Throws Failure.
  virtual void finish(Resource&) const {}
  // Called before anything is evaluated; a Failure stops the run.
  virtual void check_before_run(Resource&) const {}
  virtual std::vector<AutomaticRelation> automatic_relations(const Resource&) const { return {}; }

  // --- Evaluating it ---
  // Returns work that another thread can do in advance to make evaluating the resource faster;
  // empty: none. The work only reads, and uses neither the resource nor anything of the run that is
  // not safe from any thread. Called when the resource's attributes are known.
  virtual std::function<void()> look_ahead(Resource&) const { return {}; }
  // The current values: that of ensure, then of each property that is managed or audited; all are
  // absent when ensure is.
  virtual CurrentValues retrieve_all(Resource& resource) const;
  virtual Datum retrieve(Resource& resource, Attribute& property) const;
  // Returns whether the resource exists on the host.
  virtual bool is_present(const Resource& resource, const CurrentValues& current) const;
  virtual bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const;
  virtual void sync(Resource& resource, Attribute& property) const;
  virtual void flush(Resource& resource) const;

  // --- Words ---
  // Describes the change: "mode changed '0600' to '0640'".
  virtual std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                                  const Datum& desired) const;
  virtual std::string current_text(Resource& resource, const Attribute& property,
                                   const Datum& current) const;
  virtual std::string desired_text(Resource& resource, const Attribute& property,
                                   const Datum& desired) const;
  // "mode_changed", "file_created"
  virtual std::string event_name(const Resource& resource, const Attribute& property) const;
  // Returns whether reaching the value makes a pending refresh unnecessary.
  virtual bool invalidates_refreshes(const Resource&, const Attribute&) const { return false; }
  // The desired value of the property, or the list of values when all are required.
  virtual Datum desired(const Resource& resource, const Attribute& property) const;
  // A desired value in the form of reports and messages.
  virtual Datum shown(const Resource&, const Attribute&, const Datum& value) const { return value; }

  // --- More than one resource ---
  virtual bool can_refresh() const { return false; }
  virtual void refresh(Resource&) const {}
  // Returns whether its own events refresh it as well.
  virtual bool refreshes_itself() const { return false; }
  // Resources generated before anything is evaluated.
  virtual std::vector<std::unique_ptr<Resource>> generate(Resource&) const;
  // Resources generated when this one is evaluated.
  virtual std::vector<std::unique_ptr<Resource>> eval_generate(Resource&) const;
  // Returns whether generated resources are evaluated before the one that generates them.
  virtual bool is_depth_first() const { return false; }

 protected:
  void add_provider(std::unique_ptr<ProviderKind> kind) { providers_.push_back(std::move(kind)); }
  // Adds those whose name none of the type's providers has.
  void add_missing_providers(std::vector<std::unique_ptr<ProviderKind>> kinds) {
    for (auto& kind : kinds) {
      if (find_provider(kind->name()) == nullptr) add_provider(std::move(kind));
    }
  }
  // Sets `ensure` to present or absent, or another property to its value, through the provider.
  void sync_with_provider(Resource& resource, Attribute& property) const;

 private:
  // The default provider and then the other suitable ones, one for each source of resources.
  std::vector<const ProviderKind*> providers_by_source(Context& context) const;

  std::vector<std::unique_ptr<ProviderKind>> providers_;
};

// The failure for a value that cannot be munged, in the reference's words for unexpected errors:
// "Munging failed for value 99 in class minute: …".
Failure munging_failure(const AttributeInfo& attribute, const Datum& value,
                        std::string_view detail);

// Ruby's class of a value, for messages: "Integer", "Hash", "TrueClass".
std::string_view class_of(const Datum& value);

// Runs `action`. Failures of the system become "Could not set 'VALUE' on ensure: …" and are logged,
// as in the reference for properties whose values are words.
void set_word(Resource& resource, const Attribute& property, const std::function<void()>& action);

// All types of this host by name. Immutable after it was filled.
class TypeRegistry {
 public:
  virtual ~TypeRegistry() = default;
  void add(std::unique_ptr<ResourceType> type);
  // Finds a type by its lower-case name; returns null when there is none. A registry that loads
  // types on demand throws Failure when loading fails.
  virtual const ResourceType* find(std::string_view name) const;
  std::span<const std::unique_ptr<ResourceType>> all() const { return types_; }

 private:
  std::vector<std::unique_ptr<ResourceType>> types_;
};

// A type that this host does not have: it accepts all attributes, and no provider of it is ever
// suitable, so each of its resources fails by itself. `name` is lower-case.
std::unique_ptr<ResourceType> make_missing_type(std::string name);

// Metaparameters, which every type has.
std::span<const AttributeInfo> metaparameter_infos();

}  // namespace bunraku::apply

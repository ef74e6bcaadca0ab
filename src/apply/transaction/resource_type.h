// What a type of resources is on a host: its attributes, how its properties are looked at, compared
// and changed, and the providers that do so. This is the interface that every type and every
// provider is written against; apply/providers/notify.cc is the smallest type, CONTRIBUTING.md says
// how to add one.
//
// A type and its provider kinds are immutable and shared. What belongs to one resource (a cached
// stat, what prefetching found) lives in the resource's Provider.
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

// An attribute of a type. The tables of types are static.
struct AttributeInfo {
  std::string_view name;
  AttributeKind kind = AttributeKind::kParameter;
  bool is_namevar = false;
  // Of a property with several values: all of them count, in order. Otherwise any of them will do.
  bool takes_all = false;
  // A property whose values count together, as one list: an empty list is a value, too.
  bool is_list = false;
  // The words that are allowed, with spaces between them; they become symbols. "installed=present"
  // makes the first another word for the second. Empty, and no pattern: any value.
  std::string_view values = {};
  // Regular expressions, with spaces between them, that values may match which are none of these
  // words; they stay what they are. Shown in messages as they stand here.
  std::string_view patterns = {};
  // true and false, yes and no, as words or booleans; becomes a boolean.
  bool is_boolean = false;
  // The value when none is given, as a word of `values` or as text. A function of the type's
  // (default_of) may say otherwise.
  std::string_view default_value = {};
  // The value when none is given is `present` if any property has a value, as with ensure of most
  // types.
  bool is_present_if_managed = false;
  // The feature that a provider must have; the attribute is left out otherwise.
  std::string_view feature = {};
  // Features that single values need: "latest=upgradeable purged=purgeable".
  std::string_view value_features = {};
  // Its values are shown nowhere.
  bool is_sensitive = false;
  // Does setting the property twice come to the same? False for `message` of notify.
  bool is_idempotent = true;
  // May items of its list be sensitive, as notify's may? They cannot be used otherwise.
  bool takes_sensitive_items = false;
};

// An attribute of one resource.
struct Attribute {
  const AttributeInfo* info = nullptr;
  // Of a parameter: one value. Of a property: what it should be, one or more; empty when it is only
  // looked at (audit).
  std::vector<Datum> values;
  // As they were given.
  std::vector<Datum> original;
  bool is_sensitive = false;
  // Given by code of a module when its resource was there already.
  bool is_set_by_code = false;

  std::string_view name() const { return info->name; }
  bool is_property() const { return info->kind == AttributeKind::kProperty; }
  bool has_value() const { return !values.empty(); }
};

// The side of one resource that knows how to look at the host and to change it. A provider is made
// with its resource and goes with it. All functions may throw Failure.
class Provider {
 public:
  virtual ~Provider() = default;
  // The value of a property; the symbol `absent` when there is none.
  virtual Datum get(std::string_view property);
  virtual void set(std::string_view property, const Datum& value);
  // Of types that are there or not (see ResourceType::retrieve).
  virtual bool exists();
  virtual void create();
  virtual void destroy();
  // After a resource was changed.
  virtual void flush() {}
};

// What `instances` finds on the host.
struct Instance {
  std::string title;
  std::vector<std::pair<std::string, Datum>> properties;
  std::string provider = {};  // its name; empty when the type has none
  // Are these all its properties? The resource is to be looked at otherwise.
  bool is_complete = false;
};

// A provider as such: apt, systemd.
class ProviderKind {
 public:
  virtual ~ProviderKind() = default;
  virtual std::string_view name() const = 0;
  // With spaces between them.
  virtual std::string_view features() const { return {}; }
  bool has_feature(std::string_view feature) const;
  // Can it work on this host now? Asked again when other resources were changed.
  virtual bool is_suitable(const Host&) const { return true; }
  // False for a provider of the reference that this host could use and the program does not have.
  virtual bool is_supported() const { return true; }
  // 100 for each pair of the matching `defaultfor` entry, 0 when there is none, and one more for
  // each ancestor class that the reference's provider has; see default_provider.
  virtual int specificity(const Host&) const { return 0; }
  // Is a `defaultfor` entry matched, and no `notdefaultfor`?
  virtual bool is_default(const Host&) const { return false; }
  virtual std::unique_ptr<Provider> make(Resource& resource) const = 0;

  // Looks at all resources of the kind at once, before the first of them is evaluated. What it
  // throws marks all of them failed.
  virtual bool can_prefetch() const { return false; }
  virtual void prefetch(Context&, std::span<Resource* const>) const {}
  // Every resource of the type that this provider sees. `can_list` false: it cannot know.
  virtual bool can_list() const { return false; }
  // Providers with the same source see the same resources: one of them lists them.
  virtual std::string_view source() const { return name(); }
  virtual std::vector<Instance> instances(Context&) const { return {}; }
};

enum class RelationKind : uint8_t { kRequire, kSubscribe, kBefore, kNotify };

// A relation that a type makes on its own; without effect when the catalog has no such resource.
struct AutomaticRelation {
  RelationKind kind;
  std::string type;  // "file"
  std::string title;
};

using CurrentValues = std::vector<std::pair<std::string, Datum>>;
// Null when it is not among them.
const Datum* find_value(const CurrentValues& values, std::string_view name);

// What a type that reads attributes itself has made of them.
struct ReadAttributes {
  std::string name;                        // the namevar's value
  std::string title;                       // the type may have another one than the catalog
  const ProviderKind* provider = nullptr;  // null: the type has none, or none is suitable yet
  std::vector<Attribute> attributes;
};

class ResourceType {
 public:
  virtual ~ResourceType() = default;
  // "file"
  virtual std::string_view name() const = 0;
  // Properties in the order in which they are brought in sync (ensure first), then parameters.
  virtual std::span<const AttributeInfo> attributes() const = 0;
  const AttributeInfo* find_attribute(std::string_view name) const;
  const AttributeInfo& namevar() const;
  // Are two resources of the same name the same thing?
  virtual bool is_isomorphic() const { return true; }
  // A container or one of its ends: no resource of the host.
  virtual bool is_container() const { return false; }
  // Stands for a type that this host does not have; attributes are not looked at.
  virtual bool is_missing() const { return false; }
  // `provider`, when there is such a parameter.
  std::span<const std::unique_ptr<ProviderKind>> providers() const { return providers_; }
  const ProviderKind* find_provider(std::string_view name) const;
  // The one that is used when none is named; null when none is suitable. Among suitable kinds,
  // those that are default; of these the one of the highest specificity.
  virtual const ProviderKind* default_provider(Context& context) const;
  // Can any provider list resources? The host is not looked at.
  virtual bool can_list() const;
  // Every resource of the type on this host, as the default provider and then the other suitable
  // ones see it. Throws Failure when none of them can list.
  virtual std::vector<Instance> instances(Context& context) const;

  // --- Making a resource ---
  // Of types whose code is elsewhere: resources are made by read(), which reads all attributes but
  // metaparameters, chooses the provider and validates; of the functions below, none is called then
  // but finish(). Throws Failure with the complete text.
  virtual bool reads_attributes() const { return false; }
  virtual ReadAttributes read(Resource&, const ResourceData&) const;
  // The namevar's value from the title.
  virtual Datum name_of_title(const std::string& title) const { return Datum::string(title); }
  // The title by which others know the resource, when it is not the given one; empty otherwise.
  virtual std::string reference_title(const Resource&) const { return {}; }
  // A value as the type keeps it. What is given is one element of a property's list, or a
  // parameter's value as a whole. The default does what the table says. Throws Failure.
  virtual Datum munge(Resource& resource, const AttributeInfo& attribute, const Datum& value) const;
  // The value when none is given; nothing: the table's.
  virtual std::optional<Datum> default_of(Resource& resource, const AttributeInfo& attribute) const;
  // Sensitive parameters may make others sensitive.
  virtual void mark_sensitive(Resource& resource, std::vector<std::string>& names) const;
  // Looks at the attributes as a whole. Throws Failure.
  virtual void validate(Resource&) const {}
  // After all resources of the catalog are there. Throws Failure.
  virtual void finish(Resource&) const {}
  // Before anything is evaluated; when one throws Failure, nothing is.
  virtual void check_before_run(Resource&) const {}
  virtual std::vector<AutomaticRelation> automatic_relations(const Resource&) const { return {}; }

  // --- Evaluating it ---
  // Work that another thread may do beforehand so that evaluating the resource takes less; empty:
  // there is none. It reads only, and uses neither the resource nor anything of the run that is not
  // safe from any thread. Asked when the resource's attributes are known.
  virtual std::function<void()> look_ahead(Resource&) const { return {}; }
  // Current values: that of ensure, then of each property that is managed or audited, absent all
  // when ensure is absent.
  virtual CurrentValues retrieve_all(Resource& resource) const;
  virtual Datum retrieve(Resource& resource, Attribute& property) const;
  // Is there something to be managed?
  virtual bool is_present(const Resource& resource, const CurrentValues& current) const;
  virtual bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const;
  virtual void sync(Resource& resource, Attribute& property) const;
  virtual void flush(Resource& resource) const;

  // --- Words ---
  // What was done, "mode changed '0600' to '0640'".
  virtual std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                                  const Datum& desired) const;
  virtual std::string current_text(Resource& resource, const Attribute& property,
                                   const Datum& current) const;
  virtual std::string desired_text(Resource& resource, const Attribute& property,
                                   const Datum& desired) const;
  // "mode_changed", "file_created"
  virtual std::string event_name(const Resource& resource, const Attribute& property) const;
  // Does reaching the value make a refresh that waits needless?
  virtual bool invalidates_refreshes(const Resource&, const Attribute&) const { return false; }
  // What the property is to be: its value, or the list of them when all count.
  virtual Datum desired(const Resource& resource, const Attribute& property) const;
  // A desired value as reports and messages have it.
  virtual Datum shown(const Resource&, const Attribute&, const Datum& value) const { return value; }

  // --- More than one resource ---
  virtual bool can_refresh() const { return false; }
  virtual void refresh(Resource&) const {}
  // Its own events refresh it, too.
  virtual bool refreshes_itself() const { return false; }
  // More resources, before anything is evaluated.
  virtual std::vector<std::unique_ptr<Resource>> generate(Resource&) const;
  // More resources, when this one is reached.
  virtual std::vector<std::unique_ptr<Resource>> eval_generate(Resource&) const;
  // Generated resources come before the one that generates them.
  virtual bool is_depth_first() const { return false; }

 protected:
  void add_provider(std::unique_ptr<ProviderKind> kind) { providers_.push_back(std::move(kind)); }
  // Brings `ensure` to present or absent, or another property to its value, with the provider.
  void sync_with_provider(Resource& resource, Attribute& property) const;

 private:
  std::vector<std::unique_ptr<ProviderKind>> providers_;
};

// A value that cannot be brought into the type's form, as the reference words it where it does not
// expect such a failure: "Munging failed for value 99 in class minute: …".
Failure munging_failure(const AttributeInfo& attribute, const Datum& value,
                        std::string_view detail);

// Runs `action`; failures of the system become "Could not set 'VALUE' on ensure: …", logged, as the
// reference has it for properties whose values are words.
void set_word(Resource& resource, const Attribute& property, const std::function<void()>& action);

// All types of this host by name. Immutable after it was filled.
class TypeRegistry {
 public:
  virtual ~TypeRegistry() = default;
  void add(std::unique_ptr<ResourceType> type);
  // By its lower-case name; null when there is none. A registry that loads types when they are
  // asked for throws Failure when it cannot.
  virtual const ResourceType* find(std::string_view name) const;
  std::span<const std::unique_ptr<ResourceType>> all() const { return types_; }

 private:
  std::vector<std::unique_ptr<ResourceType>> types_;
};

// Stands for a type that this host does not have: it takes all attributes, and no provider of it is
// ever suitable, so each of its resources fails on its own. `name` is lower-case.
std::unique_ptr<ResourceType> make_missing_type(std::string name);

// Metaparameters, which every type has.
std::span<const AttributeInfo> metaparameter_infos();

}  // namespace bunraku::apply

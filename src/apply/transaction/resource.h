// One resource of a catalog while it is applied: its type, its desired state, and its provider.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/transaction/resource_type.h"

namespace bunraku::apply {

// Returns whether the written value is Sensitive.
bool is_sensitive_value(const DataNode& value);

// "File" for "file", "Foo::Bar" for "foo::bar".
std::string capitalized_type(std::string_view name);

struct ResourceData {
  std::string title;
  std::string file;
  int64_t line = 0;
  bool has_file = false;
  std::vector<std::string> tags;
  std::vector<std::pair<std::string, Datum>> attributes;
  std::vector<std::string> sensitive;  // names of sensitive attributes
  // Attributes whose values are resolved when the resource is evaluated. The data must live as long
  // as the resource.
  std::vector<std::pair<std::string, const DataNode*>> deferred;
  bool is_exported = false;
  bool is_virtual = false;
  int64_t counterpart = -1;  // see Resource
  // The title in the catalog, when the type has changed it.
  std::string given_title;
};

// Cannot be copied; owned by its catalog once it is in one.
class Resource {
 public:
  // Reads the attributes in the reference's order: name, provider, properties, parameters,
  // metaparameters. Throws Failure ("Parameter mode failed on File[/x]: …").
  Resource(const ResourceType& type, ResourceData data, Catalog& catalog);
  // Makes a container or one of its ends with the given `reference`.
  Resource(const ResourceType& type, std::string reference, std::string path, Catalog& catalog);
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  ~Resource();

  const ResourceType& type() const { return type_; }
  // "File[/x]"; for the end of a container, the reference of the container.
  const std::string& reference() const { return reference_; }
  const std::string& title() const { return data_.title; }
  // The value of the namevar.
  const std::string& name() const { return name_; }
  const std::string& file() const { return data_.file; }
  bool has_file() const { return data_.has_file; }
  int64_t line() const { return data_.line; }
  // Sets the place where a container was declared. An empty file and 0 mean unknown.
  void set_place(std::string file, int64_t line);
  const std::vector<std::string>& tags() const { return data_.tags; }
  void add_tags(const std::vector<std::string>& tags);
  bool is_tagged(const std::vector<std::string>& any_of) const;
  bool is_virtual() const { return data_.is_virtual && !data_.is_exported; }
  // The attributes as written, for resources that are generated from this one.
  const std::vector<std::pair<std::string, Datum>>& given() const { return data_.attributes; }

  const ResourceData& data() const { return data_; }

  // The number of the resource for a type whose code is in another process; -1: none.
  int64_t counterpart() const { return counterpart_; }
  void set_counterpart(int64_t number) { counterpart_ = number; }

  Catalog& catalog() const { return catalog_; }
  Context& context() const;

  // --- Attributes ---
  Attribute* find(std::string_view name);
  Attribute* find(const AttributeInfo& info);
  const Attribute* find(std::string_view name) const;
  // The value of a parameter, or the (first) desired value of a property; null when there is none.
  const Datum& value(std::string_view name) const;
  // Returns whether any property has a value.
  bool is_managed() const;
  // For a property that takes all values: the list of them.
  Datum desired(const Attribute& property) const;
  bool is_true(std::string_view name) const { return value(name).is_true(); }
  std::string text(std::string_view name) const { return value(name).to_text(); }
  // The values of a list, or the one value; empty when there is none.
  std::vector<std::string> texts(std::string_view name) const;
  // Validates and munges the value. Throws Failure.
  void set(std::string_view name, const Datum& value);
  void set(const AttributeInfo& info, const Datum& value);
  // Sets munged values.
  void set_munged(std::string_view name, std::vector<Datum> values);
  // Adds the attribute without a value, so that it is only audited.
  Attribute& add(std::string_view name);
  void remove(std::string_view name);
  // The properties in the type's order.
  std::vector<Attribute*> properties();
  const std::vector<std::unique_ptr<Attribute>>& attributes() const { return attributes_; }
  // Whether the value was given as Sensitive, or is not shown for another reason.
  bool is_sensitive(std::string_view name) const;
  // Resolves the deferred values and validates the resource. Throws Failure.
  void resolve_deferred();

  bool is_noop() const;
  LogLevel log_level() const;
  // The properties whose values are recorded.
  std::vector<std::string> audited() const;
  // The references in a relationship metaparameter.
  std::vector<std::string> related(std::string_view metaparameter) const;
  void add_related(std::string_view metaparameter, std::string reference);

  // --- Provider ---
  // Null when the type has none, or none is suitable yet.
  Provider* provider() const { return provider_.get(); }
  template <typename T>
  T& provider_as() const {
    return static_cast<T&>(*provider_);
  }
  const ProviderKind* provider_kind() const { return provider_kind_; }
  void set_provider(const ProviderKind& kind);
  // Chooses the default provider if none is set. Returns whether the resource can be evaluated.
  bool is_suitable();
  bool has_feature(std::string_view feature) const;

  // --- Place and words ---
  // "/Stage[main]/Ntp/File[/etc/ntp.conf]"
  std::string path() const;
  std::vector<std::string> containment_path() const;
  void log(LogLevel level, std::string message) const;
  // As log(), with the property's name after the path, and among the tags if `is_tagged`.
  void log_property(LogLevel level, std::string_view property, std::string message,
                    bool is_tagged) const;
  void debug(std::string message) const { log(LogLevel::kDebug, std::move(message)); }
  // " (file: /x.pp, line: 3)"
  std::string place_text() const;

 private:
  void read_attributes();
  // Replaces the title by that which the type makes of several namevars. Called when these are
  // known.
  void take_reference_title();
  void take_attributes();
  void read_metaparameters();
  void choose_provider();
  void apply_defaults();
  void validate();
  bool takes_attribute(const AttributeInfo& info);
  bool is_given(std::string_view name) const;
  Datum munge(const AttributeInfo& info, const Datum& value);
  void read_attribute(const AttributeInfo& info, const Datum& value);
  Attribute& slot(const AttributeInfo& info);
  const AttributeInfo* info_of(std::string_view name) const;

  const ResourceType& type_;
  ResourceData data_;
  Catalog& catalog_;
  std::string reference_;
  std::string name_;
  int64_t counterpart_ = -1;
  const std::string path_;  // empty: derived from the containers
  std::vector<std::unique_ptr<Attribute>> attributes_;
  std::map<std::string, std::vector<std::string>, std::less<>> related_;
  const ProviderKind* provider_kind_ = nullptr;
  std::unique_ptr<Provider> provider_;
};

}  // namespace bunraku::apply

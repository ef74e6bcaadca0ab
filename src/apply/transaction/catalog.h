// The catalog while it is applied: its resources, their containment, and look-up by name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apply/transaction/resource.h"
#include "catalog/document/catalog_document.h"

namespace bunraku::apply {

class Catalog {
 public:
  // Makes an empty catalog. `context` must outlive it.
  explicit Catalog(Context& context) : context_(context) {}
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  // Adds the resources of a compiled catalog. Deferred values refer to the document, which must
  // outlive the catalog. Throws Failure for the first resource that cannot be made, before anything
  // has changed on the host.
  void read(const CatalogDocument& document);
  // Adds default schedules and the default bucket, and checks references between resources. Throws
  // Failure.
  void finalize();

  Context& context() const { return context_; }
  const Datum& version() const { return version_; }
  const std::string& name() const { return name_; }
  const std::string& environment() const { return environment_; }
  const std::string& uuid() const { return uuid_; }
  const std::vector<std::string>& classes() const { return classes_; }

  // In the order of the catalog, including generated resources.
  const std::vector<Resource*>& resources() const { return order_; }
  // Finds a resource by reference or alias; returns null when there is none.
  Resource* find(std::string_view reference) const;
  Resource* find(std::string_view type, std::string_view title) const;
  // Throws Failure when the resource exists already.
  Resource& add(std::unique_ptr<Resource> resource);
  Resource& add_beside(const Resource& other, std::unique_ptr<Resource> resource, bool before);
  void contain(Resource& container, Resource& contained);
  Resource* container_of(const Resource& resource) const;
  const std::vector<Resource*>& contents_of(const Resource& container) const;

 private:
  void add_names(Resource& resource);
  void add_alias(Resource& resource, std::string name, std::string_view shown,
                 std::string_view parts);
  void check_relationships() const;
  const ResourceType& missing_type(const std::string& name);
  // The type that applies a written resource; null for a container.
  const ResourceType* type_of(const DocumentResource& resource, bool has_kinds);
  void read_container(const DocumentResource& resource);

  Context& context_;
  Datum version_;
  std::string name_, environment_, uuid_;
  std::vector<std::string> classes_;
  std::map<std::string, std::unique_ptr<ResourceType>, std::less<>> missing_types_;
  // declared after the types, which must outlive them
  std::vector<std::unique_ptr<Resource>> owned_;
  std::vector<Resource*> order_;
  std::unordered_map<std::string, Resource*> names_;  // also by aliases and uniqueness keys
  std::unordered_map<const Resource*, Resource*> containers_;
  std::unordered_map<const Resource*, std::vector<Resource*>> contents_;
};

// Adds the types that the transaction itself needs: class, stage and defined types, the ends of
// containers, and schedules.
void add_builtin_types(TypeRegistry& registry);

}  // namespace bunraku::apply

// A catalog as it is written down, read back for comparing and drawing: resources by reference,
// with containment and the order that relationships ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/memory/arena.h"
#include "base/formats/data.h"

namespace bunraku {

struct DocumentParameter {
  std::string_view name;
  DataNode value;
  bool is_sensitive = false;  // its value is never to be shown
};

struct DocumentResource {
  std::string reference;  // "File[/etc/motd]"
  std::string_view type;
  std::string_view title;
  std::string_view file;  // empty: not known
  int64_t line = 0;
  bool is_exported = false;
  std::vector<std::string_view> tags;
  // Without the four that relate resources: these are relationships below.
  std::vector<DocumentParameter> parameters;

  const DocumentParameter* find(std::string_view name) const;
};

struct DocumentEdge {
  std::string source;
  std::string target;
  bool is_notifying = false;  // of relationships: ~> and not ->
  friend auto operator<=>(const DocumentEdge&, const DocumentEdge&) = default;
};

class CatalogDocument {
 public:
  // Reads the wire form of a catalog (also when it is wrapped as `data`). Throws DataError with
  // what is wrong; `name` is the file's in messages.
  CatalogDocument(std::string text, std::string_view name);
  CatalogDocument(const CatalogDocument&) = delete;
  CatalogDocument& operator=(const CatalogDocument&) = delete;

  std::string_view name() const { return name_; }
  std::string_view environment() const { return environment_; }
  const std::vector<DocumentResource>& resources() const { return resources_; }
  const DocumentResource* find(const std::string& reference) const;
  // Container and contained.
  const std::vector<DocumentEdge>& containment() const { return containment_; }
  // What `before`, `require`, `notify` and `subscribe` say: earlier and later, each once, sorted.
  const std::vector<DocumentEdge>& relationships() const { return relationships_; }
  // Resources by reference that stand in a circle of relationships (containers included), in its
  // order; empty when there is none.
  std::vector<std::string> find_cycle() const;

 private:
  void read(const DataNode& catalog);
  void read_resource(const DataNode& node);
  void add_relationships(const std::string& reference, std::string_view parameter,
                         const DataNode& value);

  std::string text_;
  Arena arena_;
  std::string_view name_;
  std::string_view environment_;
  std::vector<DocumentResource> resources_;
  std::unordered_map<std::string, size_t> numbers_;
  std::vector<DocumentEdge> containment_;
  std::vector<DocumentEdge> relationships_;
};

}  // namespace bunraku

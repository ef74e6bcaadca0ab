// What must come before what, and the order in which resources are evaluated.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/transaction/catalog.h"

namespace bunraku::apply {

struct Edge {
  Resource* source;
  Resource* target;
  // Events of the source refresh the target.
  bool is_notifying = false;
  friend bool operator==(const Edge&, const Edge&) = default;
};

// Resources are evaluated when all that they depend on was; among those the one with the smallest
// key is next. Keys are given in the order of the catalog; resources that are made when another is
// evaluated get keys below its key.
class RelationshipGraph {
 public:
  // Relationships of metaparameters and types, containers as a begin and an end. The catalog must
  // outlive it.
  explicit RelationshipGraph(Catalog& catalog);
  RelationshipGraph(const RelationshipGraph&) = delete;
  RelationshipGraph& operator=(const RelationshipGraph&) = delete;
  ~RelationshipGraph();

  size_t size() const { return vertices_.size(); }
  bool has_vertex(const Resource& resource) const { return vertices_.contains(&resource); }
  bool has_edge(const Resource& source, const Resource& target) const;
  void add_edge(Edge edge);
  const std::vector<Edge>& edges_from(const Resource& resource) const;
  // Each once.
  std::vector<Resource*> dependencies_of(const Resource& resource) const;

  // A begin or an end of a container, or of a resource that has generated others.
  bool is_anchor(const Resource& resource) const;
  // An end: what it gets it passes on.
  bool is_end(const Resource& resource) const;

  // Adds resources that `parent` has generated while being evaluated, with an end that takes over
  // what followed the parent. `parents` has the resource that each hangs below.
  void add_generated(Resource& parent,
                     const std::vector<std::pair<Resource*, Resource*>>& children);

  // Circles of dependencies, each sorted by reference.
  std::vector<std::vector<Resource*>> find_cycles() const;
  // One walk around a circle, or up to `limit`.
  std::vector<std::vector<Resource*>> paths_in_cycle(const std::vector<Resource*>& cycle,
                                                     size_t limit) const;

  // --- Walking ---
  void begin();
  // The next resource, or null when none is ready.
  Resource* next();
  void put_back(Resource& resource);
  void finish(Resource& resource);
  bool is_any_ready() const { return !ready_.empty(); }

  // As Graphviz reads it. Before containers were replaced: `relationships`.
  std::string to_dot(std::string_view name) const;
  const std::string& dot_before_anchors() const { return dot_before_anchors_; }
  // What contains what, as it was at the beginning.
  const std::string& containment_dot() const { return containment_dot_; }

 private:
  using Key = std::vector<uint32_t>;
  struct Vertex {
    Key key;
    uint32_t children = 0;  // keys given below this one
    std::vector<Edge> out;
    std::vector<Edge> in;
    size_t blockers = 0;
    bool is_done = false;
    bool is_anchor = false;
    bool is_end = false;
  };
  Vertex& add_vertex(Resource& resource, Key key);
  void remove_edge(const Edge& edge);
  void add_relationships(Resource& resource);
  void add_automatic_relations(Resource& resource);
  void replace_containers();
  Resource* make_anchor(const std::string& name, const std::vector<std::string>& tags, bool is_end,
                        const Key& key);
  size_t count_blockers(const Resource& resource) const;

  Catalog& catalog_;
  std::unordered_map<const Resource*, Vertex> vertices_;
  std::vector<Resource*> order_;
  std::vector<std::unique_ptr<Resource>> anchors_;
  std::map<Key, std::vector<Resource*>> ready_;
  uint32_t next_key_ = 0;
  std::string dot_before_anchors_, containment_dot_;
};

}  // namespace bunraku::apply

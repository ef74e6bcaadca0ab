// The dependencies between resources, and the order in which they are evaluated.
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

// A resource is ready when all its dependencies have been evaluated. The ready resource with the
// smallest key is next. Keys are assigned in the order of the catalog; resources that are generated
// while another is evaluated get keys below that one's.
class RelationshipGraph {
 public:
  // Adds the relationships of metaparameters and types. A container becomes a begin and an end. The
  // catalog must outlive the graph.
  explicit RelationshipGraph(Catalog& catalog);
  RelationshipGraph(const RelationshipGraph&) = delete;
  RelationshipGraph& operator=(const RelationshipGraph&) = delete;
  ~RelationshipGraph();

  size_t size() const { return vertices_.size(); }
  bool has_vertex(const Resource& resource) const { return vertices_.contains(&resource); }
  bool has_edge(const Resource& source, const Resource& target) const;
  void add_edge(Edge edge);
  const std::vector<Edge>& edges_from(const Resource& resource) const;
  // Without duplicates.
  std::vector<Resource*> dependencies_of(const Resource& resource) const;

  // Returns whether it is a begin or an end of a container, or of a resource that has generated
  // others.
  bool is_anchor(const Resource& resource) const;
  // Returns whether it is an end, which passes on events that it receives.
  bool is_end(const Resource& resource) const;

  // Adds resources that `parent` has generated while it was evaluated, with an end that takes over
  // the parent's successors. `children` are pairs of a resource and the resource that it belongs
  // below.
  void add_generated(Resource& parent,
                     const std::vector<std::pair<Resource*, Resource*>>& children);

  // The cycles of dependencies, each sorted by reference.
  std::vector<std::vector<Resource*>> find_cycles() const;
  // Paths around a cycle, at most `limit`.
  std::vector<std::vector<Resource*>> paths_in_cycle(const std::vector<Resource*>& cycle,
                                                     size_t limit) const;

  // --- Walking ---
  void begin();
  // Returns the next resource, or null when none is ready.
  Resource* next();
  void put_back(Resource& resource);
  void finish(Resource& resource);
  bool is_any_ready() const { return !ready_.empty(); }

  // The graph in Graphviz format. dot_before_anchors() is the one before containers were replaced:
  // `relationships`.
  std::string to_dot(std::string_view name) const;
  const std::string& dot_before_anchors() const { return dot_before_anchors_; }
  // The containment at the beginning.
  const std::string& containment_dot() const { return containment_dot_; }

 private:
  class CycleSearch;
  using Key = std::vector<uint32_t>;
  struct Vertex {
    Key key;
    uint32_t children = 0;  // the number of keys assigned below this one
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

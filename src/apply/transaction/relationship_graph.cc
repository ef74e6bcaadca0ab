// Builds and walks the graph of dependencies.
#include "apply/transaction/relationship_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>

namespace bunraku::apply {
namespace {

bool is_container(const Resource& resource) {
  return resource.type().name() == "component" || resource.type().name() == "stage";
}

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string dot_vertex(std::string_view label) {
  return fmt::format("    {0} [\n        fontsize = 8,\n        label = {0}\n    ]\n\n",
                     dot_quoted(label));
}

std::string dot_edge(std::string_view source, std::string_view target) {
  return fmt::format("    {} -> {} [\n        fontsize = 8\n    ]\n\n", dot_quoted(source),
                     dot_quoted(target));
}

std::string dot_beginning(std::string_view name) {
  return fmt::format("digraph {0} {{\n    label = \"{0}\"\n", name);
}

// The containment in Graphviz format.
std::string containment_to_dot(const Catalog& catalog) {
  std::string text = dot_beginning("Resources");
  for (const Resource* resource : catalog.resources()) text += dot_vertex(resource->reference());
  for (const Resource* resource : catalog.resources()) {
    for (const Resource* inner : catalog.contents_of(*resource)) {
      text += dot_edge(resource->reference(), inner->reference());
    }
  }
  return text + "}\n";
}

}  // namespace

RelationshipGraph::RelationshipGraph(Catalog& catalog) : catalog_(catalog) {
  for (Resource* resource : catalog.resources()) add_vertex(*resource, {next_key_++});
  const std::vector<Resource*> all = order_;
  for (Resource* resource : all) add_relationships(*resource);
  for (Resource* resource : all) add_automatic_relations(*resource);
  if (catalog.context().options.graph) {
    containment_dot_ = containment_to_dot(catalog);
    dot_before_anchors_ = to_dot("Relationships");
  }
  replace_containers();
}

RelationshipGraph::~RelationshipGraph() = default;

RelationshipGraph::Vertex& RelationshipGraph::add_vertex(Resource& resource, Key key) {
  const auto [place, is_new] = vertices_.try_emplace(&resource);
  if (is_new) {
    order_.push_back(&resource);
    place->second.key = std::move(key);
  }
  return place->second;
}

bool RelationshipGraph::has_edge(const Resource& source, const Resource& target) const {
  const auto found = vertices_.find(&target);
  if (found == vertices_.end()) return false;
  return std::ranges::find(found->second.in, &source, &Edge::source) != found->second.in.end();
}

void RelationshipGraph::add_edge(Edge edge) {
  vertices_.at(edge.target).in.push_back(edge);
  vertices_.at(edge.source).out.push_back(edge);
}

void RelationshipGraph::remove_edge(const Edge& edge) {
  std::erase(vertices_.at(edge.source).out, edge);
  std::erase(vertices_.at(edge.target).in, edge);
}

const std::vector<Edge>& RelationshipGraph::edges_from(const Resource& resource) const {
  return vertices_.at(&resource).out;
}

std::vector<Resource*> RelationshipGraph::dependencies_of(const Resource& resource) const {
  std::vector<Resource*> all;
  for (const Edge& edge : vertices_.at(&resource).in) {
    if (std::ranges::find(all, edge.source) == all.end()) all.push_back(edge.source);
  }
  return all;
}

bool RelationshipGraph::is_anchor(const Resource& resource) const {
  return vertices_.at(&resource).is_anchor;
}

bool RelationshipGraph::is_end(const Resource& resource) const {
  return vertices_.at(&resource).is_end;
}

void RelationshipGraph::add_relationships(Resource& resource) {
  const bool is_shown = catalog_.context().log.takes(LogLevel::kDebug);
  for (const std::string_view kind : {"require", "subscribe", "before", "notify"}) {
    const bool is_notifying = kind == "subscribe" || kind == "notify";
    for (const std::string& reference : resource.related(kind)) {
      Resource* other = catalog_.find(reference);
      if (other == nullptr) continue;
      if (is_shown) {
        resource.log_property(LogLevel::kDebug, kind,
                              fmt::format("{} to {}", kind, other->reference()), true);
      }
      const bool is_earlier = kind == "require" || kind == "subscribe";
      add_edge({is_earlier ? other : &resource, is_earlier ? &resource : other, is_notifying});
    }
  }
}

void RelationshipGraph::add_automatic_relations(Resource& resource) {
  std::vector<AutomaticRelation> relations = resource.type().automatic_relations(resource);
  std::ranges::stable_sort(relations, {}, &AutomaticRelation::kind);
  for (const AutomaticRelation& relation : relations) {
    Resource* other = catalog_.find(relation.type, relation.title);
    if (other == nullptr) continue;
    const bool is_earlier =
        relation.kind == RelationKind::kRequire || relation.kind == RelationKind::kSubscribe;
    const bool is_notifying =
        relation.kind == RelationKind::kSubscribe || relation.kind == RelationKind::kNotify;
    Resource* source = is_earlier ? other : &resource;
    Resource* target = is_earlier ? &resource : other;
    if (has_edge(*source, *target)) continue;
    if (has_edge(*target, *source)) {
      resource.debug(fmt::format("Skipping automatic relationship with {}", other->reference()));
      continue;
    }
    constexpr std::string_view kNames[] = {"require", "subscribe", "before", "notify"};
    resource.debug(fmt::format("Adding auto{} relationship with {}",
                               kNames[static_cast<size_t>(relation.kind)], other->reference()));
    add_edge({source, target, is_notifying});
  }
}

Resource* RelationshipGraph::make_anchor(const std::string& name,
                                         const std::vector<std::string>& tags, bool is_end,
                                         const Key& key) {
  auto anchor =
      std::make_unique<Resource>(*catalog_.context().types.find("whit"), name, name, catalog_);
  anchor->add_tags(tags);
  Resource* made = anchors_.emplace_back(std::move(anchor)).get();
  Vertex& vertex = add_vertex(*made, key);
  vertex.is_anchor = true;
  vertex.is_end = is_end;
  return made;
}

void RelationshipGraph::replace_containers() {
  std::vector<Resource*> containers;
  for (Resource* resource : catalog_.resources()) {
    if (is_container(*resource)) containers.push_back(resource);
  }
  std::unordered_map<const Resource*, Resource*> begins, ends;
  for (Resource* container : containers) {
    const Key key = vertices_.at(container).key;
    begins[container] = make_anchor(container->reference(), container->tags(), false, key);
    ends[container] = make_anchor(container->reference(), container->tags(), true, key);
  }
  const auto begin_of = [&](Resource* resource) {
    const auto found = begins.find(resource);
    return found == begins.end() ? resource : found->second;
  };
  const auto end_of = [&](Resource* resource) {
    const auto found = ends.find(resource);
    return found == ends.end() ? resource : found->second;
  };
  for (Resource* container : containers) {
    Resource* begin = begins[container];
    Resource* end = ends[container];
    const std::vector<Resource*>& contents = catalog_.contents_of(*container);
    if (contents.empty()) add_edge({begin, end, false});
    for (Resource* member : contents) {
      add_edge({begin, begin_of(member), true});
      add_edge({end_of(member), end, true});
    }
    const std::vector<Edge> in = vertices_.at(container).in;
    for (const Edge& edge : in) {
      add_edge({end_of(edge.source), begin, edge.is_notifying});
      remove_edge(edge);
    }
    const std::vector<Edge> out = vertices_.at(container).out;
    for (const Edge& edge : out) {
      add_edge({end, begin_of(edge.target), edge.is_notifying});
      remove_edge(edge);
    }
  }
  for (Resource* container : containers) {
    vertices_.erase(container);
    std::erase(order_, container);
  }
}

void RelationshipGraph::add_generated(
    Resource& parent, const std::vector<std::pair<Resource*, Resource*>>& children) {
  const auto key_below = [&] {
    Vertex& vertex = vertices_.at(&parent);
    Key key = vertex.key;
    key.push_back(vertex.children++);
    return key;
  };
  for (const auto& [child, above] : children) add_vertex(*child, key_below());
  // As in the reference, the end's name is the bare title, and it has a tag of its own.
  std::vector<std::string> tags = {"whit"};
  std::ranges::copy(parent.tags(), std::back_inserter(tags));
  Resource* end = make_anchor(parent.title(), tags, true, key_below());
  const std::vector<Edge> out = vertices_.at(&parent).out;
  for (const Edge& edge : out) {
    const bool is_child = std::ranges::any_of(
        children, [&](const auto& entry) { return entry.first == edge.target; });
    if (is_child) continue;
    add_edge({end, edge.target, edge.is_notifying});
    remove_edge(edge);
  }
  const auto add_unless_reversed = [&](Resource& from, Resource& to, bool is_notifying) {
    if (has_edge(to, from)) {
      from.debug(fmt::format("Skipping automatic relationship to {}", to.reference()));
    } else {
      add_edge({&from, &to, is_notifying});
    }
  };
  for (const auto& [child, above] : children) add_unless_reversed(*child, *end, true);
  add_unless_reversed(parent, *end, true);
  for (const auto& [child, above] : children) add_unless_reversed(*above, *child, false);
  // The counts of blockers are outdated.
  for (auto& [resource, vertex] : vertices_) {
    if (!vertex.is_done) vertex.blockers = count_blockers(*resource);
  }
  for (auto place = ready_.begin(); place != ready_.end();) {
    std::erase_if(place->second,
                  [&](Resource* resource) { return vertices_.at(resource).blockers > 0; });
    place = place->second.empty() ? ready_.erase(place) : std::next(place);
  }
}

size_t RelationshipGraph::count_blockers(const Resource& resource) const {
  return static_cast<size_t>(std::ranges::count_if(
      dependencies_of(resource), [&](Resource* other) { return !vertices_.at(other).is_done; }));
}

void RelationshipGraph::begin() {
  for (Resource* resource : order_) {
    Vertex& vertex = vertices_.at(resource);
    vertex.blockers = count_blockers(*resource);
    if (vertex.blockers == 0) put_back(*resource);
  }
}

Resource* RelationshipGraph::next() {
  if (ready_.empty()) return nullptr;
  const auto first = ready_.begin();
  Resource* resource = first->second.front();
  first->second.erase(first->second.begin());
  if (first->second.empty()) ready_.erase(first);
  return resource;
}

void RelationshipGraph::put_back(Resource& resource) {
  ready_[vertices_.at(&resource).key].push_back(&resource);
}

void RelationshipGraph::finish(Resource& resource) {
  Vertex& vertex = vertices_.at(&resource);
  vertex.is_done = true;
  std::set<Resource*> seen;
  for (const Edge& edge : vertex.out) {
    if (!seen.insert(edge.target).second) continue;
    Vertex& target = vertices_.at(edge.target);
    if (target.is_done) continue;
    if (target.blockers > 0 && --target.blockers == 0) put_back(*edge.target);
  }
}

// Finds strongly connected components by Tarjan's algorithm, with a stack of its own.
class RelationshipGraph::CycleSearch {
 public:
  explicit CycleSearch(const RelationshipGraph& graph) : graph_(graph) {}

  std::vector<std::vector<Resource*>> run() {
    for (Resource* root : graph_.order_) {
      if (states_[root].is_seen) continue;
      enter(root);
      while (!frames_.empty()) step();
    }
    std::ranges::sort(cycles_, {},
                      [this](const auto& cycle) { return key_in_cycle(cycle.front()); });
    return std::move(cycles_);
  }

 private:
  struct State {
    size_t index = 0;
    size_t low = 0;
    bool is_seen = false;
    bool is_on_stack = false;
  };
  struct Frame {
    Resource* resource;
    size_t next_edge;
  };

  // Messages show ends of containers as resources of a type of their own, named after the
  // container.
  std::string key_in_cycle(const Resource* resource) const {
    if (!graph_.is_anchor(*resource)) return resource->reference();
    return fmt::format("Whit[{}{}]", graph_.is_end(*resource) ? "Completed_" : "Admissible_",
                       resource->reference());
  }

  void enter(Resource* resource) {
    states_[resource] = {number_, number_, true, true};
    ++number_;
    stack_.push_back(resource);
    frames_.push_back({resource, 0});
  }

  // Follows the next edge of the last resource entered, or leaves it.
  void step() {
    Frame& frame = frames_.back();
    Resource* resource = frame.resource;
    const std::vector<Edge>& out = graph_.vertices_.at(resource).out;
    if (frame.next_edge == out.size()) return leave(resource);
    Resource* target = out[frame.next_edge++].target;
    const State& other = states_[target];
    if (!other.is_seen) {
      enter(target);
    } else if (other.is_on_stack) {
      states_[resource].low = std::min(states_[resource].low, other.index);
    }
  }

  void leave(Resource* resource) {
    const State state = states_[resource];
    if (state.low == state.index) take_component(resource);
    frames_.pop_back();
    if (frames_.empty()) return;
    State& above = states_[frames_.back().resource];
    above.low = std::min(above.low, state.low);
  }

  // Takes the component that was entered at the resource, which is a cycle if it has edges.
  void take_component(Resource* first) {
    std::vector<Resource*> component;
    for (bool is_done = false; !is_done;) {
      Resource* top = stack_.back();
      stack_.pop_back();
      states_[top].is_on_stack = false;
      component.push_back(top);
      is_done = top == first;
    }
    if (component.size() == 1 && !graph_.has_edge(*first, *first)) return;
    std::ranges::sort(component, {}, [this](const Resource* one) { return key_in_cycle(one); });
    cycles_.push_back(std::move(component));
  }

  const RelationshipGraph& graph_;
  std::unordered_map<const Resource*, State> states_;
  std::vector<Resource*> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<Resource*>> cycles_;
  size_t number_ = 0;
};

std::vector<std::vector<Resource*>> RelationshipGraph::find_cycles() const {
  return CycleSearch(*this).run();
}

std::vector<std::vector<Resource*>> RelationshipGraph::paths_in_cycle(
    const std::vector<Resource*>& cycle, size_t limit) const {
  const std::set<Resource*> members(cycle.begin(), cycle.end());
  std::vector<std::vector<Resource*>> found;
  std::deque<std::pair<Resource*, std::vector<Resource*>>> queue;
  queue.push_back({cycle.front(), {}});
  // A bound, because a dense graph has too many paths.
  constexpr size_t kMostSteps = 100'000;
  for (size_t steps = 0; !queue.empty() && found.size() < limit && steps < kMostSteps; ++steps) {
    auto [resource, path] = std::move(queue.front());
    queue.pop_front();
    const bool is_closed = std::ranges::find(path, resource) != path.end();
    path.push_back(resource);
    if (is_closed) {
      found.push_back(std::move(path));
      continue;
    }
    for (const Edge& edge : vertices_.at(resource).out) {
      if (members.contains(edge.target)) queue.emplace_back(edge.target, path);
    }
  }
  return found;
}

std::string RelationshipGraph::to_dot(std::string_view name) const {
  std::string text = dot_beginning(name);
  const auto label_of = [&](const Resource& resource) {
    const Vertex& vertex = vertices_.at(&resource);
    if (!vertex.is_anchor) return resource.reference();
    std::string inner = resource.reference();
    if (!inner.empty() && inner[0] >= 'A' && inner[0] <= 'Z') inner[0] += 'a' - 'A';
    return fmt::format("Whit[{}{}]", vertex.is_end ? "Completed_" : "Admissible_", inner);
  };
  for (const Resource* resource : order_) text += dot_vertex(label_of(*resource));
  for (const Resource* resource : order_) {
    for (const Edge& edge : vertices_.at(resource).out) {
      text += dot_edge(label_of(*edge.source), label_of(*edge.target));
    }
  }
  return text + "}\n";
}

}  // namespace bunraku::apply

// Dependency cycles: the reference leaves them to the agent, where they end the run; here they are
// told when the catalog is compiled.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/compiler.h"
#include "support/log.h"
#include "support/utf8.h"

namespace bunraku {
namespace {

// Each resource is two vertices, its begin and its end, so that what comes before a container comes
// before all that it holds.
class DependencyGraph {
 public:
  explicit DependencyGraph(size_t resources) : edges_(resources * 2) {
    for (uint32_t i = 0; i < resources; ++i) edges_[begin_of(i)].push_back(end_of(i));
  }
  void add_containment(uint32_t container, uint32_t resource) {
    edges_[begin_of(container)].push_back(begin_of(resource));
    edges_[end_of(resource)].push_back(end_of(container));
  }
  void add_dependency(uint32_t before, uint32_t after) {
    edges_[end_of(before)].push_back(begin_of(after));
    has_dependencies_ = true;
  }

  // The resources of the first cycle found, in the order of the cycle; empty when there is none.
  // One pass over vertices and edges.
  std::vector<uint32_t> find_cycle() const {
    if (!has_dependencies_) return {};
    enum : uint8_t { kWhite, kGrey, kBlack };
    std::vector<uint8_t> color(edges_.size(), kWhite);
    struct Step {
      uint32_t vertex;
      uint32_t next;
    };
    std::vector<Step> path;
    for (uint32_t start = 0; start < edges_.size(); ++start) {
      if (color[start] != kWhite) continue;
      path.push_back({start, 0});
      color[start] = kGrey;
      while (!path.empty()) {
        Step& step = path.back();
        if (step.next == edges_[step.vertex].size()) {
          color[step.vertex] = kBlack;
          path.pop_back();
          continue;
        }
        const uint32_t target = edges_[step.vertex][step.next++];
        if (color[target] == kWhite) {
          color[target] = kGrey;
          path.push_back({target, 0});
        } else if (color[target] == kGrey) {
          std::vector<uint32_t> cycle;
          size_t at = path.size();
          while (path[--at].vertex != target) {
          }
          for (; at < path.size(); ++at) {
            const uint32_t resource = path[at].vertex / 2;
            if (cycle.empty() || cycle.back() != resource) cycle.push_back(resource);
          }
          if (cycle.size() > 1 && cycle.front() == cycle.back()) cycle.pop_back();
          return cycle;
        }
      }
    }
    return {};
  }

 private:
  static uint32_t begin_of(uint32_t resource) { return resource * 2; }
  static uint32_t end_of(uint32_t resource) { return resource * 2 + 1; }

  std::vector<std::vector<uint32_t>> edges_;
  bool has_dependencies_ = false;
};

}  // namespace

Resource* Compiler::find_referenced(Value value) const {
  if (value.is_type()) {
    const Type* type = value.as_type();
    if (const auto* class_type = type->try_as<ClassType>()) {
      return catalog_.find_class(class_type->class_name);
    }
    const auto* resource = type->try_as<ResourceType>();
    if (resource == nullptr || resource->title == nullptr) return nullptr;
    return catalog_.find(resource->key, *resource->title);
  }
  if (!value.is_string()) return nullptr;
  const std::string_view text = value.as_string();
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || !text.ends_with(']')) return nullptr;
  return catalog_.find(Name(downcase(text.substr(0, bracket))),
                       text.substr(bracket + 1, text.size() - bracket - 2));
}

void Compiler::warn_of_cycles() {
  LogSink* const log = evaluator_.host().log;
  if (log == nullptr || !log->takes(LogLevel::kWarning)) return;
  static const Name kBefore("before"), kNotify("notify");
  const std::vector<Resource*>& resources = catalog_.resources();
  DependencyGraph graph(resources.size());
  for (const Resource* resource : resources) {
    if (resource->is_virtual) continue;
    for (const Resource* held : resource->contained) {
      if (!held->is_virtual) graph.add_containment(resource->number, held->number);
    }
    for (const ResourceParameter& parameter : resource->parameters) {
      if (!is_relationship_metaparameter(parameter.name)) continue;
      const bool is_before = parameter.name == kBefore || parameter.name == kNotify;
      const auto add = [&](const auto& self, Value value) -> void {
        if (value.is_array()) {
          for (const Value item : value.as_array()) self(self, item);
          return;
        }
        const Resource* other = find_referenced(value);
        if (other == nullptr || other->is_virtual) return;
        graph.add_dependency(is_before ? resource->number : other->number,
                             is_before ? other->number : resource->number);
      };
      add(add, extended(parameter.value));
    }
  }
  const std::vector<uint32_t> cycle = graph.find_cycle();
  if (cycle.empty()) return;
  std::string path;
  for (const uint32_t number : cycle) path.append(resources[number]->reference()).append(" => ");
  path.append(resources[cycle.front()]->reference());
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message =
      fmt::format("Found a dependency cycle, which agents refuse to apply: ({})", path);
  log->log(record);
}

}  // namespace bunraku

// Dependency cycles: in the reference they end the agent's run; here the compilation reports them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/diagnostics/log.h"
#include "catalog/compiler/relationships.h"

namespace bunraku {
namespace {

// Each resource is two vertices, its begin and its end, so that a predecessor of a container
// precedes all that the container holds.
class DependencyGraph {
 public:
  explicit DependencyGraph(const std::vector<Resource*>& resources,
                           std::span<const Dependency> dependencies)
      : first_edges_(resources.size() * 2 + 1) {
    // The first pass counts each vertex's edges, the second stores them.
    each_edge(resources, dependencies,
              [this](uint32_t from, uint32_t) { ++first_edges_[from + 1]; });
    std::partial_sum(first_edges_.begin(), first_edges_.end(), first_edges_.begin());
    targets_.resize(first_edges_.back());
    std::vector<uint32_t> next(first_edges_.begin(), first_edges_.end() - 1);
    each_edge(resources, dependencies,
              [&](uint32_t from, uint32_t to) { targets_[next[from]++] = to; });
  }

  // The resources of the first cycle, in its order; empty when there is none. One pass over
  // vertices and edges.
  std::vector<uint32_t> find_cycle() const {
    enum : uint8_t { kWhite, kGrey, kBlack };
    const uint32_t vertices = static_cast<uint32_t>(first_edges_.size()) - 1;
    std::vector<uint8_t> color(vertices, kWhite);
    struct Step {
      uint32_t vertex;
      uint32_t next;
    };
    std::vector<Step> path;
    for (uint32_t start = 0; start < vertices; ++start) {
      if (color[start] != kWhite) continue;
      path.push_back({start, first_edges_[start]});
      color[start] = kGrey;
      while (!path.empty()) {
        Step& step = path.back();
        if (step.next == first_edges_[step.vertex + 1]) {
          color[step.vertex] = kBlack;
          path.pop_back();
          continue;
        }
        const uint32_t target = targets_[step.next++];
        if (color[target] == kWhite) {
          color[target] = kGrey;
          path.push_back({target, first_edges_[target]});
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

  template <typename Visitor>
  static void each_edge(const std::vector<Resource*>& resources,
                        std::span<const Dependency> dependencies, Visitor visit) {
    for (const Resource* container : resources) {
      visit(begin_of(container->number), end_of(container->number));
      if (container->is_virtual) continue;
      for (const Resource* held : container->contained) {
        if (held->is_virtual) continue;
        visit(begin_of(container->number), begin_of(held->number));
        visit(end_of(held->number), end_of(container->number));
      }
    }
    for (const Dependency& dependency : dependencies) {
      visit(end_of(dependency.before), begin_of(dependency.after));
    }
  }

  // the start of each vertex's edges in targets_, and one more at the end
  std::vector<uint32_t> first_edges_;
  std::vector<uint32_t> targets_;
};

}  // namespace

void warn_of_cycles(const Catalog& catalog, std::span<const Dependency> dependencies,
                    LogSink* log) {
  if (dependencies.empty() || log == nullptr || !log->takes(LogLevel::kWarning)) return;
  const std::vector<Resource*>& resources = catalog.resources();
  const std::vector<uint32_t> cycle = DependencyGraph(resources, dependencies).find_cycle();
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

// Prints the relations of one resource with their reasons.
#include "cli/commands/apply_why.h"

#include <fmt/format.h>

#include <vector>

#include "apply/transaction/catalog.h"
#include "apply/transaction/relationship_graph.h"

namespace bunraku {
namespace {

using apply::RelationKind;
using apply::Resource;

class Relations {
 public:
  explicit Relations(const apply::Catalog& catalog) : catalog_(catalog) {}

  // Collects the relations of the resource and of all its containers.
  void collect(const Resource& resource) {
    for (const Resource* one = &resource; one != nullptr; one = catalog_.container_of(*one)) {
      subject_ = one;
      is_container_ = one != &resource;
      collect_own();
      for (const Resource* other : catalog_.resources()) {
        if (other != one) collect_from(*other);
      }
    }
  }

  std::string text() const {
    return list("  waits for", earlier_) + list("  is waited for by", later_);
  }

 private:
  static std::string list(std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return fmt::format("{} nothing\n", title);
    std::string text = fmt::format("{}\n", title);
    for (const std::string& line : lines) text += fmt::format("    {}\n", line);
    return text;
  }

  void add(bool is_earlier, const std::string& other, std::string reason) {
    if (is_container_) reason += fmt::format(", through {}", subject_->reference());
    (is_earlier ? earlier_ : later_).push_back(fmt::format("{}  ({})", other, reason));
  }

  static std::string reason_of(std::string_view metaparameter, const Resource& owner) {
    return fmt::format("{} of {}{}", metaparameter, owner.reference(), owner.place_text());
  }

  void collect_own() {
    for (const std::string_view kind : {"require", "subscribe", "before", "notify"}) {
      const bool is_earlier = kind == "require" || kind == "subscribe";
      for (const std::string& other : subject_->related(kind)) {
        add(is_earlier, other, reason_of(kind, *subject_));
      }
    }
    for (const apply::AutomaticRelation& relation :
         subject_->type().automatic_relations(*subject_)) {
      const Resource* other = catalog_.find(relation.type, relation.title);
      if (other != nullptr) add(is_to_earlier(relation.kind), other->reference(), "automatic");
    }
  }

  void collect_from(const Resource& other) {
    for (const std::string_view kind : {"require", "subscribe", "before", "notify"}) {
      const bool is_earlier = kind == "before" || kind == "notify";
      for (const std::string& reference : other.related(kind)) {
        if (catalog_.find(reference) != subject_) continue;
        add(is_earlier, other.reference(), reason_of(kind, other));
      }
    }
    for (const apply::AutomaticRelation& relation : other.type().automatic_relations(other)) {
      if (catalog_.find(relation.type, relation.title) != subject_) continue;
      add(!is_to_earlier(relation.kind), other.reference(), "automatic");
    }
  }

  static bool is_to_earlier(RelationKind kind) {
    return kind == RelationKind::kRequire || kind == RelationKind::kSubscribe;
  }

  const apply::Catalog& catalog_;
  const Resource* subject_ = nullptr;
  bool is_container_ = false;
  std::vector<std::string> earlier_, later_;
};

// "5 of 12": the resource's position among those that are not containers; empty when there is a
// cycle.
std::string turn_of(apply::Catalog& catalog, const Resource& resource) {
  apply::RelationshipGraph graph(catalog);
  if (!graph.find_cycles().empty()) return {};
  graph.begin();
  size_t number = 0;
  size_t turn = 0;
  while (Resource* next = graph.next()) {
    if (!next->type().is_container()) ++number;
    if (next == &resource) turn = number;
    graph.finish(*next);
  }
  return turn == 0 ? std::string() : fmt::format("{} of {}", turn, number);
}

}  // namespace

std::optional<std::string> waiting_text(ConsoleSink& sink, const CatalogToApply& given,
                                        const std::string& reference) {
  apply::RunLog log(sink);
  const apply::RunOptions run = run_options(given.settings);
  const std::unique_ptr<apply::Host> host = apply::make_host(given.fact);
  MountSources sources(given.environment, given.settings, &sink);
  DeferredCalls deferred(given.evaluator);
  const HostTypes types = given.host_types(log);
  apply::Context context{run, *host, sources, log, types.registry(), &deferred};
  apply::Catalog catalog(context);
  try {
    catalog.read(given.document);
    catalog.finalize();
  } catch (const apply::Failure& failure) {
    log.log(LogLevel::kErr, failure.log_text());
    return std::nullopt;
  }
  const apply::Resource* resource = catalog.find(reference);
  if (resource == nullptr) return std::nullopt;
  Relations relations(catalog);
  relations.collect(*resource);
  std::string text = fmt::format("When {} is applied\n", resource->reference());
  const std::string turn = turn_of(catalog, *resource);
  if (!turn.empty()) text += fmt::format("  its turn is {}\n", turn);
  return text + relations.text();
}

}  // namespace bunraku

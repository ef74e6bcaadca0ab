// The exports between the nodes of one run, when there is no store. A run has rounds: all nodes are
// compiled, and then repeatedly those whose collectors would find different resources, until
// nothing changes. Within a round, collectors find the exports of the previous one, so that the
// result does not depend on the order.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "functions/core/node_store.h"

namespace bunraku::compilation {

class Compilation;

// A collector's query, with a digest of its result.
struct ExportQuestion {
  std::string type;    // "File"
  std::string filter;  // the query as PuppetDB's AST; empty: all
  std::string answer;  // empty: nothing was found
};

class FleetExports {
 public:
  FleetExports();
  ~FleetExports();
  FleetExports(const FleetExports&) = delete;
  FleetExports& operator=(const FleetExports&) = delete;

  // Stores a node's exports in the form of exported_resources(), for the next round. Safe from any
  // thread.
  void put(const std::string& certname, const std::string& resources);
  // Ends the round: collectors now find the stored exports. Not safe while others use it.
  void advance();

  // As NodeStore::find_exported; sets `answer` to the digest of the rows. Safe from any thread. The
  // rows' parameters are valid until advance().
  std::vector<ExportedResource> find(std::string_view type, std::string_view own,
                                     const std::string& filter, std::string& answer) const;
  // Returns whether the collectors of a node would find the same resources again.
  bool holds(const std::string& own, const std::vector<ExportQuestion>& questions) const;

 private:
  struct Entry;
  struct NodeExports;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const NodeExports>> nodes_;  // by certname
  // The exports of the round by type, sorted by node and title.
  std::map<std::string, std::vector<const Entry*>, std::less<>> by_type_;
  std::vector<std::shared_ptr<const NodeExports>> shown_;  // the owners of the entries
};

// The exports of the run for one compilation, which records the queries.
class RecordedExports : public NodeStore {
 public:
  explicit RecordedExports(const FleetExports& exports) : exports_(exports) {}

  std::vector<ExportedResource> find_exported(std::string_view type, std::string_view own,
                                              const std::string& filter, Arena& arena) override;
  // Throws EvaluationError, because nothing could answer it.
  DataNode query(const std::string& text, Arena& arena) override;

  const std::vector<ExportQuestion>& questions() const { return questions_; }

 private:
  const FleetExports& exports_;
  std::vector<ExportQuestion> questions_;
};

// The exported resources of a completed compilation, as a JSON array; empty when there are none.
std::string exported_resources(Compilation& compilation);

}  // namespace bunraku::compilation

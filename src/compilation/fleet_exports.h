// What the nodes of one run export to each other, where there is no store. A run goes in rounds:
// all nodes compile, then those again whose collectors would find something else now, until nothing
// changes. Within a round everybody sees what the round before has left, so that the outcome does
// not depend on who is first.
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

// What a collector has asked, and what stands for the answer.
struct ExportQuestion {
  std::string type;    // "File"
  std::string filter;  // the query as PuppetDB's AST; empty: all
  std::string answer;  // a digest; empty: nothing was found
};

class FleetExports {
 public:
  FleetExports();
  ~FleetExports();
  FleetExports(const FleetExports&) = delete;
  FleetExports& operator=(const FleetExports&) = delete;

  // What a node exports, as exported_resources() writes it, for the next round. Safe from any
  // thread.
  void put(const std::string& certname, const std::string& resources);
  // Ends the round: what was put is what collectors find from now on. Not while others ask.
  void advance();

  // As NodeStore::find_exported; `answer` becomes what stands for the rows. Safe from any thread.
  // The rows' parameters are valid until advance().
  std::vector<ExportedResource> find(std::string_view type, std::string_view own,
                                     const std::string& filter, std::string& answer) const;
  // Would the collectors of a node find what they have found?
  bool holds(const std::string& own, const std::vector<ExportQuestion>& questions) const;

 private:
  struct Entry;
  struct NodeExports;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const NodeExports>> nodes_;  // by certname
  // Of the round: by type, in the order of nodes and titles.
  std::map<std::string, std::vector<const Entry*>, std::less<>> by_type_;
  std::vector<std::shared_ptr<const NodeExports>> shown_;  // owners of the entries
};

// The exports of the run as one compilation sees them; keeps what was asked.
class RecordedExports : public NodeStore {
 public:
  explicit RecordedExports(const FleetExports& exports) : exports_(exports) {}

  std::vector<ExportedResource> find_exported(std::string_view type, std::string_view own,
                                              const std::string& filter, Arena& arena) override;
  // There is nothing that could answer: throws EvaluationError.
  DataNode query(const std::string& text, Arena& arena) override;

  const std::vector<ExportQuestion>& questions() const { return questions_; }

 private:
  const FleetExports& exports_;
  std::vector<ExportQuestion> questions_;
};

// What a compilation that is done exports, as a JSON array; empty when there is nothing.
std::string exported_resources(Compilation& compilation);

}  // namespace bunraku::compilation

// What applying a catalog would change: found by a run that changes nothing, shown, kept in a file,
// and compared with what a later run finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/context.h"
#include "base/diagnostics/log.h"
#include "base/formats/data.h"
#include "catalog/document/catalog_document.h"

namespace bunraku {

enum class PlannedAction : uint8_t { kCreate, kRemove, kChange, kRun, kRefresh };

struct PlannedChange {
  PlannedAction action = PlannedAction::kChange;
  std::string resource;
  std::string property;              // empty for a refresh
  std::string old_value, new_value;  // as JSON; "null" where there is none
  std::string message;
  std::string difference;  // of a file's contents; not compared
  std::string file;
  int64_t line = 0;
};

class Plan {
 public:
  // Takes an event of the run; failures are counted.
  void add(const std::string& resource, const apply::ResourceStatus& status,
           const apply::Event& event);
  // The difference of the property whose event comes next.
  void add_difference(std::string text) { difference_ = std::move(text); }

  const std::vector<PlannedChange>& changes() const { return changes_; }
  bool is_empty() const { return changes_.empty(); }
  size_t failures() const { return failures_; }

  // For people: a paragraph a resource, and a line that counts.
  std::string text() const;
  // {"changes": [...], "summary": {...}}
  std::string json() const;
  // The plan with the catalog, as it is kept in a file.
  std::string file_text(std::string_view node, const CatalogDocument& document) const;
  // What differs from a plan that was kept, a line each; empty when they are the same.
  std::vector<std::string> differences_from(const DataNode& kept) const;

  // Is the text that of a file with a plan?
  static bool is_file_text(std::string_view text);
  // The catalog of a plan that was kept, as JSON. Throws DataError when it has none.
  static std::string catalog_text(const DataNode& kept);

 private:
  std::string changes_json() const;
  std::string summary() const;

  std::vector<PlannedChange> changes_;
  std::string difference_;
  size_t failures_ = 0;
};

// Takes the lines of the run: differences go into the plan, warnings and errors to `log`.
class PlanSink : public LogSink {
 public:
  // Both must outlive it.
  PlanSink(Plan& plan, LogSink& log) : plan_(plan), log_(log) {}
  bool takes(LogLevel level) const override { return level >= LogLevel::kNotice; }
  void log(const LogRecord& record) override;
  void log_fatal(const FatalRecord& record) override { log_.log_fatal(record); }

 private:
  Plan& plan_;
  LogSink& log_;
};

}  // namespace bunraku

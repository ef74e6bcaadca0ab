// The changes that applying a catalog would make: found by a dry run, shown, stored in a file, and
// compared with those of a later run.
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
  std::string old_value, new_value;  // as JSON; "null" for none
  std::string message;
  std::string difference;  // of a file's contents; ignored in comparisons
  std::string file;
  int64_t line = 0;
};

class Plan {
 public:
  // Adds an event of the run. Failures are counted.
  void add(const std::string& resource, const apply::ResourceStatus& status,
           const apply::Event& event);
  // Adds the difference for the property whose event comes next.
  void add_difference(std::string text) { difference_ = std::move(text); }

  const std::vector<PlannedChange>& changes() const { return changes_; }
  bool is_empty() const { return changes_.empty(); }
  size_t failures() const { return failures_; }

  // The plan for people: a paragraph for each resource, and a line with counts.
  std::string text() const;
  // {"changes": [...], "summary": {...}}
  std::string json() const;
  // The plan with the catalog, in the form that is stored in a file.
  std::string file_text(std::string_view node, const CatalogDocument& document) const;
  // The differences from a stored plan, one a line; empty when they are equal.
  std::vector<std::string> differences_from(const DataNode& kept) const;

  // Returns whether the text is a stored plan.
  static bool is_file_text(std::string_view text);
  // The catalog of a stored plan, as JSON. Throws DataError when it has none.
  static std::string catalog_text(const DataNode& kept);

 private:
  std::string changes_json() const;
  std::string summary() const;

  std::vector<PlannedChange> changes_;
  std::string difference_;
  size_t failures_ = 0;
};

// The log of a dry run: differences are added to the plan, warnings and errors passed to `log`.
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

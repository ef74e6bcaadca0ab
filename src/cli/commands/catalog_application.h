// Applies one catalog with everything around it: commands before and after, state, report, summary.
#pragma once

#include <functional>
#include <string>

#include "apply/transaction/context.h"
#include "base/formats/data.h"
#include "cli/commands/apply_plan.h"
#include "cli/commands/apply_support.h"
#include "evaluation/evaluator.h"
#include "site/environment/environment.h"
#include "site/settings/settings.h"

namespace bunraku {

// Options shared by all applications of a command.
struct ApplicationOptions {
  std::string report_file;
  bool shows_differences = false;
  bool writes_summary = false;
  bool prints_summary = false;
  bool is_json = false;  // print events as JSON
};

struct CatalogToApply {
  const CatalogDocument& document;
  const Settings& settings;
  const Environment& environment;
  std::string node;
  std::function<std::string(std::string_view)> fact;  // the text of a fact by its dotted name
  double retrieval_seconds = 0;
  bool is_host_config = true;
  // Returns an evaluator for deferred values; called when the catalog has one.
  std::function<Evaluator&()> evaluator;
  // For types in Ruby: how to run Ruby, and all facts.
  RubyOptions ruby;
  std::function<apply::Datum()> facts;

  HostTypes host_types(apply::RunLog& log) const {
    return {ruby, settings, environment, facts, log};
  }
};

struct ApplicationResult {
  bool is_done = false;  // the run was completed
  int exit_status = 0;   // 2: changes, 4: failures, 6: both
};

// Calls the functions in a catalog's deferred values, within a compilation.
class DeferredCalls : public apply::DeferredResolver {
 public:
  explicit DeferredCalls(std::function<Evaluator&()> evaluator)
      : evaluator_(std::move(evaluator)) {}
  const DataNode& resolve(const DataNode& value) override;

 private:
  std::function<Evaluator&()> evaluator_;
  Arena arena_;
};

// Applies the catalog. Errors are logged to `sink`.
ApplicationResult apply_document(Session& session, ConsoleSink& sink,
                                 const ApplicationOptions& options, const CatalogToApply& catalog);

// Finds the changes that applying the catalog would make, without changing or saving anything.
// Returns false when the run was not completed or a resource has failed, which is logged.
bool plan_document(ConsoleSink& sink, const CatalogToApply& catalog, Plan& plan);

}  // namespace bunraku

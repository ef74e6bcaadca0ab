// A run from its state files to its last log message.
#include "apply/transaction/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "apply/transaction/earlier_state.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/transaction.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

}  // namespace

bool apply_catalog(Catalog& catalog, Report& report, EarlierState& earlier) {
  Context& context = catalog.context();
  const RunOptions& options = context.options;
  const Clock::time_point begun = Clock::now();
  const bool remembers = options.is_host_config && !options.changes_nothing;
  StateFile& state = earlier.state();
  TransactionStore& store = earlier.store();
  bool is_done = false;
  try {
    earlier.finish(context.log);
    const Clock::time_point evaluation_begun = Clock::now();
    try {
      Transaction transaction(catalog, report, state, store);
      transaction.evaluate();
      if (options.computes_corrective_changes && !options.changes_nothing) {
        store.save(options.transaction_store_file);
      }
      is_done = true;
    } catch (...) {
      if (remembers) state.store(options.state_file, options.state_ttl, context.log);
      throw;
    }
    report.add_time("transaction_evaluation", seconds_since(evaluation_begun));
    if (remembers) state.store(options.state_file, options.state_ttl, context.log);
    const double seconds = seconds_since(begun);
    report.add_time("catalog_application", seconds);
    context.log.log(LogLevel::kNotice, fmt::format("Applied catalog in {:.2f} seconds", seconds));
  } catch (const Failure& failure) {
    context.log.log(LogLevel::kErr, fmt::format("Failed to apply catalog: {}", failure.log_text()));
    is_done = false;
  } catch (const FileError& error) {
    context.log.log(LogLevel::kErr, fmt::format("Failed to apply catalog: {}", error.what()));
    is_done = false;
  }
  report.add_time("total", seconds_since(begun));
  return is_done;
}

bool apply_resources(Catalog& catalog, Report& report) {
  StateFile state;
  TransactionStore store;
  try {
    Transaction(catalog, report, state, store).evaluate();
    return true;
  } catch (const Failure& failure) {
    catalog.context().log.log(LogLevel::kErr, failure.log_text());
    return false;
  }
}

bool run_setting_command(std::string_view setting, const std::string& command, RunLog& log) {
  if (command.empty()) return true;
  try {
    ExecutionRequest request;
    request.line = command;
    execute(request);
    return true;
  } catch (const Failure& failure) {
    log.log(LogLevel::kErr,
            fmt::format("Could not run command from {}: {}", setting, failure.message()));
    return false;
  }
}

}  // namespace bunraku::apply

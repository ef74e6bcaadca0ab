// One run of the transaction, from settings to report.
#include "cli/commands/catalog_application.h"

#include <fmt/format.h>

#include <csignal>
#include <ctime>
#include <memory>
#include <optional>

#include "apply/providers/registry.h"
#include "apply/transaction/catalog_summary.h"
#include "apply/transaction/earlier_state.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/run.h"
#include "apply/transaction/transaction.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "base/text/utf8.h"
#include "catalog/compiler/catalog_json.h"
#include "cli/commands/event_lines.h"
#include "cli/frame/session.h"
#include "compilation/deferred_values.h"

namespace bunraku {
namespace {

volatile std::sig_atomic_t is_terminated = 0;

void stop_running(int) {
  is_terminated = 1;
  apply::Transaction::request_stop();
}

apply::Report new_report(const CatalogToApply& catalog, const apply::RunOptions& options) {
  apply::Report report;
  report.host = catalog.node;
  report.time = apply::now_nanoseconds();
  report.transaction_uuid = make_uuid();
  report.puppet_version = kReferenceVersion;
  report.environment = catalog.environment.name();
  report.is_noop = options.is_noop;
  report.cached_catalog_status = "not_used";
  report.excludes_unchanged = catalog.settings.is_true("exclude_unchanged_resources");
  return report;
}

// The directories of the environment's modules with Augeas lenses.
std::vector<std::string> lens_directories(const Environment& environment) {
  std::vector<std::string> directories;
  for (const Module& module : environment.modules()) {
    std::string directory = join_path(module.path, "lib/augeas/lenses");
    if (is_directory(directory)) directories.push_back(std::move(directory));
  }
  return directories;
}

// Runs the transaction between the commands in the settings. Returns false when the run was not
// completed.
bool run_between_commands(apply::Catalog& catalog, apply::Report& report,
                          std::optional<apply::EarlierState>& earlier, const Settings& settings,
                          apply::RunLog& log) {
  bool is_done = apply::run_setting_command("prerun_command", settings.text("prerun_command"), log);
  if (is_done) {
    std::signal(SIGTERM, stop_running);
    if (!earlier) earlier.emplace(catalog.context().options);
    is_done = apply::apply_catalog(catalog, report, *earlier);
    std::signal(SIGTERM, SIG_DFL);
    if (is_terminated != 0) {
      report.is_completed = false;
      is_done = false;
      log.log(LogLevel::kErr, "Stopped by SIGTERM; the resources that were left are skipped");
    }
  }
  return apply::run_setting_command("postrun_command", settings.text("postrun_command"), log) &&
         is_done;
}

}  // namespace

const DataNode& DeferredCalls::resolve(const DataNode& value) {
  try {
    return *arena_.make<DataNode>(
        compilation::resolve_deferred_values(evaluator_(), arena_, value));
  } catch (const EvaluationError& error) {
    throw apply::Failure(error.what());
  } catch (const DataError& error) {
    throw apply::Failure(error.what());
  }
}

ApplicationResult apply_document(Session& session, ConsoleSink& sink,
                                 const ApplicationOptions& options, const CatalogToApply& given) {
  const Settings& settings = given.settings;
  apply::RunLog log(sink);
  EventLines events(session);
  apply::RunOptions run = run_options(settings);
  run.is_host_config = given.is_host_config;
  run.environment = given.environment.name();
  run.lens_directories = lens_directories(given.environment);
  if (options.shows_differences) run.show_diff = true;
  if (options.is_json) {
    run.observer = [&events](const std::string& reference, const apply::ResourceStatus& status,
                             const apply::Event& event) { events.write(reference, status, event); };
  }
  run.progress = [&sink](const std::string& reference, size_t number, size_t total) {
    const std::time_t now = std::time(nullptr);
    std::tm fields = {};
    localtime_r(&now, &fields);
    sink.show_progress(fmt::format("{}/{} {} (since {:02}:{:02}:{:02})", number, total, reference,
                                   fields.tm_hour, fields.tm_min, fields.tm_sec));
  };
  make_run_directories(settings);
  const std::unique_ptr<apply::Host> host = apply::make_host(given.fact);
  MountSources sources(given.environment, settings, &sink);
  DeferredCalls deferred(given.evaluator);
  const HostTypes types = given.host_types(log);
  apply::Context context{
      run, *host, sources, log, types.registry(), given.evaluator ? &deferred : nullptr};
  apply::Catalog catalog(context);
  apply::Report report = new_report(given, run);
  // Not read before prerun_command, which may change the state files.
  std::optional<apply::EarlierState> earlier;
  if (settings.text("prerun_command").empty()) earlier.emplace(run);
  try {
    catalog.read(given.document);
    report.configuration_version = catalog.version();
    report.catalog_uuid = catalog.uuid();
    if (given.is_host_config) catalog.finalize();
    if (options.writes_summary) {
      apply::write_catalog_summary(catalog, settings.text("classfile"),
                                   settings.text("resourcefile"));
    }
  } catch (const apply::Failure& failure) {
    // Nothing has been applied, and the reference writes no report.
    log.log(LogLevel::kErr, failure.log_text());
    return {};
  }
  report.add_time("config_retrieval", given.retrieval_seconds);
  log.attach(&report);
  log.log(LogLevel::kInfo, fmt::format("Using environment '{}'", given.environment.name()));
  const bool is_done = run_between_commands(catalog, report, earlier, settings, log);
  sink.clear_progress();
  log.attach(nullptr);
  report.finish();
  if (options.is_json) events.write_summary(report);
  if (options.prints_summary) session.print(report.summary_text("user"));
  save_report(report, settings, options.report_file, log, sink);
  return {is_done, report.exit_status()};
}

bool plan_document(ConsoleSink& sink, const CatalogToApply& given, Plan& plan) {
  PlanSink lines(plan, sink);
  apply::RunLog log(lines);
  apply::RunOptions run = run_options(given.settings);
  run.is_noop = true;
  run.changes_nothing = true;
  run.show_diff = true;
  run.graph = false;
  run.environment = given.environment.name();
  run.lens_directories = lens_directories(given.environment);
  run.observer = [&plan](const std::string& reference, const apply::ResourceStatus& status,
                         const apply::Event& event) { plan.add(reference, status, event); };
  const std::unique_ptr<apply::Host> host = apply::make_host(given.fact);
  MountSources sources(given.environment, given.settings, &lines);
  DeferredCalls deferred(given.evaluator);
  const HostTypes types = given.host_types(log);
  apply::Context context{
      run, *host, sources, log, types.registry(), given.evaluator ? &deferred : nullptr};
  apply::Catalog catalog(context);
  apply::Report report = new_report(given, run);
  try {
    catalog.read(given.document);
    catalog.finalize();
  } catch (const apply::Failure& failure) {
    log.log(LogLevel::kErr, failure.log_text());
    return false;
  }
  apply::EarlierState earlier(run);
  return apply::apply_catalog(catalog, report, earlier) && !report.has_failures();
}

}  // namespace bunraku

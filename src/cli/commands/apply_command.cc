// `apply`: compiles a catalog for this host, or reads one, and applies it.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>

#include "apply/providers/registry.h"
#include "apply/transaction/run.h"
#include "apply/transaction/transaction.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "base/system/version.h"
#include "cli/commands/apply_support.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/catalog_compilation.h"

namespace bunraku {
namespace {

struct ApplyOptions {
  std::string manifest;
  std::vector<std::string> code;
  std::string catalog;
  std::string report_file;
  bool has_detailed_exit_codes = false;
  bool is_test = false;
  bool writes_summary = false;
  bool prints_summary = false;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text.push_back('\n');
    text.append(part);
  }
  return text;
}

// The text of a fact by its dotted name.
std::string fact_text(Value facts, std::string_view name) {
  Value value = facts;
  while (!name.empty()) {
    if (!value.is(ValueKind::kHash)) return {};
    const size_t dot = name.find('.');
    const Value* found = value.as_hash().find(name.substr(0, dot));
    if (found == nullptr) return {};
    value = *found;
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  }
  return value.is(ValueKind::kString) ? std::string(value.as_string()) : std::string();
}

// One JSON object for each event, as it happens.
class EventLines {
 public:
  explicit EventLines(Session& session) : session_(session) {}

  void write(const std::string& reference, const apply::ResourceStatus& status,
             const apply::Event& event) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("resource", std::string_view(replace_invalid_utf8(reference)));
    if (!event.property.empty()) json.member("property", std::string_view(event.property));
    json.key("old");
    apply::write_json(json, event.previous_value);
    json.key("new");
    apply::write_json(json, event.desired_value);
    json.member("message", std::string_view(replace_invalid_utf8(event.message)));
    json.member("status", apply::name_of(event.status));
    json.member("time", std::string_view(apply::iso_time(event.time)));
    if (!status.file.empty()) json.member("file", std::string_view(status.file));
    if (status.line > 0) json.member("line", status.line);
    json.end_object();
    session_.print(text + "\n");
    session_.flush();
  }

  void write_summary(const apply::Report& report) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("summary", std::string_view(report.status));
    for (const apply::Metric& metric : report.metrics) {
      json.key(metric.name);
      json.begin_object();
      for (const apply::Metric::Value& value : metric.values) {
        json.key(value.name);
        apply::write_json(json, value.number);
      }
      json.end_object();
    }
    json.end_object();
    session_.print(text + "\n");
  }

 private:
  Session& session_;
};

void stop_running(int) {
  apply::Transaction::request_stop();
}

void write_classes_and_resources(const apply::Catalog& catalog, const Settings& settings) {
  std::string classes, resources;
  for (const std::string& name : catalog.classes()) classes += name + "\n";
  for (const apply::Resource* resource : catalog.resources()) {
    const std::string_view type = resource->type().name();
    if (resource->type().is_container() || type == "stage" || type == "schedule" ||
        type == "filebucket") {
      continue;
    }
    resources += downcase(resource->reference()) + "\n";
  }
  write_file(settings.text("classfile"), classes, 0640);
  write_file(settings.text("resourcefile"), resources, 0640);
}

class ApplyRun {
 public:
  ApplyRun(const ApplyOptions& options, Session& session)
      : options_(options),
        session_(session),
        is_json_(session.format_or("text") == "json"),
        sink_(session, is_json_),
        log_(sink_),
        events_(session) {}

  int run() { return options_.catalog.empty() ? apply_compiled() : apply_written(); }

 private:
  int apply_compiled() {
    CompilationRequest request;
    request.section = "user";
    request.name_setting = "certname";
    request.log = &sink_;
    if (!options_.code.empty()) request.code = joined(options_.code);
    if (!options_.manifest.empty()) {
      if (!exists(options_.manifest)) {
        return session_.fail(ErrorKind::kError,
                             fmt::format("Could not find file {}", options_.manifest));
      }
      request.manifest = options_.manifest;
    }
    const auto begun = std::chrono::steady_clock::now();
    RequestedNode node(session_, request, request);
    if (session_.options().facts.empty()) {
      node.input.facts = [this](Arena& arena) { return agent_facts_of_host(session_, arena, true); };
    }
    compilation::Compilation compilation(node.service, node.input, &sink_);
    session_.set_environment(compilation.environment().name());
    try {
      const std::string text = compiled(compilation);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      log_.log(LogLevel::kNotice,
               fmt::format("Compiled catalog for {} in environment {} in {:.2f} seconds",
                           compilation.node().name, compilation.environment().name(), seconds));
      Arena arena;
      return apply_document(read_json(text, arena), compilation.settings(),
                            compilation.environment(), std::string(compilation.node().name),
                            compilation.node().facts, seconds, true);
    } catch (const EvaluationError& error) {
      return session_.fail(error, compilation.suffix());
    }
  }

  static std::string compiled(compilation::Compilation& compilation) {
    compilation.environment().initial_manifests();
    const compilation::CatalogForm form;
    CatalogJsonOptions json = catalog_options(compilation, form);
    compilation.compiler().compile();
    return catalog_json(compilation, form.json, std::move(json), {});
  }

  // A catalog that was written down.
  int apply_written() {
    compilation::Service service(session_.load_settings("user"),
                                 compilation_inputs(session_.options()), without_manifests());
    const std::shared_ptr<Environment> environment = service.environment("", &sink_);
    const std::string text = read_file(options_.catalog);
    Arena arena;
    DataNode document;
    try {
      document = read_json(text, arena);
    } catch (const DataError& error) {
      return session_.fail(
          ErrorKind::kError,
          fmt::format("Could not deserialize catalog from json: {}", error.what()));
    }
    return apply_document(document, service.settings(), *environment,
                          service.settings().text("certname"), Value(), 0, false);
  }

  int apply_document(const DataNode& document, const Settings& settings,
                     const Environment& environment, const std::string& node, Value facts,
                     double retrieval_seconds, bool is_host_config) {
    apply::RunOptions options = run_options(settings);
    options.is_host_config = is_host_config;
    options.environment = environment.name();
    if (options_.is_test) options.show_diff = true;
    if (is_json_) {
      options.observer = [this](const std::string& reference, const apply::ResourceStatus& status,
                                const apply::Event& event) {
        events_.write(reference, status, event);
      };
    }
    make_run_directories(settings);
    const std::unique_ptr<apply::Host> host = apply::make_host(
        [facts](std::string_view name) { return fact_text(facts, name); });
    MountSources sources(environment, settings.text("fileserverconfig"), &sink_);
    apply::Context context{options, *host, sources, log_, apply::native_types_registry()};
    apply::Catalog catalog(context);
    apply::Report report;
    report.host = node;
    report.time = apply::now_nanoseconds();
    report.transaction_uuid = make_uuid();
    report.puppet_version = kReferenceVersion;
    report.environment = environment.name();
    report.is_noop = options.is_noop;
    report.cached_catalog_status = "not_used";
    report.excludes_unchanged = false;
    log_.attach(&report);
    log_.log(LogLevel::kInfo, fmt::format("Using environment '{}'", environment.name()));
    bool is_done = false;
    try {
      catalog.read(document);
      report.configuration_version = catalog.version();
      report.catalog_uuid = catalog.uuid();
      if (is_host_config) catalog.finalize();
      if (options_.writes_summary) write_classes_and_resources(catalog, settings);
      report.add_time("config_retrieval", retrieval_seconds);
      std::signal(SIGTERM, stop_running);
      is_done = apply::apply_catalog(catalog, report);
      std::signal(SIGTERM, SIG_DFL);
    } catch (const apply::Failure& failure) {
      log_.log(LogLevel::kErr, failure.log_text());
    }
    log_.attach(nullptr);
    report.finish();
    if (is_json_) events_.write_summary(report);
    if (options_.prints_summary) session_.print(report.summary_text("user"));
    save_report(report, settings, options_.report_file, log_, sink_);
    if (!is_host_config) return kExitSuccess;
    if (!is_done) return kExitFailure;
    return options_.has_detailed_exit_codes || options_.is_test ? report.exit_status() : kExitSuccess;
  }

  const ApplyOptions& options_;
  Session& session_;
  bool is_json_;
  ConsoleSink sink_;
  apply::RunLog log_;
  EventLines events_;
};

int apply_here(const ApplyOptions& options, Session& session) {
  int exit_code = kExitFailure;
  auto task = [&] { exit_code = ApplyRun(options, session).run(); };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_apply_command() {
  auto options = std::make_shared<ApplyOptions>();
  Command command("apply", "Brings this host into the state that code describes");
  command.argument("[MANIFEST]", "a file or directory in place of the environment's manifests",
                   options->manifest);
  command.option("-e, --execute CODE", "apply CODE in place of the environment's manifests",
                 options->code);
  command.option("--catalog FILE", "apply a catalog as `catalog compile` writes it",
                 options->catalog);
  command.flag("--detailed-exitcodes",
               "exit with 2 when something was changed, 4 when something failed, 6 for both",
               options->has_detailed_exit_codes);
  command.flag("-t, --test", "detailed exit codes and differences of files",
               options->is_test);
  command.flag("--write-catalog-summary",
               "write the names of classes and resources to classes.txt and resources.txt",
               options->writes_summary);
  command.flag("--summarize", "print how many resources were changed and how long it took",
               options->prints_summary);
  command.option("--report-file FILE", "write the report there, too; as JSON when FILE ends in .json",
                 options->report_file);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.details(
      "Compiles the catalog of this host and applies it: each resource is looked at, and changed "
      "where it is not as the catalog says.\n\n"
      "Settings such as --noop, --tags, --show_diff and --evaltrace are given as --set NAME=VALUE, "
      "or as options of their own.\n\n"
      "The exit code is 0 when the catalog was applied, even when single resources have failed, "
      "and 1 when it could not be compiled or applied; see --detailed-exitcodes.");
  command.example("bunraku apply -e 'file { \"/tmp/hello\": content => \"hello\\n\" }'",
                  "writes a file");
  command.example("bunraku apply site.pp --noop --show_diff", "shows what would be changed");
  command.example("bunraku apply --catalog web01.json --format json",
                  "applies a written catalog, with an event as JSON on each line");
  command.run([options](Session& session) { return apply_here(*options, session); });
  return command;
}

}  // namespace bunraku

// The steps of a run.
#include "agent/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "agent/catalog_cache.h"
#include "agent/fact_limits.h"
#include "agent/plugin_sync.h"
#include "agent/run_parts.h"
#include "apply/providers/registry.h"
#include "apply/transaction/catalog_summary.h"
#include "apply/transaction/earlier_state.h"
#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/run.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "base/text/utf8.h"

namespace bunraku::agent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostEnvironments = 4;
constexpr uint32_t kReportMode = 0640;
constexpr std::string_view kRichJson = "application/vnd.puppet.rich+json";

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

}  // namespace

class Run::Abort : public std::exception {
 public:
  explicit Abort(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

struct Run::Facts {
  Arena arena;
  DataNode values;
  std::string json;  // the document for the server
};

// A catalog, as text and parsed.
struct Run::Document {
  // Throws DataError.
  explicit Document(std::string given) : text(std::move(given)), catalog(text, "the answer") {}

  std::string text;
  CatalogDocument catalog;

  std::string environment() const { return std::string(catalog.environment); }
};

Run::Run(const Settings& settings, ServerSession& session, HostAccess& access, LogSink& sink,
         apply::RunLog& log, RunRequest request)
    : settings_(settings),
      session_(session),
      access_(access),
      sink_(sink),
      log_(log),
      request_(std::move(request)),
      options_(access.run_options(settings)),
      host_(apply::make_host([this](std::string_view name) { return fact(name); })),
      sources_(session, access, settings),
      node_name_(settings.text("node_name_value")),
      synchronises_plugins_(!settings.is_true("use_cached_catalog")),
      uses_cache_(settings.is_true("use_cached_catalog")),
      uses_cache_on_failure_(settings.is_true("usecacheonfailure")) {
  options_.run_mode = "agent";
  options_.is_host_config = true;
  options_.computes_corrective_changes = true;
  options_.lens_directories = {settings.text("libdir") + "/augeas/lenses"};
  options_.observer = request_.observer;
  if (settings.is_set("environment")) configured_environment_ = settings.text("environment");
  report_.host = settings.text("certname");
  report_.time = apply::now_nanoseconds();
  report_.transaction_uuid = random_uuid();
  report_.puppet_version = kReferenceVersion;
  report_.is_noop = options_.is_noop;
  report_.excludes_unchanged = settings.is_true("exclude_unchanged_resources");
  if (!request_.job_id.empty()) report_.job_id = request_.job_id;
  set_environment(settings.text("environment"));
  initial_environment_ = environment_;
}

Run::~Run() = default;

void Run::set_environment(const std::string& environment) {
  environment_ = environment;
  report_.environment = environment;
  options_.environment = environment;
  sources_.set_environment(environment);
}

std::string Run::fact(std::string_view name) const {
  return facts_ == nullptr ? std::string() : fact_text(facts_->values, name);
}

std::optional<int> Run::execute() {
  const Clock::time_point begun = Clock::now();
  log_.attach(&report_);
  bool is_done = false;
  try {
    access_.make_directories(settings_);
    is_done = run();
  } catch (const Abort& error) {
    log_.log(LogLevel::kErr, error.what());
  } catch (const FileError& error) {
    log_.log(LogLevel::kErr, error.what());
  }
  if (settings_.is_true("resubmit_facts")) resubmit_facts();
  report_.cached_catalog_status = cached_catalog_status_;
  // The application of the catalog has added its own time to the total.
  report_.add_time("total", std::max(seconds_since(begun) - applied_seconds_, 0.0));
  log_.attach(nullptr);
  report_.finish();
  send_report();
  session_.close();
  if (request_.finished) request_.finished(report_);
  if (!is_done) return std::nullopt;
  return report_.exit_status();
}

bool Run::run() {
  choose_server();
  if (request_.started) report_.add_time("startup_time", seconds_since(*request_.started));
  bool is_applied = false;
  try {
    is_applied = apply_converged();
  } catch (const Abort& error) {
    log_.log(LogLevel::kErr, fmt::format("Failed to apply catalog: {}", error.what()));
  } catch (const apply::Failure& failure) {
    log_.log(LogLevel::kErr, fmt::format("Failed to apply catalog: {}", failure.log_text()));
  } catch (const FileError& error) {
    log_.log(LogLevel::kErr, fmt::format("Failed to apply catalog: {}", error.what()));
  }
  return apply::run_setting_command("postrun_command", settings_.text("postrun_command"), log_) &&
         is_applied;
}

void Run::choose_server() {
  if (server_list(settings_).empty()) return;
  if (session_.select_server()) {
    report_.server_used = session_.selected_server();
    return;
  }
  const std::string detail =
      fmt::format("Could not select a functional puppet server from server_list: '{}'",
                  settings_.text("server_list"));
  if (!uses_cache_on_failure_) throw Abort(detail);
  log_.log(LogLevel::kErr, detail);
  synchronises_plugins_ = false;
  has_failed_before_catalog_ = true;
}

bool Run::apply_converged() {
  if (uses_cache_) load_requested_cache();
  if (!settings_.text("node_name_fact").empty()) {
    if (synchronises_plugins_) synchronise_plugins();
    collect_facts();
  }
  const bool is_environment_fixed =
      settings_.is_on_command_line("environment") || settings_.is_true("strict_environment_mode");
  if (document_ == nullptr && !is_environment_fixed) choose_environment();
  log_.log(LogLevel::kInfo, fmt::format("Using environment '{}'", environment_));
  if (facts_ == nullptr) {
    if (synchronises_plugins_ && is_environment_on_server()) synchronise_plugins();
    collect_facts();
  }
  report_.host = node_name_;
  if (document_ == nullptr && !retrieve_catalog()) return false;
  return converge() && apply_document();
}

// For `use_cached_catalog`: loads the cached catalog, or requests one when there is none.
void Run::load_requested_cache() {
  document_ = read_cache();
  if (document_ == nullptr) {
    uses_cache_ = false;
    uses_cache_on_failure_ = false;
    synchronises_plugins_ = true;
    return;
  }
  log_.log(LogLevel::kInfo,
           fmt::format("Using cached catalog from environment '{}'", document_->environment()));
  cached_catalog_status_ = "explicitly_requested";
  const std::string cached = document_->environment();
  if (environment_ != cached && !settings_.is_true("strict_environment_mode")) {
    log_.log(LogLevel::kNotice,
             fmt::format("Local environment: '{0}' doesn't match the environment of the cached "
                         "catalog '{1}', switching agent to '{1}'.",
                         environment_, cached));
    set_environment(cached);
  }
}

void Run::choose_environment() {
  log_.log(LogLevel::kDebug,
           "Environment not passed via CLI and no catalog was given, attempting to find out the "
           "last server-specified environment");
  bool is_known = false;
  std::optional<std::string> environment = last_environment(is_known);
  if (!(settings_.is_true("use_last_environment") && is_known)) {
    log_.log(LogLevel::kDebug, "Requesting environment from the server");
    environment = node_environment();
  }
  if (environment) set_environment(*environment);
}

// The environment of the last run, if the server had chosen it.
std::optional<std::string> Run::last_environment(bool& is_known) {
  try {
    const std::string path = settings_.text("lastrunfile");
    if (!is_file(path)) return std::nullopt;
    Arena arena;
    const std::string text = read_file(path);
    const DataNode summary = read_yaml(text, {.file = path}, arena);
    const DataNode* application = summary.find("application");
    if (application == nullptr) return std::nullopt;
    const auto value = [&](std::string_view key) {
      const DataNode* found = application->find(key);
      return found != nullptr && found->is(DataKind::kString) ? std::string(found->text_value())
                                                              : std::string();
    };
    if (value("run_mode") != "agent") return std::nullopt;
    is_known = true;
    log_.log(LogLevel::kDebug, "Successfully loaded last environment from the lastrunfile");
    const std::string converged = value("converged_environment");
    if (value("initial_environment") == converged) return std::nullopt;
    log_.log(LogLevel::kDebug,
             fmt::format("Found last server-specified environment: {}", converged));
    return converged;
  } catch (const std::exception& error) {
    log_.log(LogLevel::kDebug,
             fmt::format("Could not find last server-specified environment: {}", error.what()));
    return std::nullopt;
  }
}

std::optional<std::string> Run::node_environment() {
  const Clock::time_point begun = Clock::now();
  try {
    Call call;
    call.path = "/node/" + net::encode_percent(node_name_);
    call.query = {{"environment", environment_},
                  {"configured_environment",
                   configured_environment_.empty() ? environment_ : configured_environment_},
                  {"transaction_uuid", report_.transaction_uuid}};
    const net::Response response = session_.send(call);
    Arena arena;
    const DataNode node = read_json(response.body, arena);
    const DataNode* found = node.find("environment");
    if (found == nullptr || !found->is(DataKind::kString)) return std::nullopt;
    std::string environment(found->text_value());
    report_.add_time("node_retrieval", seconds_since(begun));
    if (environment != environment_) {
      log_.log(LogLevel::kNotice,
               fmt::format("Local environment: '{0}' doesn't match server specified node "
                           "environment '{1}', switching agent to '{1}'.",
                           environment_, environment));
    }
    return environment;
  } catch (const ResponseError& error) {
    log_.log(LogLevel::kWarning,
             "Unable to fetch my node definition, but the agent run will continue:");
    log_.log(LogLevel::kWarning, error.search_text());
  } catch (const std::exception& error) {
    log_.log(LogLevel::kWarning,
             "Unable to fetch my node definition, but the agent run will continue:");
    log_.log(LogLevel::kWarning, error.what());
  }
  return std::nullopt;
}

bool Run::is_environment_on_server() {
  try {
    Call call;
    call.service = Service::kFiles;
    call.path = "/file_metadatas/plugins";
    call.query = {{"recurse", "false"},
                  {"links", "manage"},
                  {"checksum_type", settings_.text("digest_algorithm")},
                  {"source_permissions", "ignore"},
                  {"environment", environment_}};
    session_.send(call);
    return true;
  } catch (const ResponseError& error) {
    if (error.status() != 404) {
      log_.log(LogLevel::kErr, error.what());
    } else if (settings_.is_true("strict_environment_mode")) {
      throw Abort(fmt::format("Environment '{}' not found on server, aborting run.", environment_));
    } else {
      log_.log(LogLevel::kNotice,
               fmt::format("Environment '{}' not found on server, skipping initial pluginsync.",
                           environment_));
    }
  } catch (const RequestError& error) {
    log_.log(LogLevel::kErr, error.what());
  }
  return false;
}

void Run::synchronise_plugins() {
  const Clock::time_point begun = Clock::now();
  try {
    PluginSync(settings_, sources_, *host_, apply::native_types_registry(), log_).run(environment_);
  } catch (const PluginError& error) {
    if (!uses_cache_on_failure_) throw Abort(error.what());
    log_.log(LogLevel::kErr, error.what());
    has_failed_before_catalog_ = true;
  }
  report_.add_time("plugin_sync", seconds_since(begun));
}

void Run::collect_facts() {
  const Clock::time_point begun = Clock::now();
  facts_ = std::make_unique<Facts>();
  for (const std::string& directory : settings_.list("factpath")) {
    if (is_directory(directory)) log_.log(LogLevel::kInfo, "Loading facts");
  }
  try {
    facts_->values = access_.collect_facts(settings_, facts_->arena, sink_);
  } catch (const std::exception& error) {
    throw Abort(fmt::format("Could not retrieve local facts: {}", error.what()));
  }
  if (const std::string name_fact = settings_.text("node_name_fact"); !name_fact.empty()) {
    const std::string value = fact(name_fact);
    if (!value.empty()) node_name_ = value;
  }
  facts_->json = facts_document();
  FactLimits(settings_, log_).check(facts_->values, facts_->json);
  report_.add_time("fact_generation", seconds_since(begun));
}

// The document for the server.
std::string Run::facts_document() const {
  constexpr int64_t kNanoseconds = 1'000'000'000;
  const int64_t lifetime = std::max<int64_t>(settings_.integer("runinterval"), 0);
  const int64_t expiration = (std::time(nullptr) + lifetime) * kNanoseconds;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("name", std::string_view(node_name_));
  json.key("values");
  json.data(facts_->values);
  json.member("timestamp", std::string_view(apply::iso_time(apply::now_nanoseconds())));
  json.member("expiration", std::string_view(apply::iso_time(expiration)));
  json.end_object();
  return text;
}

std::string Run::catalog_request() const {
  std::string checksums;
  for (const std::string& type : settings_.list("supported_checksum_types")) {
    checksums += (checksums.empty() ? "" : ".") + type;
  }
  const std::pair<std::string_view, std::string> fields[] = {
      {"facts_format", "application/json"},
      {"facts", net::encode_percent(facts_->json)},
      {"environment", environment_},
      {"configured_environment",
       configured_environment_.empty() ? environment_ : configured_environment_},
      {"check_environment", "true"},
      {"transaction_uuid", report_.transaction_uuid},
      {"job_uuid", request_.job_id},
      {"static_catalog", "true"},
      {"checksum_type", checksums}};
  std::string body;
  for (const auto& [name, value] : fields) {
    if (!body.empty()) body += '&';
    body += fmt::format("{}={}", name, net::encode_percent(value));
  }
  return body;
}

// Returns null when the catalog could not be fetched, which is logged.
std::unique_ptr<Run::Document> Run::fetch_catalog() {
  const Clock::time_point begun = Clock::now();
  std::string problem;
  try {
    if (!settings_.is_true("skip_logging_catalog_request_destination")) {
      log_.log(LogLevel::kNotice,
               fmt::format("Requesting catalog from {}", session_.destination_of(Service::kCode)));
    }
    Call call;
    call.method = "POST";
    call.path = "/catalog/" + net::encode_percent(node_name_);
    call.query = {{"environment", environment_}};
    call.accept = fmt::format("{}, application/json", kRichJson);
    call.content_type = "application/x-www-form-urlencoded";
    call.body = catalog_request();
    net::Response response = session_.send(call);
    if (const std::string* compiler = response.fields.find("X-Puppet-Compiler-Name")) {
      log_.log(LogLevel::kNotice, fmt::format("Catalog compiled by {}", *compiler));
    }
    const std::string type(response.fields.get("Content-Type"));
    if (type.empty()) throw DataError("No content type in http response; cannot parse");
    if (!type.starts_with(kRichJson) && !type.starts_with("application/json")) {
      throw DataError(fmt::format("Content-Type is unsupported: {}", type));
    }
    auto document = std::make_unique<Document>(std::move(response.body));
    retrieval_seconds_ = seconds_since(begun);
    return document;
  } catch (const ResponseError& error) {
    problem = error.search_text();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  log_.log(LogLevel::kErr,
           fmt::format("Could not retrieve catalog from remote server: {}", problem));
  return nullptr;
}

// Returns null when there is none, or when it cannot be read, which is logged.
std::unique_ptr<Run::Document> Run::read_cache() {
  const Clock::time_point begun = Clock::now();
  try {
    std::optional<std::string> text = CatalogCache(settings_, node_name_).load();
    if (!text) return nullptr;
    auto document = std::make_unique<Document>(std::move(*text));
    retrieval_seconds_ = seconds_since(begun);
    return document;
  } catch (const std::exception& error) {
    log_.log(LogLevel::kErr,
             fmt::format("Could not retrieve catalog from cache: {}", error.what()));
    return nullptr;
  }
}

bool Run::retrieve_catalog() {
  document_ = nullptr;
  if (has_failed_before_catalog_) {
    document_ = read_cache();
    if (document_ != nullptr) {
      cached_catalog_status_ = "on_failure";
      log_.log(LogLevel::kInfo,
               fmt::format("Using cached catalog from environment '{}'", document_->environment()));
      return true;
    }
  }
  document_ = fetch_catalog();
  if (document_ != nullptr || use_cache_after_failure()) return true;
  log_.log(LogLevel::kErr, "Could not retrieve catalog; skipping run");
  return false;
}

bool Run::use_cache_after_failure() {
  if (!uses_cache_on_failure_) {
    log_.log(LogLevel::kWarning, "Not using cache on failed catalog");
    return false;
  }
  document_ = read_cache();
  if (document_ == nullptr) return false;
  const std::string cached = document_->environment();
  if (cached != environment_) {
    log_.log(
        LogLevel::kErr,
        fmt::format("Not using cached catalog because its environment '{}' does not match '{}'",
                    cached, environment_));
    document_ = nullptr;
    return false;
  }
  cached_catalog_status_ = "on_failure";
  log_.log(LogLevel::kInfo, fmt::format("Using cached catalog from environment '{}'", cached));
  return true;
}

// Repeats the request while the server changes the environment, because facts and so the catalog
// may differ in another environment.
bool Run::converge() {
  if (settings_.is_true("strict_environment_mode") && document_->environment() != environment_) {
    log_.log(LogLevel::kErr,
             fmt::format("Not using catalog because its environment '{}' does not match agent "
                         "specified environment '{}' and strict_environment_mode is set",
                         document_->environment(), environment_));
    return false;
  }
  for (int tries = 0;; ++tries) {
    const std::string wanted = document_->environment();
    if (wanted.empty() || wanted == environment_) return true;
    if (tries >= kMostEnvironments) {
      throw Abort(fmt::format("Catalog environment didn't stabilize after {} fetches, aborting run",
                              tries));
    }
    log_.log(LogLevel::kNotice,
             fmt::format("Local environment: '{0}' doesn't match server specified environment "
                         "'{1}', restarting agent run with environment '{1}'",
                         environment_, wanted));
    set_environment(wanted);
    if (synchronises_plugins_) synchronise_plugins();
    collect_facts();
    if (!retrieve_catalog()) return false;
  }
}

void Run::write_summary_files(const apply::Catalog& catalog) {
  if (!settings_.is_true("write_catalog_summary")) return;
  apply::write_catalog_summary(catalog, settings_.text("classfile"),
                               settings_.text("resourcefile"));
}

bool Run::apply_document() {
  const Clock::time_point begun = Clock::now();
  apply::EarlierState earlier(options_);
  const std::unique_ptr<apply::DeferredResolver> deferred =
      access_.deferred_resolver(settings_, facts_->values);
  types_ = access_.types(settings_, environment_, facts_->values, log_);
  apply::Context context{options_, *host_, sources_, log_, *types_, deferred.get()};
  apply::Catalog catalog(context);
  try {
    sources_.set_catalog(document_->catalog);
    catalog.read(document_->catalog);
    catalog.finalize();
    write_summary_files(catalog);
  } catch (const DataError& error) {
    throw Abort(error.what());
  }
  report_.add_time("convert_catalog", seconds_since(begun));
  if (!options_.is_noop) {
    log_.log(LogLevel::kInfo, fmt::format("Caching catalog for {}", node_name_));
    CatalogCache(settings_, node_name_).save(document_->text);
  }
  if (!apply::run_setting_command("prerun_command", settings_.text("prerun_command"), log_))
    return false;
  const std::string_view code_id = document_->catalog.code_id.value_or("");
  report_.code_id = code_id.empty() ? std::nullopt : std::optional<std::string>(code_id);
  report_.catalog_uuid = catalog.uuid();
  report_.configuration_version = catalog.version();
  report_.cached_catalog_status = cached_catalog_status_;
  report_.add_time("config_retrieval", retrieval_seconds_);
  const Clock::time_point applying = Clock::now();
  const bool is_done = apply::apply_catalog(catalog, report_, earlier);
  applied_seconds_ = seconds_since(applying);
  return is_done;
}

void Run::resubmit_facts() {
  const Clock::time_point begun = Clock::now();
  try {
    collect_facts();
    Call call;
    call.method = "PUT";
    call.path = "/facts/" + net::encode_percent(node_name_);
    call.query = {{"environment", environment_}};
    call.content_type = "application/json";
    call.body = facts_->json;
    log_.log(LogLevel::kInfo, fmt::format("Uploading facts for {} to {}", node_name_,
                                          session_.url_of(Service::kCode)));
    session_.send(call);
  } catch (const ResponseError& error) {
    log_.log(LogLevel::kErr, fmt::format("Failed to submit facts: {}", error.server_text()));
  } catch (const std::exception& error) {
    log_.log(LogLevel::kErr, fmt::format("Failed to submit facts: {}", error.what()));
  }
  report_.add_time("resubmit_facts", seconds_since(begun));
}

// Sends the report to the server and writes the files of the last run, even when sending fails.
void Run::send_report() {
  if (settings_.is_true("summarize") && request_.print) {
    request_.print(report_.summary_text("agent"));
  }
  try {
    write_file(settings_.text("lastrunfile"), summary_text(report_, initial_environment_),
               kReportMode);
  } catch (const FileError& error) {
    log_.log(LogLevel::kErr, fmt::format("Could not save last run local report: {}", error.what()));
  }
  if (!settings_.is_true("report")) return;
  std::string problem;
  try {
    Call call;
    call.service = Service::kReports;
    call.method = "PUT";
    call.path = "/report/" + net::encode_percent(report_.host);
    call.query = {{"environment", environment_}};
    call.content_type = "application/json";
    call.body = apply::report_json(report_);
    session_.find(call);
  } catch (const ResponseError& error) {
    problem = error.server_text();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  try {
    write_file(settings_.text("lastrunreport"), apply::report_yaml(report_), kReportMode);
  } catch (const FileError& error) {
    if (problem.empty()) problem = error.what();
  }
  if (!problem.empty()) {
    log_.log(LogLevel::kErr, fmt::format("Could not send report: {}", problem));
  }
}

}  // namespace bunraku::agent

// Compiles a catalog for a request.
#include "compilation/catalog_compilation.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <new>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/system/file_system.h"
#include "compilation/limit_errors.h"
#include "site/environment/files.h"
#include "site/file_serving/mounts.h"

namespace bunraku::compilation {
namespace {

// Stores the records of one compilation, which runs on one thread.
class AnswerLog final : public LogSink {
 public:
  AnswerLog(LogLevel least, std::vector<LogRecord>& records) : least_(least), records_(records) {}
  bool takes(LogLevel level) const override { return level >= least_; }
  void log(const LogRecord& record) override {
    if (takes(record.level)) records_.push_back(record);
  }
  void log_fatal(const FatalRecord&) override {}

 private:
  LogLevel least_;
  std::vector<LogRecord>& records_;
};

// The value in environment.conf takes precedence over the setting.
bool setting_of(Compilation& compilation, const std::optional<bool>& conf, std::string_view name) {
  return conf.value_or(compilation.settings().is_true(name));
}

StaticMetadata file_metadata(Compilation& compilation, std::string_view checksum_type) {
  const Settings& settings = compilation.settings();
  const Environment& environment = compilation.environment();
  StaticCatalogOptions options;
  options.checksum_type = checksum_type;
  options.environment_directory = join_path(settings.text("environmentpath"), environment.name());
  if (settings.is_true("versioned_environment_dirs")) {
    options.environment_directory = target_of_link(options.environment_directory);
  }
  options.log = compilation.log();
  const Mounts mounts(environment, settings.text("fileserverconfig"), compilation.log());
  return collect_file_metadata(compilation.compiler().catalog(), mounts, options);
}

CatalogFailure failure_of(const EvaluationError& error, std::string_view environment,
                          std::string_view suffix) {
  CatalogFailure failure;
  failure.kind = error.kind();
  failure.message = fmt::format("{}{}{}", message_prefix(error.kind(), environment),
                                one_line(error.diagnostic()), suffix);
  failure.diagnostic = error.diagnostic();
  if (const auto* reached = dynamic_cast<const LimitReached*>(&error)) {
    failure.limit = reached->limit();
  }
  return failure;
}

void compile(Service& service, const CatalogRequest& request, CatalogAnswer& answer) {
  AnswerLog log(request.log_level, answer.log);
  std::string suffix;  // empty outside of the compilation, as such errors do not concern the node
  try {
    Compilation compilation(service, request.node, &log);
    answer.environment = compilation.environment().name();
    const std::string_view checksum_type = static_checksum_type(compilation, request.form);
    suffix = fmt::format(" on node {}", request.node.name);
    if (!request.node.code) {
      within(request.node.limits, [&] { compilation.environment().initial_manifests(); });
    }
    CatalogJsonOptions options = catalog_options(compilation, request.form);
    compilation.compile();
    suffix.clear();
    answer.json = within(request.node.limits, [&] {
      return catalog_json(compilation, request.form.json, std::move(options), checksum_type);
    });
    for (const Resource* resource : compilation.compiler().catalog().resources()) {
      if (!resource->is_virtual) ++answer.resources;
    }
  } catch (const EvaluationError& error) {
    const std::string& environment =
        answer.environment.empty() ? service.default_environment() : answer.environment;
    answer.failure = failure_of(error, environment, suffix);
  } catch (const std::bad_alloc&) {
    answer.failure = CatalogFailure{ErrorKind::kError, "Out of memory", {}, {}};
  } catch (const std::exception& error) {
    answer.failure = CatalogFailure{ErrorKind::kError, error.what(), {}, {}};
  }
  if (answer.failure) answer.json.clear();
}

}  // namespace

CatalogAnswer compile_catalog(Service& service, const CatalogRequest& request) {
  CatalogAnswer answer;
  const auto begun = std::chrono::steady_clock::now();
  auto task = [&] { compile(service, request, answer); };
  try {
    run_on_large_stack(task);
  } catch (const std::exception& error) {
    answer.failure = CatalogFailure{ErrorKind::kError, error.what(), {}, {}};
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return answer;
}

std::string_view static_checksum_type(Compilation& compilation, const CatalogForm& form) {
  if (!form.is_static || !setting_of(compilation, compilation.environment().conf().static_catalogs,
                                     "static_catalogs")) {
    return {};
  }
  return common_checksum_type(form.checksum_types.empty()
                                  ? compilation.settings().list("supported_checksum_types")
                                  : form.checksum_types);
}

CatalogJsonOptions catalog_options(Compilation& compilation, const CatalogForm& form) {
  CatalogJsonOptions options;
  options.uuid = form.uuid.empty() ? make_uuid() : form.uuid;
  options.code_id = form.code_id;
  options.include_virtual = form.include_virtual;
  options.keeps_references = form.keeps_references;
  options.rich_data =
      !form.is_plain &&
      setting_of(compilation, compilation.environment().conf().rich_data, "rich_data");
  options.version = within(compilation.limits(), [&] {
    return compilation.generation().config_version(compilation.log());
  });
  options.version_is_time = options.version.empty();
  if (options.version_is_time) options.version_time = std::time(nullptr);
  return options;
}

// The bytes of JSON that a resource mostly needs, with its edge.
constexpr size_t kTypicalResource = 640;

std::string catalog_json(Compilation& compilation, JsonForm form, CatalogJsonOptions options,
                         std::string_view checksum_type) {
  StaticMetadata metadata;
  if (!checksum_type.empty()) {
    metadata = file_metadata(compilation, checksum_type);
    options.metadata = &metadata;
  }
  std::string text;
  text.reserve(compilation.compiler().catalog().resources().size() * kTypicalResource);
  JsonWriter json(text, form);
  write_catalog(json, compilation.compiler(), options);
  text.push_back('\n');
  return text;
}

std::string message_prefix(ErrorKind kind, std::string_view environment) {
  switch (kind) {
    case ErrorKind::kSyntax:
      return fmt::format("Could not parse for environment {}: ", environment);
    case ErrorKind::kEvaluation:
      return "Evaluation Error: ";
    default:
      return "";
  }
}

}  // namespace bunraku::compilation

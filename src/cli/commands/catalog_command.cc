#include <ctime>
#include <memory>

#include "catalog/compiler/catalog_json.h"
#include "catalog/compiler/static_catalog.h"
#include "cli/commands/commands.h"
#include "cli/compilation.h"
#include "cli/frame/profile_option.h"
#include "cli/frame/session.h"
#include "cli/commands/watch.h"
#include "site/node/commands.h"
#include "site/environment/files.h"
#include "site/file_serving/mounts.h"
#include "site/lookup/explainer.h"
#include "base/system/file_system.h"
#include "base/formats/json.h"

namespace bunraku {
namespace {

struct CatalogOptions {
  std::vector<std::string> code;
  std::string node;
  std::string manifest;
  std::string explain_file;
  std::string code_id;
  bool is_static = false;
  bool include_virtual = false;
  std::string profile;
  bool watches = false;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text.push_back('\n');
    text.append(part);
  }
  return text;
}

CatalogJsonOptions json_options(Compilation& compilation, const CatalogOptions& options) {
  CatalogJsonOptions json;
  json.uuid = make_uuid();
  if (!options.code_id.empty()) json.code_id = options.code_id;
  json.include_virtual = options.include_virtual;
  json.rich_data = compilation.settings().is_true("rich_data");
  json.rich_data = compilation.environment().conf().rich_data.value_or(json.rich_data);
  const auto& command = compilation.environment().config_version();
  if (command && !command->empty()) {
    json.version_is_time = false;
    json.version = run_config_version(*command);
  } else {
    json.version_time = std::time(nullptr);
  }
  return json;
}

// Explains every look-up of a compilation, those of one that fails, too.
class LookupExplanation {
 public:
  LookupExplanation(Compilation& compilation, std::string path)
      : compilation_(compilation), path_(std::move(path)), explainer_(true) {
    if (!path_.empty()) compilation_.lookup().set_explainer(&explainer_);
  }

  void write() {
    if (path_.empty()) return;
    compilation_.lookup().set_explainer(nullptr);
    if (!path_.ends_with(".json")) return write_file(path_, explainer_.to_text());
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    explainer_.write_json(json);
    write_file(path_, text + "\n");
  }

 private:
  Compilation& compilation_;
  std::string path_;
  Explainer explainer_;
};

// The type of checksums that a static catalog tells; empty when the catalog is to be none.
std::string_view static_checksum_type(Compilation& compilation, const CatalogOptions& options) {
  const bool are_allowed = compilation.settings().is_true("static_catalogs");
  if (!options.is_static ||
      !compilation.environment().conf().static_catalogs.value_or(are_allowed)) {
    return {};
  }
  return common_checksum_type(compilation.settings().list("supported_checksum_types"));
}

StaticMetadata file_metadata(Compilation& compilation, std::string_view checksum_type,
                             LogSink& log) {
  const Settings& settings = compilation.settings();
  const Environment& environment = compilation.environment();
  StaticCatalogOptions options;
  options.checksum_type = checksum_type;
  options.environment_folder = join_path(settings.text("environmentpath"), environment.name());
  if (settings.is_true("versioned_environment_dirs")) {
    options.environment_folder = target_of_link(options.environment_folder);
  }
  options.log = &log;
  const Mounts mounts(environment, settings.text("fileserverconfig"), &log);
  return collect_file_metadata(compilation.compiler().catalog(), mounts, options);
}

int compile(Compilation& compilation, const CatalogOptions& options, Session& session) {
  const std::string_view checksum_type = static_checksum_type(compilation, options);
  LookupExplanation explanation(compilation, options.explain_file);
  bool is_compiled = false;
  try {
    // The version is that of the manifests as they are now; they must be right before that.
    compilation.environment().initial_manifests();
    CatalogJsonOptions form = json_options(compilation, options);
    compilation.compiler().compile();
    explanation.write();
    is_compiled = true;
    StaticMetadata metadata;
    if (!checksum_type.empty()) {
      metadata = file_metadata(compilation, checksum_type, session.log());
      form.metadata = &metadata;
    }
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    write_catalog(json, compilation.compiler(), form);
    text.push_back('\n');
    session.print(text);
    return kExitSuccess;
  } catch (const EvaluationError& error) {
    // What fails while a catalog is written is not told of the node.
    if (is_compiled) return session.fail(error);
    explanation.write();
    return session.fail(error, compilation.suffix());
  }
}

int compile_catalog(const CatalogOptions& options, Session& session) {
  if (options.is_static && options.code_id.empty()) {
    return session.fail(
        ErrorKind::kUsage,
        "--static needs --code-id: agents ask for files by the version of the code");
  }
  CompilationRequest request;
  request.node = options.node;
  request.name_setting = "certname";
  if (!options.code.empty()) request.code = joined(options.code);
  if (!options.manifest.empty()) request.manifest = options.manifest;
  int exit_code = kExitFailure;
  auto task = [&] {
    Compilation compilation(session, request);
    exit_code = compile(compilation, options, session);
  };
  run_on_large_stack(task);
  return exit_code;
}

int compile_and_watch(const CatalogOptions& options, Session& session) {
  const auto once = [&] {
    const int answer =
        run_with_profile(options.profile, [&] { return compile_catalog(options, session); });
    session.flush();
    return answer;
  };
  if (!options.watches) return once();
  return run_and_watch(paths_to_watch(session, {options.manifest, session.options().facts}), once);
}

}  // namespace

Command make_catalog_compile_command() {
  auto options = std::make_shared<CatalogOptions>();
  Command command("catalog compile", "A node's catalog");
  command.argument("[NODE]", "the node's name; this machine's when left out", options->node);
  command.argument("[MANIFEST]", "a file or folder in place of the environment's manifests",
                   options->manifest);
  command.option("-e, --execute CODE", "compile CODE in place of the environment's manifests",
                 options->code);
  command.flag("--include-virtual", "show resources that stayed virtual, marked \"virtual\": true",
               options->include_virtual);
  command.flag("--static", "a static catalog: tell what agents have to know of files from modules",
               options->is_static);
  command.option("--code-id ID", "the version of the environment's code, for static catalogs",
                 options->code_id);
  command.option("--explain-file FILE",
                 "write how each look-up of data was answered; as JSON when the name ends in .json",
                 options->explain_file);
  take_profile_option(command, options->profile);
  command.flag("--watch", "compile again whenever files of the environment change",
               options->watches);
  command.formats({"json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku catalog compile web01.example.com --facts web01.yaml",
                  "the catalog that an agent of this name would get");
  command.example("bunraku catalog compile -e 'file { \"/etc/motd\": content => \"hello\" }'",
                  "the catalog of code");
  command.example(
      "bunraku catalog compile web01.example.com --static --code-id \"$(git rev-parse HEAD)\"",
      "with what the agent has to know of the files that it takes from modules");
  command.run([options](Session& session) { return compile_and_watch(*options, session); });
  return command;
}

}  // namespace bunraku

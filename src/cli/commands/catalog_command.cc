// `catalog compile`
#include <memory>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "cli/commands/commands.h"
#include "cli/commands/watch.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/profile_option.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/catalog_compilation.h"
#include "compilation/limit_errors.h"
#include "site/lookup/explainer.h"

namespace bunraku {

using compilation::CatalogForm;
using compilation::Compilation;

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
  bool with_custom_facts = false;
};

CatalogForm form_of(const CatalogOptions& options) {
  CatalogForm form;
  form.json = JsonForm::kPretty;
  if (!options.code_id.empty()) form.code_id = options.code_id;
  form.is_static = options.is_static;
  form.include_virtual = options.include_virtual;
  return form;
}

// Explains all look-ups of a compilation, also of one that fails.
class LookupExplanation {
 public:
  LookupExplanation(Compilation& compilation, std::string path)
      : compilation_(compilation), path_(std::move(path)), explainer_(true) {
    if (!path_.empty()) compilation_.lookup().set_explainer(&explainer_);
  }

  void write() {
    if (path_.empty()) return;
    compilation_.lookup().set_explainer(nullptr);
    explainer_.hide_secrets();
    if (!path_.ends_with(".json")) return write_file(path_, explainer_.to_text(), kSecretFile);
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    explainer_.write_json(json);
    write_file(path_, text + "\n", kSecretFile);
  }

 private:
  Compilation& compilation_;
  std::string path_;
  Explainer explainer_;
};

int compile(Compilation& compilation, const CatalogOptions& options, Session& session) {
  const CatalogForm form = form_of(options);
  const std::string_view checksum_type = static_checksum_type(compilation, form);
  LookupExplanation explanation(compilation, options.explain_file);
  bool is_compiled = false;
  try {
    // The version is computed from the manifests, which must be valid first.
    compilation::within(compilation.limits(),
                        [&] { compilation.environment().initial_manifests(); });
    CatalogJsonOptions json = catalog_options(compilation, form);
    compilation.compile();
    explanation.write();
    is_compiled = true;
    session.print(catalog_json(compilation, form.json, std::move(json), checksum_type));
    return kExitSuccess;
  } catch (const EvaluationError& error) {
    // An error while the catalog is written is not an error of the node.
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
  request.take_code(options.code);
  if (!options.manifest.empty()) request.manifest = options.manifest;
  request.needs_facts =
      options.code.empty() && options.manifest.empty() && session.given("manifest") == nullptr;
  request.host_facts = [&](Arena& arena) {
    return agent_facts_of_host(session, arena, "server", options.with_custom_facts);
  };
  int exit_code = kExitFailure;
  auto task = [&] {
    NodeCompilation node(session, request);
    exit_code = compile(node.compilation, options, session);
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
  command.argument("[NODE]",
                   "the node's name; this machine's when left out, with the facts of this machine "
                   "unless --facts is given",
                   options->node);
  command.argument("[MANIFEST]", "a file or directory in place of the environment's manifests",
                   options->manifest);
  command.option("-e, --execute CODE", "compile CODE in place of the environment's manifests",
                 options->code);
  command.flag("--custom-facts",
               "among the facts of this machine those, too, that modules find in Ruby",
               options->with_custom_facts);
  command.flag("--include-virtual", "show resources that stayed virtual, marked \"virtual\": true",
               options->include_virtual);
  command.flag("--static", "a static catalog: with what agents have to know of files from modules",
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
  command.takes(OptionGroup::kStore);
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

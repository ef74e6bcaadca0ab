// `apply`: compiles or reads a catalog for this host, and applies it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/text/utf8.h"
#include "catalog/explanation/explanation.h"
#include "cli/commands/apply_plan.h"
#include "cli/commands/apply_support.h"
#include "cli/commands/apply_why.h"
#include "cli/commands/catalog_application.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/catalog_compilation.h"
#include "compilation/limit_errors.h"

namespace bunraku {
namespace {

// For --plan: there are changes.
constexpr int kExitChanges = 2;
// For --loadclasses: the file of classes cannot be read.
constexpr int kExitUnreadableClasses = 63;

struct ApplyOptions {
  std::string manifest;
  std::vector<std::string> code;
  std::string catalog;
  std::string report_file;
  std::string plan_file;
  std::string why;
  bool is_plan = false;
  bool has_detailed_exit_codes = false;
  bool is_test = false;
  bool loads_classes = false;
  bool writes_summary = false;
  bool prints_summary = false;
  std::vector<std::string> log_destinations;
};

// The names in a file of classes, separated by white space.
std::vector<std::string> class_names(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// The text of a fact, by its dotted name.
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

class ApplyRun {
 public:
  ApplyRun(const ApplyOptions& options, Session& session)
      : options_(options),
        session_(session),
        sink_(session, session.format_or("text") == "json", options.is_test) {
    application_.report_file = options.report_file;
    application_.shows_differences = options.is_test;
    application_.prints_summary = options.prints_summary;
    application_.is_json = session.format_or("text") == "json";
  }

  int run() {
    if (!options_.plan_file.empty() && !options_.is_plan) {
      throw UsageError("--out needs --plan");
    }
    if (!options_.why.empty() && (!options_.catalog.empty() || options_.is_plan)) {
      throw UsageError("--why needs code that is compiled, and changes nothing");
    }
    if (!options_.catalog.empty()) return apply_written(options_.catalog);
    if (!options_.manifest.empty() && is_file(options_.manifest) &&
        Plan::is_file_text(read_file(options_.manifest))) {
      if (options_.is_plan) throw UsageError("A plan cannot be planned again");
      return apply_written(options_.manifest);
    }
    return apply_compiled();
  }

 private:
  // Code on standard input, if no other code is given and it is not a terminal, as in the
  // reference.
  std::optional<std::string> piped_code() const {
    const bool is_asked = options_.manifest == "-";
    if (!is_asked && !(options_.manifest.empty() && options_.code.empty())) return std::nullopt;
    if (!is_asked && isatty(STDIN_FILENO) != 0) {
      throw UsageError(
          "there is no code: name a manifest, give it with -e, or pipe it in; `bunraku apply "
          "manifests` applies what nodes of this repository get");
    }
    std::string code = read_file("-");
    const bool is_blank = code.find_first_not_of(" \t\r\n") == code.npos;
    if (is_blank && !is_asked) return std::nullopt;
    return code;
  }

  int apply_compiled() {
    CompilationRequest request;
    request.section = "user";
    request.name_setting = "certname";
    request.log = &sink_;
    request.take_code(options_.code);
    if (std::optional<std::string> code = piped_code()) {
      request.code = std::move(code);
    } else if (!options_.manifest.empty()) {
      if (!exists(options_.manifest)) {
        return session_.fail(ErrorKind::kError,
                             fmt::format("Could not find file {}", options_.manifest));
      }
      request.manifest = options_.manifest;
    }
    RequestedNode node(session_, request, request);
    if (!choose_log(node.service.settings())) return kExitFailure;
    use_host_facts(node.input);
    if (options_.loads_classes && !load_classes(node)) return kExitUnreadableClasses;
    compilation::Compilation compilation(node.service, node.input, &sink_);
    session_.set_environment(compilation.environment().name());
    Provenance provenance;
    RecordingData data(compilation.lookup(), provenance);
    if (!options_.why.empty()) compilation.compiler().record(provenance, data);
    // Facts have been collected by now.
    const auto begun = std::chrono::steady_clock::now();
    try {
      const CatalogDocument document = compiled(compilation);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      apply::RunLog(sink_).log(
          LogLevel::kNotice,
          fmt::format("Compiled catalog for {} in environment {} in {:.2f} seconds",
                      compilation.node().name, compilation.environment().name(), seconds));
      application_.writes_summary = writes_summary(compilation.settings());
      const CatalogToApply catalog{
          document,
          compilation.settings(),
          compilation.environment(),
          std::string(compilation.node().name),
          facts_of(compilation),
          seconds,
          true,
          [&]() -> Evaluator& { return compilation.compiler().evaluator(); },
          session_.options().ruby,
          [&] { return datum_of(compilation.node().facts); }};
      if (!options_.why.empty()) return print_why(compilation.compiler(), provenance, catalog);
      return options_.is_plan ? plan(catalog) : apply(catalog);
    } catch (const EvaluationError& error) {
      return session_.fail(error, compilation.suffix());
    }
  }

  int apply(const CatalogToApply& catalog) {
    const ApplicationResult result = apply_document(session_, sink_, application_, catalog);
    if (!result.is_done) return kExitFailure;
    return options_.has_detailed_exit_codes || options_.is_test ? result.exit_status : kExitSuccess;
  }

  // Prints why the resource is in the catalog with these values, and what it waits for.
  int print_why(const Compiler& compiler, const Provenance& provenance,
                const CatalogToApply& catalog) {
    const std::string& reference = options_.why;
    const size_t bracket = std::min(reference.find('['), reference.size());
    const Resource* resource =
        bracket == reference.size() || !reference.ends_with(']')
            ? nullptr
            : compiler.catalog().find(
                  Name(downcase(reference.substr(0, bracket))),
                  reference.substr(bracket + 1, reference.size() - bracket - 2));
    const std::optional<std::string> waiting =
        resource == nullptr ? std::nullopt : waiting_text(sink_, catalog, resource->reference());
    if (!waiting) {
      return session_.fail(ErrorKind::kError,
                           fmt::format("{} is not in the catalog of {}", reference, catalog.node));
    }
    session_.print(explanation_text(explain(compiler, provenance, *resource, std::nullopt)));
    session_.print(*waiting);
    return kExitSuccess;
  }

  // Shows the planned changes, and stores them or asks whether to make them.
  int plan(const CatalogToApply& catalog) {
    Plan plan;
    const bool is_done = plan_document(sink_, catalog, plan);
    if (application_.is_json) {
      session_.print(plan.json());
    } else if (is_done || !plan.is_empty()) {
      session_.print(plan.text());
    }
    session_.flush();
    if (!is_done) return kExitFailure;
    if (!options_.plan_file.empty()) {
      write_file(options_.plan_file, plan.file_text(catalog.node, catalog.document), kSecretFile);
    } else if (!plan.is_empty() && !application_.is_json && isatty(STDIN_FILENO) != 0 &&
               isatty(STDOUT_FILENO) != 0) {
      session_.print("Apply this plan? Only `yes` is taken for it: ");
      session_.flush();
      std::string answer;
      std::getline(std::cin, answer);
      if (answer == "yes") return apply(catalog);
    }
    return plan.is_empty() ? kExitSuccess : kExitChanges;
  }

  // Applies the catalog of a stored plan if the planned changes are still the same.
  int apply_planned(const DataNode& kept, const CatalogToApply& catalog) {
    Plan plan;
    if (!plan_document(sink_, catalog, plan)) return kExitFailure;
    const std::vector<std::string> differences = plan.differences_from(kept);
    if (!differences.empty()) {
      std::string text = "The host is not as it was when this was planned; nothing was applied";
      for (const std::string& difference : differences) text += "\n  " + difference;
      return session_.fail(ErrorKind::kError, text);
    }
    return apply(catalog);
  }

  static CatalogDocument compiled(compilation::Compilation& compilation) {
    CatalogDocument document = compilation::within(compilation.limits(), [&] {
      compilation.environment().initial_manifests();
      const CatalogJsonOptions options = catalog_options(compilation, {});
      compilation.compiler().compile();
      return catalog_document(compilation.compiler(), options);
    });
    compilation.lift_limits();
    return document;
  }

  // The setting is on by default, but that default is for the agent.
  bool writes_summary(const Settings& settings) const {
    constexpr std::string_view kSetting = "write_catalog_summary";
    return options_.writes_summary || (settings.is_set(kSetting) && settings.is_true(kSetting));
  }

  bool choose_log(const Settings& settings) {
    LogLevel level = session_.options().log.level;
    if (options_.is_test) level = std::min(level, LogLevel::kInfo);
    return choose_log_destinations(session_, options_.log_destinations, settings,
                                   {"puppet-user", level});
  }

  // Returns false when the file exists and cannot be read, which has been reported.
  bool load_classes(RequestedNode& node) {
    const std::string file = node.service.settings().text("classfile");
    if (!exists(file)) return true;
    if (access(file.c_str(), R_OK) != 0) {
      session_.fail(ErrorKind::kError, fmt::format("{} is not readable", file));
      return false;
    }
    node.input.classes = class_names(read_file(file));
    return true;
  }

  void use_host_facts(compilation::NodeInput& input) {
    if (!session_.options().facts.empty() || session_.options().has_no_facts) return;
    input.facts = [this](Arena& arena) {
      return agent_facts_of_host(session_, arena, "user", true);
    };
  }

  static std::function<std::string(std::string_view)> facts_of(
      compilation::Compilation& compilation) {
    return [facts = compilation.node().facts](std::string_view name) {
      return fact_text(facts, name);
    };
  }

  // Applies a catalog or plan from a file. Facts and functions are loaded on demand.
  int apply_written(const std::string& path) {
    if (!session_.options().store.empty()) {
      throw UsageError("--store keeps what is compiled; a catalog that is given is not");
    }
    CompilationRequest request;
    request.section = "user";
    request.name_setting = "certname";
    request.log = &sink_;
    RequestedNode node(session_, request, without_manifests());
    if (!choose_log(node.service.settings())) return kExitFailure;
    use_host_facts(node.input);
    const std::shared_ptr<Environment> environment = node.service.environment("", &sink_);
    std::unique_ptr<compilation::Compilation> compilation;
    const auto compiled = [&]() -> compilation::Compilation& {
      if (compilation == nullptr) {
        compilation = std::make_unique<compilation::Compilation>(node.service, node.input, &sink_);
        compilation->compile();
        compilation->lift_limits();
      }
      return *compilation;
    };
    const std::string text = read_file(path);
    const bool is_planned = Plan::is_file_text(text);
    Arena arena;
    DataNode kept;
    std::optional<CatalogDocument> document;
    try {
      if (is_planned) kept = read_json(text, arena);
      document.emplace(is_planned ? Plan::catalog_text(kept) : text, path);
    } catch (const DataError& error) {
      return session_.fail(
          ErrorKind::kError,
          fmt::format("Could not deserialize catalog from json: {}", error.what()));
    }
    const CatalogToApply catalog{
        *document,
        node.service.settings(),
        *environment,
        node.service.settings().text("certname"),
        [&](std::string_view name) { return fact_text(compiled().node().facts, name); },
        0,
        is_planned || options_.is_plan,
        [&]() -> Evaluator& { return compiled().compiler().evaluator(); },
        session_.options().ruby,
        [&] { return datum_of(compiled().node().facts); }};
    if (is_planned) return apply_planned(kept, catalog);
    if (options_.is_plan) return plan(catalog);
    const ApplicationResult result = apply_document(session_, sink_, application_, catalog);
    return result.is_done ? kExitSuccess : kExitFailure;
  }

  const ApplyOptions& options_;
  Session& session_;
  ConsoleSink sink_;
  ApplicationOptions application_;
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
  command.argument(
      "[MANIFEST]",
      "a file or directory, `-` for standard input; code that is piped in needs no name, and "
      "with an empty input the environment's manifests are applied",
      options->manifest);
  command.option("-e, --execute CODE", "apply CODE in place of the environment's manifests",
                 options->code);
  command.option("--catalog FILE", "apply a catalog as `catalog compile` writes it",
                 options->catalog);
  command.flag("--detailed-exitcodes",
               "exit with 2 when something was changed, 4 when something failed, 6 for both",
               options->has_detailed_exit_codes);
  command.flag("-t, --test", "detailed exit codes, differences of files, and information",
               options->is_test);
  command.flag("-L, --loadclasses",
               "declare the classes that the file of the setting classfile names, too",
               options->loads_classes);
  command.flag("--write-catalog-summary",
               "write the names of classes and resources to classes.txt and resources.txt",
               options->writes_summary);
  command.flag("--summarize", "print how many resources were changed and how long it took",
               options->prints_summary);
  command.flag("--plan", "show what would be changed; on a terminal, ask whether it is to be done",
               options->is_plan);
  command.option("--out FILE", "keep the plan in FILE, which `apply FILE` applies",
                 options->plan_file);
  command.option("--why RESOURCE",
                 "show why a resource is applied, with these values, and what it waits for",
                 options->why);
  command.option("-l, --logdest DEST",
                 "where to log: console, syslog or a file, or several with commas; .jsonl at a "
                 "file's end gives an object a line; may be repeated",
                 options->log_destinations);
  command.option("--report-file FILE",
                 "write the report there, too; as JSON when FILE ends in .json",
                 options->report_file);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.takes(OptionGroup::kStore);
  command.details(
      "Compiles the catalog of this host and applies it: each resource is looked at, and changed "
      "where it is not as the catalog says.\n\n"
      "Settings such as --noop, --tags, --show_diff and --evaltrace are given as --set NAME=VALUE, "
      "or as options of their own.\n\n"
      "The exit code is 0 when the catalog was applied, even when single resources have failed, "
      "and 1 when it could not be compiled or applied; see --detailed-exitcodes. With --plan it is "
      "0 when there is nothing to do, 2 when there is, and 1 when that could not be found out.\n\n"
      "A file that --out has written holds the catalog, secrets and all, and what it would change. "
      "Applied later, it says what is no longer so, and does nothing then.");
  command.example("bunraku apply -e 'file { \"/tmp/hello\": content => \"hello\\n\" }'",
                  "writes a file");
  command.example("echo 'notify { \"hello\": }' | bunraku apply", "applies code that is piped in");
  command.example("bunraku apply site.pp --noop --show_diff", "shows what would be changed");
  command.example("bunraku apply site.pp --plan --out site.plan", "keeps what would be changed");
  command.example("bunraku apply site.plan", "applies exactly that");
  command.example("bunraku apply site.pp --why 'Service[ntp]'", "what a service waits for");
  command.example("bunraku apply --catalog web01.json --format json",
                  "applies a written catalog, with an event as JSON on each line");
  command.run([options](Session& session) { return apply_here(*options, session); });
  return command;
}

}  // namespace bunraku

// Compiles nodes of a fleet.
#include "compilation/fleet_compilation.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <optional>

#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/profile.h"
#include "base/system/version.h"
#include "base/text/digest.h"
#include "catalog/compiler/catalog_json.h"
#include "compilation/limit_errors.h"
#include "evaluation/fact_reads.h"

namespace bunraku::compilation {
namespace {

// Stores log records about a node as its problems: warnings and errors.
class ProblemKeeper final : public LogSink {
 public:
  explicit ProblemKeeper(std::vector<NodeProblem>& problems) : problems_(problems) {}
  bool takes(LogLevel level) const override { return level >= LogLevel::kWarning; }
  void log(const LogRecord& record) override {
    if (!takes(record.level)) return;
    if (record.diagnostic != nullptr) {
      problems_.push_back(problem_of(*record.diagnostic));
      return;
    }
    NodeProblem problem;
    // Errors logged by code do not end a compilation.
    problem.severity = Severity::kWarning;
    problem.text = record.message;
    problem.file = record.file;
    problem.line = record.line;
    problem.column = record.column;
    problems_.push_back(std::move(problem));
  }
  void log_fatal(const FatalRecord&) override {}

 private:
  std::vector<NodeProblem>& problems_;
};

// The digits of a digest as a UUID of version 8, whose content is up to its maker.
std::string uuid_of(std::string_view digest) {
  std::string digits(digest.substr(0, 32));
  digits[12] = '8';
  digits[16] = 'a';
  return fmt::format("{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(12, 4), digits.substr(16, 4), digits.substr(20));
}

// Placeholders, replaced by digests of the complete text. They have the same size as their
// replacements, and cannot occur elsewhere in a catalog.
const std::string kNoVersion(16, '\x7f');
const std::string kNoUuid(36, '\x7f');

void put_at_first(std::string& text, std::string_view key, std::string_view placeholder,
                  std::string_view value) {
  const std::string place = fmt::format("\"{}\": \"{}\"", key, placeholder);
  const size_t at = text.find(place);
  if (at == std::string::npos) return;
  text.replace(at + place.size() - 1 - value.size(), value.size(), value);
}

std::string written_catalog(Compilation& compilation, const std::string& version, JsonForm form) {
  CatalogJsonOptions options;
  options.uuid = kNoUuid;
  options.version_is_time = false;
  options.version = version.empty() ? kNoVersion : version;
  options.rich_data = compilation.environment().conf().rich_data.value_or(
      compilation.settings().is_true("rich_data"));
  std::string text;
  // More than the size of most.
  constexpr size_t kResourceBytes = 1024;
  text.reserve(compilation.compiler().catalog().resources().size() * kResourceBytes);
  JsonWriter json(text, form);
  write_catalog(json, compilation.compiler(), options);
  text.push_back('\n');
  return text;
}

}  // namespace

std::string catalog_text(Compilation& compilation, const std::string& version) {
  std::string text = written_catalog(compilation, version, JsonForm::kPretty);
  const std::string digest = content_id(text);
  put_at_first(text, "version", kNoVersion, digest.substr(0, kNoVersion.size()));
  put_at_first(text, "catalog_uuid", kNoUuid, uuid_of(digest));
  return text;
}

namespace {

// Reports the names of other variables in the top scope as absent facts: a fact of such a name
// would replace the variable.
void report_rivals(FactReads& reads, Service& service, const TargetNode& node) {
  for (const std::string_view name : {"facts", "server_facts"}) reads.absent(name);
  for (const Value hash : {node.server_facts, service.variables()}) {
    if (!hash.is_hash()) continue;
    for (const HashEntry& entry : hash.as_hash()) {
      if (entry.key.is_string()) reads.absent(entry.key.as_string());
    }
  }
}

void compile(Service& service, const FleetNode& node, LogSink& log, ReadRecorder* recorder,
             RecordedExports* exports, CatalogUse use, const RequestLimits& limits,
             CompiledNode& compiled) {
  // Observed reads of facts are reported by path instead.
  NodeInput input;
  input.name = node.name;
  input.facts = [&node](Arena& arena) {
    const ObservedReads no_observer(nullptr);
    return facts_of(node, arena);
  };
  input.limits = limits;
  Compilation compilation(service, input, &log);
  std::optional<FactReads> fact_reads;
  if (recorder != nullptr) {
    fact_reads.emplace(compilation.node().facts, compilation.compiler().evaluator().top_scope());
    report_rivals(*fact_reads, service, compilation.node());
    if (compilation.environment().name() != service.default_environment()) {
      recorder->untracked("a classifier chose the environment");
    }
  }
  const ObservedFacts observed(fact_reads ? &*fact_reads : nullptr);
  const NodeStoreScope scope(exports != nullptr ? exports : NodeStore::current());
  compilation.compile();
  if (exports != nullptr) {
    compiled.exports = within(limits, [&] { return exported_resources(compilation); });
  }
  const std::string version =
      within(limits, [&] { return compilation.generation().config_version(&log); });
  if (use == CatalogUse::kKept) {
    compiled.catalog = within(limits, [&] { return catalog_text(compilation, version); });
  } else {
    within(limits, [&] { written_catalog(compilation, version, JsonForm::kCompact); });
  }
  for (const Resource* resource : compilation.compiler().catalog().resources()) {
    if (!resource->is_virtual) ++compiled.outcome.resources;
  }
  if (recorder != nullptr) recorder->facts(fact_reads->paths(), compilation.node().facts);
}

NodeProblem problem_of_text(std::string text) {
  NodeProblem problem;
  problem.text = std::move(text);
  return problem;
}

}  // namespace

CompiledNode compile_node(Service& service, const FleetNode& node, CatalogUse use,
                          const RequestLimits& limits, ReadTable* table,
                          const FleetExports* exports) {
  CompiledNode compiled;
  NodeOutcome& outcome = compiled.outcome;
  outcome.name = node.name;
  const auto begun = std::chrono::steady_clock::now();
  const ProfileSpan span(WorkKind::kNode, node.name);
  ProblemKeeper log(outcome.problems);
  std::optional<ReadRecorder> recorder;
  if (table != nullptr) {
    recorder.emplace(*table);
    compiled.facts_stamp = cached_stamp(node.path);
  }
  std::optional<RecordedExports> recorded;
  if (exports != nullptr) recorded.emplace(*exports);
  const ObservedReads observed(recorder ? &*recorder : nullptr);
  try {
    compile(service, node, log, recorder ? &*recorder : nullptr, recorded ? &*recorded : nullptr,
            use, limits, compiled);
    outcome.is_compiled = true;
  } catch (const EvaluationError& error) {
    // If there are several mistakes, each has been logged.
    if (error.diagnostic().issue != Issue::kSeveralMistakes) {
      outcome.problems.push_back(problem_of(error.diagnostic()));
    }
  } catch (const std::bad_alloc&) {
    outcome.problems.push_back(problem_of_text("Out of memory"));
  } catch (const std::exception& error) {
    outcome.problems.push_back(problem_of_text(error.what()));
  }
  // Also for a failed node, which may not fail with other exports.
  if (recorded) compiled.questions = recorded->questions();
  if (recorder) {
    for (const ExportQuestion& question : compiled.questions) {
      recorder->exports(question.type, question.filter, question.answer);
    }
    compiled.reads = recorder->numbers();
    outcome.untracked = recorder->reasons();
  }
  const auto spent = std::chrono::steady_clock::now() - begun;
  outcome.seconds = std::chrono::duration<double>(spent).count();
  return compiled;
}

std::string cache_key(Service& service, LogSink& log) {
  const std::shared_ptr<Generation> generation = service.generation({}, &log);
  const Environment* environment = generation->environment().get();
  std::string all;
  const auto add = [&](std::string_view text) { all.append(text).push_back('\0'); };
  const FileStamp program = file_stamp("/proc/self/exe");
  add(fmt::format("{} {} {}", kVersion, program.size, program.modified));
  add(absolute_path("."));
  for (const char* name : {"HOME", "TZ", "STDLIB_LOG_DEPRECATIONS"}) {
    const char* value = std::getenv(name);
    add(value == nullptr ? "-" : value);
  }
  for (const SettingInfo& info : all_settings()) add(service.settings().text(info.name));
  const Inputs& inputs = service.inputs();
  for (const std::optional<Document>* document :
       {&inputs.trusted, &inputs.server_facts, &inputs.classification, &inputs.variables}) {
    add(*document ? read_digest((*document)->text) : "");
  }
  add(environment->manifest());
  for (const std::string& directory : environment->modulepath()) add(directory);
  const std::optional<bool> rich_data = environment->conf().rich_data;
  add(!rich_data ? "" : *rich_data ? "true" : "false");
  add(generation->config_version(&log));
  return read_digest(all);
}

}  // namespace bunraku::compilation

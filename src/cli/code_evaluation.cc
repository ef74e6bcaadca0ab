#include "cli/code_evaluation.h"

#include "cli/common_options.h"
#include "cli/evaluation_settings.h"
#include "environment/checked_program.h"
#include "environment/facts.h"
#include "pcore/serialization.h"
#include "support/file_system.h"

namespace bunraku {

namespace {

Value read_hash_file(Arena& arena, const std::string& path) {
  return read_data_hash(arena, read_file(path), path);
}

}  // namespace

CodeEvaluation::CodeEvaluation(const CommonOptions& common, const CodeEvaluationOptions& options,
                               LogSink& log)
    : options_(options), parse_settings_(parse_settings_of(common)), log_(log) {
  EnvironmentOptions environment;
  environment.parse = parse_settings_;
  environment.code = options.compile_code.value_or("undef");
  if (options.compile_manifest) {
    environment.code = read_file(*options.compile_manifest);
    environment.code_name = *options.compile_manifest;
  }
  environment_ = Environment::without_folder("production", std::move(environment));

  node_.name = arena_.copy(options.node);
  node_.environment = "production";
  node_.facts = common.facts.empty() ? HashBuilder(arena_).finish()
                                     : read_facts(arena_, read_file(common.facts), common.facts);
  node_.trusted = common.trusted.empty() ? local_trusted_data(arena_, node_.name)
                                         : read_hash_file(arena_, common.trusted);
  if (!common.server_facts.empty()) {
    node_.server_facts = read_hash_file(arena_, common.server_facts);
  }
  CompilerOptions compiler_options;
  compiler_options.evaluation = evaluation_settings_of(common);
  compiler_options.evaluation.scripting = options.is_script;
  if (!common.vars.empty()) {
    compiler_options.variables =
        read_rich_data_json(arena_, arena_.copy(read_file(common.vars)), common.vars, nullptr);
  }
  compiler_ =
      std::make_unique<Compiler>(*environment_, node_, arena_, compiler_options, &log);
  compiler_->begin();
}

CodeEvaluation::~CodeEvaluation() = default;

Value CodeEvaluation::evaluate(std::string code) {
  auto source = std::make_shared<const SourceFile>(options_.file_name, std::move(code));
  ParsedFilePointer file =
      parse_and_validate(std::move(source), SourceForm::kManifest, parse_settings_);
  return evaluate(checked_program(*file, &log_));
}

Value CodeEvaluation::evaluate(const ProgramPointer& program) {
  programs_.push_back(program);
  return compiler_->evaluate(program);
}

void CodeEvaluation::finish() {
  if (!options_.is_script) compiler_->finish();
}

bool CodeEvaluation::has_resources() {
  // Stage[main], Class[Settings] and Class[main] are always there.
  constexpr size_t kAlwaysThere = 3;
  return !options_.is_script && compiler_->catalog().resources().size() > kAlwaysThere;
}

}  // namespace bunraku

// Evaluates pieces of code in one compilation.
#include "compilation/code_evaluation.h"

#include "base/system/file_system.h"
#include "compilation/limit_errors.h"
#include "site/environment/checked_program.h"
#include "site/environment/environment_settings.h"

namespace bunraku::compilation {

Sources CodeEvaluation::sources(Sources given) {
  if (!given.code && !given.manifest && !given.only_defines) given.code = "undef";
  return given;
}

CodeEvaluation::CodeEvaluation(Service& service, const NodeInput& node, LogSink& log,
                               std::string file_name)
    : file_name_(std::move(file_name)),
      is_script_(service.evaluation().scripting),
      log_(log),
      compilation_(service, node, &log),
      parse_settings_(environment_options(service.settings()).parse) {}

void CodeEvaluation::begin(bool compiles) {
  is_compiled_ = compiles && !is_script_;
  if (is_compiled_) return compilation_.compile();
  within(compilation_.limits(), [&] { compilation_.compiler().begin(); });
}

ProgramPointer CodeEvaluation::parse(std::string code) {
  return parse(file_name_, std::move(code));
}

ProgramPointer CodeEvaluation::parse(std::string file_name, std::string code) {
  auto source = std::make_shared<const SourceFile>(std::move(file_name), std::move(code));
  const ParsedFilePointer file =
      parse_and_validate(std::move(source), SourceForm::kManifest, parse_settings_);
  programs_.push_back(checked_program(*file, problem_limits(), &log_));
  return programs_.back();
}

Value CodeEvaluation::evaluate(std::string code) {
  return within(compilation_.limits(),
                [&] { return compilation_.compiler().evaluate(parse(std::move(code))); });
}

Value CodeEvaluation::evaluate_file(const std::string& path) {
  return within(compilation_.limits(),
                [&] { return compilation_.compiler().evaluate(parse(path, read_file(path))); });
}

void CodeEvaluation::finish() {
  if (is_script_ || is_compiled_) return;
  within(compilation_.limits(), [&] { compilation_.compiler().finish(); });
}

bool CodeEvaluation::has_resources() {
  // Stage[main], Class[Settings] and Class[main] always exist.
  constexpr size_t kAlwaysThere = 3;
  return !is_script_ && compilation_.compiler().catalog().resources().size() > kAlwaysThere;
}

}  // namespace bunraku::compilation

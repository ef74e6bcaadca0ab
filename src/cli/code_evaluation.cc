#include "cli/code_evaluation.h"

#include "cli/frame/environment_options.h"
#include "site/environment/checked_program.h"
#include "base/system/file_system.h"

namespace bunraku {

namespace {

CompilationRequest with_something_to_compile(CompilationRequest request) {
  if (!request.code && !request.manifest && !request.only_defines) request.code = "undef";
  return request;
}

}  // namespace

CodeEvaluation::CodeEvaluation(Session& session, CompilationRequest request, std::string file_name)
    : file_name_(std::move(file_name)),
      is_script_(request.is_script),
      log_(request.log != nullptr ? *request.log : session.log()),
      compilation_(session, with_something_to_compile(std::move(request))),
      parse_settings_(environment_options(compilation_.settings()).parse) {
  compilation_.compiler().begin();
}

ProgramPointer CodeEvaluation::parse(std::string code) {
  return parse(file_name_, std::move(code));
}

ProgramPointer CodeEvaluation::parse(std::string file_name, std::string code) {
  auto source = std::make_shared<const SourceFile>(std::move(file_name), std::move(code));
  ParsedFilePointer file =
      parse_and_validate(std::move(source), SourceForm::kManifest, parse_settings_);
  programs_.push_back(checked_program(*file, problem_limits(), &log_));
  return programs_.back();
}

Value CodeEvaluation::evaluate(std::string code) {
  return compilation_.compiler().evaluate(parse(std::move(code)));
}

Value CodeEvaluation::evaluate_file(const std::string& path) {
  return compilation_.compiler().evaluate(parse(path, read_file(path)));
}

void CodeEvaluation::finish() {
  if (!is_script_) compilation_.compiler().finish();
}

bool CodeEvaluation::has_resources() {
  // Stage[main], Class[Settings] and Class[main] are always there.
  constexpr size_t kAlwaysThere = 3;
  return !is_script_ && compilation_.compiler().catalog().resources().size() > kAlwaysThere;
}

}  // namespace bunraku

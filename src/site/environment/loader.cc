#include "site/environment/loader.h"

#include <fmt/format.h>

#include "base/system/reads.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/core/plain_function.h"
#include "functions/core/registry.h"
#include "ruby/worker/function.h"
#include "site/environment/checked_program.h"
#include "site/environment/definition_files.h"
#include "site/environment/files.h"
#include "site/environment/module_names.h"
#include "syntax/parser.h"
#include "types/built_in_types.h"

namespace bunraku {
namespace {

// Fails with a problem of a file that must define exactly one thing.
[[noreturn]] void fail_content(const std::string& path, std::string problem) {
  throw EvaluationError(make_diagnostic(Issue::kWrongContent, Range{}, {path, std::move(problem)}));
}

}  // namespace

// A Ruby function that several modules have: each call runs that of the module which the caller
// sees first.
class Loader::SharedFunction final : public Function {
 public:
  SharedFunction(Loader& loader, Name name, std::string path, const Place& place)
      : loader_(loader), name_(name), path_(std::move(path)), first_place_(place) {}

  Name name() const override { return name_; }
  std::span<const Signature> signatures() const override {
    return loader_.shared_function(name_, path_, first_place_, std::nullopt).signatures();
  }
  Value call(Call& call) const override {
    return loader_.shared_function(name_, path_, call.place, call.caller).call(call);
  }

 private:
  Loader& loader_;
  Name name_;
  std::string path_;
  Place first_place_;
};

Loader::Loader(const Environment& environment, Arena& arena, LogSink* log)
    : environment_(environment), arena_(arena), log_(log) {}
Loader::~Loader() = default;

// --- functions ----------------------------------------------------------------------------------

const Function* Loader::find_function(Name name, const Place& place) {
  if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
  const Function* function = load_function(name, place);
  functions_[name] = function;
  return function;
}

const Function* Loader::load_function(Name name, const Place& place) {
  if (const Function* builtin = find_builtin_function(name)) return builtin;
  if (const Function* function = load_language_function(name)) return function;
  return load_ruby_function(name, place);
}

void Loader::add_definition(const ProgramPointer& program, const FunctionDefinition& definition) {
  own_functions_.push_back(make_language_function(*evaluator_, program, definition));
  functions_[definition.name] = own_functions_.back().get();
}

template <typename Definition>
const Definition& Loader::sole_definition(const Program& program, std::string_view kind,
                                          std::string_view name) const {
  const std::string& path = program.path();
  if (program.definitions.empty()) {
    fail_content(path, fmt::format("does not define the {} '{}' - it is empty.", kind, name));
  }
  if (program.definitions.size() > 1) {
    fail_content(path, fmt::format("must contain only the {} '{}' - it has additional definitions.",
                                   kind, name));
  }
  const auto* definition = program.definitions[0]->try_as<Definition>();
  if (definition == nullptr) {
    fail_content(path, fmt::format("does not define the {} '{}' - no {} found.", kind, name,
                                   kind == "type" ? "type alias or type definition" : kind));
  }
  if (downcase(definition->name.text()) != name) {
    fail_content(
        path,
        fmt::format("produced {} with the wrong name, expected {}{}{}, actual {}{}{}", kind,
                    kind == "type" ? "'" : "", name, kind == "type" ? "'" : "",
                    kind == "type" ? "'" : "", definition->name.text(), kind == "type" ? "'" : ""));
  }
  if (program.body != definition) {
    fail_content(path,
                 fmt::format("contains additional logic - can only contain the {} {}{}{}", kind,
                             kind == "type" ? "'" : "", name, kind == "type" ? "'" : ""));
  }
  return *definition;
}

const Function* Loader::load_language_function(Name name) {
  const auto [module, path, is_possible] = own_file(environment_, "functions", name.text());
  if (!is_possible) return nullptr;
  if (!environment_.has_file(module, path)) return nullptr;
  const ParsedFilePointer file = environment_.parse(environment_.path_in(module, path));
  const ProgramPointer& program = checked_program(*file, environment_.problem_limits(), log_);
  const auto& definition = sole_definition<FunctionDefinition>(*program, "function", name.text());
  own_functions_.push_back(make_language_function(*evaluator_, program, definition));
  return own_functions_.back().get();
}

const Function* Loader::load_ruby_function(Name name, const Place& place) {
  // Observers are notified of every file, so the cache is not used for them.
  const bool is_kept = ReadObserver::current() == nullptr;
  if (is_kept) {
    if (const Function* native = environment_.kept_function(name)) return native;
  }
  const std::string path = whole_path(name.text()) + ".rb";
  if (const Function* function = load_ruby_function_of(nullptr, name, path, place)) return function;
  if (environment_.is_function_shared(path)) {
    report_untracked("functions of one name in several modules");
    own_functions_.push_back(std::make_unique<SharedFunction>(*this, name, path, place));
    return own_functions_.back().get();
  }
  for (const auto& [directory, interface] : kFunctionDirectories) {
    const std::string file = join_path(directory, path);
    const Module* const module = environment_.find_module_with(file);
    if (module == nullptr) continue;
    const Function* function = load_ruby_file(name, module, file, interface, place);
    const bool is_native = own_functions_.empty() || own_functions_.back().get() != function;
    if (is_kept && is_native) environment_.keep_function(name, function);
    return function;
  }
  return nullptr;
}

const Function* Loader::load_ruby_function_of(const Module* module, Name name,
                                              const std::string& path, const Place& place) {
  for (const auto& [directory, interface] : kFunctionDirectories) {
    const std::string file = join_path(directory, path);
    if (!environment_.has_file(module, file)) continue;
    if (interface != RubyInterface::kLegacy || module == nullptr) {
      return load_ruby_file(name, module, file, interface, place);
    }
    // Functions of the older interface are known by name only, so the first one is kept.
    const Function*& older = older_functions_[name];
    if (older == nullptr) older = load_ruby_file(name, module, file, interface, place);
    return older;
  }
  return nullptr;
}

const Function* Loader::load_ruby_file(Name name, const Module* module, const std::string& file,
                                       RubyInterface interface, const Place& place) {
  const std::string source = environment_.path_in(module, file);
  if (module != nullptr) {
    const Function* native = module->name.text() == "stdlib" ? find_stdlib_function(name, source)
                                                             : find_module_function(name, source);
    if (native != nullptr) return native;
  }
  own_functions_.push_back(make_module_function(*evaluator_, name, source, interface, place));
  return own_functions_.back().get();
}

const Function& Loader::shared_function(Name name, const std::string& path, const Place& place,
                                        std::optional<std::string_view> caller) {
  std::map<const Module*, const Function*>& known = shared_functions_[name];
  if (!caller && place.program != nullptr) caller = place.program->path();
  const Module* from = caller ? environment_.module_of(*caller) : nullptr;
  for (const Module* module : environment_.visible_modules(from)) {
    if (const auto found = known.find(module); found != known.end()) return *found->second;
    if (const Function* function = load_ruby_function_of(module, name, path, place)) {
      known[module] = function;
      return *function;
    }
  }
  throw EvaluationError(
      make_diagnostic(Issue::kUnknownFunctionCalled, Range{}, {std::string(name.text())}));
}

std::vector<std::string> Loader::function_names() {
  std::vector<std::string> names = names_in_modules(environment_, NameKind::kFunction);
  for (const NativeFunctionInfo* function : builtin_functions()) {
    names.emplace_back(function->name);
  }
  for (const auto& [name, function] : functions_) {
    if (function != nullptr) names.emplace_back(name.text());
  }
  return names;
}

// --- data types ---------------------------------------------------------------------------------

const Type* Loader::find_type(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const std::string lower = downcase(name);
  const Name key(lower);
  if (const auto found = types_.find(key); found != types_.end()) {
    resolve_declared_type(arena_, found->second, this);
    return found->second;
  }
  const Type* type = find_resource_type(lower);
  if (type == nullptr) type = load_type(lower);
  if (type == nullptr) type = find_in_type_sets(lower);
  // A missing type is not cached, because a manifest that is loaded later may define it.
  if (type != nullptr) types_[key] = type;
  if (type != nullptr) resolve_declared_type(arena_, type, this);
  return type;
}

std::vector<std::string> Loader::type_names() {
  std::vector<std::string> names;
  for (const NameKind kind : {NameKind::kDataType, NameKind::kResourceType}) {
    for (const std::string& name : names_in_modules(environment_, kind)) {
      names.push_back(capitalized_segments(name));
    }
  }
  for (const auto& [name, type] : types_) names.push_back(capitalized_segments(name.text()));
  return names;
}

const Type* Loader::load_type(std::string_view lower_case_name) {
  if (!has_own_types_) {
    const Type* shared = environment_.shared_types().find_alias(lower_case_name);
    if (shared != nullptr) return shared;
  }
  const auto [module, path, is_possible] = own_file(environment_, "types", lower_case_name);
  if (!is_possible) return nullptr;
  const std::string ruby = ruby_type_file(lower_case_name);
  if (module != nullptr && environment_.has_file(module, ruby)) {
    return load_ruby_type(lower_case_name, environment_.path_in(module, ruby));
  }
  if (module == nullptr) {
    if (const Type* set = load_module_type_set(lower_case_name)) return set;
  }
  if (!environment_.has_file(module, path)) return nullptr;
  const ParsedFilePointer file = environment_.parse(environment_.path_in(module, path));
  const ProgramPointer& program = checked_program(*file, environment_.problem_limits(), log_);
  return make_type(program, sole_definition<TypeAlias>(*program, "type", lower_case_name));
}

// Loads a type set that has the name of a module.
const Type* Loader::load_module_type_set(std::string_view lower_case_name) {
  constexpr std::string_view kFile = "types/init_typeset.pp";
  const Module* module = environment_.find_module(lower_case_name);
  if (module == nullptr || !environment_.has_file(module, kFile)) return nullptr;
  const ParsedFilePointer file = environment_.parse(environment_.path_in(module, kFile));
  const ProgramPointer& program = checked_program(*file, environment_.problem_limits(), log_);
  const auto& definition = sole_definition<TypeAlias>(*program, "type", lower_case_name);
  const Type* type = make_type(program, definition);
  if (type->kind != TypeKind::kTypeSet) {
    fail_content(program->path(),
                 fmt::format("does not define the TypeSet '{}'", capitalize(lower_case_name)));
  }
  return type;
}

const Type* Loader::load_ruby_type(std::string_view lower_case_name, const std::string& file) {
  const std::string subject = fmt::format("The data type '{}'", lower_case_name);
  RubyHost* ruby = evaluator_ != nullptr ? evaluator_->host().ruby : nullptr;
  if (ruby == nullptr) {
    throw EvaluationError(
        make_diagnostic(Issue::kRubyUnavailable, Range{},
                        {subject, fmt::format(" ({})", file), "there is none here"}));
  }
  const Value arguments[] = {Value::string(lower_case_name), Value::string(file)};
  RubyRequest request;
  request.method = "data_types.describe";
  request.arguments = arguments;
  request.subject = subject;
  request.file = file;
  const HashObject& answer = ruby->call(request).as_hash();
  // The same definition in code of the language.
  const std::string code =
      fmt::format("type {} = Object[{{ {} }}]", answer.find("name")->as_string(),
                  answer.find("interface")->as_string());
  DiagnosticList mistakes;
  const ProgramPointer program =
      parse(std::make_shared<const SourceFile>(file, code), ParseOptions(), mistakes);
  if (mistakes.has_errors()) throw EvaluationError(mistakes.all.front());
  RubyTypeCode& known = ruby_types_[std::string(lower_case_name)];
  known.file = file;
  for (const Value method : answer.find("methods")->as_array()) {
    known.methods.emplace_back(method.as_string());
  }
  return make_type(program, sole_definition<TypeAlias>(*program, "type", lower_case_name));
}

const RubyTypeCode* Loader::ruby_code_of(std::string_view type_name) {
  if (ruby_types_.empty()) return nullptr;
  const auto found = ruby_types_.find(downcase(type_name));
  return found == ruby_types_.end() ? nullptr : &found->second;
}

const Type* Loader::shared_type(const ProgramPointer& program, const Expression& expression) {
  // Types in code that was made at run time belong to the compilation.
  const bool is_file = program->path().starts_with('/');
  return has_own_types_ || !is_file ? nullptr
                                    : environment_.shared_types().find(program, expression);
}

void Loader::add_definition(const ProgramPointer& program, const TypeAlias& definition) {
  has_own_types_ = true;
  make_type(program, definition);
}

// The type is only declared here, because it may refer to itself and to later types. It is resolved
// when it is first used.
const Type* Loader::make_type(const ProgramPointer& program, const TypeAlias& definition) {
  programs_.push_back(program);
  const Type* type = declare_type(arena_, *program, definition);
  types_[Name(downcase(definition.name.text()))] = type;
  return type;
}

const Type* Loader::find_in_type_sets(std::string_view lower_case_name) {
  for (size_t at = lower_case_name.rfind("::"); at != std::string_view::npos && at > 0;
       at = lower_case_name.rfind("::", at - 1)) {
    const std::string_view prefix = lower_case_name.substr(0, at);
    const auto known = types_.find(Name(prefix));
    const Type* around = known != types_.end() ? known->second : load_type(prefix);
    const auto* set = around != nullptr ? around->try_as<TypeSetType>() : nullptr;
    if (set == nullptr) continue;
    resolve_declared_type(arena_, set, this);
    if (const Type* found = find_in_type_set(*set, lower_case_name.substr(at + 2))) return found;
  }
  return nullptr;
}

const Type* Loader::find_resource_type(std::string_view lower_case_name) {
  CatalogHost* const catalog = evaluator_ != nullptr ? evaluator_->host().catalog : nullptr;
  if (catalog == nullptr || !catalog->is_resource_type(Name(lower_case_name), Place{})) {
    return nullptr;
  }
  std::string shown;
  std::string_view rest = lower_case_name;
  for (size_t at; (at = rest.find("::")) != std::string_view::npos; rest.remove_prefix(at + 2)) {
    shown.append(capitalize(rest.substr(0, at))).append("::");
  }
  return types::resource(arena_, shown.append(capitalize(rest)));
}

// --- files --------------------------------------------------------------------------------------

std::optional<std::string> Loader::find_file(std::string_view kind, std::string_view name) {
  std::string key(kind);
  key.append("/").append(name);
  if (const auto known = found_files_.find(key); known != found_files_.end()) return known->second;
  std::optional<std::string> path = environment_.find_file(kind, name);
  if (path) found_files_.emplace(std::move(key), *path);
  return path;
}

std::optional<std::string> Loader::module_directory(std::string_view module) {
  const Module* found = environment_.find_module(module);
  return found == nullptr ? std::nullopt : std::optional(found->path);
}

std::string_view Loader::module_data_provider(std::string_view module) {
  const Module* found = environment_.find_module(module);
  return found == nullptr ? std::string_view() : found->data_provider;
}

std::vector<std::string> Loader::module_directories() {
  std::vector<std::string> directories;
  for (const Module& module : environment_.modules()) directories.push_back(module.path);
  return directories;
}

const FileText& Loader::file(const std::string& path) {
  std::shared_ptr<const FileText>& text = files_[path];
  if (text == nullptr) text = read_shared_file(path);
  return *text;
}

std::string_view Loader::read(std::string_view path) {
  return file(std::string(path)).text();
}

std::optional<ModuleHost::FoundFile> Loader::read_file(std::string_view kind,
                                                       std::string_view name) {
  // Observers of reads are notified of the test for existence first.
  std::optional<std::string> path = ReadObserver::current() != nullptr
                                        ? find_file(kind, name)
                                        : environment_.path_of_file(kind, name);
  if (!path) return std::nullopt;
  try {
    const std::string_view contents = file(*path).text();
    return FoundFile{std::move(*path), contents};
  } catch (const EvaluationError&) {
    if (!exists(*path)) return std::nullopt;
    throw;
  }
}

std::string Loader::digest(const std::string& path) {
  return file(path).digest();
}

ProgramPointer Loader::parse_template(std::string_view path) {
  const ParsedFilePointer file = environment_.parse(std::string(path), SourceForm::kTemplate);
  return checked_program(*file, environment_.problem_limits(), log_);
}

ProgramPointer Loader::parse_template_text(std::string_view name, std::string_view text) {
  auto source = std::make_shared<const SourceFile>(std::string(name), std::string(text));
  const ParsedFilePointer file = environment_.parse_text(std::move(source), SourceForm::kTemplate);
  return checked_program(*file, environment_.problem_limits(), log_);
}

}  // namespace bunraku

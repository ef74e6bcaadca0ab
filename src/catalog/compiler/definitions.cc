#include "catalog/compiler/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostics/log.h"
#include "base/regex/regex.h"
#include "base/text/replacement.h"
#include "base/text/utf8.h"
#include "catalog/compiler/catalog.h"
#include "catalog/compiler/errors.h"
#include "site/environment/checked_program.h"
#include "site/environment/module_names.h"
#include "types/built_in_types.h"
#include "types/interpretation.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/type.h"

namespace bunraku {
namespace {

std::string context_of(const Definition& definition) {
  const std::string location = location_text(definition.place);
  return location.empty() ? std::string() : " " + location;
}

bool is_nop(const Expression* expression) {
  return expression == nullptr || expression->kind == NodeKind::kNop;
}

// The text for an operator within a group with a question mark, such as a look-around.
std::string_view group_letters(char c) {
  switch (c) {
    case '(':
      return "LP";
    case '?':
      return "QU";
    case '<':
      return "LT";
    case '>':
      return "GT";
    case '!':
      return "EX";
    case '=':
      return "EQ";
    case ')':
      return "RP";
    default:
      return {};
  }
}

// The reference's name for a node with a regular expression.
std::string mangled_pattern(std::string_view source) {
  const std::string lower = downcase(source);
  std::string kept;
  size_t group_end = 0;
  for (size_t at = 0; at < lower.size(); ++at) {
    const char c = lower[at];
    if (at >= group_end && lower.compare(at, 2, "(?") == 0) {
      const size_t close = lower.find(')', at);
      group_end = close == std::string::npos ? 0 : close + 1;
    }
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                      c == ':' || c == '.';
    if (fits) {
      kept.push_back(c);
    } else if (at < group_end) {
      kept += group_letters(c);
    }
  }
  return "__node_regexp__" + kept.substr(std::min(kept.find_first_not_of('.'), kept.size()));
}

}  // namespace

Definitions::Definitions(const Environment& environment, Loader& loader, Evaluator& evaluator)
    : environment_(environment), loader_(loader), evaluator_(evaluator) {
  all_.push_back(std::make_unique<Definition>());
  main_ = all_.back().get();
  main_->kind = Definition::Kind::kClass;
  main_->name = Name("");
  main_->module_name = Name("");
  classes_[main_->name] = main_;
}

void Definitions::load_initial_manifests(const ParsedFilePointer& code) {
  const std::vector<ParsedFilePointer> files =
      code != nullptr ? std::vector{code} : environment_.initial_manifests();
  for (const ParsedFilePointer& file : files) {
    const ProgramPointer& program =
        checked_program(*file, environment_.problem_limits(), evaluator_.host().log, true);
    add_program(program, Name(""));
    main_->bodies.push_back({program, program->body});
  }
}

Definition& Definitions::add_internal_class(Name name) {
  if (const auto found = classes_.find(name); found != classes_.end()) return *found->second;
  all_.push_back(std::make_unique<Definition>());
  Definition& definition = *all_.back();
  definition.kind = Definition::Kind::kClass;
  definition.name = name;
  classes_[name] = &definition;
  return definition;
}

std::vector<std::string> Definitions::names(Definition::Kind kind) const {
  std::vector<std::string> names = names_in_modules(environment_, NameKind::kClass);
  for (const auto& [name, definition] : table(kind)) {
    if (definition != nullptr && definition != main_) names.emplace_back(name.text());
  }
  return names;
}

Definition* Definitions::find(Name name, Definition::Kind kind) {
  const Table& known = table(kind);
  if (const auto found = known.find(name); found != known.end()) return found->second;
  if (name.empty()) return nullptr;
  load_candidates(name, kind);
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second;
}

// The longest path is first: a::b::c may be in a/manifests/b/c.pp, b.pp or init.pp; a module's
// init.pp is always loaded before its other files.
void Definitions::load_candidates(Name name, Definition::Kind kind) {
  const std::string_view text = name.text();
  const size_t module_end = text.find("::");
  const Module* module = environment_.find_module(text.substr(0, module_end));
  if (module == nullptr) return;
  const Table& known = table(kind);
  std::string path;
  if (module_end != std::string_view::npos) path = replaced(text.substr(module_end + 2), "::", "/");
  for (;;) {
    const std::string own = path.empty() ? std::string() : fmt::format("manifests/{}.pp", path);
    const bool is_spared = spares_main_files_ && !own.empty() && environment_.has_file(module, own);
    if (!is_spared) load_file(*module, "manifests/init.pp");
    if (!own.empty()) load_file(*module, own);
    if (path.empty() || known.contains(name)) return;
    const size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
}

bool Definitions::load_file(const Module& module, std::string_view relative_path) {
  if (!environment_.has_file(&module, relative_path)) return false;
  const std::string path = environment_.path_in(&module, relative_path);
  if (!loaded_files_.insert(path).second) return false;
  const ParsedFilePointer file = environment_.parse(path);
  add_program(checked_program(*file, environment_.problem_limits(), evaluator_.host().log),
              module.name);
  return true;
}

void Definitions::add_program(const ProgramPointer& program, Name module_name) {
  for (const Expression* definition : program->definitions) {
    add(program, *definition, module_name);
  }
}

Definition& Definitions::make(Definition::Kind kind, Name name, const ProgramPointer& program,
                              const Expression& expression, const Expression* body,
                              Name module_name) {
  all_.push_back(std::make_unique<Definition>());
  Definition& definition = *all_.back();
  definition.kind = kind;
  definition.name = name;
  definition.module_name = module_name;
  definition.place = {program.get(), &expression};
  definition.bodies.push_back({program, is_nop(body) ? nullptr : body});
  return definition;
}

void Definitions::add(const ProgramPointer& program, const Expression& expression,
                      Name module_name) {
  switch (expression.kind) {
    case NodeKind::kHostClassDefinition: {
      const auto& source = expression.as<HostClassDefinition>();
      Definition& definition = make(Definition::Kind::kClass, Name(downcase(source.name.text())),
                                    program, expression, source.body, module_name);
      if (!source.parent.empty()) {
        std::string_view parent = source.parent.text();
        if (parent.starts_with("::")) parent.remove_prefix(2);
        definition.parent_name = Name(downcase(parent));
      }
      set_parameters(definition, source.parameters);
      check_is_new(definition);
      classes_[definition.name] = &definition;
      break;
    }
    case NodeKind::kResourceTypeDefinition: {
      const auto& source = expression.as<ResourceTypeDefinition>();
      check_entity_is_new("type", source.name, *program, program->position(expression));
      Definition& definition = make(Definition::Kind::kDefine, Name(downcase(source.name.text())),
                                    program, expression, source.body, module_name);
      set_parameters(definition, source.parameters);
      check_is_new(definition);
      defines_[definition.name] = &definition;
      break;
    }
    case NodeKind::kNodeDefinition:
      add_node(program, expression.as<NodeDefinition>(), module_name);
      break;
    case NodeKind::kFunctionDefinition:
      check_entity_is_new("function", expression.as<FunctionDefinition>().name, *program,
                          program->position(expression));
      loader_.add_definition(program, expression.as<FunctionDefinition>());
      break;
    case NodeKind::kTypeAlias:
      check_is_no_builtin_type(expression.as<TypeAlias>().name);
      check_entity_is_new("type", expression.as<TypeAlias>().name, *program,
                          program->position(expression));
      loader_.add_definition(program, expression.as<TypeAlias>());
      break;
    case NodeKind::kTypeMapping:
      check_mapped_type(program, expression.as<TypeMapping>());
      break;
    case NodeKind::kPlanDefinition:
      // Plans are never run by a catalog.
      check_entity_is_new("plan", expression.as<PlanDefinition>().name, *program,
                          program->position(expression));
      break;
    default:
      throw EvaluationError(make_diagnostic(Issue::kNotSupportedYet, program->range(expression),
                                            {std::string(name_of(expression.kind))}));
  }
}

void Definitions::add_node(const ProgramPointer& program, const NodeDefinition& source,
                           Name module_name) {
  for (const Expression* match : source.host_matches) {
    std::string name;
    const Regex* pattern = nullptr;
    if (const auto* regex = match->try_as<LiteralRegularExpression>()) {
      pattern = Regex::compile(regex->pattern);
      name = mangled_pattern(regex->pattern);
    } else if (const auto* text = match->try_as<LiteralString>()) {
      name = downcase(text->value);
    } else if (const auto* qualified = match->try_as<QualifiedName>()) {
      name = downcase(qualified->name.text());
    } else if (match->kind == NodeKind::kLiteralDefault) {
      name = "default";
    } else if (const auto* number = match->try_as<LiteralInteger>()) {
      name = std::to_string(number->value);
    } else {
      throw EvaluationError(make_diagnostic(Issue::kNotSupportedYet, program->range(*match),
                                            {"A node name of this kind"}));
    }
    Definition& definition =
        make(Definition::Kind::kNode, Name(name), program, source, source.body, module_name);
    definition.pattern = pattern;
    check_is_new(definition);
    if (pattern != nullptr) pattern_nodes_.push_back(&definition);
    nodes_[definition.name] = &definition;
  }
}

// Parameter types are evaluated when the file is loaded, in the top scope.
void Definitions::set_parameters(Definition& definition, ParameterList parameters) {
  definition.parameters = parameters;
  definition.parameter_index.extend(evaluator_.arena(), parameters.size(),
                                    [&](size_t i) { return parameters[i]->name; });
  if (parameters.empty()) return;
  const Type** types = evaluator_.arena().make_array<const Type*>(parameters.size());
  const ProgramPointer& program = definition.bodies.front().program;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Expression* type = parameters[i]->type;
    types[i] = nullptr;
    if (type == nullptr) continue;
    // Files of modules are parsed once for all compilations, so their types are shared.
    if (!definition.module_name.empty()) types[i] = loader_.shared_type(program, *type);
    if (types[i] == nullptr) {
      types[i] = evaluator_.evaluate_type(*program, *type, evaluator_.top_scope());
    }
  }
  definition.parameter_types = {types, parameters.size()};
  check_metaparameters(definition);
}

void Definitions::check_metaparameters(const Definition& definition) {
  LogSink* const log = evaluator_.host().log;
  for (const Parameter* parameter : definition.parameters) {
    if (!is_metaparameter(parameter->name)) continue;
    if (parameter->value == nullptr) {
      fail(Issue::kMetaparameterDeclared,
           {std::string(parameter->name.text()), std::string(definition.name.text())});
    }
    if (log == nullptr) continue;
    LogRecord record;
    record.level = LogLevel::kWarning;
    record.message = fmt::format(
        "{} is a metaparam; this value will inherit to all contained resources in the {} "
        "definition",
        parameter->name.text(), definition.name.text());
    log->log(record);
  }
}

namespace {

// Built-in types, by the text for their origin in messages.
std::string_view builtin_origin(std::string_view lower_case_name) {
  constexpr std::string_view kUnknown = "Set at unknown location";
  constexpr std::string_view kResourceTypes[] = {
      "component", "exec",     "file",    "filebucket", "group", "node", "notify", "package",
      "resources", "schedule", "service", "stage",      "tidy",  "user", "whit"};
  if (std::ranges::find(kResourceTypes, lower_case_name) != std::end(kResourceTypes)) {
    return kUnknown;
  }
  const Type* type = types::find_builtin(lower_case_name);
  if (type == nullptr) return {};
  const bool is_named = type->kind == TypeKind::kTypeAlias || type->kind == TypeKind::kObject ||
                        lower_case_name == "data" || lower_case_name == "richdata";
  return is_named && lower_case_name != "object"
             ? kUnknown
             : "Originally set by Puppet-Type-System/Static-Loader.";
}

}  // namespace

void Definitions::check_is_no_builtin_type(Name name) {
  const std::string lower = downcase(name.text());
  const std::string_view origin = builtin_origin(lower);
  if (origin.empty()) return;
  fail(Issue::kDuplicateDefinition,
       {fmt::format("Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{}'. {}",
                    lower, origin)});
}

// Catalogs do not use mappings of types to classes of Ruby, but both sides must be valid.
void Definitions::check_mapped_type(const ProgramPointer& program, const TypeMapping& mapping) {
  TypeInterpreter interpreter(evaluator_.arena(), *program, &loader_);
  const Type* type = interpreter.type(*mapping.type_expression);
  const Value mapped = interpreter.value(*mapping.mapping);
  const auto& runtime = type->as<RuntimeType>();
  if (runtime.runtime != "ruby") {
    fail(Issue::kInvalidTypeMapping,
         {fmt::format("First argument of type mapping is incorrect, expects a Runtime[ruby, undef] "
                      "value, got {}",
                      to_text(type))});
  }
  const Type* wanted = types::kType;
  const Type* pattern_and_text[] = {types::kRegexp, types::kNonEmptyString};
  if (runtime.is_mapping) wanted = types::tuple(evaluator_.arena(), pattern_and_text);
  assert_instance_of("Second argument of type mapping", wanted, mapped);
}

void Definitions::check_entity_is_new(std::string_view space, Name name, const Program& program,
                                      Position at) {
  const std::string entity = fmt::format("{}/{}", space, downcase(name.text()));
  const std::string place = fmt::format(
      "{}?line={}&pos={}", program.path().empty() ? "string:" : "file:" + program.path(), at.line,
      at.column);
  const auto [known, is_new] = entities_.try_emplace(entity, place);
  if (is_new) return;
  fail(Issue::kDuplicateDefinition,
       {fmt::format("Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{}'. Originally "
                    "set at {}.",
                    entity, known->second)});
}

void Definitions::check_is_new(const Definition& definition) {
  const auto existing = [&](const Table& known) -> const Definition* {
    const auto found = known.find(definition.name);
    return found == known.end() ? nullptr : found->second;
  };
  const std::string_view name = definition.name.text();
  const Definition* known_class = existing(classes_);
  const Definition* known_define = existing(defines_);
  const Definition* known_node = existing(nodes_);
  std::string message;
  if (definition.is_class()) {
    if (known_class != nullptr) {
      message = fmt::format("Class '{}' is already defined{}; cannot redefine", name,
                            context_of(*known_class));
    } else if (known_node != nullptr) {
      message = fmt::format("Node '{}' is already defined{}; cannot be redefined as a class", name,
                            context_of(*known_node));
    } else if (known_define != nullptr) {
      message = fmt::format("Definition '{}' is already defined{}; cannot be redefined as a class",
                            name, context_of(*known_define));
    }
  } else if (definition.is_node()) {
    if (known_node != nullptr) {
      message = fmt::format("Node '{}' is already defined{}; cannot redefine", name,
                            context_of(*known_node));
    } else if (known_class != nullptr) {
      message = fmt::format("Class '{}' is already defined{}; cannot be redefined as a node", name,
                            context_of(*known_class));
    }
  } else if (known_class != nullptr) {
    message = fmt::format("'{}' is already defined{} as a class; cannot redefine as a definition",
                          name, context_of(*known_class));
  } else if (known_define != nullptr) {
    message = fmt::format("Definition '{}' is already defined{}; cannot be redefined", name,
                          context_of(*known_define));
  }
  if (message.empty()) return;
  Diagnostic diagnostic =
      make_diagnostic(Issue::kDuplicateDefinition, Range{}, {std::move(message)});
  for (const Definition* known : {known_class, known_node, known_define}) {
    if (known == nullptr || known->place.program == nullptr) continue;
    diagnostic.labels.push_back({known->place.range(), "first defined here"});
  }
  fail_at(std::move(diagnostic), definition.place);
}

Definition* Definitions::find_node(std::string_view name) {
  const std::string lower = downcase(name);
  if (const auto found = nodes_.find(Name::find(lower)); found != nodes_.end()) {
    return found->second;
  }
  for (Definition* node : pattern_nodes_) {
    try {
      if (node->pattern->matches(lower)) return node;
    } catch (const RegexError& error) {
      fail_at(Issue::kInvalidPattern, {error.what()}, node->place);
    }
  }
  return nullptr;
}

Definition* Definitions::parent_of(Definition& definition) {
  if (definition.parent != nullptr || !definition.parent_name) return definition.parent;
  definition.parent = find_class(definition.parent_name);
  if (definition.parent == nullptr) {
    fail_at(Issue::kUnknownParentClass,
            {std::string(definition.parent_name.text()), environment_.name()}, definition.place);
  }
  for (const Definition* above = definition.parent; above != nullptr; above = above->parent) {
    if (above != &definition) continue;
    fail_at(Issue::kInheritsFromItself, {std::string(definition.name.text())}, definition.place);
  }
  return definition.parent;
}

}  // namespace bunraku

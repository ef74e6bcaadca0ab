// The rules for definitions: names, parameters and positions.
#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "syntax/characters.h"
#include "syntax/children.h"
#include "syntax/label.h"
#include "validation/checker.h"
#include "validation/literal_key.h"
#include "validation/names.h"

namespace bunraku {
namespace {

std::string down_cased(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lowered;
}

bool is_built_in_type(std::string_view name) {
  static constexpr std::array<std::string_view, 28> kNames = {
      "any",      "array",     "boolean", "collection",  "enum",      "float",   "hash",
      "init",     "integer",   "numeric", "object",      "optional",  "pattern", "regexp",
      "runtime",  "scalar",    "semver",  "semverrange", "sensitive", "string",  "struct",
      "timespan", "timestamp", "tuple",   "type",        "typeset",   "unit",    "variant"};
  return std::ranges::binary_search(kNames, name);
}

bool is_pattern_with_replacement(const Expression& expression) {
  const auto* list = expression.try_as<LiteralList>();
  return list != nullptr && list->values.size() == 2 &&
         list->values[0]->kind == NodeKind::kLiteralRegularExpression &&
         list->values[1]->kind == NodeKind::kLiteralString;
}

const Expression& without_keys(const Expression& type) {
  const auto* access = type.try_as<AccessExpression>();
  return access != nullptr ? *access->left : type;
}

}  // namespace

// Definitions are allowed at the top or in class bodies; functions and types only at the top.
void Checker::check_is_top(const Expression& definition) {
  const bool is_global_only = definition.kind == NodeKind::kFunctionDefinition ||
                              definition.kind == NodeKind::kPlanDefinition ||
                              definition.kind == NodeKind::kTypeAlias ||
                              definition.kind == NodeKind::kTypeDefinition;
  for (size_t steps = 1;; ++steps) {
    const Expression* around = above(steps);
    if (around == nullptr) return;
    switch (around->kind) {
      case NodeKind::kApplyExpression:
      case NodeKind::kHostClassDefinition:
        return;
      case NodeKind::kBlockExpression:
        if (above(steps + 1) != nullptr && is_global_only) {
          return report(Issue::kNotAbsoluteTopLevel, definition,
                        {with_upper_case_article(label(definition))});
        }
        break;
      default:
        return report(Issue::kNotTopLevel, definition);
    }
  }
}

// Suggests a correct name where the error is in capital letters or hyphens.
void Checker::report_name(const Expression& definition, std::string_view name) {
  Diagnostic diagnostic = make(Issue::kIllegalDefinitionName, definition.location,
                               {std::string(name), with_article(label(definition))});
  std::string better = down_cased(name);
  std::ranges::replace(better, '-', '_');
  const std::string_view text = program_.source()->text();
  const size_t at = text.find(name, definition.location.offset);
  if (is_definition_name(better) && at != std::string_view::npos) {
    Location place{static_cast<uint32_t>(at), static_cast<uint32_t>(name.size())};
    diagnostic.fixes.push_back({{program_.source(), place}, better, "call it `" + better + "`"});
  }
  deliver(std::move(diagnostic));
}

void Checker::check_definition_name(const Expression& definition, Name name) {
  check_is_top(definition);
  const std::string_view text = name.text();
  if (!is_definition_name(text)) {
    report_name(definition, text);
  }
  check_file_location(definition, name);
  if (is_built_in_type(text)) {
    report(Issue::kReservedTypeName, definition,
           {std::string(text), with_article(label(definition))});
  }
  check_future_reserved_word(definition, name);
}

void Checker::check_file_location(const Expression& definition, Name name) {
  const ModuleLocation& location = settings_.location;
  if (location.kind == ModuleLocation::Kind::kOutside) return;
  if (location.kind == ModuleLocation::Kind::kInModule &&
      down_cased(name.text()).starts_with(location.name_space)) {
    return;
  }
  report(Issue::kIllegalDefinitionLocation, definition,
         {std::string(name.text()), program_.path()});
}

void Checker::check_top_constructs() {
  if (settings_.location.kind == ModuleLocation::Kind::kOutside) return;
  auto check_one = [this](const Expression& construct) {
    switch (construct.kind) {
      case NodeKind::kNop:
      case NodeKind::kHostClassDefinition:
      case NodeKind::kResourceTypeDefinition:
      case NodeKind::kFunctionDefinition:
      case NodeKind::kPlanDefinition:
      case NodeKind::kTypeAlias:
      case NodeKind::kTypeMapping:
      case NodeKind::kTypeDefinition:
        return;
      default:
        report(Issue::kIllegalTopConstructLocation, construct, {label(construct)});
    }
  };
  if (const auto* block = program_.body->try_as<BlockExpression>()) {
    for (const Expression* statement : block->statements) check_one(*statement);
  } else {
    check_one(*program_.body);
  }
}

void Checker::check_future_reserved_word(const Expression& at, Name name) {
  static const Name kPlan("plan");
  if (name == kPlan) report(Issue::kFutureReservedWord, at, {"plan"});
}

void Checker::check_type_reference(const Expression& owner, const Expression& type) {
  const auto* reference = without_keys(type).try_as<QualifiedReference>();
  if (reference != nullptr) return check_future_reserved_word(type, reference->name);
  report(Issue::kIllegalExpression, type,
         {with_upper_case_article(label(type)), "a type reference", with_article(label(owner))});
}

void Checker::check_last_statement(const Expression* body, const Expression& definition) {
  // A missing body has no effect either, but is not an error.
  if (body == nullptr) return;
  const Expression* last = body;
  if (const auto* block = body->try_as<BlockExpression>()) last = block->statements.back();
  if (!is_idempotent(*last)) return;
  if (!settings_.tasks && is_resource_without_title(*last)) return;
  report(Issue::kIdemNotAllowedLast, *last,
         {label(*last), with_upper_case_article(label(definition))});
}

// --- parameters ----------------------------------------------------------------------------------

void Checker::check_no_rest(ParameterList parameters, const Expression& owner) {
  for (const Parameter* parameter : parameters) {
    if (!parameter->captures_rest) continue;
    report(Issue::kCapturesRestNotSupported, *parameter,
           {std::string(parameter->name.text()), with_article(label(owner))});
  }
}

void Checker::check_unique_names(ParameterList parameters) {
  // Most lists are short; only for long ones a table is faster.
  constexpr size_t kShort = 32;
  std::unordered_map<Name, const Parameter*> seen;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter* parameter = parameters[i];
    const Parameter* first = nullptr;
    if (parameters.size() <= kShort) {
      auto before = parameters.first(i);
      auto found = std::ranges::find_if(before, [parameter](const Parameter* earlier) {
        return earlier->name == parameter->name;
      });
      if (found != before.end()) first = *found;
    } else {
      auto [found, is_new] = seen.emplace(parameter->name, parameter);
      if (!is_new) first = found->second;
    }
    if (first == nullptr) continue;
    Diagnostic diagnostic = make(Issue::kDuplicateParameter, parameter->location,
                                 {std::string(parameter->name.text())});
    diagnostic.labels.push_back({{program_.source(), first->location}, "declared here first"});
    deliver(std::move(diagnostic));
  }
}

void Checker::check_reserved_names(ParameterList parameters, const Expression& owner) {
  static const Name kName("name");
  static const Name kTitle("title");
  for (const Parameter* parameter : parameters) {
    if (parameter->name != kName && parameter->name != kTitle) continue;
    report(Issue::kReservedParameter, *parameter,
           {std::string(parameter->name.text()), label(owner)});
  }
}

void Checker::check_literal_types(ParameterList parameters) {
  for (const Parameter* parameter : parameters) {
    if (parameter->type == nullptr || is_literal(*parameter->type)) continue;
    report(Issue::kNonliteralParameterType, *parameter,
           {std::string(parameter->name.text()), "a Puppet::Pops::Model::AccessExpression"});
  }
}

void Checker::check_parameter(const Parameter& parameter) {
  if (!parameter.name.is_word()) {
    const std::string name(parameter.name.text());
    std::string_view digits = name;
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    if (!digits.empty() && std::ranges::all_of(digits, characters::is_digit)) {
      report(Issue::kIllegalNumericParameter, parameter, {name});
    }
    report(Issue::kIllegalParamName, parameter, {name});
  }
  if (parameter.value != nullptr) check_no_assignment(*parameter.value);
}

// Defaults must not contain assignments, except within lambdas.
void Checker::check_no_assignment(const Expression& expression) {
  if (expression.kind == NodeKind::kAssignmentExpression) {
    return report(Issue::kIllegalAssignmentContext, expression);
  }
  if (expression.kind == NodeKind::kLambdaExpression) return;
  for_each_child(expression, [this](const Expression& child) { check_no_assignment(child); });
}

void Checker::check_lambda(const LambdaExpression& lambda) {
  for (size_t i = 0; i + 1 < lambda.parameters.size(); ++i) {
    const Parameter& parameter = *lambda.parameters[i];
    if (!parameter.captures_rest) continue;
    report(Issue::kCapturesRestNotLast, parameter, {std::string(parameter.name.text())});
  }
  if (lambda.return_type != nullptr) check_type_reference(lambda, *lambda.return_type);
}

void Checker::check_epp(const EppExpression& epp) {
  const Expression* around = above(1);
  const auto* lambda = around != nullptr ? around->try_as<LambdaExpression>() : nullptr;
  if (lambda == nullptr) return;
  check_no_rest(lambda->parameters, epp);
  check_unique_names(lambda->parameters);
}

// --- definitions ---------------------------------------------------------------------------------

void Checker::check_class(const HostClassDefinition& definition) {
  check_definition_name(definition, definition.name);
  check_no_rest(definition.parameters, definition);
  check_unique_names(definition.parameters);
  check_reserved_names(definition.parameters, definition);
  check_literal_types(definition.parameters);
  check_last_statement(definition.body, definition);
}

void Checker::check_define(const ResourceTypeDefinition& definition) {
  check_definition_name(definition, definition.name);
  check_no_rest(definition.parameters, definition);
  check_unique_names(definition.parameters);
  check_reserved_names(definition.parameters, definition);
  check_last_statement(definition.body, definition);
}

template <typename Function>
void Checker::check_function(const Function& definition) {
  check_definition_name(definition, definition.name);
  if (definition.return_type != nullptr) {
    check_type_reference(definition, *definition.return_type);
  }
  check_unique_names(definition.parameters);
}
template void Checker::check_function(const FunctionDefinition& definition);
template void Checker::check_function(const PlanDefinition& definition);

void Checker::check_type_alias(const TypeAlias& alias) {
  check_is_top(alias);
  if (!is_type_alias_name(alias.name.text())) {
    report(Issue::kIllegalDefinitionName, alias,
           {std::string(alias.name.text()), with_article(label(alias))});
  }
  check_type_reference(alias, *alias.type_expression);
}

// `type Runtime[ruby, name] = Type` or `type Runtime[ruby, [/a/, 'b']] = [/c/, 'd']`.
void Checker::check_type_mapping(const TypeMapping& mapping) {
  static const Name kRuntime("Runtime");
  check_is_top(mapping);
  const auto* access = mapping.type_expression->try_as<AccessExpression>();
  const auto* left = access != nullptr ? access->left->try_as<QualifiedReference>() : nullptr;
  if (left == nullptr || left->cased != kRuntime) {
    return report(Issue::kUnsupportedExpression, mapping, {with_article(label(mapping))});
  }
  const bool is_pattern = access->keys.size() == 2 && is_pattern_with_replacement(*access->keys[1]);
  const Expression& right = *mapping.mapping;
  bool is_right;
  if (is_pattern_with_replacement(right)) {
    is_right = is_pattern;
  } else if (without_keys(right).kind == NodeKind::kQualifiedReference) {
    is_right = !is_pattern;
  } else {
    is_right = false;
  }
  if (is_right) return;
  report(is_pattern ? Issue::kIllegalRegexpTypeMapping : Issue::kIllegalSingleTypeMapping, mapping,
         {with_upper_case_article(label(mapping))});
}

// --- nodes ---------------------------------------------------------------------------------------

void Checker::check_node(const NodeDefinition& definition) {
  for (const Expression* host : definition.host_matches) check_host(*host, definition);
  check_is_top(definition);
  check_last_statement(definition.body, definition);
  if (definition.parent != nullptr) report(Issue::kIllegalNodeInheritance, *definition.parent);
}

void Checker::check_host_name(std::string_view name, const Expression& at) {
  const bool is_legal = std::ranges::all_of(
      name, [](char c) { return characters::is_word(c) || c == '-' || c == '.'; });
  if (!is_legal) report(Issue::kIllegalHostnameChars, at, {std::string(name)});
}

void Checker::check_host(const Expression& host, const NodeDefinition& definition) {
  switch (host.kind) {
    case NodeKind::kLiteralDefault:
    case NodeKind::kLiteralRegularExpression:
      return;
    case NodeKind::kLiteralString:
      return check_host_name(host.as<LiteralString>().value, host);
    case NodeKind::kConcatenatedString: {
      for (const Expression* segment : host.as<ConcatenatedString>().segments) {
        if (const auto* text = segment->try_as<TextExpression>()) {
          return report(Issue::kIllegalHostnameInterpolation, *text->expression);
        }
      }
      return;
    }
    default:
      return report(
          Issue::kIllegalExpression, host,
          {with_upper_case_article(label(host)), "hostname", with_article(label(definition))});
  }
}

}  // namespace bunraku

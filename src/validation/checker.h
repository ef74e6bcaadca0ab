// The traversal of a tree that applies every rule, shared by the files that implement the rules.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/tree.h"
#include "validation/validate.h"

namespace bunraku {

class Checker {
 public:
  Checker(const Program& program, const ValidationSettings& settings, DiagnosticSink& diagnostics)
      : program_(program), settings_(settings), diagnostics_(diagnostics) {
    path_.reserve(64);
  }

  void run();

 private:
  void walk(const Expression& node);
  void check(const Expression& node);
  // Returns the ancestor `steps` levels above the current node: its parent for 1. Null above the
  // root.
  const Expression* above(size_t steps) const {
    return steps <= path_.size() ? path_[path_.size() - steps] : nullptr;
  }
  Diagnostic make(Issue issue, Location at, std::vector<std::string> arguments) const;
  // Reports the first kMostMistakes errors, and as many warnings; then one message that there are
  // more.
  void deliver(Diagnostic diagnostic);
  void report(Issue issue, const Expression& at, std::vector<std::string> arguments = {});
  void report(Issue issue, Location at, std::vector<std::string> arguments = {});

  // --- checker.cc: expressions ---
  void check_assignment(const AssignmentExpression& assignment);
  void check_assignable(const Expression& target);
  void check_attribute(const AttributeOperation& operation);
  void check_block(const BlockExpression& block);
  void check_call(const CallNamedFunctionExpression& call);
  void check_case(const CaseExpression& expression);
  void check_selector(const SelectorExpression& selector);
  void check_collector(const CollectExpression& collector);
  void check_hash(const LiteralHash& hash);
  void check_integer(const LiteralInteger& integer);
  void check_resource(const ResourceExpression& resource);
  void check_resource_body(const ResourceBody& body);
  void check_variable(const VariableExpression& variable);
  void check_query(const Expression& query);
  void check_value(const Expression& expression);
  void check_relation(const Expression& operand);
  void check_catalog_form(const Expression& expression);
  bool is_within_apply() const;
  bool is_refused_in_tasks(const Expression& node);

  // --- definitions.cc ---
  void check_class(const HostClassDefinition& definition);
  void check_define(const ResourceTypeDefinition& definition);
  void check_node(const NodeDefinition& definition);
  void check_host(const Expression& host, const NodeDefinition& definition);
  void check_host_name(std::string_view name, const Expression& at);
  template <typename Function>
  void check_function(const Function& definition);
  void check_type_alias(const TypeAlias& alias);
  void check_type_mapping(const TypeMapping& mapping);
  void check_lambda(const LambdaExpression& lambda);
  void check_epp(const EppExpression& epp);
  void check_parameter(const Parameter& parameter);
  void check_is_top(const Expression& definition);
  void report_name(const Expression& definition, std::string_view name);
  void check_definition_name(const Expression& definition, Name name);
  void check_file_location(const Expression& definition, Name name);
  void check_top_constructs();
  void check_future_reserved_word(const Expression& at, Name name);
  void check_type_reference(const Expression& owner, const Expression& type);
  void check_last_statement(const Expression* body, const Expression& definition);
  void check_no_rest(ParameterList parameters, const Expression& owner);
  void check_unique_names(ParameterList parameters);
  void check_reserved_names(ParameterList parameters, const Expression& owner);
  void check_literal_types(ParameterList parameters);
  void check_no_assignment(const Expression& expression);

  // --- heredoc_syntax.cc ---
  void check_heredoc(const HeredocExpression& heredoc);

  const Program& program_;
  const ValidationSettings& settings_;
  DiagnosticSink& diagnostics_;
  size_t errors_ = 0;
  size_t warnings_ = 0;
  std::vector<const Expression*> path_;  // from the program's body down to the parent
};

// Returns whether an expression has no effects, so that it is useless where its value is not used.
bool is_idempotent(const Expression& expression);
// Returns whether this is `name { a => 1 }`, which the parser reads as two expressions.
bool is_resource_without_title(const Expression& expression);

}  // namespace bunraku

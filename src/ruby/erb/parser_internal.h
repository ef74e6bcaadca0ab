// The parser of scripts. Not for other rooms.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ruby/erb/lexer.h"
#include "ruby/erb/parser.h"
#include "ruby/erb/required_files.h"

namespace bunraku::erb {

// Returns whether Ruby, its libraries or Puppet define a method of this name for every template,
// which the interpreter does not support.
bool is_predefined_method(std::string_view name);

// The kind of code that a script is, which decides what `self` is in it.
enum class ScriptKind : uint8_t { kTemplate, kFunction, kLegacyFunction, kModule };

class Parser : private LocalNames {
 public:
  Parser(const Script& script, Arena& arena, ScriptKind kind = ScriptKind::kTemplate);
  ParsedScript parse();
  // `path` is that of the file. The files that it requires are added to `required`.
  ParsedFunction parse_function(const std::string& path, RequiredFiles& required);

 private:
  struct Local {
    std::string_view name;
    uint32_t slot;
  };
  // Counts levels of nesting, so that the depth of a tree is bounded.
  class DepthGuard {
   public:
    explicit DepthGuard(Parser& parser);
    ~DepthGuard() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  // --- tokens ---
  void advance() { token_ = lexer_.next(); }
  bool take_operator(std::string_view text);
  bool take_keyword(std::string_view text);
  void expect_operator(std::string_view text);
  void expect_keyword(std::string_view text);
  void skip_newlines();
  [[noreturn]] void fail_here();
  [[noreturn]] void fail(std::string construct);

  // --- names ---
  bool is_local(std::string_view name) const override;
  const Local* find_local(std::string_view name) const;
  uint32_t declare(std::string_view name);
  uint32_t instance_variable(std::string_view name);

  // --- statements (parser.cc) ---
  const Node* parse_statements(std::initializer_list<std::string_view> ends);
  const Node* parse_statement();
  const Node* parse_expression_statement();
  const Node* parse_not();
  const Node* parse_insert();
  bool at_multiple_assignment() const;
  const Node* parse_multiple_assignment();
  std::span<const Target> parse_targets(std::string_view end);
  Target parse_target();

  // --- operators (parser.cc) ---
  const Node* parse_argument_expression() { return parse_conditional(); }
  const Node* parse_conditional();
  const Node* parse_range();
  const Node* parse_or();
  const Node* parse_and();
  const Node* parse_equality();
  const Node* parse_binary(size_t level);
  const Node* parse_unary();
  const Node* parse_power();
  const Node* parse_assignment(const Node* target);
  const Node* update(const Node* target, std::string_view operation, const Node* value, int line);

  // --- primaries and calls (parser_primary.cc) ---
  const Node* parse_postfix();
  const Node* parse_primary();
  const Node* parse_identifier();
  const Node* parse_constant();
  const Node* parse_raise(const Token& name);
  const Node* parse_method(const Node* receiver, bool is_safe);
  const Node* parse_index(const Node* receiver);
  const Node* parse_keyword();
  const Node* parse_if(bool is_unless);
  const Node* parse_case();
  const Node* parse_for();
  const Node* parse_defined();
  const Node* parse_jump(NodeKind kind);
  const Node* parse_array();
  const Node* parse_hash();
  const Node* parse_hash_key();
  bool begins_command_arguments() const;
  void parse_argument(std::vector<const Node*>& to, std::vector<const Node*>& pairs,
                      const BlockNode*& block);
  std::vector<const Node*> parse_arguments(std::string_view end, const BlockNode*& block);
  std::vector<const Node*> parse_command_arguments(const BlockNode*& block);
  const BlockNode* parse_block_pass();
  const Node* make_call(int line, const Node* receiver, std::string_view name,
                        const std::vector<const Node*>& arguments, const BlockNode* block,
                        bool is_safe, const Node* block_value = nullptr);
  const Node* finish_call(int line, const Node* receiver, std::string_view name, bool is_safe);

  // --- methods, blocks, errors, loops (parser_definitions.cc) ---
  // What holds before a block: the visible locals, the number of the first slot of its own.
  struct BlockScope {
    size_t visible;
    uint32_t first_slot;
    bool leaves_do;
  };
  struct BlockParameters {
    std::vector<Target> targets;
    bool takes_apart = false;
  };
  const BlockNode* parse_block();
  BlockScope begin_block();
  BlockNode* finish_block(const BlockScope& scope, bool has_braces,
                          const BlockParameters& parameters);
  BlockParameters parse_block_parameters();
  Target parse_block_parameter();
  void check_place_of_proc();
  bool is_lambda_or_proc(const Token& name, bool is_defined_here) const;
  const Node* parse_procedure(const Token& name);
  const Node* parse_arrow_lambda();
  const Node* parse_proc(int line);
  const Node* make_proc(int line, BlockNode* block, bool is_lambda);
  void find_methods_defined();
  std::optional<Obstacle> possible_obstacle() const;
  const Node* parse_define();
  void parse_method_parameters(std::vector<Target>& parameters, uint32_t& block_slot);
  const Node* parse_body(int line);
  const Node* parse_rescued_statements(int line);
  RescueClause parse_rescue_clause();
  const Node* parse_begin();
  const Node* parse_return();
  const Node* parse_yield();
  const Node* parse_while();
  const Node* parse_loop_modifier(const Node* statement);
  const Node* parse_rescue_modifier(const Node* value);
  const Node* parse_require(const Token& name);
  const Node* parse_new_error();
  const Node* make_obstacle(int line, std::string construct);
  const Node* make_method_call(int line, std::string_view name,
                               const std::vector<const Node*>& arguments, const BlockNode* block,
                               const Node* block_value);
  bool begins_behind_mark(std::string_view method) const;
  bool opens_block() const;

  // --- files of functions (parser_functions.cc) ---
  ParsedScript finish_script(const Node* root);
  bool is_in_function() const { return kind_ != ScriptKind::kTemplate; }
  void skip_requires();
  void expect_word(std::string_view text);
  void expect_path(std::initializer_list<std::string_view> names);
  std::string parse_class_name();
  std::string_view parse_name();
  std::string_view parse_plain_text();
  void parse_current_function(ParsedFunction& function);
  void parse_legacy_function(ParsedFunction& function);
  void parse_legacy_options(ParsedFunction& function);
  void parse_dispatch(std::vector<std::pair<std::string_view, FunctionDispatch>>& dispatches);
  void parse_dispatch_line(FunctionDispatch& dispatch);
  void parse_local_types(ParsedFunction& function);
  void parse_base_of_function();
  FunctionDispatch default_dispatch(const DefineNode& method);
  const Node* scope_node(int line);
  const Node* parse_own_method(const Token& name);
  const Node* parse_function_call(const Token& name);
  const Node* parse_translation(const Token& name);
  const Node* parse_constant_path(const Token& name);
  const Node* parse_log(int line, std::string_view level);
  const Node* parse_raise_of(int line, std::string_view path);

  // --- files that functions require (parser_modules.cc) ---
  std::string parse_path();
  std::string parse_path_operand();
  std::string own_library_file(std::string_view name) const;
  void parse_require_relative();
  void require_file(std::string path);
  void parse_required_file(const Script& script, const std::string& path, bool only_names);
  void parse_module_file();
  void parse_module();
  void parse_module_statement();
  std::string_view whole_name(std::string_view separator, std::string_view name);
  std::string_view parse_name_of_module_method();
  bool defines_for_module(std::string_view name) const;
  const Node* parse_call_within_module(const Token& name);
  std::vector<std::string> prefixes() const;
  const Node* parse_required(int line, const std::string& path);
  void check_variables_of_modules(const std::vector<const DefineNode*>& methods);

  // --- literals (parser_literals.cc) ---
  const Node* parse_number();
  const Node* parse_string();
  const Node* parse_symbol_quote();
  const Node* parse_regex();
  const Node* parse_words(bool are_symbols);
  std::vector<const Node*> parse_quoted(bool is_regex);
  const Node* parse_interpolation();
  const Node* parse_here_document();
  void skip_margin(size_t margin);
  const Node* join_parts(int line, const std::vector<const Node*>& parts);
  void read_escape(std::string& text);
  void read_regex_escape(std::string& text, char close);

  template <typename T, typename... Fields>
  const Node* make(NodeKind kind, int line, Fields&&... fields) {
    return arena_.make<T>(Node{kind, line}, std::forward<Fields>(fields)...);
  }
  NodeList list(const std::vector<const Node*>& nodes) {
    return arena_.copy(std::span<const Node* const>(nodes));
  }

  const Script& script_;
  ScriptKind kind_;
  std::string path_;                   // of a file of a function or module
  std::string module_;                 // the Ruby module whose code is being parsed
  bool only_names_ = false;            // the names of a module's methods are collected
  RequiredFiles* required_ = nullptr;  // null for templates
  Arena& arena_;
  Lexer lexer_;
  Token token_;
  std::vector<Local> locals_;  // the visible ones
  uint32_t slot_count_ = 0;
  bool changes_objects_ = false;
  std::vector<std::string_view> instance_variables_;
  int depth_ = 0;
  int loops_ = 0;  // enclosing blocks and `for` loops, which next and break leave
  struct CalledMethod {
    int line;
    std::string_view name;
    bool is_alone;  // without arguments and block
  };
  std::vector<CalledMethod> called_;              // calls of methods that are not Ruby's own
  std::unordered_set<std::string_view> methods_;  // defined by the template
  std::optional<Obstacle> possible_obstacle_;
  bool in_method_ = false;
  bool names_instance_variables_ = false;  // set for the method that is being parsed
  bool uses_scope_ = false;
  const Node* block_value_ = nullptr;  // `&name` of the arguments that were parsed last
  // Set while arguments without parentheses are parsed: a `do` belongs to the call that they are
  // arguments of.
  bool leaves_do_ = false;
};

}  // namespace bunraku::erb

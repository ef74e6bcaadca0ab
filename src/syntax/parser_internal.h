// The parser's class, shared by the files that implement it: recursive descent for constructs that
// begin with a keyword or a bracket, precedence climbing for operators.
//
//  The location of a node is the one that the reference records, because its messages show it: at
//  the operator for operators, at the arrow for entries, at the dot or parenthesis for method
//  calls.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/lexer.h"
#include "syntax/parser.h"

namespace bunraku {

class Parser {
 public:
  Parser(Program& program, const ParseOptions& options, TokenList& tokens,
         DiagnosticSink& diagnostics);

  void parse_program();

 private:
  // Thrown to unwind to the statement list around a reported error.
  struct SyntaxFailure {};

  // The limits that keep every recursion over source and tree within a stack of 8 MB.
  static constexpr int kDeepestNesting = 500;
  static constexpr int kTallestTree = 1000;

  // Lives on the stack while a nested construct is parsed; counts depth and height.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser), height_around_(parser.height_) {
      if (++parser_.depth_ > kDeepestNesting) {
        --parser_.depth_;
        parser_.too_deep();
      }
      parser_.height_ = 0;
    }
    ~Nesting() {
      --parser_.depth_;
      int height = parser_.height_ + 1;
      parser_.height_ = height > height_around_ ? height : height_around_;
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
    int height_around_;
  };

  struct Statements {
    ExpressionList list;
    bool empty() const { return list.empty(); }
  };
  struct Braces {
    const Token* left;
    const Token* right;
  };

  // --- tokens ---
  const Token& token() const { return *at_; }
  TokenKind kind() const { return at_->kind; }
  TokenKind kind_after() const {
    return at_->kind == TokenKind::kEndOfInput ? TokenKind::kEndOfInput : at_[1].kind;
  }
  bool is_at(TokenKind kind) const { return at_->kind == kind; }
  const Token& take() {
    const Token& taken = *at_;
    braces_ += (taken.kind == TokenKind::kLeftBrace || taken.kind == TokenKind::kSelectorBrace) -
               (taken.kind == TokenKind::kRightBrace);
    at_ += taken.kind != TokenKind::kEndOfInput;
    return taken;
  }
  bool take_if(TokenKind kind) {
    if (at_->kind != kind) return false;
    take();
    return true;
  }
  const Token& expect(TokenKind kind);
  // Expects the end of a list whose elements are separated by commas.
  const Token& expect_end(TokenKind kind);
  const Token* unclosed_bracket() const;

  // --- mistakes ---
  [[noreturn]] void unexpected(std::initializer_list<TokenKind> expected = {});
  // Reports an assignment where a name and its value with an arrow between them are expected.
  [[noreturn]] void unexpected_assignment(Location operator_location);
  // mistakes.cc: suggestions for a syntax error at the current token.
  struct Mistake;
  void explain(Diagnostic& diagnostic, std::initializer_list<TokenKind> expected) const;
  bool is_in_condition() const;
  bool explain_operator(const Mistake& mistake) const;
  bool explain_missing(const Mistake& mistake) const;
  bool explain_word(const Mistake& mistake) const;
  bool explain_title(const Mistake& mistake) const;
  void add_fix(Diagnostic& diagnostic, Location location, std::string_view replacement,
               std::string_view description) const;
  [[noreturn]] void fail(Issue issue, Location location, std::vector<std::string> arguments = {});
  [[noreturn]] void too_deep();
  void grow() {
    if (++height_ > kTallestTree) too_deep();
  }
  void report(Diagnostic diagnostic);
  void report_lexical(const Token& token);
  Diagnostic make(Issue issue, Location location, std::vector<std::string> arguments = {}) const;
  void recover(int braces, bool is_nested);
  void deliver_diagnostics();

  // --- nodes ---
  template <typename T>
  T* node(Location location) {
    T* made = arena_.make<T>();
    made->kind = T::kKind;
    made->location = location;
    return made;
  }
  static Location between(Location from, Location to) {
    uint32_t end = to.offset + to.length;
    return {from.offset, end > from.offset ? end - from.offset : 0};
  }
  template <typename T>
  std::span<const T* const> collect(size_t mark) {
    size_t count = scratch_.size() - mark;
    if (count == 0) return {};
    auto** to = arena_.make_array<const T*>(count);
    for (size_t i = 0; i < count; ++i) to[i] = static_cast<const T*>(scratch_[mark + i]);
    scratch_.resize(mark);
    return {to, count};
  }
  const Expression* nop(Location location) { return node<Nop>(location); }
  const Expression* block_or_expression(const Statements& statements, Braces braces);
  const Expression* body_of(const Statements& statements, Location container);
  void define(const Expression* definition) { definitions_.push_back(definition); }

  // --- parser_statements.cc ---
  Statements parse_statements(TokenKind end);
  void parse_statement(size_t mark, std::vector<Diagnostic>& late);
  const Expression* make_statement_call(const Expression* name, size_t first_argument);
  Statements parse_braced(Braces& braces);
  static bool is_statement_name(Name called);
  const Expression* parse_template();
  const Expression* parse_render_expression();
  bool is_block_at_brace();

  // --- parser_expressions.cc ---
  const Expression* parse_assignment();
  const Expression* parse_relationship();
  const Expression* parse_expression(int lowest = 0);
  const Expression* parse_operators(const Expression* left, int lowest);
  bool at_single_token() const;
  const Expression* parse_single_token();
  const Expression* parse_unary();
  const Expression* parse_primary();
  const Expression* parse_postfix(const Expression* left);
  const Expression* parse_call(const Expression* functor);
  const Expression* parse_method_call(const Expression* receiver);
  const Expression* parse_access(const Expression* left);
  ExpressionList parse_access_keys();
  ExpressionList parse_arguments(bool allows_trailing_comma);
  const Expression* parse_argument();
  const Expression* parse_access_key();
  const Expression* parse_collection_entry();
  const Expression* parse_hash_entry();
  const KeyedEntry* parse_pair_after(const Expression* key);
  const Expression* unfolded_hash(const KeyedEntry* entry);
  void push_argument(size_t mark, const Expression* argument);
  bool at_entry_keyword() const;
  const Expression* take_keyword_as_string();
  const LambdaExpression* parse_lambda();
  const Expression* parse_selector(const Expression* left);
  const SelectorEntry* parse_selector_entry();
  const Expression* parse_parenthesized();

  // --- parser_literals.cc ---
  const Expression* parse_list();
  const LiteralHash* parse_hash();
  const Expression* parse_string();
  const Expression* parse_interpolated_string();
  const Expression* parse_heredoc();
  const Expression* parse_number();
  const VariableExpression* parse_variable();
  const QualifiedReference* parse_type_reference();
  const LiteralString* make_string(const Token& token);
  const Expression* interpolated(const Expression* expression);

  // --- parser_control.cc ---
  const Expression* parse_if();
  const Expression* parse_unless();
  const Expression* parse_case();
  const CaseOption* parse_case_option();

  // --- parser_resources.cc ---
  const Expression* parse_resource();
  const Expression* parse_virtual();
  const Expression* parse_class_resource();
  const Expression* parse_resource_braces(const Expression* left);
  const Expression* make_untitled(const Expression* left, OperationList operations, Braces braces);
  const Expression* make_hash_from(const Expression* left, OperationList operations, Braces braces);
  const ResourceBody* parse_resource_body(Location resource);
  void parse_resource_bodies(Location resource);
  OperationList parse_attribute_operations();
  bool at_attribute() const;
  const Expression* parse_attribute();
  const Expression* parse_collector(const Expression* type);

  // --- parser_definitions.cc ---
  const Expression* parse_class();
  const Expression* parse_define();
  const Expression* parse_node();
  const Expression* parse_function();
  const Expression* parse_plan();
  const Expression* parse_apply();
  const Expression* parse_type();
  const Expression* parse_type_definition(const Token& keyword);
  const Expression* parse_aliased_type(const Expression& left, Location& end);
  const Expression* object_type(const LiteralHash* hash, const QualifiedReference* parent,
                                Location location);
  const Expression* parse_host();
  std::string_view parse_definition_name();
  Name qualified(std::string_view name) const;
  ParameterList parse_parameter_list();
  ParameterList parse_parameters(TokenKind end);
  const Parameter* parse_parameter();
  const Expression* parse_parameter_type();
  const Expression* parse_return_type();

  Program& program_;
  Arena& arena_;
  const ParseOptions& options_;
  TokenList& tokens_;
  DiagnosticSink& sink_;
  const Token* at_;
  const Token* first_;
  int braces_ = 0;  // the number of open braces
  int depth_ = 0;
  int height_ = 0;  // the height of the tallest subtree in the current construct
  // Whether the last parsed statement was an expression: no assignment, relationship or resource.
  bool is_expression_ = false;
  bool is_abandoned_ = false;  // too deep, or ended too early: nothing more is reported
  std::vector<const Expression*> scratch_;
  std::vector<const Expression*> definitions_;
  std::vector<std::string_view> name_stack_;  // of the surrounding classes and plans
  std::vector<Diagnostic> reported_;
  // Braces after <%= that were classified, and whether they are a block.
  std::unordered_map<const Token*, bool> braces_in_templates_;
};

}  // namespace bunraku

#include <algorithm>
#include <utility>

#include "ruby/erb/methods.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"

namespace bunraku::erb {

namespace {

constexpr std::string_view kAssignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "||=", "&&=", "|=", "&=", "^=", "<<=", ">>=", "**="};

bool is_assignment(const Token& token) {
  return token.is(TokenKind::kOperator) &&
         std::ranges::find(kAssignments, token.text) != std::end(kAssignments);
}

// Returns whether the node is `scope`, called on the template itself or as self.scope.
bool is_scope(const Node* node) {
  if (node->kind != NodeKind::kCall) return false;
  const auto& call = static_cast<const CallNode&>(*node);
  return call.receiver->kind == NodeKind::kSelf && call.method->name == "scope";
}

}  // namespace

const Node* Parser::parse_postfix() {
  const DepthGuard guard(*this);
  const Node* node = parse_primary();
  while (true) {
    if (token_.is_operator(".") || token_.is_operator("&.")) {
      const bool is_safe = token_.text == "&.";
      advance();
      node = parse_method(node, is_safe);
    } else if (token_.is_operator("::") && node->kind == NodeKind::kClass) {
      advance();
      node = parse_method(node, false);
    } else if (token_.is_operator("::")) {
      fail("the operator '::'");
    } else if (token_.is_operator("[") && !token_.begins_argument) {
      if (token_.space_before && node->kind == NodeKind::kCall) fail_here();
      node = parse_index(node);
      if (is_assignment(token_)) return parse_assignment(node);
    } else {
      return node;
    }
  }
}

const Node* Parser::parse_index(const Node* receiver) {
  const int line = token_.line;
  advance();
  const BlockNode* block = nullptr;
  const std::vector<const Node*> arguments = parse_arguments("]", block);
  if (block != nullptr) fail_here();
  return make_call(line, receiver, "[]", arguments, nullptr, false);
}

const Node* Parser::parse_method(const Node* receiver, bool is_safe) {
  // name.(arguments)
  if (token_.is_operator("(")) return finish_call(token_.line, receiver, "call", is_safe);
  if (!token_.is(TokenKind::kIdentifier)) fail_here();
  const std::string_view name = token_.text;
  const int line = token_.line;
  advance();
  return finish_call(line, receiver, name, is_safe);
}

// Parses the arguments and block, if any, of a call whose method name has been read.
const Node* Parser::finish_call(int line, const Node* receiver, std::string_view name,
                                bool is_safe) {
  const BlockNode* block = nullptr;
  std::vector<const Node*> arguments;
  block_value_ = nullptr;
  if (token_.is_operator("(") && !token_.space_before) {
    advance();
    arguments = parse_arguments(")", block);
  } else if (begins_command_arguments() || begins_behind_mark(name)) {
    arguments = parse_command_arguments(block);
  } else if (is_assignment(token_)) {
    fail("an assignment to '" + std::string(name) + "'");
  }
  const Node* block_value = std::exchange(block_value_, nullptr);
  if (opens_block()) {
    if (block != nullptr || block_value != nullptr) fail_here();
    block = parse_block();
  }
  if (receiver == nullptr) return make_method_call(line, name, arguments, block, block_value);
  // each_with_index.map { ... }, map.with_index { ... } and each_slice(n).to_a are one call.
  if (token_.is_operator(".") && block == nullptr && !is_safe) {
    const std::string_view rest = lexer_.code().substr(lexer_.position());
    const std::string_view next =
        rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
    if (const MethodSet* both = find_methods(std::string(name) + "." + std::string(next))) {
      advance();
      advance();
      if (arguments.empty()) return finish_call(line, receiver, both->name, false);
      if (token_.is_operator("(")) {
        advance();
        if (!parse_arguments(")", block).empty()) fail_here();
      } else if (opens_block()) {
        block = parse_block();
      }
      return make_call(line, receiver, both->name, arguments, block, false,
                       std::exchange(block_value_, nullptr));
    }
  }
  return make_call(line, receiver, name, arguments, block, is_safe, block_value);
}

bool Parser::opens_block() const {
  return token_.is_operator("{") || (token_.is_keyword("do") && !leaves_do_);
}

// A call of a method that this template or another one defines.
const Node* Parser::make_method_call(int line, std::string_view name,
                                     const std::vector<const Node*>& arguments,
                                     const BlockNode* block, const Node* block_value) {
  called_.push_back({line, name, arguments.empty() && block == nullptr && block_value == nullptr});
  return make<MethodCallNode>(NodeKind::kMethodCall, line, name, list(arguments), block,
                              block_value);
}

// Makes a node that needs a worker if it is reached.
const Node* Parser::make_obstacle(int line, std::string construct) {
  const std::string_view text = arena_.copy(std::string_view(construct));
  if (!possible_obstacle_) possible_obstacle_ = Obstacle{line, std::move(construct)};
  return make<TextNode>(NodeKind::kObstacle, line, text);
}

const Node* Parser::make_call(int line, const Node* receiver, std::string_view name,
                              const std::vector<const Node*>& arguments, const BlockNode* block,
                              bool is_safe, const Node* block_value) {
  if (name.starts_with("function_") && is_scope(receiver)) {
    if (arguments.size() != 1 || block != nullptr) fail("'" + std::string(name) + "' in this form");
    return make<FunctionCallNode>(NodeKind::kFunctionCall, line, name.substr(9), arguments[0]);
  }
  const MethodSet* method = find_methods(name);
  if (method == nullptr) return make_obstacle(line, "the method '" + std::string(name) + "'");
  changes_objects_ = changes_objects_ || method->changes_receiver;
  const bool has_splat = std::ranges::any_of(
      arguments, [](const Node* argument) { return argument->kind == NodeKind::kSplat; });
  const Class known = receiver->kind == NodeKind::kSelf ? Class::kTemplate
                      : is_scope(receiver)              ? Class::kScope
                                                        : Class::kAny;
  const bool fits = method->takes(known, arguments.size(), block != nullptr) ||
                    (block_value != nullptr && method->takes(known, arguments.size(), true));
  if (!has_splat && !fits) {
    return make_obstacle(line, "the method '" + std::string(name) + "' in this form");
  }
  return make<CallNode>(NodeKind::kCall, line, receiver, method, list(arguments), block, is_safe,
                        block_value);
}

// --- arguments ----------------------------------------------------------------------------------

// include?_name: after a method name that ends in `?` or `!`, an argument needs no blank.
bool Parser::begins_behind_mark(std::string_view method) const {
  if (!method.ends_with('?') && !method.ends_with('!')) return false;
  return !token_.space_before &&
         (token_.is(TokenKind::kIdentifier) || token_.is(TokenKind::kInstanceVariable) ||
          token_.is(TokenKind::kConstant) || token_.is(TokenKind::kQuote));
}

bool Parser::begins_command_arguments() const {
  if (!token_.space_before) return false;
  switch (token_.kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kConstant:
    case TokenKind::kInstanceVariable:
    case TokenKind::kMatchGroup:
    case TokenKind::kInteger:
    case TokenKind::kFloat:
    case TokenKind::kSymbol:
    case TokenKind::kLabel:
    case TokenKind::kQuote:
    case TokenKind::kHereDocument:
    case TokenKind::kSymbolQuote:
    case TokenKind::kRegexQuote:
    case TokenKind::kWords:
    case TokenKind::kSymbols:
      return true;
    case TokenKind::kKeyword: {
      constexpr std::string_view kOperands[] = {"nil",      "true", "false",    "self",
                                                "defined?", "not",  "__FILE__", "__LINE__"};
      return std::ranges::find(kOperands, token_.text) != std::end(kOperands);
    }
    case TokenKind::kOperator: {
      if (!token_.begins_argument) return false;
      constexpr std::string_view kOperands[] = {"[", "(", "-", "*", "&", "!", "::", "->"};
      return std::ranges::find(kOperands, token_.text) != std::end(kOperands);
    }
    default:
      return false;
  }
}

// Parses one argument. `pairs` collects keys and values that are written without braces.
void Parser::parse_argument(std::vector<const Node*>& to, std::vector<const Node*>& pairs,
                            const BlockNode*& block) {
  const int line = token_.line;
  if (token_.is(TokenKind::kLabel)) {
    pairs.push_back(make<TextNode>(NodeKind::kSymbol, line, token_.text));
    advance();
    pairs.push_back(parse_argument_expression());
    return;
  }
  if (take_operator("*")) {
    if (!pairs.empty()) fail_here();
    to.push_back(make<OperandNode>(NodeKind::kSplat, line, parse_argument_expression()));
    return;
  }
  if (token_.is_operator("&")) {
    block = parse_block_pass();
    return;
  }
  if (token_.is_operator("**")) fail("a hash of keyword arguments");
  const Node* argument = parse_argument_expression();
  if (take_operator("=>")) {
    pairs.push_back(argument);
    pairs.push_back(parse_argument_expression());
    return;
  }
  if (!pairs.empty()) fail_here();
  to.push_back(argument);
}

std::vector<const Node*> Parser::parse_arguments(std::string_view end, const BlockNode*& block) {
  const bool leaves_do = leaves_do_;
  leaves_do_ = false;
  std::vector<const Node*> arguments, pairs;
  skip_newlines();
  while (!token_.is_operator(end)) {
    parse_argument(arguments, pairs, block);
    skip_newlines();
    if (block != nullptr || block_value_ != nullptr || !take_operator(",")) break;
    skip_newlines();
  }
  leaves_do_ = leaves_do;
  const int line = token_.line;
  expect_operator(end);
  if (!pairs.empty()) arguments.push_back(make<HashNode>(NodeKind::kHash, line, list(pairs)));
  return arguments;
}

std::vector<const Node*> Parser::parse_command_arguments(const BlockNode*& block) {
  const bool leaves_do = leaves_do_;
  leaves_do_ = true;
  std::vector<const Node*> arguments, pairs;
  const int line = token_.line;
  do {
    parse_argument(arguments, pairs, block);
  } while (block == nullptr && block_value_ == nullptr && take_operator(","));
  leaves_do_ = leaves_do;
  if (!pairs.empty()) arguments.push_back(make<HashNode>(NodeKind::kHash, line, list(pairs)));
  return arguments;
}

// &:name, whose block is returned, and &name, which is left in block_value_.
const BlockNode* Parser::parse_block_pass() {
  advance();
  if (token_.is(TokenKind::kIdentifier)) {
    const Local* known = find_local(token_.text);
    if (known == nullptr) fail("a block that is given by a method");
    block_value_ = make<LocalNode>(NodeKind::kLocal, token_.line, known->slot);
    advance();
    return nullptr;
  }
  if (token_.is_operator("->")) {
    block_value_ = parse_arrow_lambda();
    return nullptr;
  }
  if (!token_.is(TokenKind::kSymbol)) fail("a block that is given by an expression");
  const MethodSet* method = find_methods(token_.text);
  if (method == nullptr) fail("the method '" + std::string(token_.text) + "'");
  advance();
  return arena_.make<BlockNode>(std::span<const Target>(), false, 0u, 0u,
                                static_cast<const Node*>(nullptr), method);
}

// --- primaries ----------------------------------------------------------------------------------

const Node* Parser::parse_primary() {
  const int line = token_.line;
  switch (token_.kind) {
    case TokenKind::kIdentifier:
      return parse_identifier();
    case TokenKind::kConstant:
      return parse_constant();
    case TokenKind::kInstanceVariable: {
      const Node* variable = make<InstanceVariableNode>(NodeKind::kInstanceVariable, line,
                                                        instance_variable(token_.text));
      advance();
      return is_assignment(token_) ? parse_assignment(variable) : variable;
    }
    case TokenKind::kMatchGroup: {
      if (token_.text.size() > 3) fail_here();
      auto group = static_cast<uint32_t>(std::stoul(std::string(token_.text)));
      advance();
      return make<MatchGroupNode>(NodeKind::kMatchGroup, line, group);
    }
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return parse_number();
    case TokenKind::kSymbol: {
      const Node* symbol = make<TextNode>(NodeKind::kSymbol, line, token_.text);
      advance();
      return symbol;
    }
    case TokenKind::kQuote:
      return parse_string();
    case TokenKind::kHereDocument:
      return parse_here_document();
    case TokenKind::kSymbolQuote:
      return parse_symbol_quote();
    case TokenKind::kRegexQuote:
      return parse_regex();
    case TokenKind::kWords:
    case TokenKind::kSymbols:
      return parse_words(token_.is(TokenKind::kSymbols));
    case TokenKind::kKeyword:
      return parse_keyword();
    case TokenKind::kOperator:
      break;
    default:
      fail_here();
  }
  if (token_.text == "(") {
    advance();
    const Node* inner = parse_statements({")"});
    if (!token_.is_operator(")")) fail_here();
    advance();
    return inner;
  }
  if (token_.text == "[") return parse_array();
  if (token_.text == "{") return parse_hash();
  if (token_.text == "->") return parse_arrow_lambda();
  fail_here();
}

const Node* Parser::parse_identifier() {
  const Token name = token_;
  advance();
  const Local* known = find_local(name.text);
  const bool is_called = token_.is_operator("(") && !token_.space_before;
  if (is_assignment(token_) && !name.text.ends_with('?') && !name.text.ends_with('!')) {
    if (name.text == "_erbout") fail_with_obstacle(name.line, "the variable '_erbout'");
    const uint32_t slot = known != nullptr ? known->slot : declare(name.text);
    return parse_assignment(make<LocalNode>(NodeKind::kLocal, name.line, slot));
  }
  if (known != nullptr && !is_called) {
    return make<LocalNode>(NodeKind::kLocal, name.line, known->slot);
  }
  if (name.text == "_erbout") fail_with_obstacle(name.line, "'_erbout'");
  const bool is_defined_here = methods_.contains(name.text);
  if (is_in_function() && !is_defined_here) {
    if (const Node* own = parse_own_method(name)) return own;
  }
  if (is_lambda_or_proc(name, is_defined_here)) return parse_procedure(name);
  if (name.text == "raise" || (name.text == "fail" && !is_defined_here)) return parse_raise(name);
  if (name.text == "require") return parse_require(name);
  const MethodSet* method = find_methods(name.text);
  const bool is_own = method != nullptr && method->of(Class::kTemplate) != nullptr;
  if (!is_own || is_defined_here) {
    const Node* call = finish_call(name.line, nullptr, name.text, false);
    // A method of every template that is not supported.
    if (is_defined_here || !is_predefined_method(name.text)) return call;
    return make_obstacle(name.line, "'" + std::string(name.text) + "'");
  }
  return finish_call(name.line, make<Node>(NodeKind::kSelf, name.line), name.text, false);
}

// raise 'message', raise ErrorClass, 'message' and raise ErrorClass.new('message'), for classes
// whose text is the message.
const Node* Parser::parse_raise(const Token& name) {
  const bool has_parentheses = token_.is_operator("(") && !token_.space_before;
  if (has_parentheses) advance();
  std::string_view error_class = "RuntimeError";
  const Node* message = nullptr;
  if (token_.is(TokenKind::kConstant)) {
    const std::string path = parse_class_name();
    const bool makes_object = token_.is_operator(".");
    if (makes_object) message = parse_new_error();
    constexpr std::string_view kErrors[] = {"ArgumentError", "RuntimeError",       "StandardError",
                                            "Puppet::Error", "Puppet::ParseError", "TypeError"};
    const bool is_known = std::ranges::find(kErrors, path) != std::end(kErrors);
    const bool has_message = makes_object ? message != nullptr : token_.is_operator(",");
    if (is_in_function() && (!is_known || !has_message)) {
      const Node* raised = parse_raise_of(name.line, path);
      if (has_parentheses) expect_operator(")");
      return raised;
    }
    if (!is_known) fail("the constant '" + path + "'");
    if (makes_object && message == nullptr) fail("an error in this form");
    if (!makes_object) expect_operator(",");
    error_class = arena_.copy(std::string_view(path));
  }
  if (message == nullptr) message = parse_argument_expression();
  if (has_parentheses) expect_operator(")");
  if (token_.is_operator(",")) fail_here();
  const Node* kind = make<TextNode>(NodeKind::kString, name.line, error_class);
  return make_call(name.line, make<Node>(NodeKind::kSelf, name.line), "raise", {message, kind},
                   nullptr, false);
}

const Node* Parser::parse_constant() {
  const Token name = token_;
  advance();
  if (is_in_function()) {
    if (const Node* path = parse_constant_path(name)) return path;
  }
  if (name.text == "Proc" && token_.is_operator(".") &&
      lexer_.code().substr(lexer_.position()).starts_with("new")) {
    return parse_proc(name.line);
  }
  // File::join is a call, not a constant.
  const char behind = lexer_.peek();
  if (token_.is_operator("::") && !(behind >= 'a' && behind <= 'z')) {
    advance();
    const Class nested = find_class(std::string(name.text) + "::" + std::string(token_.text));
    if (nested == Class::kNone) fail("the constant '" + std::string(name.text) + "::'");
    advance();
    return make<ClassNode>(NodeKind::kClass, name.line, nested);
  }
  const bool is_called = token_.is_operator("(") && !token_.space_before;
  const MethodSet* method = find_methods(name.text);
  const bool is_method = method != nullptr && method->of(Class::kTemplate) != nullptr;
  if (is_called || (is_method && begins_command_arguments())) {
    if (!is_method) fail_with_obstacle(name.line, "the method '" + std::string(name.text) + "'");
    return finish_call(name.line, make<Node>(NodeKind::kSelf, name.line), name.text, false);
  }
  const Class which = find_class(name.text);
  if (which == Class::kNone) {
    fail_with_obstacle(name.line, "the constant '" + std::string(name.text) + "'");
  }
  return make<ClassNode>(NodeKind::kClass, name.line, which);
}

const Node* Parser::parse_keyword() {
  const Token keyword = token_;
  if (keyword.text == "if" || keyword.text == "unless") {
    advance();
    return parse_if(keyword.text == "unless");
  }
  if (keyword.text == "case") return parse_case();
  if (keyword.text == "for") return parse_for();
  if (keyword.text == "while" || keyword.text == "until") return parse_while();
  if (keyword.text == "def") return parse_define();
  if (keyword.text == "begin") return parse_begin();
  if (keyword.text == "return") return parse_return();
  if (keyword.text == "yield") return parse_yield();
  if (keyword.text == "defined?") return parse_defined();
  if (keyword.text == "next") return parse_jump(NodeKind::kNext);
  if (keyword.text == "break") return parse_jump(NodeKind::kBreak);
  if (keyword.text == "nil" || keyword.text == "true" || keyword.text == "false" ||
      keyword.text == "self") {
    advance();
    const NodeKind kind = keyword.text == "nil"    ? NodeKind::kNil
                          : keyword.text == "true" ? NodeKind::kTrue
                          : keyword.text == "self" ? NodeKind::kSelf
                                                   : NodeKind::kFalse;
    if (kind == NodeKind::kSelf && kind_ == ScriptKind::kModule && take_operator(".")) {
      const Token name = token_;
      advance();
      if (!name.is(TokenKind::kIdentifier) || !defines_for_module(name.text)) fail_here();
      return parse_call_within_module(name);
    }
    if (kind == NodeKind::kSelf && is_in_function()) return make_obstacle(keyword.line, "'self'");
    return make<Node>(kind, keyword.line);
  }
  if (keyword.text == "not" && lexer_.peek() == '(') {
    advance();
    advance();
    const Node* operand = parse_statements({")"});
    expect_operator(")");
    return make<OperandNode>(NodeKind::kNot, keyword.line, operand);
  }
  fail("'" + std::string(keyword.text) + "'");
}

// Parses the rest of an `if`, `unless` or `elsif`, whose keyword has been read.
const Node* Parser::parse_if(bool is_unless) {
  const DepthGuard guard(*this);
  const int line = token_.line;
  const Node* condition = parse_expression_statement();
  if (token_.is(TokenKind::kNewline)) {
    skip_newlines();
    take_keyword("then");
  } else {
    expect_keyword("then");
  }
  const Node* then = parse_statements({"else", "elsif", "end"});
  const Node* otherwise = nullptr;
  if (token_.is_keyword("elsif")) {
    if (is_unless) fail_here();
    advance();
    otherwise = parse_if(false);
  } else {
    if (take_keyword("else")) otherwise = parse_statements({"end"});
    expect_keyword("end");
  }
  if (is_unless) std::swap(then, otherwise);
  return make<IfNode>(NodeKind::kIf, line, condition, then, otherwise);
}

const Node* Parser::parse_case() {
  const int line = token_.line;
  advance();
  const Node* subject = token_.is(TokenKind::kNewline) ? nullptr : parse_expression_statement();
  skip_newlines();
  std::vector<WhenClause> clauses;
  if (!token_.is_keyword("when")) fail_here();
  while (take_keyword("when")) {
    std::vector<const Node*> values;
    do {
      const int value_line = token_.line;
      if (take_operator("*")) {
        values.push_back(
            make<OperandNode>(NodeKind::kSplat, value_line, parse_argument_expression()));
      } else {
        values.push_back(parse_argument_expression());
      }
    } while (take_operator(","));
    if (!token_.is(TokenKind::kNewline) && !token_.is_keyword("then")) fail_here();
    skip_newlines();
    take_keyword("then");
    const Node* body = parse_statements({"when", "else", "end"});
    clauses.push_back({list(values), body});
  }
  const Node* otherwise = nullptr;
  if (take_keyword("else")) otherwise = parse_statements({"end"});
  expect_keyword("end");
  return make<CaseNode>(
      NodeKind::kCase, line, subject,
      std::span<const WhenClause>(arena_.copy(std::span<const WhenClause>(clauses))), otherwise);
}

const Node* Parser::parse_for() {
  const int line = token_.line;
  advance();
  std::vector<Target> targets;
  do {
    if (!token_.is(TokenKind::kIdentifier)) fail_here();
    const Local* known = find_local(token_.text);
    targets.push_back({known != nullptr ? known->slot : declare(token_.text), false, {}, nullptr});
    advance();
  } while (take_operator(","));
  expect_keyword("in");
  const bool leaves_do = leaves_do_;
  leaves_do_ = true;
  const Node* sequence = parse_expression_statement();
  leaves_do_ = leaves_do;
  if (!take_keyword("do") && !token_.is(TokenKind::kNewline)) fail_here();
  ++loops_;
  const Node* body = parse_statements({"end"});
  --loops_;
  expect_keyword("end");
  return make<ForNode>(NodeKind::kFor, line,
                       std::span<const Target>(arena_.copy(std::span<const Target>(targets))),
                       sequence, body);
}

// defined? of variables only; for calls the answer depends on Ruby's own classes.
const Node* Parser::parse_defined() {
  const int line = token_.line;
  const bool has_parentheses = lexer_.peek() == '(';
  advance();
  if (has_parentheses) advance();
  const Node* operand = nullptr;
  if (token_.is(TokenKind::kInstanceVariable)) {
    operand = make<InstanceVariableNode>(NodeKind::kInstanceVariable, token_.line,
                                         instance_variable(token_.text));
  } else if (token_.is(TokenKind::kIdentifier)) {
    const Local* known = find_local(token_.text);
    if (known == nullptr) fail("'defined?' of '" + std::string(token_.text) + "'");
    operand = make<LocalNode>(NodeKind::kLocal, token_.line, known->slot);
  } else {
    fail("'defined?' of this");
  }
  if (lexer_.peek() == '.' || lexer_.peek() == '[') {
    operand = parse_postfix();
    if (operand->kind != NodeKind::kCall) fail("'defined?' of this");
  } else {
    advance();
  }
  if (has_parentheses) {
    expect_operator(")");
  } else if (token_.is(TokenKind::kOperator) && !token_.is_operator(")")) {
    fail("'defined?' of this");
  }
  return make<OperandNode>(NodeKind::kDefined, line, operand);
}

const Node* Parser::parse_jump(NodeKind kind) {
  if (loops_ == 0) fail_here();
  const int line = token_.line;
  advance();
  const bool has_value = !token_.is(TokenKind::kNewline) && !token_.is(TokenKind::kEnd) &&
                         !token_.is(TokenKind::kText) && !token_.is_keyword("if") &&
                         !token_.is_keyword("unless") && !token_.is_operator("}") &&
                         !token_.is_keyword("end");
  const Node* value = has_value ? parse_argument_expression() : nullptr;
  return make<OperandNode>(kind, line, value);
}

const Node* Parser::parse_array() {
  const int line = token_.line;
  advance();
  const BlockNode* block = nullptr;
  const std::vector<const Node*> items = parse_arguments("]", block);
  if (block != nullptr) fail_here();
  return make<ArrayNode>(NodeKind::kArray, line, list(items));
}

const Node* Parser::parse_hash() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  const bool leaves_do = leaves_do_;
  leaves_do_ = false;
  advance();
  skip_newlines();
  std::vector<const Node*> entries;
  while (!token_.is_operator("}")) {
    entries.push_back(parse_hash_key());
    skip_newlines();
    entries.push_back(parse_argument_expression());
    skip_newlines();
    if (!take_operator(",")) break;
    skip_newlines();
  }
  leaves_do_ = leaves_do;
  expect_operator("}");
  return make<HashNode>(NodeKind::kHash, line, list(entries));
}

// Parses a key and the separator before its value.
const Node* Parser::parse_hash_key() {
  const int line = token_.line;
  if (token_.is(TokenKind::kLabel)) {
    const Node* key = make<TextNode>(NodeKind::kSymbol, line, token_.text);
    advance();
    return key;
  }
  if (token_.is_operator("**")) fail("a hash within a hash");
  const Node* key = parse_argument_expression();
  if (token_.is_operator(":") && key->kind == NodeKind::kString) {
    advance();
    return make<TextNode>(NodeKind::kSymbol, line, static_cast<const TextNode&>(*key).text);
  }
  expect_operator("=>");
  return key;
}

}  // namespace bunraku::erb

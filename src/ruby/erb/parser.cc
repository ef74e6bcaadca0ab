#include "ruby/erb/parser.h"

#include <algorithm>
#include <ranges>

#include "base/text/ascii.h"
#include "ruby/erb/methods.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"

namespace bunraku::erb {

namespace {

constexpr int kMaxDepth = 150;

}  // namespace

ParsedScript parse_script(const Script& script, Arena& arena) {
  return Parser(script, arena).parse();
}

Parser::Parser(const Script& script, Arena& arena, ScriptKind kind)
    : script_(script), kind_(kind), arena_(arena), lexer_(arena.copy(script.code), *this) {}

Parser::DepthGuard::DepthGuard(Parser& parser) : parser_(parser) {
  if (parser.depth_ >= kMaxDepth) {
    fail_with_obstacle(parser.token_.line, "code that is nested so deeply");
  }
  ++parser.depth_;
}

ParsedScript Parser::parse() {
  find_methods_defined();
  advance();
  const Node* root = parse_statements({});
  if (!token_.is(TokenKind::kEnd)) fail_here();
  return finish_script(root);
}

ParsedScript Parser::finish_script(const Node* root) {
  ParsedScript script;
  script.root = root;
  script.slot_count = slot_count_;
  script.instance_variables = std::move(instance_variables_);
  script.changes_objects = changes_objects_;
  script.possible_obstacle = possible_obstacle();
  script.uses_scope = uses_scope_;
  return script;
}

// --- tokens -------------------------------------------------------------------------------------

bool Parser::take_operator(std::string_view text) {
  if (!token_.is_operator(text)) return false;
  advance();
  return true;
}

bool Parser::take_keyword(std::string_view text) {
  if (!token_.is_keyword(text)) return false;
  advance();
  return true;
}

void Parser::expect_operator(std::string_view text) {
  if (!take_operator(text)) fail_here();
}

void Parser::expect_keyword(std::string_view text) {
  if (!take_keyword(text)) fail_here();
}

void Parser::skip_newlines() {
  while (token_.is(TokenKind::kNewline)) advance();
}

void Parser::fail(std::string construct) {
  fail_with_obstacle(token_.line, std::move(construct));
}

void Parser::fail_here() {
  switch (token_.kind) {
    case TokenKind::kEnd:
      fail("code that goes on beyond the template's end");
    case TokenKind::kNewline:
      fail("code that goes on beyond the end of its line");
    case TokenKind::kText:
      fail("code that goes on beyond its tag");
    default:
      fail("'" + std::string(token_.text) + "' at this place");
  }
}

// --- names --------------------------------------------------------------------------------------

const Parser::Local* Parser::find_local(std::string_view name) const {
  auto found = std::ranges::find_if(std::ranges::reverse_view(locals_),
                                    [&](const Local& local) { return local.name == name; });
  return found == locals_.rend() ? nullptr : &*found;
}

bool Parser::is_local(std::string_view name) const {
  return find_local(name) != nullptr;
}

uint32_t Parser::declare(std::string_view name) {
  locals_.push_back({name, slot_count_});
  return slot_count_++;
}

uint32_t Parser::instance_variable(std::string_view name) {
  names_instance_variables_ = true;
  if (kind_ == ScriptKind::kModule) name = whole_name("@", name);
  auto found = std::ranges::find(instance_variables_, name);
  if (found == instance_variables_.end()) {
    instance_variables_.push_back(name);
    return static_cast<uint32_t>(instance_variables_.size() - 1);
  }
  return static_cast<uint32_t>(found - instance_variables_.begin());
}

// --- statements ---------------------------------------------------------------------------------

// Parses up to one of the keywords or operators in `ends`, which stays unread.
const Node* Parser::parse_statements(std::initializer_list<std::string_view> ends) {
  const DepthGuard guard(*this);
  const int line = token_.line;
  const bool leaves_do = leaves_do_;
  leaves_do_ = false;
  std::vector<const Node*> statements;
  while (true) {
    skip_newlines();
    if (token_.is(TokenKind::kEnd)) break;
    bool closes = token_.is(TokenKind::kKeyword) || token_.is(TokenKind::kOperator);
    if (closes && std::ranges::find(ends, token_.text) != ends.end()) break;
    statements.push_back(parse_statement());
    const bool ends_here = token_.is(TokenKind::kNewline) || token_.is(TokenKind::kEnd);
    closes = token_.is(TokenKind::kKeyword) || token_.is(TokenKind::kOperator);
    if (!ends_here && !(closes && std::ranges::find(ends, token_.text) != ends.end())) fail_here();
  }
  leaves_do_ = leaves_do;
  if (statements.size() == 1) return statements[0];
  return make<SequenceNode>(NodeKind::kSequence, line, list(statements));
}

const Node* Parser::parse_statement() {
  if (token_.is(TokenKind::kText)) {
    // Text of the template cannot be written from a method.
    if (in_method_) fail("text of the template in a method");
    const size_t number = std::stoul(std::string(token_.text));
    const Node* text =
        make<TextNode>(NodeKind::kText, token_.line, std::string_view(script_.texts[number]));
    advance();
    return text;
  }
  const Node* statement = token_.is(TokenKind::kInsert) ? parse_insert()
                          : at_multiple_assignment()    ? parse_multiple_assignment()
                                                        : parse_expression_statement();
  while (token_.is(TokenKind::kKeyword)) {
    const int line = token_.line;
    const bool is_unless = token_.text == "unless";
    if (token_.text == "while" || token_.text == "until") {
      statement = parse_loop_modifier(statement);
      continue;
    }
    if (token_.text == "rescue") {
      statement = parse_rescue_modifier(statement);
      continue;
    }
    if (!is_unless && token_.text != "if") break;
    advance();
    const Node* condition = parse_expression_statement();
    const Node* nothing = nullptr;
    statement = make<IfNode>(NodeKind::kIf, line, condition, is_unless ? nothing : statement,
                             is_unless ? statement : nothing);
  }
  return statement;
}

// _erbout.<<((code).to_s)
const Node* Parser::parse_insert() {
  if (in_method_) fail("text of the template in a method");
  const int line = token_.line;
  advance();
  expect_operator("(");
  expect_operator("(");
  const Node* value = parse_statements({")"});
  expect_operator(")");
  expect_operator(".");
  if (token_.text != "to_s") fail_here();
  advance();
  if (!token_.is_operator(")")) fail_here();
  advance();
  return make<OperandNode>(NodeKind::kInsert, line, value);
}

const Node* Parser::parse_expression_statement() {
  const DepthGuard guard(*this);
  const Node* left = parse_not();
  while (token_.is_keyword("and") || token_.is_keyword("or")) {
    const NodeKind kind = token_.text == "and" ? NodeKind::kAnd : NodeKind::kOr;
    const int line = token_.line;
    advance();
    const Node* right = parse_not();
    left = make<PairNode>(kind, line, left, right);
  }
  return left;
}

const Node* Parser::parse_not() {
  if (!token_.is_keyword("not") || lexer_.peek() == '(') return parse_argument_expression();
  const DepthGuard guard(*this);
  const int line = token_.line;
  advance();
  // Ruby parses the brace as the start of a block.
  if (token_.is_operator("{")) fail_here();
  return make<OperandNode>(NodeKind::kNot, line, parse_not());
}

// Returns whether a multiple assignment starts here: `a, b = ` or `a, *b = `, with local variables
// only.
bool Parser::at_multiple_assignment() const {
  const bool is_splat = token_.is_operator("*");
  if (!token_.is(TokenKind::kIdentifier) && !is_splat) return false;
  std::string_view code = lexer_.code();
  size_t at = token_.begin;
  auto skip_blanks = [&] {
    while (at < code.size() && (code[at] == ' ' || code[at] == '\t')) ++at;
  };
  bool several = is_splat;
  while (true) {
    if (at < code.size() && code[at] == '*') ++at;
    const size_t begin = at;
    while (at < code.size() && is_word_character(code[at])) ++at;
    if (at == begin) return false;
    skip_blanks();
    if (at >= code.size()) return false;
    if (code[at] == '=') break;
    if (code[at] != ',') return false;
    several = true;
    ++at;
    skip_blanks();
  }
  const std::string_view rest = code.substr(at + 1);
  return several && !rest.starts_with('=') && !rest.starts_with('~') && !rest.starts_with('>');
}

const Node* Parser::parse_multiple_assignment() {
  const int line = token_.line;
  std::vector<Target> targets;
  do {
    const bool is_splat = take_operator("*");
    if (!token_.is(TokenKind::kIdentifier)) fail_here();
    const Local* known = find_local(token_.text);
    const uint32_t slot = known != nullptr ? known->slot : declare(token_.text);
    targets.push_back({slot, is_splat, {}, nullptr});
    advance();
  } while (take_operator(","));
  expect_operator("=");
  std::vector<const Node*> values;
  const int value_line = token_.line;
  bool has_splat = false;
  do {
    const int item_line = token_.line;
    if (take_operator("*")) {
      has_splat = true;
      values.push_back(make<OperandNode>(NodeKind::kSplat, item_line, parse_argument_expression()));
    } else {
      values.push_back(parse_argument_expression());
    }
  } while (take_operator(","));
  const Node* value = values[0];
  if (values.size() > 1 || has_splat) {
    value = make<ArrayNode>(NodeKind::kArray, value_line, list(values));
  }
  return make<SetSeveralNode>(
      NodeKind::kSetSeveral, line,
      std::span<const Target>(arena_.copy(std::span<const Target>(targets))), value);
}

// Parses the parameters of a block, up to `end`.
std::span<const Target> Parser::parse_targets(std::string_view end) {
  std::vector<Target> targets;
  while (!token_.is_operator(end)) {
    targets.push_back(parse_target());
    if (!take_operator(",")) break;
  }
  return arena_.copy(std::span<const Target>(targets));
}

Target Parser::parse_target() {
  const DepthGuard guard(*this);
  if (take_operator("(")) {
    const std::span<const Target> parts = parse_targets(")");
    expect_operator(")");
    return {0, false, parts, nullptr};
  }
  const bool is_splat = take_operator("*");
  if (!token_.is(TokenKind::kIdentifier)) fail_here();
  Target target{declare(token_.text), is_splat, {}, nullptr};
  advance();
  return target;
}

// --- operators ----------------------------------------------------------------------------------

const Node* Parser::parse_conditional() {
  const DepthGuard guard(*this);
  const Node* condition = parse_range();
  if (!token_.is_operator("?")) return condition;
  const int line = token_.line;
  lexer_.forbid_label();
  advance();
  const Node* then = parse_conditional();
  if (token_.is(TokenKind::kNewline) && token_.text == "\n") advance();
  if (token_.is(TokenKind::kLabel)) fail_here();
  expect_operator(":");
  const Node* otherwise = parse_conditional();
  return make<IfNode>(NodeKind::kIf, line, condition, then, otherwise);
}

const Node* Parser::parse_range() {
  const Node* first = parse_or();
  if (!token_.is_operator("..") && !token_.is_operator("...")) return first;
  const bool is_exclusive = token_.text == "...";
  const int line = token_.line;
  advance();
  const bool has_end = !token_.is_operator(")") && !token_.is_operator("]") &&
                       !token_.is(TokenKind::kNewline) && !token_.is(TokenKind::kEnd) &&
                       !token_.is_keyword("then");
  const Node* last = has_end ? parse_or() : nullptr;
  return make<RangeNode>(NodeKind::kRange, line, first, last, is_exclusive);
}

const Node* Parser::parse_or() {
  const Node* left = parse_and();
  while (token_.is_operator("||")) {
    const int line = token_.line;
    advance();
    const Node* right = parse_and();
    left = make<PairNode>(NodeKind::kOr, line, left, right);
  }
  return left;
}

const Node* Parser::parse_and() {
  const Node* left = parse_equality();
  while (token_.is_operator("&&")) {
    const int line = token_.line;
    advance();
    const Node* right = parse_equality();
    left = make<PairNode>(NodeKind::kAnd, line, left, right);
  }
  return left;
}

const Node* Parser::parse_equality() {
  const Node* left = parse_binary(0);
  if (!token_.is(TokenKind::kOperator)) return left;
  constexpr std::string_view kEqualities[] = {"<=>", "==", "===", "!=", "=~", "!~"};
  std::string_view operation = token_.text;
  if (std::ranges::find(kEqualities, operation) == std::end(kEqualities)) return left;
  const int line = token_.line;
  advance();
  const Node* right = parse_binary(0);
  const bool is_negated = operation[0] == '!';
  if (is_negated) operation = operation == "!=" ? "==" : "=~";
  const Node* call = make_call(line, left, operation, {right}, nullptr, false);
  return is_negated ? make<OperandNode>(NodeKind::kNot, line, call) : call;
}

const Node* Parser::parse_binary(size_t level) {
  struct Level {
    std::string_view operators[4];
  };
  // Operators by precedence, the lowest first.
  static constexpr Level kLevels[] = {{{"<", "<=", ">", ">="}}, {{"|", "^"}}, {{"&"}},
                                      {{"<<", ">>"}},           {{"+", "-"}}, {{"*", "/", "%"}}};
  if (level == std::size(kLevels)) return parse_unary();
  const Node* left = parse_binary(level + 1);
  while (token_.is(TokenKind::kOperator) && !token_.text.empty() &&
         std::ranges::find(kLevels[level].operators, token_.text) !=
             std::end(kLevels[level].operators)) {
    const std::string_view operation = token_.text;
    const int line = token_.line;
    advance();
    const Node* right = parse_binary(level + 1);
    left = make_call(line, left, operation, {right}, nullptr, false);
  }
  return left;
}

const Node* Parser::parse_unary() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  if (take_operator("!")) {
    return make<OperandNode>(NodeKind::kNot, line, parse_unary());
  }
  if (take_operator("-")) return make_call(line, parse_power(), "-@", {}, nullptr, false);
  if (token_.is_operator("+") || token_.is_operator("~")) {
    fail("the operator '" + std::string(token_.text) + "' before an operand");
  }
  return parse_power();
}

const Node* Parser::parse_power() {
  const bool is_negative = (token_.is(TokenKind::kInteger) || token_.is(TokenKind::kFloat)) &&
                           token_.text.starts_with('-');
  const Node* base = parse_postfix();
  if (!token_.is_operator("**")) return base;
  if (is_negative) fail("a power of a negative number");
  const int line = token_.line;
  advance();
  const Node* exponent = parse_unary();
  return make_call(line, base, "**", {exponent}, nullptr, false);
}

// Parses an assignment whose target has been read; the operator is the current token.
const Node* Parser::parse_assignment(const Node* target) {
  const DepthGuard guard(*this);
  const int line = token_.line;
  std::string_view operation = token_.text;
  operation.remove_suffix(1);
  advance();
  const Node* value = parse_argument_expression();
  // x = y rescue z
  if (token_.is_keyword("rescue")) value = parse_rescue_modifier(value);
  return update(target, operation, value, line);
}

// Makes the node of an assignment. `operation` is empty for a plain one.
const Node* Parser::update(const Node* target, std::string_view operation, const Node* value,
                           int line) {
  if (target->kind == NodeKind::kCall) {
    const auto& call = static_cast<const CallNode&>(*target);
    if (operation == "&&") fail("the operator '&&='");
    std::vector<const Node*> arguments(call.arguments.begin(), call.arguments.end());
    if (operation.empty()) {
      arguments.push_back(value);
      return make_call(line, call.receiver, "[]=", arguments, nullptr, false);
    }
    const MethodSet* method = nullptr;
    if (operation != "||") {
      method = find_methods(operation);
      if (method == nullptr) fail("the operator '" + std::string(operation) + "='");
    }
    return make<UpdateElementNode>(NodeKind::kUpdateElement, line, call.receiver, call.arguments,
                                   method, value);
  }
  if (target->kind != NodeKind::kLocal && target->kind != NodeKind::kInstanceVariable) fail_here();
  auto set = [&](const Node* to) -> const Node* {
    if (target->kind == NodeKind::kLocal) {
      return make<SetLocalNode>(NodeKind::kSetLocal, line,
                                static_cast<const LocalNode&>(*target).slot, to);
    }
    return make<SetInstanceVariableNode>(NodeKind::kSetInstanceVariable, line,
                                         static_cast<const InstanceVariableNode&>(*target).number,
                                         to);
  };
  if (operation.empty()) return set(value);
  if (operation == "||") return make<PairNode>(NodeKind::kOr, line, target, set(value));
  if (operation == "&&") return make<PairNode>(NodeKind::kAnd, line, target, set(value));
  return set(make_call(line, target, operation, {value}, nullptr, false));
}

}  // namespace bunraku::erb

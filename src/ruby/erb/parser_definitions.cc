// Methods that a template defines, rescued errors, and loops.
#include <algorithm>
#include <string>
#include <utility>

#include "base/text/ascii.h"
#include "ruby/erb/interpreter.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"

namespace bunraku::erb {

bool is_predefined_method(std::string_view name) {
  static constexpr std::string_view kNames =
      " _ __callee__ __dir__ __id__ __method__ __send__ abort alert all_tags at_exit autoload"
      " benchmark binding block_given? caller caller_locations catch class class_def classes"
      " clear_environment clone create_erb crit daemonize debug default_env"
      " define_singleton_method deterministic_rand deterministic_rand_int display dup emerg"
      " enum_for err eval exec execfail execpipe execute exit exit! exit_on_fail extend fail"
      " file fork format freeze gem gem_original_require get_env get_environment gets"
      " global_variables hash info initialize initialize_clone initialize_copy initialize_dup"
      " inspect instance_eval instance_exec instance_variables iterator? itself j jj lambda load"
      " load_dir local_variables loop merge_environment meta_def meta_eval meta_undef method"
      " method_missing methods n_ notice np_ ns_ object_id open p p_ path_to_uri pp print printf"
      " private_methods proc protected_methods public_method public_methods public_send putc"
      " puts raise rand readline readlines remove_instance_variable replace_file require"
      " require_relative result rfc2396_escape s_ safe_posix_fork scope script_line select send"
      " set_env set_trace_func singleton_class singleton_method singleton_method_added"
      " singleton_method_removed singleton_method_undefined singleton_methods"
      " skip_external_facts sleep spawn sprintf srand symbolizehash syscall system tags taint"
      " tap test then thinmark throw to_enum to_json to_s to_yaml trace_var trap trust untaint"
      " untrace_var untrust uri_encode uri_query_encode uri_to_path uri_unescape warn warning"
      " which withenv yield_self ";
  return kNames.find(" " + std::string(name) + " ") != kNames.npos ||
         name.starts_with("instance_variable_");
}

// Collects the names of all defined methods first: a method may be called before the line that
// defines it.
void Parser::find_methods_defined() {
  const std::string_view code = lexer_.code();
  constexpr std::string_view kDef = "def ";
  for (size_t at = code.find(kDef); at != code.npos; at = code.find(kDef, at + 1)) {
    if (at > 0 && is_word_character(code[at - 1])) continue;
    size_t begin = at + kDef.size();
    while (begin < code.size() && code[begin] == ' ') ++begin;
    size_t end = begin;
    while (end < code.size() && is_word_character(code[end])) ++end;
    if (end < code.size() && (code[end] == '?' || code[end] == '!')) ++end;
    if (end > begin) methods_.insert(code.substr(begin, end - begin));
  }
}

std::optional<Obstacle> Parser::possible_obstacle() const {
  if (possible_obstacle_) return possible_obstacle_;
  // A template rendered within this one may define methods for it.
  if (lexer_.code().find("function_template") != std::string_view::npos) return std::nullopt;
  std::optional<Obstacle> unknown;
  for (const CalledMethod& called : called_) {
    if (methods_.contains(called.name)) continue;
    Obstacle obstacle{called.line, "the method '" + std::string(called.name) + "'"};
    if (!called.is_alone) return obstacle;
    if (unknown) continue;
    obstacle.unknown_name = called.name;
    unknown = std::move(obstacle);
  }
  return unknown;
}

void Parser::parse_method_parameters(std::vector<Target>& parameters, uint32_t& block_slot) {
  const bool has_parentheses = take_operator("(");
  const auto at_end = [&] {
    return has_parentheses ? token_.is_operator(")") : token_.is(TokenKind::kNewline);
  };
  while (!at_end()) {
    if (take_operator("&")) {
      if (!token_.is(TokenKind::kIdentifier)) fail_here();
      block_slot = declare(token_.text);
      advance();
      break;
    }
    const bool is_splat = take_operator("*");
    if (!token_.is(TokenKind::kIdentifier)) fail_here();
    Target parameter{declare(token_.text), is_splat, {}, nullptr};
    advance();
    if (take_operator("=")) parameter.default_value = parse_argument_expression();
    parameters.push_back(parameter);
    if (!take_operator(",")) break;
    skip_newlines();
  }
  if (has_parentheses) expect_operator(")");
}

const Node* Parser::parse_define() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  advance();
  const bool is_of_module = kind_ == ScriptKind::kModule && !in_method_;
  std::string_view name;
  if (is_of_module) name = parse_name_of_module_method();
  if (!token_.is(TokenKind::kIdentifier) || in_method_) fail("the definition of such a method");
  if (!is_of_module) name = token_.text;
  advance();
  if (token_.is_operator(".") || token_.is_operator("=")) fail("the definition of such a method");
  std::vector<Local> outer;
  outer.swap(locals_);
  const int loops = std::exchange(loops_, 0);
  const bool leaves_do = std::exchange(leaves_do_, false);
  const bool names_instance_variables = std::exchange(names_instance_variables_, false);
  in_method_ = true;
  std::vector<Target> parameters;
  uint32_t block_slot = DefineNode::kNoBlock;
  parse_method_parameters(parameters, block_slot);
  const Node* body = parse_body(line);
  const Node* definition =
      make<DefineNode>(NodeKind::kDefine, line, name,
                       std::span<const Target>(arena_.copy(std::span<const Target>(parameters))),
                       block_slot, body, names_instance_variables_);
  in_method_ = false;
  names_instance_variables_ = names_instance_variables || names_instance_variables_;
  leaves_do_ = leaves_do;
  loops_ = loops;
  locals_.swap(outer);
  return definition;
}

// --- blocks and procs ---------------------------------------------------------------------------

// Parses a parameter of a block. A default ends before the `|` that ends the parameters.
Target Parser::parse_block_parameter() {
  if (token_.is(TokenKind::kNewline) || token_.is(TokenKind::kLabel)) fail_here();
  Target parameter = parse_target();
  if (!parameter.parts.empty() || parameter.is_splat || !take_operator("=")) return parameter;
  parameter.default_value = parse_unary();
  return parameter;
}

// |a, (b, c), d = 1|
Parser::BlockParameters Parser::parse_block_parameters() {
  BlockParameters parameters;
  if (take_operator("||") || !take_operator("|")) return parameters;
  while (!token_.is_operator("|")) {
    parameters.targets.push_back(parse_block_parameter());
    if (!take_operator(",")) break;
    if (token_.is_operator("|")) parameters.takes_apart = true;
  }
  if (parameters.targets.size() > 1) parameters.takes_apart = true;
  expect_operator("|");
  return parameters;
}

const BlockNode* Parser::parse_block() {
  const BlockScope scope = begin_block();
  const bool has_braces = token_.is_operator("{");
  advance();
  return finish_block(scope, has_braces, parse_block_parameters());
}

Parser::BlockScope Parser::begin_block() {
  return {locals_.size(), slot_count_, std::exchange(leaves_do_, false)};
}

BlockNode* Parser::finish_block(const BlockScope& scope, bool has_braces,
                                const BlockParameters& parameters) {
  ++loops_;
  const Node* body = has_braces ? parse_statements({"}"}) : parse_rescued_statements(token_.line);
  --loops_;
  if (has_braces ? !token_.is_operator("}") : !token_.is_keyword("end")) fail_here();
  locals_.resize(scope.visible);
  leaves_do_ = scope.leaves_do;
  advance();
  auto* block = arena_.make<BlockNode>(arena_.copy(std::span<const Target>(parameters.targets)),
                                       parameters.takes_apart, scope.first_slot,
                                       slot_count_ - scope.first_slot, body,
                                       static_cast<const MethodSet*>(nullptr));
  block->has_defaults = std::ranges::any_of(
      parameters.targets, [](const Target& target) { return target.default_value != nullptr; });
  return block;
}

// Where a block or a loop makes a proc, the proc keeps locals of its own that are gone here when it
// is called.
void Parser::check_place_of_proc() {
  if (loops_ > 0) fail("a proc at this place");
}

// Returns whether the name, which has been read, begins `lambda { }` or `proc { }`.
bool Parser::is_lambda_or_proc(const Token& name, bool is_defined_here) const {
  if (is_defined_here || (name.text != "lambda" && name.text != "proc")) return false;
  return token_.is_operator("{") || (token_.is_keyword("do") && !leaves_do_);
}

const Node* Parser::parse_procedure(const Token& name) {
  check_place_of_proc();
  auto* block = arena_.make<BlockNode>(*parse_block());
  return make_proc(name.line, block, name.text == "lambda");
}

const Node* Parser::make_proc(int line, BlockNode* block, bool is_lambda) {
  block->is_proc = true;
  block->is_lambda = is_lambda;
  if (is_lambda) block->takes_apart = false;
  return make<ProcNode>(NodeKind::kProc, line, block);
}

// ->(a, b) { }
const Node* Parser::parse_arrow_lambda() {
  const DepthGuard guard(*this);
  check_place_of_proc();
  const int line = token_.line;
  const BlockScope scope = begin_block();
  advance();
  BlockParameters parameters;
  const bool has_parentheses = take_operator("(");
  while (token_.is(TokenKind::kIdentifier) || token_.is_operator("*")) {
    parameters.targets.push_back(parse_block_parameter());
    if (!take_operator(",")) break;
  }
  if (has_parentheses) expect_operator(")");
  const bool has_braces = token_.is_operator("{");
  if (!has_braces && !token_.is_keyword("do")) fail_here();
  advance();
  return make_proc(line, finish_block(scope, has_braces, parameters), true);
}

// Proc.new { }, behind the constant.
const Node* Parser::parse_proc(int line) {
  check_place_of_proc();
  advance();
  if (token_.text != "new") fail_here();
  advance();
  if (!token_.is_operator("{") && !token_.is_keyword("do")) fail("a proc in this form");
  return make_proc(line, arena_.make<BlockNode>(*parse_block()), false);
}

// --- errors -------------------------------------------------------------------------------------

// The message of ErrorClass.new('message') at the dot; null where it has another form.
const Node* Parser::parse_new_error() {
  advance();
  if (token_.text != "new") fail_here();
  advance();
  if (!token_.is_operator("(") || token_.space_before) return nullptr;
  advance();
  const BlockNode* block = nullptr;
  const std::vector<const Node*> arguments = parse_arguments(")", block);
  return arguments.size() == 1 && block == nullptr ? arguments[0] : nullptr;
}

// Parses a body with its rescue clauses, up to and including `end`.
const Node* Parser::parse_body(int line) {
  const Node* body = parse_rescued_statements(line);
  expect_keyword("end");
  return body;
}

// Parses a body with its rescue clauses, up to `end`.
const Node* Parser::parse_rescued_statements(int line) {
  const Node* body = parse_statements({"rescue", "else", "ensure", "end"});
  std::vector<RescueClause> rescues;
  while (take_keyword("rescue")) rescues.push_back(parse_rescue_clause());
  const Node* otherwise = nullptr;
  if (token_.is_keyword("else")) {
    if (rescues.empty()) fail_here();
    advance();
    otherwise = parse_statements({"ensure", "end"});
  }
  const Node* ensured = nullptr;
  if (take_keyword("ensure")) ensured = parse_statements({"end"});
  if (rescues.empty() && ensured == nullptr) return body;
  return make<BeginNode>(
      NodeKind::kBegin, line, body,
      std::span<const RescueClause>(arena_.copy(std::span<const RescueClause>(rescues))), otherwise,
      ensured);
}

RescueClause Parser::parse_rescue_clause() {
  std::vector<std::string_view> classes;
  while (token_.is(TokenKind::kConstant)) {
    const std::string path = parse_class_name();
    if (!is_known_error(path) && !is_in_function()) fail("the constant '" + path + "'");
    classes.push_back(arena_.copy(std::string_view(path)));
    if (!take_operator(",")) break;
  }
  RescueClause clause{arena_.copy(std::span<const std::string_view>(classes)),
                      RescueClause::kNoVariable, nullptr};
  if (take_operator("=>")) {
    if (!token_.is(TokenKind::kIdentifier)) fail_here();
    const Local* known = find_local(token_.text);
    clause.slot = known != nullptr ? known->slot : declare(token_.text);
    advance();
  }
  if (!token_.is(TokenKind::kNewline) && !token_.is_keyword("then")) fail_here();
  skip_newlines();
  take_keyword("then");
  clause.body = parse_statements({"rescue", "else", "ensure", "end"});
  return clause;
}

const Node* Parser::parse_begin() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  advance();
  return parse_body(line);
}

// value rescue other. The caller handles what follows.
const Node* Parser::parse_rescue_modifier(const Node* value) {
  const DepthGuard guard(*this);
  const int line = token_.line;
  advance();
  const RescueClause clause[] = {{{}, RescueClause::kNoVariable, parse_argument_expression()}};
  const Node* none = nullptr;
  return make<BeginNode>(
      NodeKind::kBegin, line, value,
      std::span<const RescueClause>(arena_.copy(std::span<const RescueClause>(clause))), none,
      none);
}

// --- leaving, and loops -------------------------------------------------------------------------

const Node* Parser::parse_return() {
  if (!in_method_) fail("a 'return' outside of a method");
  const int line = token_.line;
  advance();
  const bool has_value = !token_.is(TokenKind::kNewline) && !token_.is(TokenKind::kEnd) &&
                         !token_.is_keyword("if") && !token_.is_keyword("unless") &&
                         !token_.is_operator("}") && !token_.is_keyword("end");
  const Node* value = has_value ? parse_expression_statement() : nullptr;
  if (token_.is_operator(",")) fail("a 'return' of several values");
  return make<OperandNode>(NodeKind::kReturn, line, value);
}

const Node* Parser::parse_yield() {
  if (!in_method_) fail_here();
  const int line = token_.line;
  advance();
  const BlockNode* block = nullptr;
  std::vector<const Node*> arguments;
  block_value_ = nullptr;
  if (token_.is_operator("(") && !token_.space_before) {
    advance();
    arguments = parse_arguments(")", block);
  } else if (begins_command_arguments()) {
    arguments = parse_command_arguments(block);
  }
  if (block != nullptr || std::exchange(block_value_, nullptr) != nullptr) fail_here();
  return make<ArgumentsNode>(NodeKind::kYield, line, list(arguments));
}

const Node* Parser::parse_while() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  const bool is_until = token_.text == "until";
  advance();
  const bool leaves_do = std::exchange(leaves_do_, true);
  const Node* condition = parse_expression_statement();
  leaves_do_ = leaves_do;
  if (!take_keyword("do") && !token_.is(TokenKind::kNewline)) fail_here();
  ++loops_;
  const Node* body = parse_statements({"end"});
  --loops_;
  expect_keyword("end");
  return make<WhileNode>(NodeKind::kWhile, line, condition, body, is_until);
}

const Node* Parser::parse_loop_modifier(const Node* statement) {
  const int line = token_.line;
  const bool is_until = token_.text == "until";
  // Such a block runs once before the condition is evaluated.
  if (statement->kind == NodeKind::kBegin || statement->kind == NodeKind::kSequence) fail_here();
  advance();
  const Node* condition = parse_expression_statement();
  return make<WhileNode>(NodeKind::kWhile, line, condition, statement, is_until);
}

// --- libraries ----------------------------------------------------------------------------------

// `require` of a library that comes with Ruby, or of a file of the function's module, as a
// statement of its own. What the library defines is either supported or an obstacle where it is
// used.
const Node* Parser::parse_require(const Token& name) {
  constexpr std::string_view kLibraries[] = {"base64",
                                             "cgi",
                                             "date",
                                             "digest",
                                             "digest/md5",
                                             "digest/sha1",
                                             "digest/sha2",
                                             "erb",
                                             "etc",
                                             "fileutils",
                                             "ipaddr",
                                             "json",
                                             "net/http",
                                             "net/https",
                                             "open-uri",
                                             "open3",
                                             "openssl",
                                             "ostruct",
                                             "pathname",
                                             "pp",
                                             "psych",
                                             "resolv",
                                             "securerandom",
                                             "set",
                                             "shellwords",
                                             "socket",
                                             "stringio",
                                             "tempfile",
                                             "time",
                                             "timeout",
                                             "tmpdir",
                                             "uri",
                                             "yaml",
                                             "zlib",
                                             "puppet",
                                             "puppet/util",
                                             "puppet/util/execution",
                                             "puppet/parser/functions"};
  const bool has_parentheses = take_operator("(");
  const bool is_path = required_ != nullptr && !token_.is(TokenKind::kQuote);
  if (!is_path && !token_.is(TokenKind::kQuote)) fail_with_obstacle(name.line, "'require'");
  const std::string library = is_path ? parse_path() : std::string(parse_plain_text());
  const bool is_known = std::ranges::find(kLibraries, library) != std::end(kLibraries);
  if (has_parentheses) expect_operator(")");
  const bool is_statement =
      token_.is(TokenKind::kNewline) || token_.is(TokenKind::kEnd) || token_.is(TokenKind::kText);
  const std::string own =
      required_ == nullptr || is_known || is_path ? library : own_library_file(library);
  if (!is_statement || own.empty() || (!is_known && required_ == nullptr) ||
      (!is_known && in_method_)) {
    fail_with_obstacle(name.line, "'require'");
  }
  if (!is_known) require_file(own);
  return make<Node>(NodeKind::kNil, name.line);
}

}  // namespace bunraku::erb

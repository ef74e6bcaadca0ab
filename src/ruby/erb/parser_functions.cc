// Files that define one function each, and constructs that mean something else in them.
#include <algorithm>
#include <charconv>

#include "ruby/erb/methods.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"

namespace bunraku::erb {

ParsedFunction parse_function(const Script& script, Arena& arena, bool is_legacy,
                              const std::string& path, RequiredFiles& required) {
  return Parser(script, arena, is_legacy ? ScriptKind::kLegacyFunction : ScriptKind::kFunction)
      .parse_function(path, required);
}

ParsedFunction Parser::parse_function(const std::string& path, RequiredFiles& required) {
  path_ = path;
  required_ = &required;
  find_methods_defined();
  advance();
  skip_requires();
  ParsedFunction function;
  if (kind_ == ScriptKind::kFunction) {
    parse_current_function(function);
  } else {
    parse_legacy_function(function);
  }
  skip_newlines();
  if (!token_.is(TokenKind::kEnd)) fail_here();
  if (std::ranges::any_of(instance_variables_, [](std::string_view name) {
        return name.find('@') == std::string_view::npos;
      })) {
    fail("an instance variable");
  }
  check_variables_of_modules(required.methods);
  std::vector<const DefineNode*> methods = std::move(function.script.methods);
  methods.insert(methods.end(), required.methods.begin(), required.methods.end());
  function.script = finish_script(nullptr);
  function.script.methods = std::move(methods);
  return function;
}

// --- the file -----------------------------------------------------------------------------------

void Parser::skip_requires() {
  skip_newlines();
  while (token_.is(TokenKind::kIdentifier) &&
         (token_.text == "require" || token_.text == "require_relative")) {
    const Token name = token_;
    advance();
    if (name.text == "require") {
      parse_require(name);
    } else {
      parse_require_relative();
    }
    skip_newlines();
  }
}

void Parser::expect_word(std::string_view text) {
  if (token_.text != text) fail_here();
  advance();
}

// Puppet::Functions
void Parser::expect_path(std::initializer_list<std::string_view> names) {
  bool is_first = true;
  for (const std::string_view name : names) {
    if (!is_first) expect_operator("::");
    is_first = false;
    if (!token_.is(TokenKind::kConstant)) fail_here();
    expect_word(name);
  }
}

// Parses the name of a class or module, as in Puppet::Error.
std::string Parser::parse_class_name() {
  std::string path;
  do {
    if (!token_.is(TokenKind::kConstant)) fail_here();
    if (!path.empty()) path += "::";
    path += token_.text;
    advance();
  } while (take_operator("::"));
  return path;
}

// Parses a name: a symbol or a string.
std::string_view Parser::parse_name() {
  if (token_.is(TokenKind::kSymbol)) {
    const std::string_view name = token_.text;
    advance();
    return name;
  }
  if (token_.is(TokenKind::kSymbolQuote)) {
    return static_cast<const TextNode&>(*parse_symbol_quote()).text;
  }
  return parse_plain_text();
}

std::string_view Parser::parse_plain_text() {
  if (!token_.is(TokenKind::kQuote)) fail_here();
  const Node* text = parse_string();
  if (text->kind != NodeKind::kString) fail("a text that is made of parts");
  return static_cast<const TextNode&>(*text).text;
}

// --- the current interface ----------------------------------------------------------------------

void Parser::parse_current_function(ParsedFunction& function) {
  expect_path({"Puppet", "Functions"});
  expect_operator(".");
  expect_word("create_function");
  expect_operator("(");
  function.name = parse_name();
  if (take_operator(",")) parse_base_of_function();
  expect_operator(")");
  expect_keyword("do");
  std::vector<std::pair<std::string_view, FunctionDispatch>> dispatches;
  for (skip_newlines(); !token_.is_keyword("end"); skip_newlines()) {
    if (token_.is_keyword("def")) {
      const auto* method = static_cast<const DefineNode*>(parse_define());
      constexpr std::string_view kOwn[] = {"call",           "call_function", "class",
                                           "closure_scope",  "initialize",    "loader",
                                           "method_missing", "send"};
      const auto same = std::ranges::find(function.script.methods, method->name, &DefineNode::name);
      if (std::ranges::find(kOwn, method->name) != std::end(kOwn) ||
          same != function.script.methods.end()) {
        fail("the definition of such a method");
      }
      function.script.methods.push_back(method);
    } else if (token_.text == "dispatch" && token_.is(TokenKind::kIdentifier)) {
      parse_dispatch(dispatches);
    } else if (token_.text == "local_types" && token_.is(TokenKind::kIdentifier)) {
      parse_local_types(function);
    } else if (token_.is(TokenKind::kIdentifier) &&
               (token_.text == "require" || token_.text == "require_relative")) {
      skip_requires();
    } else {
      fail_here();
    }
  }
  advance();
  const auto method_of = [&](std::string_view name) -> const DefineNode* {
    const auto found = std::ranges::find(function.script.methods, name, &DefineNode::name);
    if (found == function.script.methods.end()) fail("a method that is not in the file");
    return *found;
  };
  for (auto& [name, dispatch] : dispatches) {
    dispatch.method = method_of(name);
    function.dispatches.push_back(std::move(dispatch));
  }
  if (!function.dispatches.empty()) return;
  const size_t colons = function.name.rfind("::");
  const std::string_view last =
      colons == function.name.npos ? function.name : function.name.substr(colons + 2);
  function.dispatches.push_back(default_dispatch(*method_of(last)));
}

// Puppet::Functions::InternalFunction, which differs in what its dispatches may contain.
void Parser::parse_base_of_function() {
  skip_newlines();
  if (token_.text != "Puppet") fail("such a base of a function");
  expect_path({"Puppet", "Functions", "InternalFunction"});
}

FunctionDispatch Parser::default_dispatch(const DefineNode& method) {
  if (method.block_slot != DefineNode::kNoBlock) fail("a function that takes a block");
  FunctionDispatch dispatch;
  dispatch.method = &method;
  for (const Target& parameter : method.parameters) {
    const bool is_last = &parameter == &method.parameters.back();
    const bool is_required = !parameter.is_splat && parameter.default_value == nullptr;
    const bool is_behind_optional =
        !dispatch.parameters.empty() && dispatch.parameters.back().is_optional;
    if ((parameter.is_splat && !is_last) || (is_required && is_behind_optional)) {
      fail("parameters in this order");
    }
    // The parameters' names appear only in messages, which a worker writes.
    dispatch.parameters.push_back(
        {"Any", {}, parameter.is_splat || parameter.default_value != nullptr, parameter.is_splat});
  }
  return dispatch;
}

void Parser::parse_dispatch(
    std::vector<std::pair<std::string_view, FunctionDispatch>>& dispatches) {
  advance();
  const bool has_parentheses = take_operator("(");
  const std::string_view method = parse_name();
  if (has_parentheses) expect_operator(")");
  expect_keyword("do");
  FunctionDispatch dispatch;
  for (skip_newlines(); !token_.is_keyword("end"); skip_newlines()) parse_dispatch_line(dispatch);
  advance();
  dispatches.emplace_back(method, std::move(dispatch));
}

void Parser::parse_dispatch_line(FunctionDispatch& dispatch) {
  if (!token_.is(TokenKind::kIdentifier)) fail_here();
  const std::string_view word = token_.text;
  constexpr std::string_view kWords[] = {"return_type",
                                         "param",
                                         "required_param",
                                         "optional_param",
                                         "repeated_param",
                                         "optional_repeated_param",
                                         "required_repeated_param"};
  if (std::ranges::find(kWords, word) == std::end(kWords)) {
    fail("'" + std::string(word) + "' in a dispatch");
  }
  advance();
  const bool has_parentheses = take_operator("(");
  if (word == "return_type") {
    dispatch.return_type = parse_plain_text();
  } else {
    FunctionDispatch::Parameter parameter{};
    parameter.type = parse_plain_text();
    expect_operator(",");
    if (!token_.is(TokenKind::kSymbol)) fail_here();
    parameter.name = parse_name();
    const auto behind = [&](bool FunctionDispatch::Parameter::* property) {
      return !dispatch.parameters.empty() && dispatch.parameters.back().*property;
    };
    if (word == "optional_param") {
      parameter.is_optional = true;
    } else if (word == "repeated_param" || word == "optional_repeated_param") {
      parameter.is_optional = parameter.is_repeated = true;
    } else if (word == "required_repeated_param") {
      parameter.is_repeated = true;
    }
    const bool is_misplaced =
        behind(&FunctionDispatch::Parameter::is_repeated) ||
        (behind(&FunctionDispatch::Parameter::is_optional) && !parameter.is_optional);
    if (is_misplaced) fail("parameters in this order");
    dispatch.parameters.push_back(parameter);
  }
  if (has_parentheses) expect_operator(")");
  if (!token_.is(TokenKind::kNewline)) fail_here();
}

void Parser::parse_local_types(ParsedFunction& function) {
  advance();
  expect_keyword("do");
  for (skip_newlines(); !token_.is_keyword("end"); skip_newlines()) {
    expect_word("type");
    function.local_types.push_back(parse_plain_text());
    if (!token_.is(TokenKind::kNewline)) fail_here();
  }
  advance();
}

// --- the older interface ------------------------------------------------------------------------

// module Puppet::Parser::Functions, newfunction(:name, :type => :rvalue) do |arguments|
void Parser::parse_legacy_function(ParsedFunction& function) {
  size_t modules = 0;
  if (token_.is_keyword("module")) {
    advance();
    expect_path({"Puppet", "Parser", "Functions"});
    skip_newlines();
    modules = 1;
  } else {
    expect_path({"Puppet", "Parser", "Functions"});
    expect_operator(".");
  }
  expect_word("newfunction");
  expect_operator("(");
  skip_newlines();
  function.name = parse_name();
  parse_legacy_options(function);
  expect_operator(")");
  const int line = token_.line;
  const bool has_braces = token_.is_operator("{");
  if (!has_braces && !token_.is_keyword("do")) fail_here();
  advance();
  std::vector<Target> parameters;
  if (take_operator("|")) {
    if (!token_.is(TokenKind::kIdentifier)) fail_here();
    parameters.push_back({declare(token_.text), false, {}, nullptr});
    advance();
    if (!token_.is_operator("|")) fail_here();
    advance();
  }
  if (parameters.empty()) fail("a function without parameters");
  in_method_ = true;
  const Node* body = has_braces ? parse_statements({"}"}) : parse_body(line);
  if (has_braces) expect_operator("}");
  in_method_ = false;
  const uint32_t no_block = DefineNode::kNoBlock;
  const auto* method = static_cast<const DefineNode*>(
      make<DefineNode>(NodeKind::kDefine, line, function.name,
                       std::span<const Target>(arena_.copy(std::span<const Target>(parameters))),
                       no_block, body, names_instance_variables_));
  function.script.methods.push_back(method);
  FunctionDispatch dispatch;
  dispatch.method = method;
  function.dispatches.push_back(std::move(dispatch));
  skip_newlines();
  if (modules > 0) expect_keyword("end");
}

void Parser::parse_legacy_options(ParsedFunction& function) {
  skip_newlines();
  while (take_operator(",")) {
    skip_newlines();
    if (token_.is_operator(")")) break;
    std::string_view option;
    if (token_.is(TokenKind::kLabel)) {
      option = token_.text;
      advance();
    } else {
      option = parse_name();
      expect_operator("=>");
    }
    skip_newlines();
    if (option == "type") {
      const std::string_view type = parse_name();
      if (type != "rvalue" && type != "statement") fail("such a type of a function");
      function.is_rvalue = type == "rvalue";
    } else if (option == "arity") {
      if (!token_.is(TokenKind::kInteger)) fail_here();
      const std::string_view digits = token_.text;
      std::from_chars(digits.data(), digits.data() + digits.size(), function.arity);
      advance();
    } else if (option == "doc") {
      parse_plain_text();
    } else {
      fail("such an option of a function");
    }
    skip_newlines();
  }
}

// --- code ---------------------------------------------------------------------------------------

const Node* Parser::scope_node(int line) {
  uses_scope_ = true;
  return make_call(line, make<Node>(NodeKind::kSelf, line), "scope", {}, nullptr, false);
}

// Parses a method that only `self` of a function has; returns null for a method of every object.
const Node* Parser::parse_own_method(const Token& name) {
  const bool is_module = kind_ == ScriptKind::kModule;
  const bool is_legacy = kind_ == ScriptKind::kLegacyFunction;
  if (is_module && defines_for_module(name.text)) return parse_call_within_module(name);
  if (is_legacy && (name.text == "lookupvar" || name.text.starts_with("function_"))) {
    return finish_call(name.line, scope_node(name.line), name.text, false);
  }
  if (name.text == "_") {
    if (const Node* text = parse_translation(name)) return text;
  }
  const bool is_current = !is_legacy && !is_module;
  if (is_current && name.text == "closure_scope") return scope_node(name.line);
  if (is_current && name.text == "call_function") return parse_function_call(name);
  // Methods that templates have and functions do not.
  constexpr std::string_view kOnlyInTemplates[] = {"scope", "has_variable?", "instance_variables",
                                                   "instance_variable_get"};
  if (std::ranges::find(kOnlyInTemplates, name.text) == std::end(kOnlyInTemplates)) return nullptr;
  fail_with_obstacle(name.line, "'" + std::string(name.text) + "'");
}

// _('text'), which translates messages: there are no translations, as in a worker.
const Node* Parser::parse_translation(const Token& name) {
  if (!token_.is_operator("(") || token_.space_before) return nullptr;
  advance();
  const BlockNode* block = nullptr;
  const std::vector<const Node*> arguments = parse_arguments(")", block);
  if (arguments.size() == 1 && block == nullptr) return arguments[0];
  return make_obstacle(name.line, "'_' in this form");
}

// call_function(name, arguments)
const Node* Parser::parse_function_call(const Token& name) {
  const auto& call =
      static_cast<const MethodCallNode&>(*finish_call(name.line, nullptr, name.text, false));
  called_.pop_back();
  if (call.block != nullptr || call.block_value != nullptr || call.arguments.empty()) {
    return make_obstacle(name.line, "'call_function' in this form");
  }
  const Node* rest = make<ArrayNode>(NodeKind::kArray, name.line, call.arguments.subspan(1));
  return make_call(name.line, scope_node(name.line), "call_function", {call.arguments[0], rest},
                   nullptr, false);
}

namespace {

bool is_log_level(std::string_view name) {
  constexpr std::string_view kLevels[] = {"debug", "info", "notice", "warning", "err"};
  return std::ranges::find(kLevels, name) != std::end(kLevels);
}

}  // namespace

// Puppet.debug(text); the dot has been read.
const Node* Parser::parse_log(int line, std::string_view level) {
  advance();
  const BlockNode* block = nullptr;
  std::vector<const Node*> arguments;
  if (token_.is_operator("(") && !token_.space_before) {
    advance();
    arguments = parse_arguments(")", block);
  } else if (begins_command_arguments()) {
    arguments = parse_command_arguments(block);
  }
  if (arguments.size() != 1 || block != nullptr) return make_obstacle(line, "a log record");
  const Node* record = make<TextNode>(NodeKind::kLog, line, level);
  return make<SequenceNode>(NodeKind::kSequence, line, list({arguments[0], record}));
}

// Parses a constant with its path. An unknown constant is an obstacle only when it is reached.
// Returns null for constants that templates have too.
const Node* Parser::parse_constant_path(const Token& name) {
  const auto begins_lower = [&] {
    const char next = lexer_.peek();
    return next >= 'a' && next <= 'z';
  };
  std::string path(name.text);
  while (token_.is_operator("::") && !begins_lower()) {
    advance();
    if (!token_.is(TokenKind::kConstant)) fail_here();
    path += "::" + std::string(token_.text);
    advance();
  }
  if (path == "Puppet" && token_.is_operator(".")) {
    const size_t at = lexer_.position();
    const std::string_view rest = lexer_.code().substr(at);
    const std::string_view method =
        rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
    if (is_log_level(method)) {
      advance();
      return parse_log(name.line, method);
    }
  }
  constexpr std::string_view kOfRuby = "new(RUBY_VERSION)";
  if (path == "Gem::Version" && token_.is_operator(".") &&
      lexer_.code().substr(lexer_.position()).starts_with(kOfRuby)) {
    for (int token = 0; token < 5; ++token) advance();
    const Node* version = make<ClassNode>(NodeKind::kClass, name.line, Class::kGemVersion);
    const Node* of_ruby = make<ClassNode>(NodeKind::kClass, name.line, Class::kRubyVersion);
    return make_call(name.line, version, "new", {of_ruby}, nullptr, false);
  }
  if (const Node* required = parse_required(name.line, path)) return required;
  const bool is_plain = path == name.text;
  if (is_plain && find_class(path) != Class::kNone) return nullptr;
  const MethodSet* method = find_methods(name.text);
  if (is_plain && method != nullptr && method->of(Class::kTemplate) != nullptr) return nullptr;
  if (const Class which = find_class(path); which != Class::kNone) {
    return make<ClassNode>(NodeKind::kClass, name.line, which);
  }
  return make_obstacle(name.line, "the constant '" + path + "'");
}

// `raise Error, 'message'` and `raise Error` of an unknown class.
const Node* Parser::parse_raise_of(int line, std::string_view path) {
  while (take_operator(",")) parse_argument_expression();
  return make_obstacle(line, "the constant '" + std::string(path) + "'");
}

}  // namespace bunraku::erb

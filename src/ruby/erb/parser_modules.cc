// Files of a module that the file of a function requires: Ruby modules with methods of their own.
#include <algorithm>
#include <filesystem>

#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "ruby/erb/methods.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"

namespace bunraku::erb {

namespace {

constexpr size_t kMostFiles = 20;

std::string directory_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace

// --- the paths of files -------------------------------------------------------------------------

// Parses an expression of a path: texts, __dir__, __FILE__, and File.join, dirname and expand_path.
std::string Parser::parse_path() {
  std::string path = parse_path_operand();
  while (take_operator("+")) path += parse_path_operand();
  return path;
}

std::string Parser::parse_path_operand() {
  const DepthGuard guard(*this);
  if (token_.is(TokenKind::kQuote)) return std::string(parse_plain_text());
  if (token_.text == "__FILE__" || token_.text == "__dir__") {
    const bool is_file = token_.text == "__FILE__";
    advance();
    return is_file ? path_ : directory_of(path_);
  }
  if (!token_.is(TokenKind::kConstant) || token_.text != "File") fail_here();
  advance();
  expect_operator(".");
  const std::string_view method = token_.text;
  advance();
  expect_operator("(");
  std::vector<std::string> parts;
  do {
    skip_newlines();
    parts.push_back(parse_path());
  } while (take_operator(","));
  expect_operator(")");
  if (method == "dirname" && parts.size() == 1) return directory_of(parts[0]);
  if (method == "join") {
    std::filesystem::path joined;
    for (const std::string& part : parts) joined += (joined.empty() ? "" : "/") + part;
    return joined.string();
  }
  if (method == "expand_path" && parts.size() == 1) return normal(parts[0]);
  if (method == "expand_path" && parts.size() == 2) return normal(parts[1] + "/" + parts[0]);
  fail("a path in this form");
}

// The file that `require` finds in the library of the same module; empty where there is none.
std::string Parser::own_library_file(std::string_view name) const {
  const size_t library = path_.rfind("/lib/puppet/");
  if (library == path_.npos) return {};
  std::string file = path_.substr(0, library + 5) + std::string(name);
  if (!file.ends_with(".rb")) file += ".rb";
  return is_file(file) ? file : std::string();
}

// Parses require_relative 'file', whose name has been read.
void Parser::parse_require_relative() {
  const bool has_parentheses = take_operator("(");
  const std::string name(parse_plain_text());
  if (has_parentheses) expect_operator(")");
  require_file(normal(directory_of(path_) + "/" + name));
}

void Parser::require_file(std::string path) {
  if (!path.ends_with(".rb")) path += ".rb";
  if (std::ranges::find(required_->files, path, &RequiredFile::path) != required_->files.end()) {
    return;
  }
  std::string text;
  try {
    text = read_file(path);
  } catch (const FileError&) {
    fail("'require' of a file that cannot be read");
  }
  if (required_->files.size() >= kMostFiles || has_marks(text)) fail("'require'");
  required_->files.push_back({path, text});
  Script script;
  script.code = std::move(text);
  // Code may name what stands behind it, so the names are collected first.
  parse_required_file(script, path, true);
  parse_required_file(script, path, false);
}

void Parser::parse_required_file(const Script& script, const std::string& path, bool only_names) {
  Parser parser(script, arena_, ScriptKind::kModule);
  parser.path_ = path;
  parser.only_names_ = only_names;
  parser.required_ = required_;
  parser.instance_variables_ = std::move(instance_variables_);
  // A block in the value of a constant has its locals in the frame that uses the constant.
  parser.slot_count_ = slot_count_;
  parser.parse_module_file();
  instance_variables_ = std::move(parser.instance_variables_);
  slot_count_ = parser.slot_count_;
  changes_objects_ = changes_objects_ || parser.changes_objects_;
  if (!possible_obstacle_ && !only_names) possible_obstacle_ = parser.possible_obstacle();
}

// --- the contents of a file ---------------------------------------------------------------------

void Parser::parse_module_file() {
  find_methods_defined();
  advance();
  for (skip_requires(); !token_.is(TokenKind::kEnd); skip_requires()) parse_module();
}

// module A::B ... end
void Parser::parse_module() {
  const DepthGuard guard(*this);
  const bool is_class = token_.is_keyword("class");
  if (!is_class && !token_.is_keyword("module")) fail_here();
  advance();
  const std::string outer = module_;
  module_ += (module_.empty() ? "" : "::") + parse_class_name();
  if (!token_.is(TokenKind::kNewline)) fail("a class that inherits");
  for (skip_requires(); !token_.is_keyword("end"); skip_requires()) parse_module_statement();
  advance();
  module_ = outer;
}

void Parser::parse_module_statement() {
  if (token_.is_keyword("module") || token_.is_keyword("class")) return parse_module();
  if (token_.is_keyword("def")) {
    const auto* method = static_cast<const DefineNode*>(parse_define());
    if (only_names_) return;
    const auto same = std::ranges::find(required_->methods, method->name, &DefineNode::name);
    if (same != required_->methods.end()) fail("a method that is defined twice");
    required_->methods.push_back(method);
    return;
  }
  if (!token_.is(TokenKind::kConstant)) fail_here();
  const std::string_view name = whole_name("::", token_.text);
  advance();
  expect_operator("=");
  const int line = token_.line;
  const Node* value = parse_argument_expression();
  required_->constants.insert_or_assign(
      name, make_call(line, value, kConstantMethod, {}, nullptr, false));
}

std::string_view Parser::whole_name(std::string_view separator, std::string_view name) {
  return arena_.copy(std::string_view(module_ + std::string(separator) + std::string(name)));
}

// self.name in a definition; the name is the next token.
std::string_view Parser::parse_name_of_module_method() {
  if (!token_.is_keyword("self")) fail("a method of a class's objects");
  advance();
  expect_operator(".");
  if (!token_.is(TokenKind::kIdentifier)) fail_here();
  const std::string_view name = whole_name(".", token_.text);
  required_->method_names.insert(name);
  return name;
}

// Returns whether the file defines `def self.name`.
bool Parser::defines_for_module(std::string_view name) const {
  const std::string definition = "def self." + std::string(name);
  const std::string_view code = lexer_.code();
  for (size_t at = code.find(definition); at != code.npos; at = code.find(definition, at + 1)) {
    const size_t end = at + definition.size();
    if (end == code.size()) return true;
    const char next = code[end];
    if (!is_word_character(next) && next != '?' && next != '!' && next != '=') return true;
  }
  return false;
}

// --- uses ---------------------------------------------------------------------------------------

// A call of a method of the same module, whose name has been read.
const Node* Parser::parse_call_within_module(const Token& name) {
  const std::string_view method = whole_name(".", name.text);
  methods_.insert(method);
  return finish_call(name.line, nullptr, method, false);
}

// The modules that a constant may be in: the current one, those around it, and none.
std::vector<std::string> Parser::prefixes() const {
  std::vector<std::string> all;
  for (std::string prefix = module_; !prefix.empty();) {
    all.push_back(prefix + "::");
    const size_t colons = prefix.rfind("::");
    prefix.resize(colons == prefix.npos ? 0 : colons);
  }
  all.emplace_back();
  return all;
}

// A constant or a method of a required file, behind the path of constants; null for anything else.
const Node* Parser::parse_required(int line, const std::string& path) {
  for (const std::string& prefix : prefixes()) {
    const auto constant = required_->constants.find(prefix + path);
    if (constant != required_->constants.end()) return constant->second;
    if (!token_.is_operator(".") && !token_.is_operator("::")) continue;
    const std::string_view rest = lexer_.code().substr(lexer_.position());
    size_t length = 0;
    while (length < rest.size() && is_word_character(rest[length])) ++length;
    const std::string name = prefix + path + "." + std::string(rest.substr(0, length));
    const auto method = required_->method_names.find(name);
    if (method == required_->method_names.end()) continue;
    advance();
    advance();
    if (kind_ != ScriptKind::kModule) required_->entries.push_back(*method);
    methods_.insert(*method);
    return finish_call(line, nullptr, *method, false);
  }
  return nullptr;
}

// The variables of modules keep their values from one call to the next in Ruby, and here they do
// not: each method that the function calls has to set all of them first.
void Parser::check_variables_of_modules(const std::vector<const DefineNode*>& methods) {
  if (instance_variables_.empty()) return;
  for (const std::string_view entry : required_->entries) {
    const auto found = std::ranges::find(methods, entry, &DefineNode::name);
    if (found == methods.end()) fail("a method of a module");
    const Node* const body = (*found)->body;
    if (body->kind != NodeKind::kSequence) fail("a variable of a module");
    const NodeList statements = static_cast<const SequenceNode&>(*body).statements;
    for (size_t i = 0; i < instance_variables_.size(); ++i) {
      const bool is_set = std::ranges::any_of(statements, [&](const Node* statement) {
        return statement->kind == NodeKind::kSetInstanceVariable &&
               static_cast<const SetInstanceVariableNode&>(*statement).number == i;
      });
      if (!is_set) fail("a variable of a module");
    }
  }
}

}  // namespace bunraku::erb

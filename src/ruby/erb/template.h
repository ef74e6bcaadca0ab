// ERB templates, rendered without Ruby as far as they use the part of it that is known here. That
// is found out when a template is compiled, or while it is rendered, and then nothing has been
// given away: Ruby has to render it from its beginning.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/memory/arena.h"
#include "ruby/erb/named_variables.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser.h"
#include "values/value.h"

namespace bunraku::erb {

class Template;
struct DefineNode;

// What lasts from one template to the next of a compilation.
struct TemplateMemory {
  // A method that a template has defined, and the template.
  struct Method {
    std::shared_ptr<const Template> owner;  // null: only as long as it is being rendered
    const ParsedScript* script;
    const DefineNode* definition;
  };
  std::unordered_map<std::string, Method> methods;
  // Hashes that a template has given to a variable and that have symbols for keys.
  std::unordered_set<const HashObject*> symbol_keyed;
  std::set<std::string> symbol_keyed_variables;   // the names of these variables, in any scope
  std::vector<std::shared_ptr<const void>> kept;  // what values point into
};

// A block that a method of a context calls.
using ContextBlock = std::function<Value(std::span<const Value>)>;

// What a template may ask of who renders it. What it throws ends the rendering.
class TemplateScope {
 public:
  // For values that are handed to functions: lives as long as the compilation.
  virtual Arena& arena() = 0;
  // @name; null when no variable has the name.
  virtual const Value* find_instance_variable(std::string_view name) = 0;
  // Nothing can change the variable's array or hash.
  virtual bool is_frozen(std::string_view name) = 0;
  // A variable's array or hash has other content after the rendering.
  virtual void change_variable(std::string_view name, Value value) = 0;
  // scope[name] and scope.lookupvar(name).
  virtual Value look_up(std::string_view name) = 0;
  // has_variable?(name)
  virtual bool has_variable(std::string_view name) = 0;
  // scope.call_function(name, arguments)
  virtual Value call_function(std::string_view name, std::span<const Value> arguments) = 0;
  // value.to_yaml and value.to_json; nothing where Ruby would have to write it.
  virtual std::optional<std::string> yaml_of(Value value) = 0;
  virtual std::optional<std::string> json_of(Value value) = 0;
  // JSON.pretty_generate(value, space_before: space_before)
  virtual std::optional<std::string> pretty_json_of(Value value, std::string_view space_before) = 0;
  // Is there a function that scope.function_name(arguments) calls?
  virtual bool has_older_function(std::string_view name) = 0;
  // scope.to_hash: a hash of all variables that have a value.
  virtual Value all_variables() = 0;
  // Sets a variable, or again one that was set so; false where Ruby must say why it cannot be set.
  virtual bool set_variable(std::string_view name, Value value) = 0;
  // Text of JSON as a value; nothing where it is not JSON or Ruby would have to read it.
  virtual std::optional<Value> parse_json(std::string_view text) = 0;
  virtual TemplateMemory& memory() = 0;

  // --- for functions; templates have none of these ---
  virtual bool is_context(Value) { return false; }
  // The method of a context that is_context() knows.
  virtual Value call_context(Value, std::string_view, std::span<const Value>, const ContextBlock*) {
    return Value();
  }
  // Does anybody read log records of the level?
  virtual bool reads_log(std::string_view) { return true; }
  // "3.1"; empty when it is not known.
  virtual std::string ruby_version() { return {}; }
  // Files that code looks at.
  virtual bool exists(const std::string&) { return false; }
  virtual bool is_file(const std::string&) { return false; }
  // What YAML holds that is plain data, with regular expressions where they are allowed; nothing
  // where Ruby has to read it.
  virtual std::optional<Value> parse_yaml(std::string_view, bool) { return std::nullopt; }

 protected:
  ~TemplateScope() = default;
};

// What Ruby raises at a line of the template.
struct Failure {
  int line;
  std::string message;
  // Ruby says the same, to the letter. When not, better ask it.
  bool is_certain;
  // The class of the error; empty when it is not known. Always a StandardError.
  std::string error_class;
};

// A compiled template. Immutable but for what is remembered, for any thread.
class Template : public std::enable_shared_from_this<Template> {
 public:
  explicit Template(std::string_view source);
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;

  // What needs Ruby; null when nothing is known to.
  const Obstacle* obstacle() const { return obstacle_ ? &*obstacle_ : nullptr; }
  // What needs Ruby if it is reached; null when nothing is known to.
  const Obstacle* possible_obstacle() const {
    return parsed_.possible_obstacle ? &*parsed_.possible_obstacle : nullptr;
  }
  // Has rendering ended at an obstacle, although none is certain? Ruby is likely to be needed
  // again.
  bool has_met_obstacle() const { return has_met_obstacle_.load(std::memory_order_relaxed); }
  // Appends the text. Throws Obstacle, Failure, and what the scope throws; then the line is left in
  // `line`.
  void render(TemplateScope& scope, std::string& text, int& line) const;

  // What it may look at when Ruby renders it.
  const NamedVariables& named_variables() const { return named_variables_; }

 private:
  void find_variables(std::string_view source);

  std::optional<Obstacle> obstacle_;
  mutable std::atomic<bool> has_met_obstacle_{false};
  Script script_;  // the tree points to its texts
  Arena arena_;
  ParsedScript parsed_;
  NamedVariables named_variables_;  // in the arena
};

// The same source gives the same template, as long as the process keeps it.
std::shared_ptr<const Template> compiled_template(std::string_view source);

}  // namespace bunraku::erb

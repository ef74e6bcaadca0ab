// ERB templates, rendered natively where they stay within the supported part of Ruby. Unsupported
// code is found when a template is compiled or while it is rendered; in the second case no text has
// left yet, and a worker renders the template from its beginning.
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
#include "values/changed_objects.h"
#include "values/value.h"

namespace bunraku::erb {

class Template;
struct DefineNode;

// State that a compilation keeps from one template to the next.
struct TemplateMemory {
  // A method that a template has defined, and the template.
  struct Method {
    std::shared_ptr<const Template> owner;  // null: the method is valid only during the rendering
    const ParsedScript* script;
    const DefineNode* definition;
  };
  std::unordered_map<std::string, Method> methods;
  // Hashes with symbols for keys that a template has assigned to a variable.
  std::unordered_set<const HashObject*> symbol_keyed;
  std::set<std::string> symbol_keyed_variables;   // the names of these variables, in any scope
  std::vector<std::shared_ptr<const void>> kept;  // keeps alive what values point into
};

// A block that code passes to a method of a Puppet::LookupContext.
using ContextBlock = std::function<Value(std::span<const Value>)>;

// The services that a template's renderer provides. An exception from any of them ends the
// rendering.
class TemplateScope {
 public:
  // The arena for values passed to functions: lives as long as the compilation.
  virtual Arena& arena() = 0;
  // The value of @name; null when no variable has the name.
  virtual const Value* find_instance_variable(std::string_view name) = 0;
  // Returns whether the variable's array or hash can never be changed.
  virtual bool is_frozen(std::string_view name) = 0;
  // Reports the manifest's arrays and hashes that the code has changed, after it has run.
  virtual void change_objects(std::span<const ObjectChange> changes) = 0;
  // scope[name] and scope.lookupvar(name).
  virtual Value look_up(std::string_view name) = 0;
  // has_variable?(name)
  virtual bool has_variable(std::string_view name) = 0;
  // scope.call_function(name, arguments)
  virtual Value call_function(std::string_view name, std::span<const Value> arguments) = 0;
  // value.to_yaml and value.to_json; no text where a worker would have to write it.
  virtual std::optional<std::string> yaml_of(Value value) = 0;
  virtual std::optional<std::string> json_of(Value value) = 0;
  // JSON.pretty_generate(value, space_before: space_before)
  virtual std::optional<std::string> pretty_json_of(Value value, std::string_view space_before) = 0;
  // Returns whether scope.function_name(arguments) calls an existing function.
  virtual bool has_older_function(std::string_view name) = 0;
  // scope.to_hash: a hash of all variables that have a value.
  virtual Value all_variables() = 0;
  // Sets a variable, or sets one again that was set here; returns false where Ruby has to report
  // why it cannot be set.
  virtual bool set_variable(std::string_view name, Value value) = 0;
  // Parses JSON text; no value where it is not JSON or a worker would have to parse it.
  virtual std::optional<Value> parse_json(std::string_view text) = 0;
  virtual TemplateMemory& memory() = 0;

  // Methods for functions only; templates use none of these.
  virtual bool is_context(Value) { return false; }
  // Calls a method of a context, a value for which is_context() holds.
  virtual Value call_context(Value, std::string_view, std::span<const Value>, const ContextBlock*) {
    return Value();
  }
  // Returns whether any log destination takes records of the level.
  virtual bool reads_log(std::string_view) { return true; }
  // "3.1"; empty when the version is not known.
  virtual std::string ruby_version() { return {}; }
  // File tests of File.exist? and File.file?.
  virtual bool exists(const std::string&) { return false; }
  virtual bool is_file(const std::string&) { return false; }
  // The contents of a regular file; no text where a worker has to read it, or to fail.
  virtual std::optional<std::string> read_file(const std::string&) { return std::nullopt; }
  // Parses YAML that is plain data, with regular expressions if the flag allows them; no value
  // where a worker has to parse it.
  virtual std::optional<Value> parse_yaml(std::string_view, bool) { return std::nullopt; }

 protected:
  ~TemplateScope() = default;
};

// An error that Ruby raises at a line of the template.
struct Failure {
  int line;
  std::string message;
  // The message is Ruby's own, letter for letter. Otherwise a worker should report the error.
  bool is_certain;
  // The class of the error, always a StandardError; empty when it is not known.
  std::string error_class;
};

// A compiled template. Immutable but for has_met_obstacle(), and safe to use from any thread.
class Template : public std::enable_shared_from_this<Template> {
 public:
  explicit Template(std::string_view source);
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;

  // The construct that needs a worker, or null when the whole template is within the supported part
  // of Ruby.
  const Obstacle* obstacle() const { return obstacle_ ? &*obstacle_ : nullptr; }
  // A construct that needs a worker only if it is reached, or null.
  const Obstacle* possible_obstacle() const {
    return parsed_.possible_obstacle ? &*parsed_.possible_obstacle : nullptr;
  }
  // Returns whether a rendering of this template has ended at an obstacle that is not always
  // reached. The next rendering will likely end there too.
  bool has_met_obstacle() const { return has_met_obstacle_.load(std::memory_order_relaxed); }
  // Appends the rendered text. Throws Obstacle, Failure, and what the scope throws, and then leaves
  // the line number in `line`.
  void render(TemplateScope& scope, std::string& text, int& line) const;

  // The variables that the template may read when a worker renders it.
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

// Returns the compiled template of a source, from a cache that the whole process shares.
std::shared_ptr<const Template> compiled_template(std::string_view source);

}  // namespace bunraku::erb

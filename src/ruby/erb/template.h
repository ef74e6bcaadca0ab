// ERB templates, rendered without Ruby as far as they use the part of it that is known here. That
// is found out when a template is compiled, or while it is rendered, and then nothing has been
// given away: Ruby has to render it from its beginning.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ruby/erb/named_variables.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser.h"
#include "pcore/value.h"
#include "base/memory/arena.h"

namespace bunraku::erb {

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
  // Is there a function that scope.function_name(arguments) calls?
  virtual bool has_older_function(std::string_view name) = 0;

 protected:
  ~TemplateScope() = default;
};

// What Ruby raises at a line of the template.
struct Failure {
  int line;
  std::string message;
  // Ruby says the same, to the letter. When not, better ask it.
  bool is_certain;
};

// A compiled template. Immutable, for any thread.
class Template {
 public:
  explicit Template(std::string_view source);
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;

  // What needs Ruby; null when nothing is known to.
  const Obstacle* obstacle() const { return obstacle_ ? &*obstacle_ : nullptr; }
  // Appends the text. Throws Obstacle, Failure, and what the scope throws; then the line is left in
  // `line`.
  void render(TemplateScope& scope, std::string& text, int& line) const;

  // What it may look at when Ruby renders it.
  const NamedVariables& named_variables() const { return named_variables_; }

 private:
  void find_variables(std::string_view source);

  std::optional<Obstacle> obstacle_;
  Script script_;  // the tree points to its texts
  Arena arena_;
  ParsedScript parsed_;
  NamedVariables named_variables_;  // in the arena
};

// The same source gives the same template, as long as the process keeps it.
std::shared_ptr<const Template> compiled_template(std::string_view source);

}  // namespace bunraku::erb

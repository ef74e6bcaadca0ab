// The functions `template` and `inline_template`.
#include <algorithm>
#include <iterator>

#include "base/diagnostics/file_range.h"
#include "base/memory/data_names.h"
#include "evaluation/evaluator.h"
#include "evaluation/template_memory.h"
#include "functions/core/call_scope.h"
#include "functions/core/families.h"
#include "functions/core/files.h"
#include "functions/core/registry.h"
#include "functions/core/warnings.h"
#include "functions/stdlib/json_text.h"
#include "ruby/erb/template.h"
#include "ruby/worker/changes.h"
#include "ruby/worker/session.h"
#include "serialization/serialization.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

struct TemplateSource {
  std::string_view name;  // as written in the call; empty: inline
  std::string_view path;
  std::string_view text;
};

// The arguments of the message's beginning. `place` is the line of the template, or the place where
// Ruby code that it calls raised an error.
std::vector<std::string> failure_arguments(const TemplateSource& source, const RubyPlace& place) {
  return {std::string(source.name), place.file, std::to_string(place.line)};
}

// Reports an error of the template's own code, shown at its line.
[[noreturn]] void fail_rendering(Call& call, const TemplateSource& source, const RubyPlace& place,
                                 Diagnostic cause) {
  if (source.path.empty()) {
    call.fail(make_diagnostic(Issue::kInlineTemplateFailed, Range{}, {""}, std::move(cause)));
  }
  const auto line = static_cast<uint32_t>(std::max(place.line, 0));
  cause.primary = place.file == source.path
                      ? range_at(std::make_shared<const SourceFile>(std::string(source.path),
                                                                    std::string(source.text)),
                                 line)
                      : range_in_file(place.file, line);
  call.fail(make_diagnostic(Issue::kTemplateFailed, Range{}, failure_arguments(source, place),
                            std::move(cause)));
}

[[noreturn]] void fail_rendering(Call& call, const TemplateSource& source, const RubyPlace& place,
                                 std::string detail) {
  fail_rendering(call, source, place,
                 make_diagnostic(Issue::kTemplateCodeFailed, Range{}, {std::move(detail)}));
}

// Reports a failure of a function that the template calls.
[[noreturn]] void fail_in_call(Call& call, const TemplateSource& source, const RubyPlace& place,
                               const Diagnostic& cause) {
  if (cause.primary.file == nullptr) fail_rendering(call, source, place, cause);
  if (source.path.empty()) {
    call.fail(
        make_diagnostic(Issue::kInlineTemplateFailed, Range{}, {"Evaluation Error: "}, cause));
  }
  call.fail(make_diagnostic(Issue::kCallOfTemplateFailed, Range{}, failure_arguments(source, place),
                            cause));
}

RubyPlace place_in(const TemplateSource& source, int line) {
  return {std::string(source.path), line};
}

struct TemplateVariables {
  Value values;     // {name => value}
  Value node_data;  // names of variables that a worker keeps for a whole compilation
};

TemplateVariables variables_for(CallScope& scope, Call& call, const erb::Template& compiled) {
  HashBuilder variables(call.arena());
  ArrayBuilder node_data(call.arena());
  if (const auto& names = compiled.named_variables().instance) {
    for (const std::string_view name : *names) {
      const Value* value = scope.find_instance_variable(name);
      if (value == nullptr) continue;
      if (is_node_data(name)) {
        node_data.push(Value::string(call.arena(), name));
      } else {
        variables.set(Value::string(call.arena(), name), *value);
      }
    }
  } else {
    call.scope.add_visible_to(variables);
  }
  return {variables.finish(), node_data.finish()};
}

// {name => [value]}, or {name => undef} for unknown variables: answers, sent in advance, to the
// requests for names that the template looks up literally. Large values are left out, because the
// code that looks them up may not be reached.
Value look_ups_for(Call& call, const erb::Template& compiled) {
  constexpr size_t kMostItems = 50;
  HashBuilder found(call.arena());
  for (const std::string_view name : compiled.named_variables().looked_up) {
    if (is_node_data(name.starts_with("::") ? name.substr(2) : name)) continue;
    const Value* value = call.evaluator.find_variable(data_name(name), call.scope);
    if (value != nullptr && value->is_array() && value->as_array().size() > kMostItems) continue;
    if (value != nullptr && value->is_hash() && value->as_hash().size > kMostItems) continue;
    found.set(Value::string(call.arena(), name),
              value == nullptr ? Value() : Value::array(call.arena(), {*value}));
  }
  return found.finish();
}

// The names of variables with symbol-keyed hashes that natively rendered templates have set.
Value symbol_keyed_names(Call& call, const erb::TemplateMemory& memory) {
  ArrayBuilder names(call.arena());
  for (const std::string& name : memory.symbol_keyed_variables) {
    const Value* value = call.evaluator.find_variable(data_name(name), call.scope);
    if (value != nullptr && value->is_hash() && memory.symbol_keyed.contains(&value->as_hash())) {
      names.push(Value::string(call.arena(), name));
    }
  }
  return names.finish();
}

// Renders in a worker, from the beginning. `reason` is the obstacle that requires it.
void render_in_ruby(Call& call, const TemplateSource& source, const erb::Template& compiled,
                    CallScope& scope, const erb::Obstacle& reason, std::string& text) {
  Arena& arena = call.arena();
  const std::string subject = source.path.empty()
                                  ? "The inline template"
                                  : "The template '" + std::string(source.name) + "'";
  const std::string line = "line " + std::to_string(reason.line) + ": " + reason.construct;
  RubyHost* ruby = call.evaluator.host().ruby;
  if (ruby == nullptr) {
    call.fail(make_diagnostic(Issue::kRubyUnavailable, call.place.range(),
                              {subject, "", "nothing runs it here"}));
  }
  const Value path = source.path.empty() ? Value() : Value::string(arena, source.path);
  const TemplateVariables variables = variables_for(scope, call, compiled);
  ArrayBuilder set_names(arena);
  for (const std::string& name : scope.set_names()) set_names.push(Value::string(arena, name));
  const Value arguments[] = {Value::string(arena, source.text),
                             path,
                             variables.values,
                             variables.node_data,
                             Value::array(arena.copy(std::span<const Value>(scope.results()))),
                             look_ups_for(call, compiled),
                             set_names.finish(),
                             symbol_keyed_names(call, scope.memory())};
  const Value answer = ruby->call({.method = "erb.render",
                                   .arguments = arguments,
                                   .scope = &call.scope,
                                   .place = call.place,
                                   .subject = subject,
                                   .file = source.path,
                                   .reason = line});
  const std::span<const Value> parts = answer.as_array();
  if (parts.size() <= 2) {
    append_ruby_to_s(text, parts[0]);
    if (parts.size() == 1) return;
    change_ruby_objects(call.evaluator, call.scope, variables.values, parts[1]);
  } else {
    RubyPlace place = place_in(source, static_cast<int>(parts[1].as_integer()));
    if (parts.size() > 3) place.file = parts[3].as_string();
    fail_rendering(call, source, place, std::string(parts[2].as_string()));
  }
}

// Counts nested template renderings. A template that calls itself fails here, before each level
// wraps its error into a longer one.
class NestedTemplate {
 public:
  NestedTemplate() {
    if (level_ == kMost) fail_too_deep("a template", kMost);
    ++level_;
  }
  NestedTemplate(const NestedTemplate&) = delete;
  NestedTemplate& operator=(const NestedTemplate&) = delete;
  ~NestedTemplate() { --level_; }

 private:
  static constexpr uint32_t kMost = 100;
  static inline thread_local uint32_t level_ = 0;
};

void render(Call& call, const TemplateSource& source, std::string& text) {
  const NestedTemplate nested;
  const std::shared_ptr<const erb::Template> compiled = erb::compiled_template(source.text);
  CallScope scope(call);
  int line = 1;
  try {
    if (compiled->obstacle() != nullptr) throw erb::Obstacle(*compiled->obstacle());
    RubyHost* ruby = call.evaluator.host().ruby;
    if (ruby != nullptr && ruby->is_running()) throw erb::Obstacle{1, "called by Ruby code"};
    if (compiled->has_met_obstacle() && ruby != nullptr && ruby->is_available()) {
      throw erb::Obstacle(*compiled->possible_obstacle());
    }
    std::string rendered;
    compiled->render(scope, rendered, line);
    if (text.empty()) {
      text = std::move(rendered);
    } else {
      text += rendered;
    }
  } catch (const erb::Failure& failure) {
    RubyHost* ruby = call.evaluator.host().ruby;
    if (failure.is_certain || ruby == nullptr || !ruby->is_available()) {
      fail_rendering(call, source, place_in(source, failure.line), failure.message);
    }
    render_in_ruby(call, source, *compiled, scope, {failure.line, failure.message}, text);
  } catch (const erb::Obstacle& obstacle) {
    render_in_ruby(call, source, *compiled, scope, obstacle, text);
  } catch (const EvaluationError& error) {
    const std::optional<RubyPlace> place = ruby_place_of(error.diagnostic());
    fail_in_call(call, source, place ? *place : place_in(source, line), error.diagnostic());
  }
}

void check_is_compiling(Call& call, std::string_view feature) {
  if (!call.evaluator.settings().tasks) return;
  call.fail(Issue::kFeatureOnlyWhenCompiling, {std::string(feature)});
}

Value render_template(Call& call) {
  check_is_compiling(call, "ERB template");
  std::string text;
  for (const Value argument : call.arguments) {
    std::string name;
    append_ruby_to_s(name, argument);
    const auto file = read_module_file(call, "templates", name);
    if (!file) call.fail(Issue::kMissingTemplate, {name});
    std::string_view contents = file->contents;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (contents.starts_with(kByteOrderMark)) contents.remove_prefix(kByteOrderMark.size());
    render(call, {name, file->path, contents}, text);
  }
  return Value::string(call.arena(), text);
}

Value render_inline_template(Call& call) {
  check_is_compiling(call, "ERB inline_template");
  std::string text;
  for (const Value argument : call.arguments) {
    std::string source;
    append_ruby_to_s(source, argument);
    render(call, {{}, {}, source}, text);
  }
  return Value::string(call.arena(), text);
}

constexpr Overload kTemplate[] = {{"(Any $path, Any *$paths)", render_template}};
constexpr Overload kInlineTemplate[] = {{"(Any $text, Any *$texts)", render_inline_template}};

constexpr NativeFunctionInfo kTemplateFunctions[] = {
    {"template", kTemplate,
     "Renders ERB templates and joins their texts. `module/name` is a file of a module's "
     "`templates` directory; a path may be absolute too. Templates see the variables around the "
     "call as `@name`.",
     "if find_template('example/hello.erb') { template('example/hello.erb') }", true},
    {"inline_template", kInlineTemplate,
     "Renders text as an ERB template; several are joined. It sees the variables around the call "
     "as `@name`.",
     "$name = 'you'\ninline_template('Hello, <%= @name.capitalize %>!')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> template_functions() {
  return kTemplateFunctions;
}

}  // namespace bunraku

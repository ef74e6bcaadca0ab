#include "catalog/explanation/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/formats/json.h"
#include "base/formats/yaml_line.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "catalog/compiler/compiler.h"
#include "serialization/serialization.h"
#include "site/lookup/lookup_key.h"
#include "syntax/children.h"
#include "types/value_text.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

// The limits of an explanation: variables that are made of variables, and so on, end here.
constexpr int kMostSteps = 6;
constexpr size_t kMostVariables = 1000;
constexpr size_t kMostCode = 120;

void set_place(Reason& reason, const Place& place) {
  if (place.program == nullptr || place.expression == nullptr) return;
  reason.file = place.program->path();
  reason.line = place.program->position(*place.expression).line;
}

// The extent of an expression. The location of an operator is that of its sign; its operands are
// added.
Location extent(const Expression& expression) {
  uint32_t begin = expression.location.offset;
  uint32_t end = begin + expression.location.length;
  for_each_child(expression, [&](const Expression& child) {
    const Location inner = extent(child);
    begin = std::min(begin, inner.offset);
    end = std::max(end, inner.offset + inner.length);
  });
  return {begin, end - begin};
}

// The code at the place, on one line and shortened.
std::string code_of(const Place& place) {
  if (place.program == nullptr || place.expression == nullptr) return {};
  const Location location = extent(*place.expression);
  std::string code;
  for (const char c : place.program->source()->text().substr(location.offset, location.length)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) {
      code.push_back(c);
    } else if (!code.empty() && code.back() != ' ') {
      code.push_back(' ');
    }
  }
  if (code.size() <= kMostCode) return code;
  size_t end = kMostCode;
  while (end > 0 && (static_cast<unsigned char>(code[end]) & 0xC0) == 0x80) --end;
  return code.substr(0, end) + "…";
}

std::string_view kind_name(Provenance::Request::Kind kind) {
  using Kind = Provenance::Request::Kind;
  switch (kind) {
    case Kind::kInclude:
      return "include";
    case Kind::kContain:
      return "contain";
    case Kind::kRequire:
      return "require";
    case Kind::kDeclaration:
      return "declaration";
    case Kind::kInherits:
      return "inherits";
    case Kind::kClassifier:
      return "classifier";
    case Kind::kCollector:
      return "collector";
    case Kind::kRealize:
      return "realize";
  }
  return "include";
}

class Explanation {
 public:
  Explanation(const Compiler& compiler, const Provenance& provenance)
      : compiler_(compiler), provenance_(provenance) {}

  Reason explain_resource(const Resource& resource, std::optional<Name> attribute);

 private:
  void add_requests(const Resource& resource, Reason& to);
  void add_containers(const Resource& resource, Reason& to);
  Reason explain_attribute(const Resource& resource, const ResourceParameter& parameter, int depth);
  Reason explain_change(const Resource& resource, const Provenance::Change& change, int depth);
  void add_data(const DataAnswer& answer, Reason& to);
  // Adds the parts that the expression was made of; it is in the code of the container `by` (null:
  // unknown).
  void trace(const Place& place, const Resource* by, int depth, Reason& to);
  // Adds "facts.os.name" when the code reads $facts by literal keys; returns false for anything
  // else.
  bool add_fact(const AccessExpression& access, Reason& to) const;
  void trace_expression(const Program& program, const Expression& expression, const Resource* by,
                        int depth, Reason& to);
  Reason explain_variable(Name variable, const Resource* by, int depth);
  bool explain_local(Name name, const Resource& by, int depth, Reason& to);
  const Resource* enclosing(const Resource& by) const;
  // The resource whose code is searched for a variable after that of `by`.
  const Resource* next_after(const Resource& by) const;
  void add_top_variable(Name name, Reason& to) const;

  const Compiler& compiler_;
  const Provenance& provenance_;
  size_t variables_ = 0;
};

Reason Explanation::explain_resource(const Resource& resource, std::optional<Name> attribute) {
  Reason root;
  root.kind = "resource";
  root.name = resource.reference();
  set_place(root, resource.place);
  add_requests(resource, root);
  add_containers(resource, root);
  for (const ResourceParameter& parameter : resource.parameters) {
    if (attribute && parameter.name != *attribute) continue;
    root.because.push_back(explain_attribute(resource, parameter, 0));
  }
  return root;
}

void Explanation::add_requests(const Resource& resource, Reason& to) {
  for (const Provenance::Request& request : provenance_.requests_for(resource)) {
    Reason reason;
    reason.kind = kind_name(request.kind);
    if (request.by != nullptr) reason.name = request.by->reference();
    set_place(reason, request.place);
    to.because.push_back(std::move(reason));
  }
}

// Returns the class or define whose code declared the resource.
const Resource* Explanation::enclosing(const Resource& by) const {
  const CatalogScope* around = by.scope != nullptr ? by.scope->catalog : nullptr;
  if (around == nullptr || around->resource == &by) return nullptr;
  return around->resource;
}

void Explanation::add_containers(const Resource& resource, Reason& to) {
  for (const Resource* container = enclosing(resource); container != nullptr;
       container = enclosing(*container)) {
    Reason reason;
    reason.kind = "container";
    reason.name = container->reference();
    set_place(reason, container->place);
    add_requests(*container, reason);
    to.because.push_back(std::move(reason));
  }
}

bool holds_sensitive(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_sensitive()) return true;
  if (value.is_array()) {
    return std::any_of(value.as_array().begin(), value.as_array().end(), holds_sensitive);
  }
  if (!value.is_hash()) return false;
  return std::any_of(value.as_hash().begin(), value.as_hash().end(),
                     [](const HashEntry& entry) { return holds_sensitive(entry.value); });
}

bool holds_sensitive(const Reason& reason) {
  if (reason.value && holds_sensitive(*reason.value)) return true;
  return std::ranges::any_of(reason.because,
                             [](const Reason& cause) { return holds_sensitive(cause); });
}

// Hides all values, as each step that led to a secret may contain it.
void hide_values(Reason& reason) {
  if (reason.value) reason.value = Value::string("Sensitive [value redacted]");
  reason.code.clear();
  for (Reason& cause : reason.because) hide_values(cause);
}

Reason Explanation::explain_attribute(const Resource& resource, const ResourceParameter& parameter,
                                      int depth) {
  Reason reason;
  reason.kind = "attribute";
  reason.name = parameter.name.text();
  reason.value = compiler_.extended(parameter.value);
  for (const Provenance::Change& change : provenance_.changes_of(resource)) {
    if (change.attribute != parameter.name) continue;
    reason.because.push_back(explain_change(resource, change, depth));
  }
  // Changes are recorded in order; the last one is shown first.
  std::ranges::reverse(reason.because);
  if (resource.is_sensitive(parameter.name) || holds_sensitive(reason)) hide_values(reason);
  return reason;
}

Reason Explanation::explain_change(const Resource& resource, const Provenance::Change& change,
                                   int depth) {
  Reason reason;
  reason.kind = name_of(change.origin);
  if (change.is_append) reason.kind += "_append";
  reason.value = change.value;
  set_place(reason, change.place);
  reason.code = code_of(change.place);
  if (change.container != nullptr) reason.name = change.container->reference();
  if (change.data != nullptr) add_data(*change.data, reason);
  const bool is_own_code = change.origin == Origin::kParameterDefault;
  trace(change.place, is_own_code ? &resource : change.by, depth, reason);
  return reason;
}

void Explanation::add_data(const DataAnswer& answer, Reason& to) {
  for (const DataSource& source : answer.sources) {
    Reason reason;
    reason.kind = "data_source";
    reason.name = source.key;
    reason.value = source.value;
    reason.layer = source.layer;
    reason.level = source.level;
    reason.file = source.path;
    if (!source.path.empty()) {
      const std::string_view path[] = {source.key};
      try {
        reason.line = yaml_line(read_file(source.path), path);
      } catch (const FileError&) {
        // The key may be that of a function's result, whose source is no file.
      }
    }
    to.because.push_back(std::move(reason));
  }
}

void Explanation::trace(const Place& place, const Resource* by, int depth, Reason& to) {
  if (place.program == nullptr || place.expression == nullptr || depth >= kMostSteps) return;
  trace_expression(*place.program, *place.expression, by, depth, to);
}

void Explanation::trace_expression(const Program& program, const Expression& expression,
                                   const Resource* by, int depth, Reason& to) {
  if (const auto* variable = expression.try_as<VariableExpression>()) {
    const auto is_same = [&](const Reason& known) {
      return known.kind == "variable" && known.name == variable->name.text();
    };
    if (std::ranges::none_of(to.because, is_same)) {
      to.because.push_back(explain_variable(variable->name, by, depth + 1));
    }
    return;
  }
  const auto* access = expression.try_as<AccessExpression>();
  if (access != nullptr && add_fact(*access, to)) return;
  if (const DataAnswer* answer = provenance_.find_lookup(expression, by)) add_data(*answer, to);
  for_each_child(expression,
                 [&](const Expression& child) { trace_expression(program, child, by, depth, to); });
}

bool Explanation::add_fact(const AccessExpression& access, Reason& to) const {
  std::vector<std::string_view> keys;
  const Expression* left = &access;
  while (const auto* inner = left->try_as<AccessExpression>()) {
    if (inner->keys.size() != 1) return false;
    const auto* text = inner->keys[0]->try_as<LiteralString>();
    const auto* word = inner->keys[0]->try_as<QualifiedName>();
    if (text == nullptr && word == nullptr) return false;
    keys.push_back(text != nullptr ? text->value : word->name.text());
    left = inner->left;
  }
  const auto* variable = left->try_as<VariableExpression>();
  if (variable == nullptr || variable->name != "facts"_name) return false;
  Reason reason;
  reason.kind = "fact";
  reason.name = "facts";
  Value value = compiler_.node().facts;
  for (const std::string_view key : std::ranges::reverse_view(keys)) {
    reason.name += fmt::format(".{}", key);
    const Value* found = value.is_hash() ? value.as_hash().find(key) : nullptr;
    value = found != nullptr ? *found : Value();
  }
  reason.value = value;
  const auto is_same = [&](const Reason& known) { return known.name == reason.name; };
  if (std::ranges::none_of(to.because, is_same)) to.because.push_back(std::move(reason));
  return true;
}

namespace {

// Returns the last assignment to the variable in the code; lambdas have variables of their own.
const AssignmentExpression* find_assignment(const Expression& code, Name variable) {
  if (const auto* assignment = code.try_as<AssignmentExpression>()) {
    const auto* left = assignment->left->try_as<VariableExpression>();
    if (left != nullptr && left->name == variable) return assignment;
  }
  if (code.kind == NodeKind::kLambdaExpression || code.kind == NodeKind::kFunctionDefinition ||
      code.kind == NodeKind::kHostClassDefinition || code.kind == NodeKind::kNodeDefinition ||
      code.kind == NodeKind::kResourceTypeDefinition) {
    return nullptr;
  }
  const AssignmentExpression* found = nullptr;
  for_each_child(code, [&](const Expression& child) {
    if (const AssignmentExpression* inner = find_assignment(child, variable)) found = inner;
  });
  return found;
}

}  // namespace

bool Explanation::explain_local(Name name, const Resource& by, int depth, Reason& to) {
  const Definition* definition = by.definition;
  if (definition == nullptr) return false;
  if (definition->find_parameter(name) != nullptr) {
    to.because.push_back([&] {
      const ResourceParameter* parameter = by.find(name);
      Reason reason;
      reason.kind = "parameter";
      if (parameter != nullptr && depth < kMostSteps) {
        reason = explain_attribute(by, *parameter, depth);
        reason.kind = "parameter";
      }
      reason.name = fmt::format("{} of {}", name.text(), by.reference());
      return reason;
    }());
    return true;
  }
  for (const Definition::Body& body : definition->bodies) {
    const Expression* code = by.is_main ? body.program->body : body.expression;
    const AssignmentExpression* assignment =
        code != nullptr ? find_assignment(*code, name) : nullptr;
    if (assignment == nullptr) continue;
    Reason reason;
    reason.kind = "assignment";
    reason.code = code_of({body.program.get(), assignment});
    set_place(reason, {body.program.get(), assignment->left});
    trace({body.program.get(), assignment->right}, &by, depth, reason);
    to.because.push_back(std::move(reason));
    return true;
  }
  return false;
}

Reason Explanation::explain_variable(Name variable, const Resource* by, int depth) {
  Reason reason;
  reason.kind = "variable";
  reason.name = variable.text();
  std::string_view name = variable.text();
  const Resource* where = by;
  const size_t colons = name.rfind("::");
  if (colons != std::string_view::npos) {
    std::string_view owner = name.substr(0, colons);
    if (owner.starts_with("::")) owner.remove_prefix(2);
    where = owner.empty() ? compiler_.main_resource()
                          : compiler_.catalog().find_class(Name(downcase(owner)));
    name.remove_prefix(colons + 2);
  }
  const Name simple(name);
  if (++variables_ > kMostVariables) return reason;
  for (int step = 0; where != nullptr && step < kMostSteps; ++step) {
    if (explain_local(simple, *where, depth, reason)) return reason;
    where = next_after(*where);
  }
  add_top_variable(simple, reason);
  return reason;
}

const Resource* Explanation::next_after(const Resource& by) const {
  if (&by == compiler_.main_resource()) return nullptr;
  const Definition* parent = by.definition != nullptr ? by.definition->parent : nullptr;
  if (parent != nullptr && parent->scope != nullptr) return parent->scope->catalog->resource;
  const Resource* node = compiler_.node_resource();
  return node != nullptr && node != &by ? node : compiler_.main_resource();
}

void Explanation::add_top_variable(Name name, Reason& to) const {
  const Value* value = compiler_.top_scope().find_local(name);
  if (value == nullptr) return;
  Reason reason;
  const Value facts = compiler_.node().facts;
  const bool is_fact =
      name == "facts"_name || (facts.is_hash() && facts.as_hash().find(name.text()));
  reason.kind = is_fact ? "fact" : "top_scope_variable";
  reason.name = name.text();
  // The whole hash of facts would not explain anything.
  if (!value->is_hash()) reason.value = *value;
  to.because.push_back(std::move(reason));
}

// --- text ---------------------------------------------------------------------------------------

// Values with references are shown as code, all others as JSON.
bool has_type(Value value) {
  return value.is_type() ||
         (value.is_array() &&
          std::ranges::any_of(value.as_array(), [](Value item) { return item.is_type(); }));
}

std::string value_text(Value value) {
  std::string text;
  if (has_type(value)) {
    append_literal(text, value);
    return text;
  }
  JsonWriter json(text);
  write_rich_data(json, value, true, TypeForm::kText);
  return text;
}

// The text of a fact, in the form of `facts show`: strings without quotes.
std::string fact_text(Value value) {
  if (value.is_undef()) return "undef";
  return value.is_string() ? std::string(value.as_string()) : value_text(value);
}

std::string place_text(const Reason& reason) {
  if (reason.file.empty()) return reason.line == 0 ? "" : fmt::format("line {}", reason.line);
  return reason.line == 0 ? reason.file : fmt::format("{}:{}", reason.file, reason.line);
}

std::string headline(const Reason& reason) {
  std::string text;
  if (reason.kind == "resource") {
    text = reason.name;
  } else if (reason.kind == "attribute") {
    text = fmt::format("{} => {}", reason.name, value_text(*reason.value));
  } else if (reason.kind == "container") {
    text = "in " + reason.name;
  } else if (reason.kind == "variable") {
    text = "$" + reason.name;
  } else if (reason.kind == "data_source") {
    text = fmt::format("data '{}'", reason.name);
    if (!reason.level.empty()) text += fmt::format(" of the level '{}'", reason.level);
    text += fmt::format(" = {}", value_text(*reason.value));
  } else if (reason.kind == "fact" && reason.name.starts_with("facts.")) {
    text = fmt::format("{} = {}", reason.name, fact_text(*reason.value));
  } else {
    text = reason.kind;
    std::ranges::replace(text, '_', ' ');
    if (!reason.name.empty()) text += " " + reason.name;
    if (reason.kind == "fact" && reason.value) text += " = " + value_text(*reason.value);
  }
  const std::string place = place_text(reason);
  if (!place.empty()) text += " at " + place;
  if (!reason.code.empty()) text += ": " + reason.code;
  return text;
}

void add_text(const Reason& reason, int depth, std::string& text) {
  text.append(static_cast<size_t>(depth) * 2, ' ').append(headline(reason)).push_back('\n');
  for (const Reason& inner : reason.because) add_text(inner, depth + 1, text);
}

}  // namespace

Reason explain(const Compiler& compiler, const Provenance& provenance, const Resource& resource,
               std::optional<Name> attribute) {
  return Explanation(compiler, provenance).explain_resource(resource, attribute);
}

std::string explanation_text(const Reason& reason) {
  std::string text;
  add_text(reason, 0, text);
  return text;
}

namespace {

enum class Detail : uint8_t { kAll, kOutline };

void write_reason(JsonWriter& json, const Reason& reason, Detail detail) {
  json.begin_object();
  json.member("kind", reason.kind);
  const auto member = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) json.member(name, replace_invalid_utf8(text));
  };
  member("name", reason.name);
  if (reason.value && detail == Detail::kAll) {
    json.key("value");
    write_rich_data(json, *reason.value, true, TypeForm::kText);
  }
  member("layer", reason.layer);
  member("level", reason.level);
  member("file", reason.file);
  if (reason.line != 0) json.member("line", reason.line);
  if (detail == Detail::kAll) member("code", reason.code);
  if (!reason.because.empty()) {
    json.key("because");
    json.begin_array();
    for (const Reason& inner : reason.because) write_reason(json, inner, detail);
    json.end_array();
  }
  json.end_object();
}

}  // namespace

void write_explanation(JsonWriter& json, const Reason& reason) {
  write_reason(json, reason, Detail::kAll);
}

void write_explanation_outline(JsonWriter& json, const Reason& reason) {
  write_reason(json, reason, Detail::kOutline);
}

}  // namespace bunraku

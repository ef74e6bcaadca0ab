#include "site/node/node.h"

#include <fmt/format.h>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(
      make_diagnostic(Issue::kInvalidClassification, Range{}, {std::move(message)}),
      ErrorKind::kError);
}

void add_class(TargetNode& node, Value name, Value parameters) {
  if (!name.is_string()) fail("A classifier's class name must be a string");
  const bool is_none = parameters.is_undef() ||
                       (parameters.is_array() && parameters.as_array().empty()) ||
                       (parameters.is_string() && parameters.as_string().empty());
  if (!is_none && !parameters.is_hash()) {
    fail(fmt::format("A classifier's parameters of class {} must be a hash", name.as_string()));
  }
  node.classes.push_back({name.as_string(), parameters});
}

}  // namespace

std::string_view certname_of(const TargetNode& node) {
  for (const Value hash : {node.parameters, node.facts}) {
    const Value* name = hash.is_hash() ? hash.as_hash().find("clientcert") : nullptr;
    if (name != nullptr) return name->is_string() ? name->as_string() : node.name;
  }
  return node.name;
}

Value local_trusted_data(Arena& arena, std::string_view certname, Value external) {
  const size_t dot = certname.find('.');
  HashBuilder trusted(arena, 6);
  trusted.set("authenticated", Value::string("local"));
  trusted.set("certname", Value::string(certname));
  trusted.set("extensions", HashBuilder(arena).finish());
  trusted.set("hostname",
              certname.empty() ? Value::undef() : Value::string(certname.substr(0, dot)));
  trusted.set("domain", dot == std::string_view::npos ? Value::undef()
                                                      : Value::string(certname.substr(dot + 1)));
  trusted.set("external", external);
  return trusted.finish();
}

void apply_classification(Arena& arena, Value answer, TargetNode& node) {
  (void)arena;
  if (!answer.is_hash()) fail("A classifier's answer must be a hash");
  const HashObject& hash = answer.as_hash();
  if (const Value* classes = hash.find("classes")) {
    if (classes->is_hash()) {
      node.classes_have_parameters = true;
      for (const HashEntry& entry : classes->as_hash()) add_class(node, entry.key, entry.value);
    } else if (classes->is_array()) {
      for (const Value name : classes->as_array()) add_class(node, name, Value::undef());
    } else if (!classes->is_undef()) {
      fail("A classifier's classes must be a list or a hash");
    }
  }
  if (const Value* parameters = hash.find("parameters"); parameters && !parameters->is_undef()) {
    if (!parameters->is_hash()) fail("A classifier's parameters must be a hash");
    node.parameters = *parameters;
  }
  if (const Value* environment = hash.find("environment");
      environment && !environment->is_undef()) {
    if (!environment->is_string()) fail("A classifier's environment must be a string");
    node.environment = environment->as_string();
  }
}

}  // namespace bunraku

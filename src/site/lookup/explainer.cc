#include "site/lookup/explainer.h"

#include "base/formats/json.h"
#include "base/text/ruby_text.h"
#include "serialization/serialization.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

using Node = Explainer::Node;
using NodeKind = Explainer::NodeKind;
using Event = Explainer::Event;

std::string deeper(std::string_view indent) {
  return std::string(indent) + "  ";
}

void add_value(std::string& out, const std::string& indent, Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  const bool is_hash = value.is_hash();
  if (!is_hash && !value.is_array()) return append_ruby_inspect(out, value);
  const size_t size = is_hash ? value.as_hash().size : value.as_array().size();
  out += is_hash ? '{' : '[';
  const std::string inner = deeper(indent);
  for (size_t i = 0; i < size; ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += inner;
    if (is_hash) {
      const HashEntry& entry = value.as_hash().entries[i];
      add_value(out, inner, entry.key);
      out += " => ";
      add_value(out, inner, entry.value);
    } else {
      add_value(out, inner, value.as_array()[i]);
    }
  }
  if (size > 0) out += "\n" + indent;
  out += is_hash ? '}' : ']';
}

void add_outcome(std::string& out, const std::string& indent, const Node& node) {
  switch (node.event) {
    case Event::kNotFound:
      out += indent + "No such key: \"" + node.key + "\"\n";
      break;
    case Event::kFound:
    case Event::kFoundInOverrides:
    case Event::kFoundInDefaults:
      out += indent + "Found key: \"" + node.key + "\" value: ";
      add_value(out, indent, node.value);
      if (node.event == Event::kFoundInOverrides) out += " in overrides";
      if (node.event == Event::kFoundInDefaults) out += " in defaults";
      out += "\n";
      break;
    default:
      break;
  }
  for (const std::string& text : node.texts) out += indent + text + "\n";
}

void add_node(std::string& out, const std::string& indent, const Node& node);

void add_branches(std::string& out, const std::string& indent, const Node& node) {
  for (const auto& branch : node.branches) add_node(out, indent, *branch);
}

void add_merge(std::string& out, const std::string& indent, const Node& node) {
  if (node.branches.empty()) return;
  // A merge of one value is shown as that value.
  if (node.branches.size() == 1) return add_node(out, indent, *node.branches[0]);
  out += indent + "Merge strategy " + node.label + "\n";
  const std::string inner = deeper(indent);
  if (!node.options.is_undef()) {
    out += inner + "Options: ";
    add_value(out, inner, node.options);
    out += "\n";
  }
  add_branches(out, inner, node);
  if (node.event == Event::kResult) {
    out += inner + "Merged result: ";
    add_value(out, inner, node.value);
    out += "\n";
  }
}

void add_location(std::string& out, const std::string& indent, const Node& node) {
  const bool is_path = node.kind == NodeKind::kPath;
  const std::string_view type = is_path ? "Path" : "URI";
  out.append(indent).append(type).append(" \"").append(node.label).append("\"\n");
  const std::string inner = deeper(indent);
  out += inner + (is_path ? "Original path: \"" : "Original uri: \"") + node.original + "\"\n";
  add_branches(out, inner, node);
  if (node.event == Event::kLocationNotFound) out.append(inner).append(type).append(" not found\n");
  add_outcome(out, inner, node);
}

void add_node(std::string& out, const std::string& indent, const Node& node) {
  const std::string inner = deeper(indent);
  switch (node.kind) {
    case NodeKind::kRoot:
      add_branches(out, indent, node);
      for (const std::string& text : node.texts) out += indent + text + "\n";
      return;
    case NodeKind::kData:
    case NodeKind::kMeta:
      out += indent + "Searching for \"" + node.label + "\"\n";
      return add_branches(out, inner, node);
    case NodeKind::kInvalidKey:
      out += indent + "Invalid key \"" + node.label + "\"\n";
      return;
    case NodeKind::kMergeSource:
      out += indent + "Using merge options from \"" + node.label + "\" hash\n";
      return;
    case NodeKind::kModule:
      if (node.event == Event::kModuleNotFound) {
        out += indent + "Module \"" + node.label + "\" not found\n";
      } else {
        out += indent + "Module data provider for module \"" + node.label + "\" not found\n";
      }
      return;
    case NodeKind::kInterpolate:
      out += indent + "Interpolation on \"" + node.label + "\"\n";
      return add_branches(out, inner, node);
    case NodeKind::kMerge:
      return add_merge(out, indent, node);
    case NodeKind::kDataProvider:
      out += indent + node.label + "\n";
      if (!node.original.empty()) out += inner + "Using configuration \"" + node.original + "\"\n";
      break;
    case NodeKind::kPath:
    case NodeKind::kUri:
      return add_location(out, indent, node);
    case NodeKind::kSubKey:
      out += indent + "Sub key: \"" + node.label + "\"\n";
      break;
    case NodeKind::kSegment:
      return add_outcome(out, indent, node);
    case NodeKind::kScope:
      out += indent + node.label + "\n";
      break;
  }
  add_branches(out, inner, node);
  add_outcome(out, inner, node);
}

std::string_view type_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::kRoot:
    case NodeKind::kData:
    case NodeKind::kMeta:
      return "root";
    case NodeKind::kInvalidKey:
      return "invalid_key";
    case NodeKind::kMergeSource:
      return "merge_source";
    case NodeKind::kModule:
      return "module";
    case NodeKind::kInterpolate:
      return "interpolate";
    case NodeKind::kMerge:
      return "merge";
    case NodeKind::kDataProvider:
      return "data_provider";
    case NodeKind::kPath:
      return "path";
    case NodeKind::kUri:
      return "uri";
    case NodeKind::kSubKey:
      return "sub_key";
    case NodeKind::kSegment:
      return "segment";
    case NodeKind::kScope:
      return "scope";
  }
  return {};
}

std::string_view event_name(Event event) {
  switch (event) {
    case Event::kNone:
      return {};
    case Event::kFound:
      return "found";
    case Event::kFoundInOverrides:
      return "found_in_overrides";
    case Event::kFoundInDefaults:
      return "found_in_defaults";
    case Event::kResult:
      return "result";
    case Event::kNotFound:
      return "not_found";
    case Event::kLocationNotFound:
      return "location_not_found";
    case Event::kModuleNotFound:
      return "module_not_found";
    case Event::kModuleProviderNotFound:
      return "module_provider_not_found";
  }
  return {};
}

void write_member(JsonWriter& writer, std::string_view name, std::string_view value) {
  writer.key(name);
  writer.string(value);
}

void write_value(JsonWriter& writer, std::string_view name, Value value) {
  writer.key(name);
  write_rich_data(writer, value, true, TypeForm::kText);
}

void write_details(JsonWriter& writer, const Node& node) {
  switch (node.kind) {
    case NodeKind::kInterpolate:
      return write_member(writer, "expression", node.label);
    case NodeKind::kMerge:
      write_member(writer, "merge", node.label);
      if (!node.options.is_undef()) write_value(writer, "options", node.options);
      return;
    case NodeKind::kDataProvider:
      write_member(writer, "name", node.label);
      if (!node.original.empty()) write_member(writer, "configuration_path", node.original);
      if (!node.module.empty()) write_member(writer, "module", node.module);
      return;
    case NodeKind::kPath:
      write_member(writer, "original_path", node.original);
      return write_member(writer, "path", node.label);
    case NodeKind::kUri:
      write_member(writer, "original_uri", node.original);
      return write_member(writer, "uri", node.label);
    case NodeKind::kScope:
      return write_member(writer, "name", node.label);
    default:
      return;
  }
}

void write_node(JsonWriter& writer, const Node& node) {
  if (node.kind == NodeKind::kMerge && node.branches.size() == 1) {
    return write_node(writer, *node.branches[0]);
  }
  writer.begin_object();
  if (node.kind == NodeKind::kMergeSource) {
    write_member(writer, "type", "merge_source");
    write_member(writer, "merge_source", node.label);
    return writer.end_object();
  }
  if (!node.branches.empty()) {
    writer.key("branches");
    writer.begin_array();
    for (const auto& branch : node.branches) write_node(writer, *branch);
    writer.end_array();
  }
  const bool is_top = node.kind == NodeKind::kData || node.kind == NodeKind::kMeta ||
                      node.kind == NodeKind::kInvalidKey;
  if (is_top || !node.key.empty()) write_member(writer, "key", is_top ? node.label : node.key);
  const bool has_value = node.event == Event::kFound || node.event == Event::kFoundInDefaults ||
                         node.event == Event::kFoundInOverrides || node.event == Event::kResult;
  if (has_value) write_value(writer, "value", node.value);
  if (node.event != Event::kNone) write_member(writer, "event", event_name(node.event));
  if (!node.texts.empty()) {
    writer.key("texts");
    writer.begin_array();
    for (const std::string& text : node.texts) writer.string(text);
    writer.end_array();
  }
  write_member(writer, "type", type_name(node.kind));
  write_details(writer, node);
  writer.end_object();
}

}  // namespace

Explainer::Node& Explainer::push(NodeKind kind, std::string label) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->label = std::move(label);
  node->parent = current_;
  Node* added = node.get();
  current_->branches.push_back(std::move(node));
  current_ = added;
  return *added;
}

void Explainer::pop() {
  if (current_->parent != nullptr) current_ = current_->parent;
}

void Explainer::found(std::string_view key, Value value, Event event) {
  current_->key = key;
  current_->value = value;
  current_->event = event;
}

void Explainer::not_found(std::string_view key) {
  current_->key = key;
  current_->event = Event::kNotFound;
}

void Explainer::result(Value value) {
  current_->value = value;
  current_->event = Event::kResult;
}

void Explainer::merge_source(std::string_view name) {
  push(NodeKind::kMergeSource, std::string(name));
  pop();
}

void Explainer::module_event(std::string_view module, Event event) {
  push(NodeKind::kModule, std::string(module)).event = event;
  pop();
}

// --- secrets
// --------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kRedacted = "[value redacted]";
// Values that are nested more deeply than this are not shown.
constexpr int kDeepest = 500;

// Gathers the texts in a value: those within Sensitive values, or all when `is_secret`.
void gather(Value value, bool is_secret, int depth, std::set<std::string, std::less<>>& secrets) {
  if (depth > kDeepest) return;
  if (value.is_sensitive()) return gather(value.as_sensitive(), true, depth + 1, secrets);
  if (value.is_string()) {
    if (is_secret && !value.as_string().empty()) secrets.emplace(value.as_string());
  } else if (value.is_array()) {
    for (const Value item : value.as_array()) gather(item, is_secret, depth + 1, secrets);
  } else if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash())
      gather(entry.value, is_secret, depth + 1, secrets);
  }
}

}  // namespace

void Explainer::secret(Value value) {
  gather(value, true, 0, secrets_);
}

void Explainer::gather_secrets(const Node& node) {
  gather(node.value, false, 0, secrets_);
  for (const auto& branch : node.branches) gather_secrets(*branch);
}

// Short secrets are ignored, because too many other texts contain them.
bool Explainer::holds_secret(std::string_view text) const {
  constexpr size_t kShortest = 4;
  for (const std::string& secret : secrets_) {
    if (text == secret || (secret.size() >= kShortest && text.find(secret) != text.npos))
      return true;
  }
  return false;
}

Value Explainer::hidden(Value value, int depth) {
  if (value.is_sensitive() || depth > kDeepest) return Value::string(kRedacted);
  if (value.is_string()) return holds_secret(value.as_string()) ? Value::string(kRedacted) : value;
  if (value.is_array()) {
    ArrayBuilder items(arena_, value.as_array().size());
    for (const Value item : value.as_array()) items.push(hidden(item, depth + 1));
    return items.finish();
  }
  if (!value.is_hash()) return value;
  HashBuilder entries(arena_, value.as_hash().size);
  for (const HashEntry& entry : value.as_hash()) {
    entries.set(hidden(entry.key, depth + 1), hidden(entry.value, depth + 1));
  }
  return entries.finish();
}

void Explainer::hide_secrets(Node& node) {
  node.value = hidden(node.value, 0);
  node.options = hidden(node.options, 0);
  for (std::string& text : node.texts) {
    if (holds_secret(text)) text = kRedacted;
  }
  for (const auto& branch : node.branches) hide_secrets(*branch);
}

void Explainer::hide_secrets() {
  gather_secrets(root_);
  hide_secrets(root_);
}

std::string Explainer::to_text() const {
  std::string out;
  add_node(out, "", root_);
  return out;
}

void Explainer::write_json(JsonWriter& writer) const {
  write_node(writer, root_.branches.size() == 1 ? *root_.branches[0] : root_);
}

}  // namespace bunraku

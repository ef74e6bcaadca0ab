// The explanation of a look-up: a tree of its steps and their results, printed as text in the
// reference's words or as JSON.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "values/value.h"

namespace bunraku {

class JsonWriter;
struct MergeStrategy;

class Explainer {
 public:
  enum class NodeKind : uint8_t {
    kRoot,
    kData,  // a look-up of a key
    kMeta,  // a look-up of lookup_options
    kInvalidKey,
    kMergeSource,
    kModule,
    kInterpolate,
    kMerge,
    kDataProvider,
    kPath,
    kUri,
    kSubKey,
    kSegment,
    kScope,
  };
  enum class Event : uint8_t {
    kNone,
    kFound,
    kFoundInOverrides,
    kFoundInDefaults,
    kResult,
    kNotFound,
    kLocationNotFound,
    kModuleNotFound,
    kModuleProviderNotFound,
  };

  struct Node {
    NodeKind kind = NodeKind::kRoot;
    Event event = Event::kNone;
    std::string label;  // the key, provider, expression, path...
    // of a location: as configured; of a provider: the path of its configuration
    std::string original;
    std::string module;  // of a module's data provider
    std::string key;     // of the event
    Value value;
    Value options;  // of a merge
    std::vector<std::string> texts;
    std::vector<std::unique_ptr<Node>> branches;
    Node* parent = nullptr;
  };

  // With `options` the look-up of lookup_options is explained too; with `only_options` nothing else
  // is.
  explicit Explainer(bool options = false, bool only_options = false)
      : explains_options_(options), only_options_(only_options), current_(&root_) {}

  bool explains_options() const { return explains_options_; }
  bool only_options() const { return only_options_; }

  Node& push(NodeKind kind, std::string label);
  void pop();
  Node& current() { return *current_; }
  const Node& root() const { return root_; }

  void found(std::string_view key, Value value, Event event = Event::kFound);
  void not_found(std::string_view key);
  void location_not_found() { current_->event = Event::kLocationNotFound; }
  void result(Value value);
  void merge_source(std::string_view name);
  void module_event(std::string_view module, Event event);
  void text(std::string text) { current_->texts.push_back(std::move(text)); }

  // Marks the value's content as secret: decrypted text, or the content of a Sensitive.
  void secret(Value value);
  // Redacts secrets and the content of Sensitive values in the whole explanation. For explanations
  // that are stored.
  void hide_secrets();

  std::string to_text() const;
  void write_json(JsonWriter& writer) const;

 private:
  void gather_secrets(const Node& node);
  void hide_secrets(Node& node);
  Value hidden(Value value, int depth);
  bool holds_secret(std::string_view text) const;

  bool explains_options_;
  bool only_options_;
  Node root_;
  Node* current_;
  std::set<std::string, std::less<>> secrets_;
  Arena arena_;  // for the replacements of secrets
};

// Opens one level of the explanation during its lifetime; does nothing without an explainer.
class ExplainLevel {
 public:
  ExplainLevel(Explainer* explainer, Explainer::NodeKind kind, std::string_view label)
      : explainer_(explainer) {
    if (explainer_ != nullptr) explainer_->push(kind, std::string(label));
  }
  ~ExplainLevel() {
    if (explainer_ != nullptr) explainer_->pop();
  }
  ExplainLevel(const ExplainLevel&) = delete;
  ExplainLevel& operator=(const ExplainLevel&) = delete;

 private:
  Explainer* explainer_;
};

}  // namespace bunraku

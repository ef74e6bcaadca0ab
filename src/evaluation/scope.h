// Scopes: where variables live. As in the reference, a Scope belongs to the top, a node, a class or
// a define, and carries a chain of frames for what comes and goes inside it: the locals of lambdas
// and functions, match variables, parameters whose defaults are being evaluated.
//
// Frames of lambdas live on the C++ stack; a lambda that outlives the call that it was given to
// (Ruby code can keep one) has only the scope.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/memory/name.h"
#include "syntax/tree.h"
#include "values/value.h"

namespace bunraku {

class Evaluator;
// What the catalog keeps for a scope (its resource, defaults, tags). Defined in catalog/.
struct CatalogScope;

// Names with values, in the order of their setting. A few stand inline; more go to the arena, and a
// large table gets an index.
class VariableTable {
 public:
  struct Binding {
    Name name;
    Value value;
  };

  // Only for a variable that was added here: a shared table is never changed.
  Value* find_to_change(Name name) { return const_cast<Value*>(find(name)); }
  const Value* find(Name name) const {
    if (index_ != nullptr) return find_indexed(name);
    for (uint32_t i = 0; i < size_; ++i) {
      if (bindings_[i].name == name) return &bindings_[i].value;
    }
    return nullptr;
  }
  // The name must not be there yet.
  void add(Arena& arena, Name name, Value value) {
    if (size_ == capacity_ || index_ != nullptr) return add_slowly(arena, name, value);
    bindings_[size_++] = {name, value};
  }
  std::span<const Binding> bindings() const { return {bindings_, size_}; }
  // Holds what another table does, which must live as long and not change.
  void share(const VariableTable& other) {
    bindings_ = other.bindings_;
    index_ = other.index_;
    index_mask_ = other.index_mask_;
    size_ = capacity_ = other.size_;
  }

  VariableTable() : bindings_(inline_) {}
  VariableTable(const VariableTable&) = delete;
  VariableTable& operator=(const VariableTable&) = delete;

 private:
  static constexpr uint32_t kInline = 5;
  void add_slowly(Arena& arena, Name name, Value value);
  void index_all(Arena& arena);
  const Value* find_indexed(Name name) const;

  Binding* bindings_;
  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  uint32_t* index_ = nullptr;  // open addressing, number + 1, 0 is free
  uint32_t index_mask_ = 0;
  // Not initialised: only the first size_ count.
  union {
    Binding inline_[kInline];
  };
};

// One link of a scope's chain.
struct Frame {
  enum class Kind : uint8_t { kLocal, kMatch, kParameters };
  Kind kind;
  uint32_t level;  // the guards around it when it was made; see FrameGuard
  Frame* parent;
};

struct LocalFrame : Frame {
  VariableTable variables;
};

// $0, $1...: the text that was matched and where its groups lie in it.
struct MatchFrame : Frame {
  std::string_view subject;
  std::span<const std::string_view> groups;  // null data() when a group took no part
};

class Scope {
 public:
  enum class Kind : uint8_t { kTop, kNode, kClass, kDefine };

  // `parent` is the scope that declared this one (dynamic); null for the top. The scope keeps to
  // the arena, which must outlive it.
  Scope(Arena& arena, Kind kind, Scope* parent);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  Kind kind() const { return kind_; }
  // The dynamic parent: resource defaults and tags go along it, variables do not.
  Scope* parent() const { return parent_; }
  // Where variables are looked for next: the scope of the class that this one inherits, else that
  // of the node, else the top.
  Scope* next() const { return inherited_ ? inherited_ : enclosing_; }
  Scope* inherited() const { return inherited_; }
  void set_inherited(Scope* scope) { inherited_ = scope; }
  // The nearest node or top scope.
  Scope& global();
  Arena& arena() const { return *arena_; }

  // --- variables ---
  // A simple name, looked for along the whole chain. Null when there is none.
  const Value* find(Name name) const {
    // Most are the parameters of the lambda that asks.
    if (innermost_ != nullptr && innermost_->kind == Frame::Kind::kLocal) {
      const auto& locals = static_cast<const LocalFrame*>(innermost_)->variables;
      if (const Value* found = locals.find(name)) return found;
    }
    return find_further(name);
  }
  // In this scope and its frames only, as $class::name has it.
  const Value* find_local(Name name) const;
  // Is the name taken where an assignment would set it?
  bool is_bound(Name name) const;
  // Sets a variable where an assignment does: in the innermost locals. Must not be bound there.
  void set(Name name, Value value);
  // Replaces the scope's own variables; see VariableTable::share.
  void share_variables(const VariableTable& table) { variables_.share(table); }
  // Gives a variable of the scope's own another value: for code in Ruby, which changes objects that
  // it has set itself.
  void replace(Name name, Value value);
  // The scope's own variables, without those of frames.
  const VariableTable& variables() const { return variables_; }
  // All that are visible under simple names, the outermost first; inner ones replace outer ones.
  void add_visible_to(HashBuilder& builder) const;

  // --- match variables ---
  // $number; undef when nothing matched or the group took no part.
  Value match_variable(int32_t number) const;
  // A successful match; `subject` and `groups` must live as long as the compilation.
  void set_match(std::string_view subject, std::span<const std::string_view> groups);

  // --- for the catalog ---
  CatalogScope* catalog = nullptr;
  Name class_name;               // of a class's scope
  std::string_view module_name;  // empty: none
  // The resource as log records show it: "Class[main]" in "Scope(Class[main])".
  std::string_view resource_text;

 private:
  friend class FrameGuard;
  friend class LocalScope;
  friend class ParameterScope;
  friend class GlobalScope;

  const Value* find_further(Name name) const;

  Arena* arena_;
  Scope* parent_;
  Scope* enclosing_;
  Scope* inherited_ = nullptr;
  Frame* innermost_ = nullptr;
  uint32_t level_ = 0;
  Kind kind_;
  VariableTable variables_;
};

// Frames made while it stands are dropped when it goes: match variables of an `if` end with it.
class FrameGuard {
 public:
  explicit FrameGuard(Scope& scope) : scope_(scope), saved_(scope.innermost_) { ++scope.level_; }
  ~FrameGuard() {
    scope_.innermost_ = saved_;
    --scope_.level_;
  }
  FrameGuard(const FrameGuard&) = delete;
  FrameGuard& operator=(const FrameGuard&) = delete;

 private:
  Scope& scope_;
  Frame* saved_;
};

// A frame of locals for as long as it stands: the body of a lambda, function or template.
class LocalScope {
 public:
  explicit LocalScope(Scope& scope) : guard_(scope), scope_(scope) {
    frame_.kind = Frame::Kind::kLocal;
    frame_.level = scope.level_;
    frame_.parent = scope.innermost_;
    scope.innermost_ = &frame_;
  }
  void set(Name name, Value value) { frame_.variables.add(*scope_.arena_, name, value); }
  bool is_bound(Name name) const { return frame_.variables.find(name) != nullptr; }

 private:
  FrameGuard guard_;
  Scope& scope_;
  LocalFrame frame_;
};

// Hides all frames of a scope while it stands: functions written in the language see only the
// global scope's own variables.
class GlobalScope {
 public:
  explicit GlobalScope(Scope& global) : guard_(global) { global.innermost_ = nullptr; }

 private:
  FrameGuard guard_;
};

// Is it a variable that the compilation sets itself, and that no parameter can hide?
bool is_reserved(Name name);
std::string reserved_message(Name name);
// $1 and the like, which only a match sets.
bool is_match_variable(std::string_view name);
// Throws EvaluationError without a place.
[[noreturn]] void fail_reserved(Name name);

// Parameters while their defaults are evaluated, from left to right: a default may read the
// parameters before it; reading one that has no value yet is an error.
class ParameterScope {
 public:
  // `callee` is how messages name the owner: "lambda", a function's name, "Class[Foo]".
  ParameterScope(Scope& scope, std::string_view callee, ParameterList parameters);

  void set(Name name, Value value);
  const Value* find(Name name) const;
  // The parameter's default, with match variables of its own. Does not set it.
  Value evaluate_default(Evaluator& evaluator, const Parameter& parameter);
  // The same for a parameter of another program than the one that is being evaluated.
  Value evaluate_default(Evaluator& evaluator, const Program& program, const Parameter& parameter);
  // All that were set, in order.
  std::span<const VariableTable::Binding> bindings() const { return frame_.variables.bindings(); }

 private:
  friend class Scope;
  struct ParameterFrame : Frame {
    VariableTable variables;
    ParameterList parameters;
  };
  [[noreturn]] void fail_pending(Name from, Name to) const;

  FrameGuard guard_;
  Scope& scope_;
  std::string_view callee_;
  ParameterFrame frame_;
};

}  // namespace bunraku

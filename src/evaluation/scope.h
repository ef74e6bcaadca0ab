// Scopes of variables. As in the reference, a Scope belongs to the top, a node, a class or a
// define, and has a chain of frames for temporary bindings: the locals of lambdas and functions,
// match variables, parameters whose defaults are being evaluated.
//
//  Frames of lambdas are on the C++ stack; a lambda that outlives the call that it was passed to
//  (Ruby code can keep one) has only the scope.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/memory/name.h"
#include "syntax/tree.h"
#include "values/value.h"

namespace bunraku {

class ChangedObjects;
class Evaluator;
// The catalog's data of a scope (its resource, defaults, tags). Defined in catalog/.
struct CatalogScope;

// Names with values, in the order of setting. A few are stored inline, more in the arena; a large
// table has an index.
class VariableTable {
 public:
  struct Binding {
    Name name;
    Value value;
  };

  // Only for a variable that was added to this table: a shared table is never changed.
  Value* find_to_change(Name name) { return const_cast<Value*>(find(name)); }
  const Value* find(Name name) const {
    if (index_ != nullptr) return find_indexed(name);
    for (uint32_t i = 0; i < size_; ++i) {
      if (bindings_[i].name == name) return &bindings_[i].value;
    }
    return nullptr;
  }
  // The name must not exist yet.
  void add(Arena& arena, Name name, Value value) {
    if (size_ == capacity_ || index_ != nullptr) return add_slowly(arena, name, value);
    bindings_[size_++] = {name, value};
  }
  std::span<const Binding> bindings() const { return {bindings_, size_}; }
  // Replaces values that hold changed objects, except of the variables that are keys of `kept`, a
  // hash or null; a shared table keeps all values.
  void update(ChangedObjects& objects, const HashObject* kept = nullptr);
  // Takes over the contents of another table, which must live as long and not change.
  void share(const VariableTable& other) {
    bindings_ = other.bindings_;
    index_ = other.index_;
    index_mask_ = other.index_mask_;
    size_ = capacity_ = other.size_;
    is_shared_ = true;
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
  bool is_shared_ = false;     // the bindings belong to another table
  uint32_t* index_ = nullptr;  // open addressing; entries are index + 1, 0 is free
  uint32_t index_mask_ = 0;
  // Not initialised: only the first size_ are valid.
  union {
    Binding inline_[kInline];
  };
};

// One link of a scope's chain.
struct Frame {
  enum class Kind : uint8_t { kLocal, kMatch, kParameters };
  Kind kind;
  uint32_t level;  // the number of guards at its creation; see FrameGuard
  Frame* parent;
};

struct LocalFrame : Frame {
  VariableTable variables;
};

// $0, $1...: the matched text and its groups.
struct MatchFrame : Frame {
  std::string_view subject;
  std::span<const std::string_view> groups;  // null data() for a group that did not match
};

class Scope {
 public:
  enum class Kind : uint8_t { kTop, kNode, kClass, kDefine };

  // `parent` is the scope that declared this one (dynamic); null for the top. The arena must
  // outlive the scope.
  Scope(Arena& arena, Kind kind, Scope* parent);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  Kind kind() const { return kind_; }
  // The dynamic parent: used for resource defaults and tags, not for variables.
  Scope* parent() const { return parent_; }
  // The scope that is searched next for variables: that of the inherited class, else that of the
  // node, else the top.
  Scope* next() const { return inherited_ ? inherited_ : enclosing_; }
  Scope* inherited() const { return inherited_; }
  void set_inherited(Scope* scope) { inherited_ = scope; }
  // Returns the nearest node or top scope.
  Scope& global();
  Arena& arena() const { return *arena_; }

  // --- variables ---
  // Finds a simple name along the whole chain. Null when there is none.
  const Value* find(Name name) const {
    // Most are parameters of the innermost lambda.
    if (innermost_ != nullptr && innermost_->kind == Frame::Kind::kLocal) {
      const auto& locals = static_cast<const LocalFrame*>(innermost_)->variables;
      if (const Value* found = locals.find(name)) return found;
    }
    return find_further(name);
  }
  // Finds a name in this scope and its frames only, as for $class::name.
  const Value* find_local(Name name) const;
  // Returns whether the name is already bound where an assignment would set it.
  bool is_bound(Name name) const;
  // Sets a variable as an assignment does: in the innermost locals. It must not be bound there.
  void set(Name name, Value value);
  // Replaces the scope's own variables; see VariableTable::share.
  void share_variables(const VariableTable& table) { variables_.share(table); }
  // Changes the value of a variable of the scope itself: for code in Ruby, which changes objects
  // that it has set itself.
  void replace(Name name, Value value);
  // Replaces values that hold changed objects: those of the scope, except facts, and those of its
  // frames.
  void update_variables(ChangedObjects& objects);
  // The scope's own variables, without those of frames.
  const VariableTable& variables() const { return variables_; }
  // Adds all variables visible under simple names, the outermost first; inner ones replace outer
  // ones.
  void add_visible_to(HashBuilder& builder) const;
  // Adds the scope's own variables and those of its frames.
  void add_own_to(HashBuilder& builder) const;

  // --- match variables ---
  // $number; undef when nothing matched or the group did not match.
  Value match_variable(int32_t number) const;
  // Sets the variables of a successful match; `subject` and `groups` must live as long as the
  // compilation.
  void set_match(std::string_view subject, std::span<const std::string_view> groups);

  // --- for the catalog ---
  CatalogScope* catalog = nullptr;
  Name class_name;               // set for the scope of a class
  std::string_view module_name;  // empty: none
  // The resource as in log records: "Class[main]" in "Scope(Class[main])".
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

// Drops the frames that were made during its lifetime: match variables of an `if` end with it.
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

// A frame of locals during its lifetime: for the body of a lambda, function or template.
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

// Hides all frames of a scope during its lifetime: functions written in the language see only the
// global scope's own variables.
class GlobalScope {
 public:
  explicit GlobalScope(Scope& global) : guard_(global) { global.innermost_ = nullptr; }

 private:
  FrameGuard guard_;
};

// Returns whether the compilation itself sets the variable, so that no parameter may have the name.
bool is_reserved(Name name);
std::string reserved_message(Name name);
// Returns whether the name is $1 or similar, which only a match sets.
bool is_match_variable(std::string_view name);
// Throws EvaluationError without a place.
[[noreturn]] void fail_reserved(Name name);

// Parameters while their defaults are evaluated, from left to right: a default may read the
// parameters before it; reading one that has no value yet is an error.
class ParameterScope {
 public:
  // `callee` is the owner's name in messages: "lambda", a function's name, "Class[Foo]".
  ParameterScope(Scope& scope, std::string_view callee, ParameterList parameters);

  void set(Name name, Value value);
  const Value* find(Name name) const;
  // Evaluates the parameter's default, with its own match variables. Does not set it.
  Value evaluate_default(Evaluator& evaluator, const Parameter& parameter);
  // The same for a parameter of a program that is not the current one.
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

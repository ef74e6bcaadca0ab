#include "evaluation/scope.h"

#include <bit>
#include <memory>

#include "evaluation/evaluator.h"
#include "values/changed_objects.h"

namespace bunraku {

// --- VariableTable -------------------------------------------------------------------------------

namespace {
constexpr uint32_t kIndexedSize = 16;
}

void VariableTable::add_slowly(Arena& arena, Name name, Value value) {
  if (size_ == capacity_) {
    capacity_ *= 2;
    Binding* larger = arena.make_array<Binding>(capacity_);
    std::uninitialized_copy(bindings_, bindings_ + size_, larger);
    bindings_ = larger;
    is_shared_ = false;
    if (index_ != nullptr || size_ >= kIndexedSize) index_all(arena);
  }
  bindings_[size_++] = {name, value};
  if (index_ == nullptr) return;
  uint32_t at = name.hash() & index_mask_;
  while (index_[at] != 0) at = (at + 1) & index_mask_;
  index_[at] = size_;
}

void VariableTable::index_all(Arena& arena) {
  const uint32_t slots = std::bit_ceil(capacity_ * 2);
  index_ = arena.make_array<uint32_t>(slots);
  std::fill_n(index_, slots, 0);
  index_mask_ = slots - 1;
  for (uint32_t i = 0; i < size_; ++i) {
    uint32_t at = bindings_[i].name.hash() & index_mask_;
    while (index_[at] != 0) at = (at + 1) & index_mask_;
    index_[at] = i + 1;
  }
}

void VariableTable::update(ChangedObjects& objects, const HashObject* kept) {
  if (is_shared_) return;
  for (Binding& binding : std::span(bindings_, size_)) {
    if (kept != nullptr && kept->find(binding.name.text()) != nullptr) continue;
    binding.value = objects.updated(binding.value);
  }
}

const Value* VariableTable::find_indexed(Name name) const {
  for (uint32_t at = name.hash() & index_mask_; index_[at] != 0; at = (at + 1) & index_mask_) {
    const Binding& binding = bindings_[index_[at] - 1];
    if (binding.name == name) return &binding.value;
  }
  return nullptr;
}

// --- Scope ---------------------------------------------------------------------------------------

namespace {

// Thrown when a default reads a parameter that has no value yet; caught at the evaluation of the
// default.
struct PendingParameter {
  Name name;
};

bool is_parameter(ParameterList parameters, Name name) {
  for (const Parameter* parameter : parameters) {
    if (parameter->name == name) return true;
  }
  return false;
}

[[noreturn]] void fail_without_place(Issue issue, std::string argument) {
  throw EvaluationError(make_diagnostic(issue, {}, {std::move(argument)}));
}

bool is_global(Scope::Kind kind) {
  return kind == Scope::Kind::kTop || kind == Scope::Kind::kNode;
}

Scope* enclosing_of(Scope* parent) {
  while (parent != nullptr && !is_global(parent->kind())) parent = parent->parent();
  return parent;
}

}  // namespace

Scope::Scope(Arena& arena, Kind kind, Scope* parent)
    : arena_(&arena), parent_(parent), enclosing_(enclosing_of(parent)), kind_(kind) {}

Scope& Scope::global() {
  Scope* scope = this;
  while (!is_global(scope->kind()) && scope->next() != nullptr) scope = scope->next();
  return *scope;
}

const Value* Scope::find_local(Name name) const {
  for (const Frame* frame = innermost_; frame != nullptr; frame = frame->parent) {
    const Value* found = nullptr;
    switch (frame->kind) {
      case Frame::Kind::kLocal:
        found = static_cast<const LocalFrame*>(frame)->variables.find(name);
        break;
      case Frame::Kind::kParameters: {
        const auto& parameters = *static_cast<const ParameterScope::ParameterFrame*>(frame);
        found = parameters.variables.find(name);
        // Parameters have no qualified names.
        if (found == nullptr && name.is_word() && is_parameter(parameters.parameters, name)) {
          throw PendingParameter{name};
        }
        break;
      }
      case Frame::Kind::kMatch:
        break;
    }
    if (found != nullptr) return found;
  }
  return variables_.find(name);
}

const Value* Scope::find_further(Name name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->next()) {
    if (const Value* found = scope->find_local(name)) return found;
  }
  return nullptr;
}

bool Scope::is_bound(Name name) const {
  for (const Frame* frame = innermost_; frame != nullptr; frame = frame->parent) {
    switch (frame->kind) {
      case Frame::Kind::kLocal:
        return static_cast<const LocalFrame*>(frame)->variables.find(name) != nullptr;
      case Frame::Kind::kParameters: {
        const auto& parameters = *static_cast<const ParameterScope::ParameterFrame*>(frame);
        return parameters.variables.find(name) != nullptr ||
               is_parameter(parameters.parameters, name);
      }
      case Frame::Kind::kMatch:
        break;
    }
  }
  return variables_.find(name) != nullptr;
}

void Scope::set(Name name, Value value) {
  for (Frame* frame = innermost_; frame != nullptr; frame = frame->parent) {
    if (frame->kind == Frame::Kind::kLocal) {
      static_cast<LocalFrame*>(frame)->variables.add(*arena_, name, value);
      return;
    }
    if (frame->kind == Frame::Kind::kParameters) {
      fail_without_place(
          Issue::kDefaultOutOfOrder,
          "Attempt to assign variable " + std::string(name.text()) + " when evaluating parameters");
    }
  }
  variables_.add(*arena_, name, value);
}

void Scope::replace(Name name, Value value) {
  Value* found = nullptr;
  for (Frame* frame = innermost_; frame != nullptr && found == nullptr; frame = frame->parent) {
    if (frame->kind != Frame::Kind::kLocal) continue;
    found = static_cast<LocalFrame*>(frame)->variables.find_to_change(name);
  }
  if (found == nullptr) found = variables_.find_to_change(name);
  if (found != nullptr) *found = value;
}

void Scope::update_variables(ChangedObjects& objects) {
  for (Frame* frame = innermost_; frame != nullptr; frame = frame->parent) {
    switch (frame->kind) {
      case Frame::Kind::kLocal:
        static_cast<LocalFrame*>(frame)->variables.update(objects);
        break;
      case Frame::Kind::kParameters:
        static_cast<ParameterScope::ParameterFrame*>(frame)->variables.update(objects);
        break;
      case Frame::Kind::kMatch:
        break;
    }
  }
  // Facts cannot be changed in place; those of the top scope are parts of $facts.
  static const Name kFacts("facts");
  const Value* facts = kind_ == Kind::kTop ? variables_.find(kFacts) : nullptr;
  const Value before = facts != nullptr ? *facts : Value();
  variables_.update(objects, before.is_hash() ? &before.as_hash() : nullptr);
  if (before.is_hash()) *variables_.find_to_change(kFacts) = before;
}

namespace {

void add_all(HashBuilder& builder, const VariableTable& table) {
  for (const VariableTable::Binding& binding : table.bindings()) {
    builder.set(Value::string(binding.name.text()), binding.value);
  }
}

void add_frames(HashBuilder& builder, const Frame* frame) {
  if (frame == nullptr) return;
  add_frames(builder, frame->parent);
  if (frame->kind == Frame::Kind::kLocal) {
    add_all(builder, static_cast<const LocalFrame*>(frame)->variables);
  }
}

}  // namespace

void Scope::add_visible_to(HashBuilder& builder) const {
  if (enclosing_ != nullptr) enclosing_->add_visible_to(builder);
  if (inherited_ != nullptr) inherited_->add_visible_to(builder);
  add_own_to(builder);
}

void Scope::add_own_to(HashBuilder& builder) const {
  add_all(builder, variables_);
  add_frames(builder, innermost_);
}

Value Scope::match_variable(int32_t number) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->next()) {
    for (const Frame* frame = scope->innermost_; frame != nullptr; frame = frame->parent) {
      if (frame->kind != Frame::Kind::kMatch) continue;
      const auto& groups = static_cast<const MatchFrame*>(frame)->groups;
      const size_t at = static_cast<size_t>(number);
      if (at >= groups.size() || groups[at].data() == nullptr) return Value::undef();
      return Value::string(groups[at]);
    }
  }
  return Value::undef();
}

void Scope::set_match(std::string_view subject, std::span<const std::string_view> groups) {
  MatchFrame* frame;
  if (innermost_ != nullptr && innermost_->kind == Frame::Kind::kMatch &&
      innermost_->level == level_) {
    // Created under the same guard, so the older match is no longer visible.
    frame = static_cast<MatchFrame*>(innermost_);
  } else {
    frame = arena_->make<MatchFrame>();
    frame->kind = Frame::Kind::kMatch;
    frame->level = level_;
    frame->parent = innermost_;
    innermost_ = frame;
  }
  frame->subject = subject;
  frame->groups = groups;
}

// --- ParameterScope ------------------------------------------------------------------------------

ParameterScope::ParameterScope(Scope& scope, std::string_view callee, ParameterList parameters)
    : guard_(scope), scope_(scope), callee_(callee) {
  frame_.kind = Frame::Kind::kParameters;
  frame_.level = scope.level_;
  frame_.parent = scope.innermost_;
  frame_.parameters = parameters;
  scope.innermost_ = &frame_;
}

void ParameterScope::set(Name name, Value value) {
  if (Value* found = const_cast<Value*>(frame_.variables.find(name))) {
    *found = value;
  } else {
    frame_.variables.add(*scope_.arena_, name, value);
  }
}

const Value* ParameterScope::find(Name name) const {
  return frame_.variables.find(name);
}

Value ParameterScope::evaluate_default(Evaluator& evaluator, const Parameter& parameter) {
  const FrameGuard guard(scope_);
  try {
    return evaluator.evaluate(*parameter.value, scope_);
  } catch (const PendingParameter& pending) {
    fail_pending(parameter.name, pending.name);
  }
}

Value ParameterScope::evaluate_default(Evaluator& evaluator, const Program& program,
                                       const Parameter& parameter) {
  const FrameGuard guard(scope_);
  try {
    return evaluator.evaluate(program, *parameter.value, scope_);
  } catch (const PendingParameter& pending) {
    fail_pending(parameter.name, pending.name);
  }
}

bool is_reserved(Name name) {
  static const Name kFacts("facts"), kTrusted("trusted"), kServerFacts("server_facts");
  return name == kFacts || name == kTrusted || name == kServerFacts;
}

std::string reserved_message(Name name) {
  return "Attempt to assign to a reserved variable name: '" + std::string(name.text()) + "'";
}

bool is_match_variable(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

void fail_reserved(Name name) {
  fail_without_place(Issue::kReservedVariable, std::string(name.text()));
}

void ParameterScope::fail_pending(Name from, Name to) const {
  std::string message(callee_);
  auto position = [this](Name name) {
    size_t at = 0;
    while (frame_.parameters[at]->name != name) ++at;
    return at;
  };
  if (position(to) < position(from)) {
    message += ": expects a value for parameter $" + std::string(to.text());
  } else {
    message += ": default expression for $" + std::string(from.text()) +
               " tries to illegally access not yet evaluated $" + std::string(to.text());
  }
  fail_without_place(Issue::kDefaultOutOfOrder, std::move(message));
}

}  // namespace bunraku

// Methods that templates define and the blocks passed to them, rescued errors, and loops.
#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

struct ErrorKind {
  std::string_view name, parent;
};
// The error classes that are known by name. Other names count as unknown StandardErrors.
constexpr ErrorKind kErrors[] = {{"ArgumentError", "StandardError"},
                                 {"TypeError", "StandardError"},
                                 {"RuntimeError", "StandardError"},
                                 {"NameError", "StandardError"},
                                 {"NoMethodError", "NameError"},
                                 {"IndexError", "StandardError"},
                                 {"KeyError", "IndexError"},
                                 {"ZeroDivisionError", "StandardError"},
                                 {"Puppet::Error", "RuntimeError"},
                                 {"Puppet::ParseError", "Puppet::Error"},
                                 {"IPAddr::Error", "ArgumentError"},
                                 {"IPAddr::InvalidAddressError", "IPAddr::Error"},
                                 {"IPAddr::InvalidPrefixError", "IPAddr::InvalidAddressError"},
                                 {"IPAddr::AddressFamilyError", "IPAddr::Error"},
                                 {"JSON::JSONError", "StandardError"},
                                 {"JSON::ParserError", "JSON::JSONError"}};

std::string_view parent_of(std::string_view name) {
  const auto* found = std::ranges::find(kErrors, name, &ErrorKind::name);
  return found == std::end(kErrors) ? std::string_view() : found->parent;
}

}  // namespace

bool is_known_error(std::string_view name) {
  return name == "StandardError" || name == "Exception" || !parent_of(name).empty();
}

// --- methods ------------------------------------------------------------------------------------

Object Interpreter::evaluate_define(const DefineNode& node) {
  scope_.memory().methods.insert_or_assign(std::string(node.name),
                                           TemplateMemory::Method{owner_, &script_, &node});
  return symbol(node.name);
}

Object Interpreter::proc(const BlockNode& block) const {
  Object object(Class::kProc);
  object.block = &block;
  return object;
}

const BlockNode* Interpreter::bound_block(const BlockNode* block, const Node* block_value) {
  if (block_value != nullptr) {
    const Object value = evaluate(*block_value);
    if (value.is_nil()) return nullptr;
    if (!value.is(Class::kProc)) fail_with("such an object as a block");
    return value.block;
  }
  if (block == nullptr || frame_ == &base_frame_) return block;
  auto* bound = arena_.make<BlockNode>(*block);
  bound->frame = frame_;
  return bound;
}

Object Interpreter::evaluate_method_call(const MethodCallNode& node) {
  std::vector<Object> arguments;
  evaluate_all(node.arguments, arguments);
  const BlockNode* block = bound_block(node.block, node.block_value);
  line_ = node.line;
  const auto own = std::ranges::find(script_.methods, node.name, &DefineNode::name);
  if (own != script_.methods.end()) return call_own_method(**own, node, arguments, block);
  const auto& methods = scope_.memory().methods;
  const auto found = methods.find(std::string(node.name));
  if (found == methods.end()) fail_with("the method '" + std::string(node.name) + "'");
  // A copy: the method may redefine itself.
  const TemplateMemory::Method method = found->second;
  if (method.script != &script_ &&
      (method.definition->names_instance_variables || method.owner == nullptr)) {
    fail_with("the method '" + std::string(node.name) + "' of another template");
  }
  changes_objects_ = changes_objects_ || method.script->changes_objects;
  return call_method_with_block(method, node, arguments, block);
}

Object Interpreter::call_own_method(const DefineNode& definition, const MethodCallNode& node,
                                    std::span<const Object> arguments, const BlockNode* block) {
  return call_method_with_block({nullptr, &script_, &definition}, node, arguments, block);
}

Object Interpreter::call_method_with_block(const TemplateMemory::Method& method,
                                           const MethodCallNode& node,
                                           std::span<const Object> arguments,
                                           const BlockNode* block) {
  try {
    return call_method(method, arguments, block);
  } catch (const BreakSignal& signal) {
    if (node.block == nullptr || signal.block != block) throw;
    return signal.value;
  }
}

Object Interpreter::run_method(const DefineNode& definition, std::span<const Object> arguments) {
  return call_method({nullptr, &script_, &definition}, arguments, nullptr);
}

void Interpreter::finish_method(bool may_change_objects) {
  send_variables();
  const std::vector<ObjectChange> changes = changed_objects();
  if (changes.empty()) return;
  if (!may_change_objects) fail_with("a change of what a function was given");
  scope_.change_objects(changes);
}

Object Interpreter::call_method(const TemplateMemory::Method& method,
                                std::span<const Object> arguments, const BlockNode* block) {
  const DefineNode& definition = *method.definition;
  const auto optional =
      static_cast<size_t>(std::ranges::count_if(definition.parameters, [](const Target& parameter) {
        return parameter.default_value != nullptr;
      }));
  const bool takes_rest = std::ranges::any_of(definition.parameters, &Target::is_splat);
  const size_t required = definition.parameters.size() - optional - (takes_rest ? 1 : 0);
  if (arguments.size() < required ||
      (!takes_rest && arguments.size() > definition.parameters.size())) {
    fail_with("a call of '" + std::string(definition.name) + "' with another number of arguments");
  }
  struct Running {
    Running(Interpreter& ruby, Frame* frame)
        : ruby(ruby),
          outer(ruby.frame_),
          outer_block(ruby.block_),
          match(ruby.match_),
          match_is_lost(ruby.match_is_lost_),
          line(ruby.line_) {
      ruby.frame_ = frame;
      ruby.block_ = nullptr;
      ruby.set_match(nullptr);
    }
    ~Running() {
      ruby.frame_ = outer;
      ruby.block_ = outer_block;
      ruby.match_ = match;
      ruby.match_is_lost_ = match_is_lost;
      ruby.line_ = line;
    }
    Interpreter& ruby;
    Frame* outer;
    const BlockNode* outer_block;
    const MatchObject* match;  // a method has a last match of its own
    bool match_is_lost;
    int line;
  };
  auto* frame = arena_.make<Frame>(new_locals(method.script->slot_count), block);
  spend(method.script->slot_count);
  const Running running(*this, frame);
  if (optional == 0) {
    assign(definition.parameters, arguments);
  } else {
    assign_with_defaults(definition.parameters, arguments);
  }
  if (definition.block_slot != DefineNode::kNoBlock) {
    frame->locals[definition.block_slot] = block != nullptr ? proc(*block) : nil();
  }
  try {
    return evaluate_body(*definition.body, NodeKind::kReturn);
  } catch (const ReturnSignal& signal) {
    if (signal.frame != frame) throw;
    return signal.value;
  }
}

Object Interpreter::evaluate_yield(const ArgumentsNode& node) {
  std::vector<Object> arguments;
  evaluate_all(node.arguments, arguments);
  line_ = node.line;
  if (frame_->block == nullptr) fail("no block given (yield)");
  return yield(*frame_->block, arguments);
}

// --- errors -------------------------------------------------------------------------------------

bool Interpreter::rescues(const RescueClause& clause, const Failure& failure) {
  if (clause.classes.empty()) return true;
  bool is_all = false;
  for (const std::string_view wanted : clause.classes) {
    is_all = is_all || wanted == "StandardError" || wanted == "Exception";
  }
  if (is_all) return true;
  const bool is_known = std::ranges::all_of(clause.classes, is_known_error);
  if (failure.error_class.empty() || !is_known) {
    fail_with("an error of an unknown class in 'rescue'");
  }
  for (std::string_view kind = failure.error_class; !kind.empty(); kind = parent_of(kind)) {
    if (std::ranges::find(clause.classes, kind) != clause.classes.end()) return true;
  }
  return false;
}

Object Interpreter::evaluate_rescue(const BeginNode& node, const Failure& failure) {
  for (const RescueClause& clause : node.rescues) {
    if (!rescues(clause, failure)) continue;
    if (clause.slot != RescueClause::kNoVariable) {
      Object error(Class::kError);
      error.error = arena_.make<ErrorObject>(arena_.copy(std::string_view(failure.message)),
                                             failure.is_certain);
      frame_->locals[clause.slot] = error;
    }
    return evaluate(*clause.body);
  }
  throw Failure(failure);
}

Object Interpreter::evaluate_begin(const BeginNode& node) {
  // The state that is restored after an error has left blocks and methods.
  Frame* const frame = frame_;
  const BlockNode* const block = block_;
  const auto ensure = [&] {
    if (node.ensured != nullptr) evaluate(*node.ensured);
  };
  Object value;
  try {
    std::optional<Failure> failure;
    try {
      value = evaluate(*node.body);
    } catch (const Failure& raised) {
      failure = raised;
    } catch (const EvaluationError&) {
      fail_with("an error of a function within 'begin'");
    }
    frame_ = frame;
    block_ = block;
    if (failure) {
      value = evaluate_rescue(node, *failure);
    } else if (node.otherwise != nullptr) {
      value = evaluate(*node.otherwise);
    }
  } catch (const Obstacle&) {
    throw;
  } catch (...) {
    ensure();
    throw;
  }
  ensure();
  return value;
}

// --- loops --------------------------------------------------------------------------------------

Object Interpreter::evaluate_while(const WhileNode& node) {
  const RunningBlock running(*this, nullptr);
  while (evaluate(*node.condition).is_true() != node.is_until) {
    spend(1);
    try {
      evaluate(*node.body);
    } catch (const NextSignal&) {
    } catch (const BreakSignal& signal) {
      if (signal.block != nullptr) throw;
      return signal.value;
    }
  }
  return nil();
}

// --- defined? -----------------------------------------------------------------------------------

bool Interpreter::is_defined(const Node& node) {
  if (node.kind == NodeKind::kInstanceVariable) return !evaluate_defined(node).is_nil();
  if (node.kind != NodeKind::kCall) return true;
  const auto& call = static_cast<const CallNode&>(node);
  if (!is_defined(*call.receiver)) return false;
  for (const Node* argument : call.arguments) {
    if (!is_defined(*argument)) return false;
  }
  Object receiver;
  try {
    receiver = evaluate(*call.receiver);
  } catch (const Failure&) {
    return false;
  }
  if (call.method->of(receiver.type) != nullptr) return true;
  if (!receiver.is_nil()) fail_with("'defined?' of a method that is not known");
  return false;
}

// --- variables that are set here ----------------------------------------------------------------

// Sends the variables that this code has set to the compiler, whose functions may read them.
// Symbols for keys become strings.
void Interpreter::send_variables() {
  for (OwnVariable& own : own_variables_) {
    Value now;
    bool has_symbols = false;
    if (own.object.is(Class::kHash)) {
      HashTable& table = *own.object.hash;
      HashBuilder builder(scope_.arena(), table.size);
      bool has_others = table.source != nullptr;
      load(table);
      for (uint32_t i = 0; i < table.used; ++i) {
        const TableEntry& entry = table.entries[i];
        if (entry.is_removed) continue;
        const bool is_symbol = entry.key.is(Class::kSymbol);
        (is_symbol ? has_symbols : has_others) = true;
        const Value key =
            is_symbol ? Value::string(scope_.arena(), entry.key.string->text) : to_value(entry.key);
        builder.set(key, to_value(entry.value));
      }
      if (has_symbols && has_others) fail_with("a hash with symbols and others for keys");
      now = has_symbols ? builder.finish() : to_value(own.object);
    } else {
      now = to_value(own.object);
    }
    if (own.is_sent && bunraku::identical(now, own.sent)) continue;
    if (has_symbols) {
      scope_.memory().symbol_keyed.insert(&now.as_hash());
      scope_.memory().symbol_keyed_variables.emplace(own.name);
    }
    if (!scope_.set_variable(own.name, now)) fail_with("a variable that cannot be set");
    own.sent = now;
    own.is_sent = true;
  }
}

Object Interpreter::set_variable(std::string_view name, const Object& value) {
  for (const OwnVariable& own : own_variables_) {
    if (own.name == name) fail_with("a variable that is set twice");
  }
  if (scope_.has_variable(name) || name.find(':') != name.npos) {
    fail_with("a variable that cannot be set");
  }
  own_variables_.push_back({scope_.arena().copy(name), value, Value(), false});
  all_variables_.reset();
  return value;
}

Object Interpreter::look_up(std::string_view name) {
  for (const OwnVariable& own : own_variables_) {
    if (own.name == name) return own.object;
  }
  Value* copy = scope_.arena().make_array<Value>(1);
  *copy = scope_.look_up(name);
  return bring_over(*copy);
}

Value Interpreter::call_function(std::string_view name, std::span<const Value> arguments) {
  send_variables();
  const Value result = scope_.call_function(name, arguments);
  all_variables_.reset();
  for (const OwnVariable& own : own_variables_) {
    if (!bunraku::identical(scope_.look_up(own.name), own.sent)) {
      fail_with("a variable that a function has changed");
    }
  }
  return result;
}

Object Interpreter::all_variables() {
  send_variables();
  if (!all_variables_) all_variables_ = scope_.all_variables();
  HashTable* table = new_hash();
  table->size = all_variables_->as_hash().size;
  table->source = &all_variables_->as_hash();
  return Object::of(table);
}

Object Interpreter::instance_variable(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_part = [&](char c) {
    return is_letter(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  // Other names are errors that Ruby reports, or names that no variable of a manifest has.
  if (name.size() < 2 || name[0] != '@' || !is_letter(name[1]) || name.starts_with("@_") ||
      !std::ranges::all_of(name.substr(1), is_part)) {
    fail_with("such a name");
  }
  name.remove_prefix(1);
  const auto known = std::ranges::find(script_.instance_variables, name);
  if (known != script_.instance_variables.end()) {
    return evaluate_instance_variable(
        static_cast<uint32_t>(known - script_.instance_variables.begin()));
  }
  const Value* value = scope_.find_instance_variable(scope_.arena().copy(name));
  // Changes are tracked only for variables that the template names literally.
  if (value != nullptr && script_.changes_objects && (value->is_array() || value->is_hash())) {
    fail_with("'instance_variable_get' of what may be changed");
  }
  return value != nullptr ? bring_over(*value) : nil();
}

Object Interpreter::instance_variable_names() {
  ArrayObject* names = new_array();
  const auto add = [&](std::string_view name) {
    const std::string text = "@" + std::string(name);
    const bool is_known = std::ranges::any_of(
        items(*names), [&](const Object& other) { return other.string->text == text; });
    if (!is_known) push(*names, symbol(arena_.copy(std::string_view(text))));
  };
  add("__scope__");
  const Value all = scope_.all_variables();
  for (const HashEntry& entry : all.as_hash()) {
    std::string name(entry.key.as_string());
    for (char& c : name) {
      const bool is_word =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (!is_word) c = '_';
    }
    add(name);
  }
  for (size_t i = 0; i < instance_variables_.size(); ++i) {
    if (instance_variables_[i].is_loaded) add(script_.instance_variables[i]);
  }
  return Object::of(names);
}

}  // namespace bunraku::erb

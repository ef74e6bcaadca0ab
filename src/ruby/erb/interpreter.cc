#include "ruby/erb/interpreter.h"

#include <algorithm>

#include "base/regex/regex.h"
#include "base/system/limits.h"

namespace bunraku::erb {

namespace {

// Bounds on steps and memory. A template beyond them is either wrong or better run by a worker,
// which has a time limit.
constexpr size_t kMostSteps = 20'000'000;
constexpr size_t kMostBytes = 256u << 20;
// The bound on nested expressions, those of called blocks included.
constexpr int kMostExpressions = 4'000;

}  // namespace

Interpreter::Interpreter(const ParsedScript& script, TemplateScope& scope, std::string& text,
                         std::shared_ptr<const Template> owner)
    : script_(script),
      scope_(scope),
      text_(text),
      owner_(std::move(owner)),
      base_frame_{new_locals(script.slot_count)},
      instance_variables_(script.instance_variables.size()),
      changes_objects_(script.changes_objects) {}

Interpreter::~Interpreter() {
  if (owner_ != nullptr) return;
  std::erase_if(scope_.memory().methods,
                [&](const auto& method) { return method.second.script == &script_; });
}

Object* Interpreter::new_locals(size_t count) {
  auto* locals = arena_.make_array<Object>(count);
  std::uninitialized_fill_n(locals, count, Object());
  return locals;
}

Interpreter::DepthGuard::DepthGuard(Interpreter& ruby, int most) : ruby_(ruby) {
  if (ruby.depth_ >= most) ruby.fail_with("objects or code nested so deeply");
  ++ruby.depth_;
}

void Interpreter::run() {
  evaluate(*script_.root);
}

// Loads every hash of the manifest: code that got a value by its key may have changed that value
// without the hash being loaded.
void Interpreter::load_brought_hashes() {
  if (!changes_objects_) return;
  std::vector<HashTable*> tables;
  for (const auto& [source, object] : brought_) {
    if (object.is(Class::kHash) && object.hash->source != nullptr) tables.push_back(object.hash);
  }
  for (HashTable* table : tables) load(*table);
}

std::vector<ObjectChange> Interpreter::changed_objects() {
  std::vector<ObjectChange> changes;
  if (!changes_objects_) return changes;
  load_brought_hashes();
  // Once for all, so that a changed part of a changed object is the same value in both.
  values_.clear();
  for (const auto& [source, object] : brought_) {
    if (object.is(Class::kArray) && object.array->source == nullptr) {
      const Value before = Value::array({object.array->origin, object.array->source_size});
      const Value now = value_of(object);
      const bool is_same = now.as_array().data() == object.array->origin &&
                           now.as_array().size() == object.array->source_size;
      if (!is_same) changes.push_back({before, now});
    } else if (object.is(Class::kHash) && object.hash->source == nullptr) {
      const Value now = value_of(object);
      if (&now.as_hash() != object.hash->origin) {
        changes.push_back({Value::hash(object.hash->origin), now});
      }
    }
  }
  return changes;
}

void Interpreter::report_changes() {
  send_variables();
  const std::vector<ObjectChange> changes = changed_objects();
  if (changes.empty()) return;
  for (size_t i = 0; i < instance_variables_.size(); ++i) {
    const std::string_view name = script_.instance_variables[i];
    const Object& object = instance_variables_[i].brought;
    const bool holds_objects = object.is(Class::kArray) || object.is(Class::kHash);
    if (!holds_objects || !scope_.is_frozen(name)) continue;
    if (!bunraku::identical(to_value(object), *scope_.find_instance_variable(name))) {
      fail_with("a change of @" + std::string(name));
    }
  }
  scope_.change_objects(changes);
}

void Interpreter::fail(std::string message, bool is_certain, std::string_view error_class) {
  throw Failure{line_, std::move(message), is_certain, std::string(error_class)};
}

void Interpreter::fail_with(std::string construct) {
  fail_with_obstacle(line_, std::move(construct));
}

void Interpreter::spend(size_t steps) {
  steps_ += steps;
  if (steps_ > kMostSteps) fail_with("so many steps");
  if (arena_.bytes_reserved() > kMostBytes) fail_with("so much memory");
}

void Interpreter::check_size(size_t bytes) {
  if (bytes > kMostBytes / 4) fail_with("so long a text");
  spend(1 + bytes / 64);
}

// --- expressions --------------------------------------------------------------------------------

Object Interpreter::evaluate(const Node& node) {
  if (++steps_ > kMostSteps) spend(0);
  if ((steps_ & 15) == 0) check_limits();
  const DepthGuard guard(*this, kMostExpressions);
  switch (node.kind) {
    case NodeKind::kNil:
      return nil();
    case NodeKind::kTrue:
      return boolean(true);
    case NodeKind::kFalse:
      return boolean(false);
    case NodeKind::kSelf:
      return Object(Class::kTemplate);
    case NodeKind::kInteger:
      return integer(static_cast<const IntegerNode&>(node).value);
    case NodeKind::kFloat:
      return Object::of(static_cast<const FloatNode&>(node).value);
    case NodeKind::kString: {
      const Object text = borrowed(static_cast<const TextNode&>(node).text);
      text.string->is_fixed = script_.has_frozen_texts;
      return text;
    }
    case NodeKind::kInterpolation:
      return evaluate_interpolation(static_cast<const InterpolationNode&>(node));
    case NodeKind::kSymbol:
      return symbol(static_cast<const TextNode&>(node).text);
    case NodeKind::kRegex:
      return evaluate_regex(static_cast<const RegexNode&>(node));
    case NodeKind::kArray:
      return evaluate_array(static_cast<const ArrayNode&>(node));
    case NodeKind::kHash:
      return evaluate_hash(static_cast<const HashNode&>(node));
    case NodeKind::kRange:
      return evaluate_range(static_cast<const RangeNode&>(node));
    case NodeKind::kClass:
      return constant(static_cast<const ClassNode&>(node).which);
    case NodeKind::kLocal:
      return frame_->locals[static_cast<const LocalNode&>(node).slot];
    case NodeKind::kInstanceVariable:
      return evaluate_instance_variable(static_cast<const InstanceVariableNode&>(node).number);
    case NodeKind::kMatchGroup:
      return match_group(static_cast<const MatchGroupNode&>(node).group);
    case NodeKind::kSetLocal: {
      const auto& set = static_cast<const SetLocalNode&>(node);
      const Object value = evaluate(*set.value);
      return frame_->locals[set.slot] = value;
    }
    case NodeKind::kSetInstanceVariable: {
      const auto& set = static_cast<const SetInstanceVariableNode&>(node);
      Object value = evaluate(*set.value);
      instance_variables_[set.number].value = value;
      instance_variables_[set.number].is_loaded = true;
      return value;
    }
    case NodeKind::kSetSeveral: {
      const auto& set = static_cast<const SetSeveralNode&>(node);
      Object value = evaluate(*set.value);
      if (value.is(Class::kArray)) {
        // A copy, because the targets may be in the array.
        const std::span<Object> from = items(*value.array);
        std::vector<Object> values(from.begin(), from.end());
        assign(set.targets, values);
      } else {
        assign(set.targets, std::span(&value, 1));
      }
      return value;
    }
    case NodeKind::kUpdateElement:
      return evaluate_update(static_cast<const UpdateElementNode&>(node));
    case NodeKind::kAnd: {
      const auto& both = static_cast<const PairNode&>(node);
      const Object left = evaluate(*both.left);
      return left.is_true() ? evaluate(*both.right) : left;
    }
    case NodeKind::kOr: {
      const auto& either = static_cast<const PairNode&>(node);
      const Object left = evaluate(*either.left);
      return left.is_true() ? left : evaluate(*either.right);
    }
    case NodeKind::kNot:
      return boolean(!evaluate(*static_cast<const OperandNode&>(node).operand).is_true());
    case NodeKind::kDefined:
      return evaluate_defined(*static_cast<const OperandNode&>(node).operand);
    case NodeKind::kIf: {
      const auto& choice = static_cast<const IfNode&>(node);
      const bool holds = evaluate(*choice.condition).is_true();
      const Node* chosen = holds ? choice.then : choice.otherwise;
      return chosen != nullptr ? evaluate(*chosen) : nil();
    }
    case NodeKind::kCase:
      return evaluate_case(static_cast<const CaseNode&>(node));
    case NodeKind::kSequence: {
      Object last;
      for (const Node* statement : static_cast<const SequenceNode&>(node).statements) {
        last = evaluate(*statement);
      }
      return last;
    }
    case NodeKind::kCall:
      return evaluate_call(static_cast<const CallNode&>(node));
    case NodeKind::kFunctionCall:
      return evaluate_function_call(static_cast<const FunctionCallNode&>(node));
    case NodeKind::kFor:
      return evaluate_for(static_cast<const ForNode&>(node));
    case NodeKind::kWhile:
      return evaluate_while(static_cast<const WhileNode&>(node));
    case NodeKind::kDefine:
      return evaluate_define(static_cast<const DefineNode&>(node));
    case NodeKind::kMethodCall:
      return evaluate_method_call(static_cast<const MethodCallNode&>(node));
    case NodeKind::kYield:
      return evaluate_yield(static_cast<const ArgumentsNode&>(node));
    case NodeKind::kBegin:
      return evaluate_begin(static_cast<const BeginNode&>(node));
    case NodeKind::kReturn: {
      const Node* value = static_cast<const OperandNode&>(node).operand;
      throw ReturnSignal{frame_, value != nullptr ? evaluate(*value) : nil()};
    }
    case NodeKind::kNext: {
      const Node* value = static_cast<const OperandNode&>(node).operand;
      throw NextSignal{value != nullptr ? evaluate(*value) : nil()};
    }
    case NodeKind::kProc:
      return proc(*bound_block(static_cast<const ProcNode&>(node).block, nullptr));
    case NodeKind::kBreak: {
      if (block_ != nullptr && block_->is_proc) fail_with("'break' in a proc");
      const Node* value = static_cast<const OperandNode&>(node).operand;
      throw BreakSignal{block_, value != nullptr ? evaluate(*value) : nil()};
    }
    case NodeKind::kText: {
      const std::string_view text = static_cast<const TextNode&>(node).text;
      check_size(text_.size() + text.size());
      text_ += text;
      return nil();
    }
    case NodeKind::kInsert: {
      const Object value = evaluate(*static_cast<const OperandNode&>(node).operand);
      line_ = node.line;
      append_to_s(text_, value);
      check_size(text_.size());
      return nil();
    }
    case NodeKind::kLog:
      line_ = node.line;
      if (scope_.reads_log(static_cast<const TextNode&>(node).text)) fail_with("a log record");
      return nil();
    case NodeKind::kObstacle:
      line_ = node.line;
      fail_with(std::string(static_cast<const TextNode&>(node).text));
    case NodeKind::kSplat:
      break;  // evaluate_all() handles these
  }
  fail_with("this");
}

Object Interpreter::match_group(uint32_t group) {
  if (match_is_lost_) fail_with("the groups of a replacement's last match");
  if (match_ == nullptr || group >= match_->groups.size()) return nil();
  const std::string_view text = match_->groups[group];
  return text.data() == nullptr ? nil() : borrowed(text);
}

void Interpreter::evaluate_all(NodeList nodes, std::vector<Object>& to) {
  for (const Node* node : nodes) {
    if (node->kind != NodeKind::kSplat) {
      to.push_back(evaluate(*node));
      continue;
    }
    const Object value = evaluate(*static_cast<const OperandNode&>(*node).operand);
    if (value.is_nil()) continue;
    if (value.is(Class::kArray) || value.is(Class::kHash) || value.is(Class::kRange)) {
      for (const Object& item : items(to_array(value))) to.push_back(item);
    } else {
      to.push_back(value);
    }
  }
}

Object Interpreter::evaluate_interpolation(const InterpolationNode& node) {
  std::string text;
  for (const Node* part : node.parts) {
    if (part->kind == NodeKind::kString) {
      text += static_cast<const TextNode&>(*part).text;
    } else {
      append_to_s(text, evaluate(*part));
    }
  }
  check_size(text.size());
  return string(text);
}

Object Interpreter::evaluate_regex(const RegexNode& node) {
  auto* regexp = arena_.make<RegexpObject>(node.source, node.options, node.regex);
  if (node.regex == nullptr) {
    std::string source;
    for (const Node* part : node.parts) {
      if (part->kind == NodeKind::kString) {
        source += static_cast<const TextNode&>(*part).text;
        continue;
      }
      const Object value = evaluate(*part);
      append_to_s(source, value);
    }
    check_size(source.size());
    regexp->source = arena_.copy(source);
    try {
      regexp->regex = compile_regex(source, node.options);
    } catch (const RegexError& error) {
      fail(error.what());
    }
  }
  Object object(Class::kRegexp);
  object.regexp = regexp;
  return object;
}

Object Interpreter::evaluate_array(const ArrayNode& node) {
  std::vector<Object> values;
  values.reserve(node.items.size());
  evaluate_all(node.items, values);
  return array(values);
}

Object Interpreter::evaluate_hash(const HashNode& node) {
  HashTable* table = new_hash();
  for (size_t i = 0; i + 1 < node.entries.size(); i += 2) {
    const Object key = evaluate(*node.entries[i]);
    set(*table, key, evaluate(*node.entries[i + 1]));
  }
  return Object::of(table);
}

Object Interpreter::evaluate_range(const RangeNode& node) {
  const Object first = evaluate(*node.first);
  const Object last = node.last != nullptr ? evaluate(*node.last) : nil();
  const bool fits = (first.is_numeric() && (last.is_numeric() || last.is_nil())) ||
                    (first.is(Class::kString) && last.is(Class::kString));
  if (!fits) fail_with("a range of such objects");
  Object object(Class::kRange);
  object.range = arena_.make<RangeObject>(first, last, node.is_exclusive);
  return object;
}

bool Interpreter::when_matches(const WhenClause& clause, const CaseNode& node,
                               const Object& subject) {
  for (const Node* value : clause.values) {
    const bool is_splat = value->kind == NodeKind::kSplat;
    std::vector<Object> patterns;
    evaluate_all(NodeList(&value, 1), patterns);
    for (const Object& pattern : patterns) {
      line_ = value->line;
      if (node.subject == nullptr ? pattern.is_true() : case_equal(pattern, subject)) return true;
    }
    if (is_splat) spend(patterns.size());
  }
  return false;
}

Object Interpreter::evaluate_case(const CaseNode& node) {
  const Object subject = node.subject != nullptr ? evaluate(*node.subject) : nil();
  for (const WhenClause& clause : node.clauses) {
    if (when_matches(clause, node, subject)) return evaluate(*clause.body);
  }
  return node.otherwise != nullptr ? evaluate(*node.otherwise) : nil();
}

Object Interpreter::evaluate_update(const UpdateElementNode& node) {
  static const MethodSet& get = *find_methods("[]");
  static const MethodSet& put = *find_methods("[]=");
  const Object receiver = evaluate(*node.receiver);
  std::vector<Object> arguments;
  evaluate_all(node.arguments, arguments);
  line_ = node.line;
  Object old = send(receiver, get, {arguments, nullptr});
  Object value;
  if (node.operation == nullptr) {
    if (old.is_true()) return old;
    value = evaluate(*node.value);
  } else {
    Object operand = evaluate(*node.value);
    line_ = node.line;
    value = send(old, *node.operation, {std::span(&operand, 1), nullptr});
  }
  arguments.push_back(value);
  line_ = node.line;
  send(receiver, put, {arguments, nullptr});
  return value;
}

Object Interpreter::evaluate_for(const ForNode& node) {
  Object sequence = evaluate(*node.sequence);
  line_ = node.line;
  if (!sequence.is(Class::kArray) && !sequence.is(Class::kHash) && !sequence.is(Class::kRange)) {
    fail_with("a 'for' over such an object");
  }
  ArrayObject& array = to_array(sequence);
  const RunningBlock running(*this, nullptr);
  for (size_t i = 0; i < items(array).size(); ++i) {
    Object item = array.items[i];
    if (node.targets.size() > 1 && item.is(Class::kArray)) {
      const std::span<Object> parts = items(*item.array);
      assign(node.targets, std::vector<Object>(parts.begin(), parts.end()));
    } else {
      assign(node.targets, std::span(&item, 1));
    }
    try {
      evaluate(*node.body);
    } catch (const NextSignal&) {
    } catch (const BreakSignal& signal) {
      if (signal.block != nullptr) throw;
      return signal.value;
    }
  }
  return sequence;
}

Object Interpreter::evaluate_defined(const Node& operand) {
  if (operand.kind == NodeKind::kLocal) return borrowed("local-variable");
  if (operand.kind == NodeKind::kCall) return is_defined(operand) ? borrowed("method") : nil();
  const uint32_t number = static_cast<const InstanceVariableNode&>(operand).number;
  if (is_in_function()) fail_with("'defined?' of a variable of a module");
  const InstanceVariable& variable = instance_variables_[number];
  const bool is_defined =
      variable.is_loaded
          ? true
          : scope_.find_instance_variable(script_.instance_variables[number]) != nullptr;
  if (variable.is_loaded && variable.value.is_nil()) {
    fail_with("'defined?' of a variable that is nil");
  }
  return is_defined ? borrowed("instance-variable") : nil();
}

Object Interpreter::evaluate_instance_variable(uint32_t number) {
  const InstanceVariable& variable = instance_variables_[number];
  if (variable.is_loaded) return variable.value;
  if (script_.instance_variables[number].find('@') != std::string_view::npos) {
    fail_with("a variable of a module before it is set");
  }
  const Value* value = scope_.find_instance_variable(script_.instance_variables[number]);
  Object object = value != nullptr ? bring_over(*value) : nil();
  if (value != nullptr) instance_variables_[number] = {object, object, true};
  return object;
}

// --- calls --------------------------------------------------------------------------------------

Object Interpreter::evaluate_call(const CallNode& node) {
  const Object receiver = evaluate(*node.receiver);
  if (node.is_safe && receiver.is_nil()) return nil();
  constexpr size_t kInline = 4;
  Object few[kInline];
  std::vector<Object> many;
  std::span<const Object> values;
  bool has_splat = false;
  for (const Node* argument : node.arguments) has_splat |= argument->kind == NodeKind::kSplat;
  if (node.arguments.size() <= kInline && !has_splat) {
    for (size_t i = 0; i < node.arguments.size(); ++i) few[i] = evaluate(*node.arguments[i]);
    values = {few, node.arguments.size()};
  } else {
    evaluate_all(node.arguments, many);
    values = many;
  }
  line_ = node.line;
  if (node.block == nullptr && node.block_value == nullptr) {
    return send(receiver, *node.method, {values, nullptr});
  }
  const BlockNode* block = bound_block(node.block, node.block_value);
  try {
    return send(receiver, *node.method, {values, block});
  } catch (const BreakSignal& signal) {
    if (node.block == nullptr || signal.block != block) throw;
    return signal.value;
  }
}

Object Interpreter::send(const Object& receiver, const MethodSet& set, const Arguments& arguments) {
  const Method* method = set.of(receiver.type);
  if (method == nullptr) fail_without_method(receiver, set);
  if (set.changes_receiver && ((receiver.is(Class::kArray) && receiver.array->is_frozen) ||
                               (receiver.is(Class::kHash) && receiver.hash->is_frozen))) {
    fail_with("a change of a frozen object");
  }
  const bool fits = arguments.size() >= method->least &&
                    (method->most == kAnyCount || arguments.size() <= method->most);
  const bool block_fits = arguments.block != nullptr ? method->block != BlockUse::kNever
                                                     : method->block != BlockUse::kMust;
  if (!fits || !block_fits) {
    fail_with("the method '" + std::string(set.name) + "' of " + std::string(class_name(receiver)) +
              " in this form");
  }
  if (!method->converts_receiver) return method->call(*this, receiver, arguments);
  const Object elements = Object::of(&to_array(receiver));
  const Object result = method->call(*this, elements, arguments);
  const bool is_receiver =
      set.returns_receiver && result.is(Class::kArray) && result.array == elements.array;
  return is_receiver ? receiver : result;
}

Object Interpreter::send(const Object& receiver, std::string_view name, const Object& argument) {
  return send(receiver, *find_methods(name), {std::span(&argument, 1), nullptr});
}

void Interpreter::fail_without_method(const Object& receiver, const MethodSet& method) {
  const std::string name(method.name);
  // The table has all methods of nil. The template's own methods exist on every object.
  if (receiver.is_nil() && method.of(Class::kTemplate) == nullptr && name.find('.') == name.npos) {
    fail("undefined method `" + name + "' for nil:NilClass", true, "NoMethodError");
  }
  fail_with("the method '" + name + "' of " +
            (receiver.is(Class::kForeign) ? "such a value" : std::string(class_name(receiver))));
}

Object Interpreter::evaluate_function_call(const FunctionCallNode& node) {
  const Object arguments = evaluate(*node.arguments);
  line_ = node.line;
  if (!arguments.is(Class::kArray) || !scope_.has_older_function(node.name)) {
    fail_with("the method 'function_" + std::string(node.name) + "'");
  }
  // Ruby's older versioncmp treats its arguments as text without a check.
  const auto is_text = [](const Object& argument) { return argument.is(Class::kString); };
  if (node.name == "versioncmp" && !std::ranges::all_of(items(*arguments.array), is_text)) {
    fail_with("versions that are no strings");
  }
  std::vector<Value> values;
  for (const Object& argument : items(*arguments.array)) values.push_back(to_value(argument));
  Value* kept = scope_.arena().make_array<Value>(1);
  *kept = call_function(node.name, values);
  return bring_over(*kept);
}

// Evaluates the body of a block or method. A statement of its own that leaves it (`next if ...`)
// needs no exception here, which would cost more than most bodies.
Object Interpreter::evaluate_body(const Node& body, NodeKind leaves) {
  const Node* const alone[] = {&body};
  const NodeList statements = body.kind == NodeKind::kSequence
                                  ? static_cast<const SequenceNode&>(body).statements
                                  : NodeList(alone);
  Object last;
  for (const Node* statement : statements) {
    if (statement->kind == NodeKind::kIf) {
      const auto& choice = static_cast<const IfNode&>(*statement);
      statement = evaluate(*choice.condition).is_true() ? choice.then : choice.otherwise;
    }
    if (statement == nullptr) {
      last = nil();
    } else if (statement->kind == leaves) {
      const Node* value = static_cast<const OperandNode&>(*statement).operand;
      return value != nullptr ? evaluate(*value) : nil();
    } else {
      last = evaluate(*statement);
    }
  }
  return last;
}

// --- blocks -------------------------------------------------------------------------------------

void Interpreter::assign(const Target& target, const Object& value) {
  if (target.parts.empty()) {
    frame_->locals[target.slot] = value;
  } else if (value.is(Class::kArray)) {
    const std::span<Object> parts = items(*value.array);
    assign(target.parts, std::vector<Object>(parts.begin(), parts.end()));
  } else {
    assign(target.parts, std::span(&value, 1));
  }
}

void Interpreter::assign(std::span<const Target> targets, std::span<const Object> values) {
  size_t splat = 0;
  while (splat < targets.size() && !targets[splat].is_splat) ++splat;
  for (size_t i = 0; i < splat; ++i) {
    assign(targets[i], i < values.size() ? values[i] : nil());
  }
  if (splat == targets.size()) return;
  const size_t after = targets.size() - splat - 1;
  const size_t rest = values.size() > splat + after ? values.size() - splat - after : 0;
  frame_->locals[targets[splat].slot] =
      array(rest > 0 ? values.subspan(splat, rest) : std::span<const Object>());
  for (size_t i = 0; i < after; ++i) {
    const size_t at = splat + rest + i;
    assign(targets[splat + 1 + i], at < values.size() ? values[at] : nil());
  }
}

// Assigns the values to the parameters of a call: those without a default get theirs first.
void Interpreter::assign_with_defaults(std::span<const Target> targets,
                                       std::span<const Object> values) {
  const auto required =
      static_cast<size_t>(std::ranges::count_if(targets, [](const Target& target) {
        return target.default_value == nullptr && !target.is_splat;
      }));
  size_t spare = values.size() > required ? values.size() - required : 0;
  const auto optional = static_cast<size_t>(std::ranges::count_if(
      targets, [](const Target& target) { return target.default_value != nullptr; }));
  const size_t rest = spare > optional ? spare - optional : 0;
  size_t next = 0;
  for (const Target& target : targets) {
    if (target.is_splat) {
      frame_->locals[target.slot] =
          array(rest > 0 ? values.subspan(next, rest) : std::span<const Object>());
      next += rest;
    } else if (target.default_value != nullptr && spare <= rest) {
      assign(target, evaluate(*target.default_value));
    } else {
      if (target.default_value != nullptr) --spare;
      assign(target, next < values.size() ? values[next] : nil());
      ++next;
    }
  }
}

// The locals of a proc as they were before it was called: when it calls itself, both calls have
// them in one place.
class Interpreter::KeptLocals {
 public:
  KeptLocals(Interpreter& ruby, const BlockNode& block) {
    if (!block.is_proc) return;
    ruby.spend(block.slot_count);
    locals_ = ruby.frame_->locals + block.first_slot;
    before_.assign(locals_, locals_ + block.slot_count);
  }
  ~KeptLocals() { std::ranges::copy(before_, locals_); }
  KeptLocals(const KeptLocals&) = delete;
  KeptLocals& operator=(const KeptLocals&) = delete;

 private:
  Object* locals_ = nullptr;
  std::vector<Object> before_;
};

Object Interpreter::yield(const BlockNode& block, std::span<const Object> arguments) {
  spend(1);
  if (block.symbol != nullptr) {
    if (arguments.empty()) fail("no receiver given");
    return send(arguments[0], *block.symbol, {arguments.subspan(1), nullptr});
  }
  const struct FrameOfBlock {
    Interpreter& ruby;
    Frame* outer;
    ~FrameOfBlock() { ruby.frame_ = outer; }
  } back{*this, frame_};
  frame_ = block.frame != nullptr ? block.frame : &base_frame_;
  const KeptLocals kept(*this, block);
  std::fill_n(frame_->locals + block.first_slot, block.slot_count, Object());
  if (block.is_lambda) check_count(block, arguments.size());
  if (block.takes_apart && arguments.size() == 1 && arguments[0].is(Class::kArray)) {
    const std::span<Object> parts = items(*arguments[0].array);
    assign_parameters(block, std::vector<Object>(parts.begin(), parts.end()));
  } else {
    assign_parameters(block, arguments);
  }
  if (block.body == nullptr) return nil();
  const int line = line_;
  const RunningBlock running(*this, &block);
  const Object value = run_block(block);
  line_ = line;
  return value;
}

void Interpreter::assign_parameters(const BlockNode& block, std::span<const Object> values) {
  if (block.has_defaults) {
    assign_with_defaults(block.parameters, values);
  } else {
    assign(block.parameters, values);
  }
}

// Ruby reports another number of arguments of a lambda as an error.
void Interpreter::check_count(const BlockNode& block, size_t count) {
  size_t least = 0;
  bool takes_rest = false;
  for (const Target& parameter : block.parameters) {
    takes_rest = takes_rest || parameter.is_splat;
    if (!parameter.is_splat && parameter.default_value == nullptr) ++least;
  }
  if (count < least || (count > block.parameters.size() && !takes_rest)) {
    fail_with("a call of a lambda with another number of arguments");
  }
}

Object Interpreter::run_block(const BlockNode& block) {
  Frame* const frame = frame_;
  try {
    return evaluate_body(*block.body, NodeKind::kNext);
  } catch (const NextSignal& signal) {
    return signal.value;
  } catch (const ReturnSignal& signal) {
    if (!block.is_lambda || signal.frame != frame) throw;
    return signal.value;
  }
}

}  // namespace bunraku::erb

// The interpreter of a template's tree. It provides what methods need: objects, equality, order,
// texts, blocks, and the bounds on time and memory.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/memory/arena.h"
#include "ruby/erb/methods.h"
#include "ruby/erb/object.h"
#include "ruby/erb/template.h"
#include "ruby/erb/tree.h"

namespace bunraku::erb {

// One call of a method, or the template itself.
struct Frame {
  Object* locals;
  const BlockNode* block = nullptr;  // the block that the method was called with
};

// Returns whether the name is an error class that `rescue` and `raise` may name.
bool is_known_error(std::string_view name);

class Interpreter {
 public:
  // `owner` keeps the script alive for the methods that it defines; may be null.
  Interpreter(const ParsedScript& script, TemplateScope& scope, std::string& text,
              std::shared_ptr<const Template> owner);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void run();
  // Runs one of the methods of a function's file. finish_method() has to follow, after everything
  // else that may find an obstacle: it reports changed objects to the scope. Where they may not be
  // changed, a change is an obstacle.
  Object run_method(const DefineNode& definition, std::span<const Object> arguments);
  void finish_method(bool may_change_objects);
  // Reports to the scope which objects of the manifest have changed. May find an obstacle.
  void report_changes();
  int line() const { return line_; }
  // Returns whether the code is a function's, and not a template's.
  bool is_in_function() const { return !script_.methods.empty(); }
  TemplateScope& scope() { return scope_; }
  Arena& arena() { return arena_; }

  Object evaluate(const Node& node);
  Object send(const Object& receiver, const MethodSet& method, const Arguments& arguments);
  Object send(const Object& receiver, std::string_view method, const Object& argument);

  // --- blocks ---
  // Calls a block. Several arguments are those of `yield a, b`.
  Object yield(const BlockNode& block, std::span<const Object> arguments);
  Object yield(const BlockNode& block, const Object& argument) {
    return yield(block, std::span(&argument, 1));
  }

  // --- making objects ---
  Object nil() const { return Object(); }
  // `text` must live as long as the rendering.
  Object borrowed(std::string_view text);
  Object string(std::string_view text) { return borrowed(arena_.copy(text)); }
  Object symbol(std::string_view text);
  ArrayObject* new_array(size_t capacity = 0);
  Object array(std::span<const Object> items);
  Object pair(const Object& first, const Object& second);
  HashTable* new_hash();
  Object boolean(bool value) const { return Object::of(value); }
  Object integer(int64_t value) const { return Object::of(value); }
  Object constant(Class which) const;
  Object bring_over(const Value& value);
  Object regexp_of(std::string_view source);
  Value to_value(const Object& object);
  Object proc(const BlockNode& block) const;
  // The hash of scope.to_hash. A variable that this code has set is the object that it was set to.
  Object all_variables();
  Object look_up(std::string_view name);
  Object set_variable(std::string_view name, const Object& value);
  // Sends the variables that this code has set before the function runs, and fails when the
  // function has changed one of them.
  Value call_function(std::string_view name, std::span<const Value> arguments);
  Object instance_variable_names();
  // `name` begins with @.
  Object instance_variable(std::string_view name);

  // Changes of a frozen object are obstacles: Ruby reports them as errors.
  void freeze(const Object& object);
  // Also freezes all that is in it. For the value of a constant, which keeps its changes in Ruby,
  // and is made anew here.
  void freeze_all(const Object& object);

  // --- strings ---
  void set_text(Object string, std::string_view text);
  void append_text(StringObject& string, std::string_view text);
  // The text of a string that is an argument; fails for anything else.
  std::string_view text_of(const Object& object);
  int64_t integer_of(const Object& object);

  // --- arrays ---
  std::span<Object> items(ArrayObject& array);
  void push(ArrayObject& array, const Object& item);
  void resize(ArrayObject& array, size_t size);
  // Returns the array itself, or the array that Enumerable makes of a Hash (pairs) or a Range.
  ArrayObject& to_array(const Object& object);
  ArrayObject& array_of(const Object& object);

  // --- hashes ---
  HashTable& load(HashTable& table);
  void load_brought_hashes();
  // The arrays and hashes of the manifest that the code has changed.
  std::vector<ObjectChange> changed_objects();
  const Object* find(HashTable& table, const Object& key);
  void set(HashTable& table, const Object& key, const Object& value);
  bool erase(HashTable& table, const Object& key);
  void clear(HashTable& table);
  HashTable& hash_of(const Object& object);

  // --- comparison ---
  bool equal(const Object& a, const Object& b);      // ==
  bool identical(const Object& a, const Object& b);  // eql?
  bool same(const Object& a, const Object& b);       // equal?
  uint32_t hash_code(const Object& object);
  // <=>; returns false when the two have no order.
  bool compare(const Object& a, const Object& b, int& order);
  int compare(const Object& a, const Object& b);  // fails when they have no order
  bool case_equal(const Object& pattern, const Object& value);
  bool is_instance(const Object& object, Class named);
  bool range_includes(const RangeObject& range, const Object& value);

  // --- texts of objects ---
  std::string_view to_s(const Object& object);
  void append_to_s(std::string& out, const Object& object);
  void append_inspect(std::string& out, const Object& object);

  // --- regular expressions ---
  // Searches, and sets $~ to the match. Returns null when nothing matches.
  const MatchObject* match(const Regex& regex, std::string_view text, size_t from = 0);
  void set_match(const MatchObject* match) {
    match_ = match;
    match_is_lost_ = false;
  }
  // $~ has changed to a value that is not known here.
  void lose_match() { match_is_lost_ = true; }
  // $1 and so on, and $~[0].
  Object match_group(uint32_t group);
  // The regular expression, or a pattern that matches the string literally.
  const Regex* pattern_of(const Object& object);

  // --- the end of it ---
  // Fails as Ruby raising an error would. `is_certain`: the message is Ruby's own, letter for
  // letter.
  [[noreturn]] void fail(std::string message, bool is_certain = false,
                         std::string_view error_class = {});
  [[noreturn]] void fail_with(std::string construct);
  // "no implicit conversion of nil into String"
  [[noreturn]] void fail_conversion(const Object& object, std::string_view wanted);
  // Counts steps and memory against their bounds.
  void spend(size_t steps);
  // Checks the bound on memory before text of so many bytes is made.
  void check_size(size_t bytes);

 private:
  class DepthGuard {
   public:
    DepthGuard(Interpreter& ruby, int most);
    ~DepthGuard() { --ruby_.depth_; }

   private:
    Interpreter& ruby_;
  };
  class RunningBlock {
   public:
    RunningBlock(Interpreter& ruby, const BlockNode* block) : ruby_(ruby), outer_(ruby.block_) {
      ruby.block_ = block;
    }
    ~RunningBlock() { ruby_.block_ = outer_; }

   private:
    Interpreter& ruby_;
    const BlockNode* outer_;
  };
  // The bound on the nesting of objects for work on all levels: that of expressions, and some more
  // because such work begins within expressions.
  static constexpr int kMostNested = 5'000;
  class KeptLocals;
  struct NextSignal {
    Object value;
  };
  struct BreakSignal {
    const BlockNode* block;
    Object value;
  };
  struct ReturnSignal {
    Frame* frame;
    Object value;
  };
  // A variable that this code has set.
  struct OwnVariable {
    std::string_view name;
    Object object;
    Value sent;  // the value that the compiler has
    bool is_sent;
  };

  Object evaluate_body(const Node& body, NodeKind leaves);
  Object evaluate_interpolation(const InterpolationNode& node);
  Object evaluate_regex(const RegexNode& node);
  Object evaluate_array(const ArrayNode& node);
  Object evaluate_hash(const HashNode& node);
  Object evaluate_range(const RangeNode& node);
  Object evaluate_case(const CaseNode& node);
  Object evaluate_call(const CallNode& node);
  Object evaluate_function_call(const FunctionCallNode& node);
  Object evaluate_update(const UpdateElementNode& node);
  Object evaluate_for(const ForNode& node);
  Object evaluate_defined(const Node& operand);
  Object evaluate_instance_variable(uint32_t number);
  // --- definitions.cc ---
  Object evaluate_define(const DefineNode& node);
  Object evaluate_method_call(const MethodCallNode& node);
  Object evaluate_yield(const ArgumentsNode& node);
  Object evaluate_begin(const BeginNode& node);
  Object evaluate_rescue(const BeginNode& node, const Failure& failure);
  Object evaluate_while(const WhileNode& node);
  bool rescues(const RescueClause& clause, const Failure& failure);
  bool is_defined(const Node& node);
  Object call_method(const TemplateMemory::Method& method, std::span<const Object> arguments,
                     const BlockNode* block);
  Object call_own_method(const DefineNode& definition, const MethodCallNode& node,
                         std::span<const Object> arguments, const BlockNode* block);
  Object call_method_with_block(const TemplateMemory::Method& method, const MethodCallNode& node,
                                std::span<const Object> arguments, const BlockNode* block);
  // The block of a call, bound to the locals that it sees; null when the call has none.
  const BlockNode* bound_block(const BlockNode* block, const Node* block_value);
  void send_variables();
  Value value_of(const Object& object);
  bool when_matches(const WhenClause& clause, const CaseNode& node, const Object& subject);
  Object* new_locals(size_t count);
  void evaluate_all(NodeList nodes, std::vector<Object>& to);
  void assign(std::span<const Target> targets, std::span<const Object> values);
  void assign(const Target& target, const Object& value);
  void assign_with_defaults(std::span<const Target> targets, std::span<const Object> values);
  void assign_parameters(const BlockNode& block, std::span<const Object> values);
  void check_count(const BlockNode& block, size_t count);
  Object run_block(const BlockNode& block);
  [[noreturn]] void fail_without_method(const Object& receiver, const MethodSet& method);
  void index_all(HashTable& table);
  uint32_t* find_slot(HashTable& table, const Object& key, uint32_t hash);
  void load_items(ArrayObject& array);
  void load_symbols(HashTable& table);
  void append_inspect_hash(std::string& out, HashTable& table);

  struct InstanceVariable {
    Object value;
    Object brought;  // the object made from the manifest's value
    bool is_loaded = false;
  };

  const ParsedScript& script_;
  TemplateScope& scope_;
  std::string& text_;
  Arena arena_;
  std::shared_ptr<const Template> owner_;
  Frame base_frame_;
  Frame* frame_ = &base_frame_;
  std::vector<OwnVariable> own_variables_;
  std::optional<Value> all_variables_;
  // Values made of arrays and hashes, by object, so that one object becomes one value.
  std::unordered_map<const void*, Value> values_;
  std::vector<InstanceVariable> instance_variables_;
  // Objects made from the manifest's values, so that one value is always the same object.
  std::unordered_map<const void*, Object> brought_;
  const MatchObject* match_ = nullptr;
  bool match_is_lost_ = false;
  const BlockNode* block_ = nullptr;  // the block that is running
  size_t steps_ = 0;
  int depth_ = 0;
  bool changes_objects_;  // the code that has run may have changed arrays or hashes
  int line_ = 1;
};

}  // namespace bunraku::erb

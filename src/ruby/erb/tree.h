// The tree of a template: the part of Ruby that templates commonly use. Immutable, trivially
// destructible, in the arena of the template.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bunraku {
class Regex;
}

namespace bunraku::erb {

struct MethodSet;
enum class Class : uint8_t;

enum class NodeKind : uint8_t {
  kNil,
  kTrue,
  kFalse,
  kSelf,
  kInteger,
  kFloat,
  kString,
  kInterpolation,
  kSymbol,
  kRegex,
  kArray,
  kHash,
  kRange,
  kClass,
  kLocal,
  kInstanceVariable,
  kMatchGroup,
  kSetLocal,
  kSetInstanceVariable,
  kSetSeveral,
  kUpdateElement,
  kAnd,
  kOr,
  kNot,
  kDefined,
  kIf,
  kCase,
  kSequence,
  kCall,
  kProc,
  kFunctionCall,
  kSplat,
  kFor,
  kWhile,
  kNext,
  kBreak,
  kReturn,
  kYield,
  kDefine,
  kMethodCall,
  kBegin,
  kText,
  kInsert,
  kLog,       // a log record that no destination takes; the node's text is the level
  kObstacle,  // a construct that needs a worker; the node's text describes it
};

struct Node {
  NodeKind kind;
  int32_t line;
};
using NodeList = std::span<const Node* const>;

struct IntegerNode : Node {
  int64_t value;
};
struct FloatNode : Node {
  double value;
};
// The text of a string literal, of a symbol, or of literal template text (kText).
struct TextNode : Node {
  std::string_view text;
};
struct InterpolationNode : Node {
  NodeList parts;
};
struct RegexNode : Node {
  NodeList parts;            // interpolated; empty when it is constant
  std::string_view source;   // of a constant one
  std::string_view options;  // of "mix"
  const Regex* regex;        // of a constant one
};
struct ArrayNode : Node {
  NodeList items;
};
struct HashNode : Node {
  NodeList entries;  // key, value, key, value; a splat (**hash) has a null key
};
struct RangeNode : Node {
  const Node* first;  // null: none
  const Node* last;
  bool is_exclusive;
};
struct ClassNode : Node {
  Class which;
};
struct LocalNode : Node {
  uint32_t slot;
};
// `number` is an index into the script's list of instance variables.
struct InstanceVariableNode : Node {
  uint32_t number;
};
struct MatchGroupNode : Node {
  uint32_t group;
};
struct SetLocalNode : Node {
  uint32_t slot;
  const Node* value;
};
struct SetInstanceVariableNode : Node {
  uint32_t number;
  const Node* value;
};
// A target of a block's parameter or of a multiple assignment.
struct Target {
  uint32_t slot;
  bool is_splat;
  std::span<const Target> parts;  // nested targets of (a, b); then the slot is not used
  const Node* default_value;      // null: none
};
struct SetSeveralNode : Node {
  std::span<const Target> targets;
  const Node* value;
};
struct PairNode : Node {
  const Node* left;
  const Node* right;
};
struct OperandNode : Node {
  const Node* operand;  // may be null for next and break
};
struct IfNode : Node {
  const Node* condition;
  const Node* then;       // may be null
  const Node* otherwise;  // may be null
};
struct WhenClause {
  NodeList values;
  const Node* body;
};
struct CaseNode : Node {
  const Node* subject;  // may be null
  std::span<const WhenClause> clauses;
  const Node* otherwise;  // may be null
};
struct SequenceNode : Node {
  NodeList statements;
};

struct Frame;

struct BlockNode {
  std::span<const Target> parameters;
  bool takes_apart;  // an only argument that is an array is spread over the parameters
  // The locals of the block, parameters included. They are nil at the start of each call.
  uint32_t first_slot;
  uint32_t slot_count;
  const Node* body;  // may be null
  // The method of &:name, which replaces the body.
  const MethodSet* symbol;
  // The method call whose locals the block sees; null: the template's own. Set only in copies made
  // while a method runs.
  Frame* frame = nullptr;
  // That of a proc or lambda: it may call itself, and `break` cannot leave it.
  bool is_proc = false;
  // That of a lambda: it takes exactly its parameters, and `return` leaves it alone.
  bool is_lambda = false;
  bool has_defaults = false;  // of parameters
};

// Proc.new { }, proc { }, lambda { } and ->() { }
struct ProcNode : Node {
  const BlockNode* block;
};

struct CallNode : Node {
  const Node* receiver;
  const MethodSet* method;
  NodeList arguments;
  const BlockNode* block;             // may be null
  bool is_safe;                       // &.
  const Node* block_value = nullptr;  // &name in place of a block
};
// def name(parameters, &block)
struct DefineNode : Node {
  static constexpr uint32_t kNoBlock = UINT32_MAX;
  std::string_view name;
  std::span<const Target> parameters;
  uint32_t block_slot;
  const Node* body;
  bool names_instance_variables;
};
// A call of a method that a template defines.
struct MethodCallNode : Node {
  std::string_view name;
  NodeList arguments;
  const BlockNode* block;   // may be null
  const Node* block_value;  // may be null
};
struct ArgumentsNode : Node {
  NodeList arguments;
};
struct RescueClause {
  static constexpr uint32_t kNoVariable = UINT32_MAX;
  std::span<const std::string_view> classes;  // empty: StandardError
  uint32_t slot;                              // => name
  const Node* body;
};
struct BeginNode : Node {
  const Node* body;
  std::span<const RescueClause> rescues;
  const Node* otherwise;  // may be null
  const Node* ensured;    // may be null
};
struct WhileNode : Node {
  const Node* condition;
  const Node* body;
  bool is_until;
};
// a[i] op= value
struct UpdateElementNode : Node {
  const Node* receiver;
  NodeList arguments;
  const MethodSet* operation;  // null: ||=, which assigns only when the element is false or nil
  const Node* value;
};
// scope.function_name([...]): a call of a function by the older interface.
struct FunctionCallNode : Node {
  std::string_view name;
  const Node* arguments;
};
struct ForNode : Node {
  std::span<const Target> targets;
  const Node* sequence;
  const Node* body;
};

}  // namespace bunraku::erb

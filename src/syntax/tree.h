// The syntax tree: the parser's result, which all later stages read. It is immutable, lives in the
// arena of its Program together with the source text, and is shared by all threads.
//
//  Node names are those of the reference's model, so that dumps and messages agree.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/source.h"
#include "base/memory/arena.h"
#include "base/memory/name.h"

namespace bunraku {

struct Range;

enum class NodeKind : uint8_t {
  kNop,
  kLiteralUndef,
  kLiteralDefault,
  kLiteralBoolean,
  kLiteralInteger,
  kLiteralFloat,
  kLiteralString,
  kLiteralRegularExpression,
  kLiteralList,
  kLiteralHash,
  kConcatenatedString,
  kTextExpression,
  kHeredocExpression,
  kQualifiedName,
  kQualifiedReference,
  kReservedWord,
  kVariableExpression,
  kParenthesizedExpression,
  kNotExpression,
  kUnaryMinusExpression,
  kUnfoldExpression,
  kAndExpression,
  kOrExpression,
  kInExpression,
  kMatchExpression,
  kComparisonExpression,
  kArithmeticExpression,
  kAssignmentExpression,
  kRelationshipExpression,
  kNamedAccessExpression,
  kAccessExpression,
  kCallNamedFunctionExpression,
  kCallMethodExpression,
  kLambdaExpression,
  kParameter,
  kIfExpression,
  kUnlessExpression,
  kCaseExpression,
  kCaseOption,
  kSelectorExpression,
  kSelectorEntry,
  kKeyedEntry,
  kBlockExpression,
  kResourceExpression,
  kResourceBody,
  kAttributeOperation,
  kAttributesOperation,
  kResourceDefaultsExpression,
  kResourceOverrideExpression,
  kCollectExpression,
  kVirtualQuery,
  kExportedQuery,
  kHostClassDefinition,
  kResourceTypeDefinition,
  kNodeDefinition,
  kFunctionDefinition,
  kPlanDefinition,
  kTypeAlias,
  kTypeMapping,
  kTypeDefinition,
  kApplyExpression,
  kEppExpression,
  kRenderExpression,
  kRenderStringExpression,
};

// The reference's name of a kind, "LiteralInteger".
std::string_view name_of(NodeKind kind);

// An operator, named by its text in the language.
enum class Operator : uint8_t {
  kNone,
  kAssign,          // =
  kAppend,          // +=
  kDelete,          // -=
  kAdd,             // +
  kSubtract,        // -
  kMultiply,        // *
  kDivide,          // /
  kModulo,          // %
  kLeftShift,       // <<
  kRightShift,      // >>
  kEqual,           // ==
  kNotEqual,        // !=
  kLess,            // <
  kLessOrEqual,     // <=
  kGreater,         // >
  kGreaterOrEqual,  // >=
  kMatch,           // =~
  kNoMatch,         // !~
  kBefore,          // ->
  kNotify,          // ~>
  kAfter,           // <-
  kSubscribe,       // <~
  kSet,             // =>
  kAddTo,           // +>
};
std::string_view text_of(Operator op);

// The common part of all nodes: the kind and the place in the program's source.
struct Expression {
  NodeKind kind;
  Location location;

  template <typename T>
  const T& as() const {
    assert(T::matches(kind));
    return static_cast<const T&>(*this);
  }
  // Returns null when the node is of another kind.
  template <typename T>
  const T* try_as() const {
    return T::matches(kind) ? static_cast<const T*>(this) : nullptr;
  }
};

using ExpressionList = std::span<const Expression* const>;

// A node type for one NodeKind.
template <NodeKind Kind>
struct Node : Expression {
  static constexpr NodeKind kKind = Kind;
  static constexpr bool matches(NodeKind kind) { return kind == Kind; }
};

// --- literals -----------------------------------------------------------------------------------

struct Nop : Node<NodeKind::kNop> {};
struct LiteralUndef : Node<NodeKind::kLiteralUndef> {};
struct LiteralDefault : Node<NodeKind::kLiteralDefault> {};
struct LiteralBoolean : Node<NodeKind::kLiteralBoolean> {
  bool value;
};
struct LiteralInteger : Node<NodeKind::kLiteralInteger> {
  int64_t value;
  uint8_t radix;  // 8, 10 or 16, as written
};
struct LiteralFloat : Node<NodeKind::kLiteralFloat> {
  double value;
};
struct LiteralString : Node<NodeKind::kLiteralString> {
  std::string_view value;
};
struct LiteralRegularExpression : Node<NodeKind::kLiteralRegularExpression> {
  std::string_view pattern;
};
struct LiteralList : Node<NodeKind::kLiteralList> {
  ExpressionList values;
};
struct KeyedEntry : Node<NodeKind::kKeyedEntry> {
  const Expression* key;
  const Expression* value;
};
struct LiteralHash : Node<NodeKind::kLiteralHash> {
  std::span<const KeyedEntry* const> entries;
};

// "a ${b} c": segments are LiteralString, TextExpression (for ${...}) or VariableExpression ($b).
struct ConcatenatedString : Node<NodeKind::kConcatenatedString> {
  ExpressionList segments;
};
struct TextExpression : Node<NodeKind::kTextExpression> {
  const Expression* expression;
};
struct HeredocExpression : Node<NodeKind::kHeredocExpression> {
  std::string_view syntax;  // empty when not given
  const Expression* text;   // LiteralString or ConcatenatedString
};

// --- names --------------------------------------------------------------------------------------

struct QualifiedName : Node<NodeKind::kQualifiedName> {
  Name name;
};
struct QualifiedReference : Node<NodeKind::kQualifiedReference> {
  Name cased;  // as written: File, Apache::Vhost, Stdlib::IP::Address
  Name name;   // down-cased, used for look-ups
};
struct ReservedWord : Node<NodeKind::kReservedWord> {
  std::string_view word;
  bool is_future;
};
// The name without its $, but with a leading ::, if any; or the number of a match variable.
struct VariableExpression : Node<NodeKind::kVariableExpression> {
  Name name;
  int32_t number;  // -1 when it is not a match variable
};

// --- operators ----------------------------------------------------------------------------------

// The common part of nodes with one operand.
struct UnaryExpression : Expression {
  static constexpr bool matches(NodeKind kind) {
    return (kind >= NodeKind::kParenthesizedExpression && kind <= NodeKind::kUnfoldExpression) ||
           kind == NodeKind::kRenderExpression;
  }
  const Expression* expression;
};
template <NodeKind Kind>
struct UnaryNode : UnaryExpression {
  static constexpr NodeKind kKind = Kind;
  static constexpr bool matches(NodeKind kind) { return kind == Kind; }
};
struct ParenthesizedExpression : UnaryNode<NodeKind::kParenthesizedExpression> {};
struct NotExpression : UnaryNode<NodeKind::kNotExpression> {};
struct UnaryMinusExpression : UnaryNode<NodeKind::kUnaryMinusExpression> {};
struct UnfoldExpression : UnaryNode<NodeKind::kUnfoldExpression> {};

// The common part of nodes with two operands.
struct BinaryExpression : Expression {
  static constexpr bool matches(NodeKind kind) {
    return kind >= NodeKind::kAndExpression && kind <= NodeKind::kNamedAccessExpression;
  }
  const Expression* left;
  const Expression* right;
  Operator op;
  Location operator_location;
};
template <NodeKind Kind>
struct BinaryNode : BinaryExpression {
  static constexpr NodeKind kKind = Kind;
  static constexpr bool matches(NodeKind kind) { return kind == Kind; }
};
struct AndExpression : BinaryNode<NodeKind::kAndExpression> {};
struct OrExpression : BinaryNode<NodeKind::kOrExpression> {};
struct InExpression : BinaryNode<NodeKind::kInExpression> {};
struct MatchExpression : BinaryNode<NodeKind::kMatchExpression> {};
struct ComparisonExpression : BinaryNode<NodeKind::kComparisonExpression> {};
struct ArithmeticExpression : BinaryNode<NodeKind::kArithmeticExpression> {};
struct AssignmentExpression : BinaryNode<NodeKind::kAssignmentExpression> {};
struct RelationshipExpression : BinaryNode<NodeKind::kRelationshipExpression> {};
// x.name, only as the functor of a method call; the right side is a QualifiedName.
struct NamedAccessExpression : BinaryNode<NodeKind::kNamedAccessExpression> {};

struct AccessExpression : Node<NodeKind::kAccessExpression> {
  const Expression* left;
  ExpressionList keys;
};

// --- calls --------------------------------------------------------------------------------------

struct Parameter : Node<NodeKind::kParameter> {
  Name name;
  const Expression* value;  // default; null when there is none
  const Expression* type;   // null when there is none
  bool captures_rest;
};
using ParameterList = std::span<const Parameter* const>;

struct LambdaExpression : Node<NodeKind::kLambdaExpression> {
  ParameterList parameters;
  const Expression* body;         // null for an empty body
  const Expression* return_type;  // null when there is none
};

struct CallNamedFunctionExpression : Node<NodeKind::kCallNamedFunctionExpression> {
  const Expression* functor;  // QualifiedName, or QualifiedReference and access (Integer('3'))
  ExpressionList arguments;
  const LambdaExpression* lambda;  // null when there is none
  bool value_required;             // false when called as a statement
};
struct CallMethodExpression : Node<NodeKind::kCallMethodExpression> {
  const NamedAccessExpression* functor;
  ExpressionList arguments;
  const LambdaExpression* lambda;
  bool value_required;
};

// --- control flow -------------------------------------------------------------------------------

struct BlockExpression : Node<NodeKind::kBlockExpression> {
  ExpressionList statements;
};
// The common part of `if` and `unless`.
struct ConditionalExpression : Expression {
  static constexpr bool matches(NodeKind kind) {
    return kind == NodeKind::kIfExpression || kind == NodeKind::kUnlessExpression;
  }
  const Expression* test;
  const Expression* then_part;  // never null; Nop when empty
  const Expression* else_part;  // never null; Nop when there is none
};
template <NodeKind Kind>
struct ConditionalNode : ConditionalExpression {
  static constexpr NodeKind kKind = Kind;
  static constexpr bool matches(NodeKind kind) { return kind == Kind; }
};
struct IfExpression : ConditionalNode<NodeKind::kIfExpression> {};
struct UnlessExpression : ConditionalNode<NodeKind::kUnlessExpression> {};
struct CaseOption : Node<NodeKind::kCaseOption> {
  ExpressionList values;
  const Expression* then_part;
};
struct CaseExpression : Node<NodeKind::kCaseExpression> {
  const Expression* test;
  std::span<const CaseOption* const> options;
};
struct SelectorEntry : Node<NodeKind::kSelectorEntry> {
  const Expression* matching;
  const Expression* value;
};
struct SelectorExpression : Node<NodeKind::kSelectorExpression> {
  const Expression* left;
  std::span<const SelectorEntry* const> selectors;
};

// --- catalog expressions ------------------------------------------------------------------------

enum class ResourceForm : uint8_t { kRegular, kVirtual, kExported };

// name => value, name +> value
struct AttributeOperation : Node<NodeKind::kAttributeOperation> {
  Name name;
  Operator op;
  const Expression* value;
};
// * => hash
struct AttributesOperation : Node<NodeKind::kAttributesOperation> {
  const Expression* expression;
};
// AttributeOperation or AttributesOperation
using OperationList = ExpressionList;

struct ResourceBody : Node<NodeKind::kResourceBody> {
  const Expression* title;  // null when the source has none (a validation error)
  OperationList operations;
};
struct ResourceExpression : Node<NodeKind::kResourceExpression> {
  ResourceForm form;
  const Expression* type_name;
  std::span<const ResourceBody* const> bodies;
};
struct ResourceDefaultsExpression : Node<NodeKind::kResourceDefaultsExpression> {
  ResourceForm form;
  const Expression* type_reference;
  OperationList operations;
};
struct ResourceOverrideExpression : Node<NodeKind::kResourceOverrideExpression> {
  ResourceForm form;
  const Expression* resources;
  OperationList operations;
};
struct VirtualQuery : Node<NodeKind::kVirtualQuery> {
  const Expression* expression;  // null for <| |>
};
struct ExportedQuery : Node<NodeKind::kExportedQuery> {
  const Expression* expression;  // null for <<| |>>
};
struct CollectExpression : Node<NodeKind::kCollectExpression> {
  const Expression* type_expression;
  const Expression* query;  // VirtualQuery or ExportedQuery
  OperationList operations;
};

// --- definitions --------------------------------------------------------------------------------

struct HostClassDefinition : Node<NodeKind::kHostClassDefinition> {
  Name name;    // qualified by the surrounding classes, without a leading ::
  Name parent;  // no name when there is none
  ParameterList parameters;
  const Expression* body;
};
struct ResourceTypeDefinition : Node<NodeKind::kResourceTypeDefinition> {
  Name name;
  ParameterList parameters;
  const Expression* body;
};
struct NodeDefinition : Node<NodeKind::kNodeDefinition> {
  ExpressionList host_matches;
  const Expression* parent;  // parsed, but rejected by validation
  const Expression* body;
};
template <NodeKind Kind>
struct FunctionNode : Node<Kind> {
  Name name;
  ParameterList parameters;
  const Expression* body;
  const Expression* return_type;
};
struct FunctionDefinition : FunctionNode<NodeKind::kFunctionDefinition> {};
struct PlanDefinition : FunctionNode<NodeKind::kPlanDefinition> {};
struct TypeAlias : Node<NodeKind::kTypeAlias> {
  Name name;  // as written
  const Expression* type_expression;
};
struct TypeMapping : Node<NodeKind::kTypeMapping> {
  const Expression* type_expression;
  const Expression* mapping;
};
struct TypeDefinition : Node<NodeKind::kTypeDefinition> {
  Name name;
  Name parent;
  const Expression* body;
};
struct ApplyExpression : Node<NodeKind::kApplyExpression> {
  ExpressionList arguments;
  const Expression* body;
};

// --- templates ----------------------------------------------------------------------------------

struct EppExpression : Node<NodeKind::kEppExpression> {
  bool parameters_specified;  // the parameters are those of the program's enclosing lambda
  const Expression* body;
};
struct RenderExpression : UnaryNode<NodeKind::kRenderExpression> {};
struct RenderStringExpression : Node<NodeKind::kRenderStringExpression> {
  std::string_view value;
};

// --- a whole file -------------------------------------------------------------------------------

// A comment, kept beside the tree for programs that print source again.
struct Comment {
  Location location;
};

// One parsed file (or string): owns its source, arena and tree. Programs are shared by shared_ptr;
// code that keeps a node must keep its Program.
class Program {
 public:
  explicit Program(SourcePointer source) : source_(std::move(source)) {}

  const SourcePointer& source() const { return source_; }
  const std::string& path() const { return source_->path(); }
  Arena& arena() { return arena_; }

  // Never null after parsing: a Nop, a single expression, a BlockExpression, or for a template a
  // LambdaExpression whose body is an EppExpression.
  const Expression* body = nullptr;
  // Classes, defines, nodes, functions and aliases at any level, in source order.
  ExpressionList definitions;
  std::span<const Comment> comments;

  Position position(const Expression& at) const { return source_->position(at.location.offset); }
  Range range(const Expression& at) const;

 private:
  SourcePointer source_;
  Arena arena_;
};

using ProgramPointer = std::shared_ptr<const Program>;

}  // namespace bunraku

// Functions: what native code sees of a call, and the registry entries of native functions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/name.h"
#include "syntax/tree.h"
#include "types/mismatch.h"
#include "values/type.h"

namespace bunraku {

struct Diagnostic;
struct Range;
class Evaluator;
class Scope;

// A place in a program; both null for what no source asked for.
struct Place {
  const Program* program = nullptr;
  const Expression* expression = nullptr;

  // With the program's source; the range's file is null when there is no program.
  Range range() const;
};

// The lambda of a call. Lives as long as the call; it must not be kept.
class Block {
 public:
  virtual const Signature& signature() const = 0;
  // Calls the lambda, checking types where it declares any. A `next` has become the result; a
  // `break` or `return` comes back as a control value, which the caller hands on at once (an
  // iteration ends at a break first).
  virtual Value call(std::span<const Value> arguments) const = 0;
  // How many arguments it takes at most; SIZE_MAX when the last captures the rest. Iterating
  // functions choose between |$value| and |$index, $value| by it.
  virtual size_t parameter_count() const = 0;
  // The block in a form that can be called after the call that it was given to, until the
  // compilation ends; null where it has none.
  virtual const Block* lasting(Arena&) const { return nullptr; }

 protected:
  ~Block() = default;
};

// One call, as the called function sees it.
struct Call {
  Evaluator& evaluator;
  Scope& scope;  // the caller's
  std::span<const Value> arguments;
  const Block* block;  // null when there is none
  Place place;
  // Where it is not the code at `place` that calls: the file that does, whose module sees functions
  // of its own first. In no file: the environment.
  std::optional<std::string_view> caller = std::nullopt;

  Arena& arena() const;
  // undef when it was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
  // Ends the evaluation: "Error while evaluating a Function Call, <message>" at the place of the
  // call, as the reference reports what a function raises.
  [[noreturn]] void fail(Issue issue, std::vector<std::string> arguments) const;
  [[noreturn]] void fail(Diagnostic diagnostic) const;
};

// Anything that can be called by name.
class Function {
 public:
  virtual ~Function() = default;
  virtual Name name() const = 0;
  virtual std::span<const Signature> signatures() const = 0;
  // Finds the overload that takes the arguments and calls it; fails in the reference's words when
  // none does.
  virtual Value call(Call& call) const = 0;
};

// An object of the language whose methods are native code, such as the context that Hiera hands to
// the functions that give data. Lives in the arena.
class NativeObject {
 public:
  // `name` is a function of the object's type. What is wrong with the arguments is for the method
  // to report.
  virtual Value call_method(std::string_view name, Call& call) = 0;

 protected:
  ~NativeObject() = default;
};

using NativeImplementation = Value (*)(Call& call);

// One way to call a native function.
struct Overload {
  // Parameters and return type in the language's own syntax; names are those that messages show:
  // "(String $text, Optional[Integer] $limit, Any *$rest, Callable[1, 1] &$block) >> String".
  // A parameter in Optional[] may be left out at the end of the list (write `Integer $n = default`
  // where undef is not among its values), `*` repeats, `+` repeats and wants at least one, `&` is
  // the block (Optional[Callable[...]] when it may be left out).
  std::string_view signature;
  NativeImplementation implementation;
  // It is not among the signatures that a mismatch lists and that are described: it fails with
  // words of its own where no other overload takes the call, or the reference does not know it.
  bool is_unlisted = false;
};

// The registry entry of a native function.
struct NativeFunctionInfo {
  std::string_view name;
  std::span<const Overload> overloads;
  std::string_view documentation;  // Markdown; the first sentence is the summary
  std::string_view example;        // code that runs under `bunraku eval`
  // Functions of the reference's older interface take undef as an empty string and check only the
  // number of arguments.
  bool is_legacy = false;
  // Types that only these signatures know, a line each: "Name = Variant[String, Array[String]]".
  // They may be recursive.
  std::string_view local_types = {};
};

// A native function that can be called; the signatures are parsed when first needed. Lives as long
// as the process.
const Function& native_function(const NativeFunctionInfo& info);

}  // namespace bunraku

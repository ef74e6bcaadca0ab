// Functions: the interface of a call for native code, and the registry entries of native functions.
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

// A place in a program; both members are null for calls without source.
struct Place {
  const Program* program = nullptr;
  const Expression* expression = nullptr;

  // The range in the program's source; its file is null when there is no program.
  Range range() const;
};

// The lambda of a call. It lives as long as the call and must not be kept.
class Block {
 public:
  virtual const Signature& signature() const = 0;
  // Calls the lambda, with type checks where it declares types. A `next` is converted to the
  // result; a `break` or `return` is a control value, which the caller must return at once (a
  // `break` ends an iteration first).
  virtual Value call(std::span<const Value> arguments) const = 0;
  // The maximum number of arguments; SIZE_MAX when the last one captures the rest. Iterating
  // functions use it to choose between |$value| and |$index, $value|.
  virtual size_t parameter_count() const = 0;
  // Returns the block in a form that can be called until the compilation ends; null when that is
  // not possible.
  virtual const Block* lasting(Arena&) const { return nullptr; }

 protected:
  ~Block() = default;
};

// One call, as seen by the called function.
struct Call {
  Evaluator& evaluator;
  Scope& scope;  // of the caller
  std::span<const Value> arguments;
  const Block* block;  // null when there is none
  Place place;
  // The file of the caller, when that is not the code at `place`: its module's functions are found
  // first. Empty: the environment.
  std::optional<std::string_view> caller = std::nullopt;

  Arena& arena() const;
  // Returns undef when the argument was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
  // Ends the evaluation: "Error while evaluating a Function Call, <message>" at the place of the
  // call, as the reference reports errors of functions.
  [[noreturn]] void fail(Issue issue, std::vector<std::string> arguments) const;
  [[noreturn]] void fail(Diagnostic diagnostic) const;
};

// A callable with a name.
class Function {
 public:
  virtual ~Function() = default;
  virtual Name name() const = 0;
  virtual std::span<const Signature> signatures() const = 0;
  // Calls the overload that accepts the arguments; fails in the reference's words when none does.
  virtual Value call(Call& call) const = 0;
};

// An object of the language with methods in native code, such as the context that Hiera passes to
// data functions. Stored in the arena.
class NativeObject {
 public:
  // `name` is a function of the object's type. The method checks its arguments itself.
  virtual Value call_method(std::string_view name, Call& call) = 0;

 protected:
  ~NativeObject() = default;
};

using NativeImplementation = Value (*)(Call& call);

// One signature of a native function, with its code.
struct Overload {
  // Parameters and return type in the language's syntax; names are those shown in messages:
  //  "(String $text, Optional[Integer] $limit, Any *$rest, Callable[1, 1] &$block) >> String".
  //  A parameter in Optional[] may be omitted at the end of the list (write `Integer $n = default`
  //  where undef is not among its values), `*` repeats, `+` repeats at least once, `&` is the block
  //  (Optional[Callable[...]] when it may be omitted).
  std::string_view signature;
  NativeImplementation implementation;
  // Left out of the signatures in mismatch messages and descriptions: it fails with its own message
  // where no other overload accepts the call, or the reference does not have it.
  bool is_unlisted = false;
};

// The registry entry of a native function.
struct NativeFunctionInfo {
  std::string_view name;
  std::span<const Overload> overloads;
  std::string_view documentation;  // Markdown; the first sentence is the summary
  std::string_view example;        // code that runs under `bunraku eval`
  // Functions of the reference's older interface get undef as an empty string and check only the
  // number of arguments.
  bool is_legacy = false;
  // Types for these signatures only, one per line: "Name = Variant[String, Array[String]]". They
  // may be recursive.
  std::string_view local_types = {};
};

// Returns a callable native function; signatures are parsed on demand. It lives as long as the
// process.
const Function& native_function(const NativeFunctionInfo& info);

}  // namespace bunraku

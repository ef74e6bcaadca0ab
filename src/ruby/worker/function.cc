#include "ruby/worker/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "evaluation/overload.h"
#include "syntax/parser.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(Issue issue, std::string message) {
  throw EvaluationError(make_diagnostic(issue, {}, {std::move(message)}));
}

// Type aliases that are local to the signatures of one function.
class LocalTypes final : public TypeResolver {
 public:
  LocalTypes(Arena& arena, TypeResolver* others) : arena_(arena), others_(others) {}

  // `assignment` is "Name = Type".
  void add(std::string_view assignment) {
    const std::string code = fmt::format("type {}", assignment);
    DiagnosticList mistakes;
    ProgramPointer program =
        parse(std::make_shared<const SourceFile>(std::string(), code), ParseOptions(), mistakes);
    const TypeAlias* alias = nullptr;
    if (!mistakes.has_errors() && program->definitions.size() == 1) {
      alias = program->definitions[0]->try_as<TypeAlias>();
    }
    if (alias == nullptr) {
      fail(Issue::kInvalidTypeText,
           fmt::format("Expected a type alias assignment on the form 'AliasType = T', got '{}'.",
                       assignment));
    }
    types_.emplace_back(downcase(alias->name.text()), declare_type(arena_, *program, *alias));
    programs_.push_back(std::move(program));
  }

  const Type* find_type(std::string_view name) override {
    const std::string lower = downcase(name);
    for (const auto& [known, type] : types_) {
      if (known != lower) continue;
      resolve_declared_type(arena_, type, this);
      return type;
    }
    return others_ != nullptr ? others_->find_type(name) : nullptr;
  }

 private:
  Arena& arena_;
  TypeResolver* others_;
  std::vector<std::pair<std::string, const Type*>> types_;
  std::vector<ProgramPointer> programs_;
};

struct RubyOverload {
  NativeSignature signature{};
  bool is_mismatch_handler = false;
  const Type* return_type = nullptr;
  std::string_view method;
};

Value at(Value description, std::string_view key) {
  const Value* found = description.is_hash() ? description.as_hash().find(key) : nullptr;
  return found == nullptr ? Value() : *found;
}

std::string_view text_of(Value value) {
  return value.is_string() ? value.as_string() : std::string_view();
}

// Reads the description of one dispatch that functions.rb reports.
class OverloadReader {
 public:
  OverloadReader(Arena& arena, TypeResolver& resolver) : arena_(arena), resolver_(resolver) {}

  RubyOverload read(Value answer) {
    RubyOverload overload;
    std::vector<SignatureParameter> parameters;
    std::vector<const Type*> types;
    for (const Value parameter : items(at(answer, "parameters"))) {
      const bool is_optional = at(parameter, "optional").is_truthy();
      const Type* type = type_of(at(parameter, "type"));
      types.push_back(type);
      parameters.push_back({text_of(at(parameter, "name")), type, is_optional,
                            at(parameter, "repeated").is_truthy()});
    }
    const Value minimum = at(answer, "minimum"), maximum = at(answer, "maximum");
    NativeSignature& signature = overload.signature;
    signature.size = {minimum.is_integer() ? minimum.as_integer() : 0,
                      maximum.is_integer() ? maximum.as_integer() : kMaxInteger};
    const Value block = at(answer, "block");
    signature.block = block.is_undef() ? nullptr : type_of(block);
    signature.block_is_optional = at(answer, "block_is_optional").is_truthy();
    const Value return_type = at(answer, "return_type");
    overload.return_type = return_type.is_undef() ? nullptr : type_of(return_type);
    overload.is_mismatch_handler = at(answer, "is_mismatch_handler").is_truthy();
    overload.method = text_of(at(answer, "method"));
    const Type* shown_block = signature.block;
    if (shown_block != nullptr && signature.block_is_optional) {
      shown_block = types::optional(arena_, shown_block);
    }
    signature.signature.parameters = arena_.copy(std::span<const SignatureParameter>(parameters));
    signature.signature.type =
        types::callable(arena_, arena_.copy(std::span<const Type* const>(types)),
                        signature.size.from, signature.size.to, shown_block, overload.return_type);
    signature.signature.block_name = text_of(at(answer, "block_name"));
    return overload;
  }

  static std::span<const Value> items(Value value) {
    return value.is_array() ? value.as_array() : std::span<const Value>();
  }

 private:
  const Type* type_of(Value answer) {
    if (answer.is_type()) return answer.as_type();
    try {
      return parse_type(arena_, text_of(answer), &resolver_);
    } catch (const EvaluationError& error) {
      fail(Issue::kInvalidTypeText,
           fmt::format("Parsing of type string '\"{}\"' failed with message: <{}>.\n",
                       text_of(answer), error.diagnostic().message()));
    }
  }

  Arena& arena_;
  TypeResolver& resolver_;
};

class RubyFunction final : public Function {
 public:
  RubyFunction(Evaluator& evaluator, Name name, std::string file, RubyInterface interface,
               const Place& place, std::unique_ptr<PlainCode> plain, std::string obstacle)
      : evaluator_(evaluator),
        name_(name),
        file_(std::move(file)),
        subject_(fmt::format("The function '{}'", name.text())),
        interface_(interface),
        plain_(std::move(plain)),
        obstacle_(std::move(obstacle)),
        local_types_(evaluator.arena(), evaluator.host().types) {
    const Value answer = plain_ != nullptr ? plain_->description(evaluator.arena()) : load(place);
    if (interface == RubyInterface::kLegacy) {
      const Value arity = at(answer, "arity");
      if (arity.is_integer()) arity_ = arity.as_integer();
      add_legacy_overload();
      return;
    }
    overrides_call_ = at(answer, "overrides_call").is_truthy();
    try {
      for (const Value type : OverloadReader::items(at(answer, "local_types"))) {
        local_types_.add(text_of(type));
      }
      OverloadReader reader(evaluator.arena(), local_types_);
      for (const Value dispatch : OverloadReader::items(at(answer, "dispatches"))) {
        overloads_.push_back(reader.read(dispatch));
        if (overloads_.back().is_mismatch_handler) continue;
        shown_.push_back(overloads_.back().signature.signature);
      }
    } catch (const EvaluationError& error) {
      fail(Issue::kUnusableFunction, fmt::format("Function Load Error for function '{}': {}",
                                                 name.text(), error.diagnostic().message()));
    }
  }

  Name name() const override { return name_; }
  std::span<const Signature> signatures() const override { return shown_; }

  Value call(Call& call) const override {
    try {
      if (interface_ == RubyInterface::kLegacy) return call_legacy(call);
      if (overrides_call_) return call_own(call);
      const size_t number = select(call);
      const Value result = invoke(call, number);
      check_result(number, result);
      return result;
    } catch (EvaluationError& error) {
      if (call.place.expression != nullptr) add_place(error, call.place);
      throw;
    }
  }

  // The index of the dispatch that accepts the arguments.
  size_t select(Call& call) const {
    for (size_t i = 0; i < overloads_.size(); ++i) {
      const NativeSignature& signature = overloads_[i].signature;
      if (accepts_arguments(signature, call.arguments) && accepts_block(signature, call.block)) {
        return i;
      }
    }
    fail(Issue::kCallMismatch,
         describe_call_mismatch(fmt::format("'{}'", name_.text()), shown_, call.arguments,
                                call.block != nullptr ? call.block->signature().type : nullptr));
  }

  void check_result(size_t number, Value result) const {
    if (number >= overloads_.size()) return;
    const RubyOverload& overload = overloads_[number];
    if (overload.is_mismatch_handler) {
      fail(Issue::kCallMismatch, fmt::format("'{}' {}", name_.text(),
                                             result.is_string() ? std::string(result.as_string())
                                                                : ruby_inspect(result)));
    }
    if (overload.return_type != nullptr && !result.is_control() &&
        !is_instance(overload.return_type, result)) {
      fail(Issue::kReturnMismatch,
           describe_mismatch(
               fmt::format("value returned from function '{}' has wrong type,", overload.method),
               overload.return_type, result));
    }
  }

 private:
  Value load(const Place& place) const {
    const Value arguments[] = {Value::string(name_.text()), Value::string(file_)};
    RubyRequest request;
    request.method = interface_ == RubyInterface::kCurrent ? "functions.load" : "functions.load_3x";
    request.arguments = arguments;
    request.place = place;
    return ask(request);
  }

  Value ask(RubyRequest& request) const {
    request.subject = subject_;
    request.reason = obstacle_;
    request.file = file_;
    RubyHost* ruby = evaluator_.host().ruby;
    if (ruby == nullptr) {
      evaluator_.fail(Issue::kRubyUnavailable, request.place,
                      {subject_, fmt::format(" ({})", file_), "there is none here"});
    }
    return ruby->call(request);
  }

  // Runs the function natively if possible. A function that has run in a worker once stays there
  // for the rest of the compilation: it may keep objects that the language has no values for.
  std::optional<Value> run_plainly(Call& call, size_t number, RubyReplay& replay) const {
    if (plain_ == nullptr || needs_ruby_) return std::nullopt;
    std::optional<Value> result = plain_->call(call, number, replay);
    // A running request alone may be the reason, and says nothing about the function.
    RubyHost* ruby = evaluator_.host().ruby;
    needs_ruby_ = !result && !(ruby != nullptr && ruby->is_running());
    obstacle_ = replay.obstacle;
    return result;
  }

  Value invoke(Call& call, size_t number) const {
    RubyReplay replay;
    if (const auto result = run_plainly(call, number, replay)) return *result;
    ArrayBuilder arguments(call.arena(), call.arguments.size() + 5);
    push_replay(call, replay, arguments);
    arguments.push(Value::string(name_.text()));
    arguments.push(Value::string(file_));
    arguments.push(Value::integer(static_cast<int64_t>(number)));
    arguments.push_all(call.arguments);
    return run(call, "functions.call", arguments.finish());
  }

  static void push_replay(const Call& call, const RubyReplay& replay, ArrayBuilder& arguments) {
    ArrayBuilder set_variables(call.arena(), replay.set_variables.size());
    for (const std::string& name : replay.set_variables) {
      set_variables.push(Value::string(call.arena(), name));
    }
    arguments.push(Value::array(call.arena().copy(std::span<const Value>(replay.results))));
    arguments.push(set_variables.finish());
  }

  // Calls the function's own method `call` with the arguments, which have not been checked.
  Value call_own(Call& call) const {
    ArrayBuilder arguments(call.arena(), call.arguments.size() + 2);
    arguments.push(Value::string(name_.text()));
    arguments.push(Value::string(file_));
    arguments.push_all(call.arguments);
    return run(call, "functions.call_own", arguments.finish());
  }

  Value call_legacy(Call& call) const {
    const auto count = static_cast<int64_t>(call.arguments.size());
    const int64_t wanted = arity_ >= 0 ? arity_ : -arity_ - 1;
    if (arity_ >= 0 ? count != wanted : count < wanted) {
      fail(Issue::kWrongArgumentCount,
           fmt::format("{}(): Wrong number of arguments given ({} for {}{})", name_.text(), count,
                       arity_ >= 0 ? "" : "minimum ", wanted));
    }
    ArrayBuilder given(call.arena(), call.arguments.size());
    for (const Value argument : call.arguments) {
      given.push(legacy_argument(call.arena(), argument, false));
    }
    const Value older = given.finish();
    RubyReplay replay;
    Call as_older{call.evaluator, call.scope, older.as_array(), call.block, call.place};
    if (const auto result = run_plainly(as_older, 0, replay)) {
      return legacy_result(call.arena(), *result);
    }
    ArrayBuilder arguments(call.arena(), call.arguments.size() + 4);
    push_replay(call, replay, arguments);
    arguments.push(Value::string(name_.text()));
    arguments.push(Value::string(file_));
    arguments.push_all(older.as_array());
    return run(call, "functions.call_3x", arguments.finish());
  }

  Value run(Call& call, std::string_view method, Value arguments) const {
    RubyRequest request;
    request.method = method;
    request.arguments = arguments.as_array();
    request.block = call.block;
    request.scope = &call.scope;
    request.place = call.place;
    return ask(request);
  }

  // Adds a signature with as many parameters of type Any as the arity requires.
  void add_legacy_overload() {
    const int64_t wanted = arity_ >= 0 ? arity_ : -arity_ - 1;
    const auto named = static_cast<size_t>(arity_ >= 0 ? arity_ : -arity_);
    Arena& arena = evaluator_.arena();
    std::vector<SignatureParameter> parameters;
    for (size_t i = 0; i < std::min<size_t>(named, 100); ++i) {
      parameters.push_back(
          {arena.copy(fmt::format("p{}", i)), types::kAny, false, arity_ < 0 && i + 1 == named});
    }
    const std::vector<const Type*> all(parameters.size(), types::kAny);
    Signature signature{};
    signature.parameters = arena.copy(std::span<const SignatureParameter>(parameters));
    signature.type = types::callable(arena, arena.copy(std::span<const Type* const>(all)), wanted,
                                     arity_ < 0 ? kMaxInteger : arity_, nullptr, nullptr);
    shown_.push_back(signature);
  }

  Evaluator& evaluator_;
  Name name_;
  std::string file_;
  std::string subject_;
  RubyInterface interface_;
  std::unique_ptr<PlainCode> plain_;  // null when the function only runs in a worker
  mutable bool needs_ruby_ = false;   // set when the function has to stay in a worker
  mutable std::string obstacle_;      // why it needs a worker; empty when that is not known
  LocalTypes local_types_;
  std::vector<RubyOverload> overloads_;
  std::vector<Signature> shown_;  // the signatures without those of mismatch handlers
  int64_t arity_ = -1;            // for the legacy interface
  bool overrides_call_ = false;   // the function defines its own method `call`
};

const RubyFunction& ruby_function(const Function& function) {
  const auto* known = dynamic_cast<const RubyFunction*>(&function);
  if (known == nullptr)
    fail(Issue::kUnusableFunction,
         fmt::format("'{}' is not written in Ruby", function.name().text()));
  return *known;
}

}  // namespace

size_t select_ruby_dispatch(const Function& function, Call& call) {
  return ruby_function(function).select(call);
}

void check_ruby_result(const Function& function, size_t number, Value result) {
  ruby_function(function).check_result(number, result);
}

Value call_from_ruby(Evaluator& evaluator, Scope& scope, std::string_view name,
                     std::span<const Value> arguments, const Block* block, const Place& place,
                     std::string_view caller) {
  try {
    return evaluator.call_function(Name(name), arguments, block, scope, place, caller);
  } catch (const EvaluationError& error) {
    const Diagnostic& diagnostic = error.diagnostic();
    const bool is_wrapped_here =
        diagnostic.issue == Issue::kErrorWhileEvaluating && place.expression != nullptr &&
        diagnostic.primary.location.offset == place.expression->location.offset &&
        diagnostic.primary.file == place.program->source() && diagnostic.cause != nullptr;
    if (!is_wrapped_here) throw;
    Diagnostic bare = *diagnostic.cause;
    bare.primary = {};
    throw EvaluationError(std::move(bare));
  }
}

std::unique_ptr<Function> make_ruby_function(Evaluator& evaluator, Name name, std::string file,
                                             RubyInterface interface, const Place& place,
                                             std::unique_ptr<PlainCode> plain,
                                             std::string obstacle) {
  return std::make_unique<RubyFunction>(evaluator, name, std::move(file), interface, place,
                                        std::move(plain), std::move(obstacle));
}

}  // namespace bunraku

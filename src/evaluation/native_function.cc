// Native functions: their signatures, and the choice between overloads.

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "evaluation/evaluator.h"
#include "evaluation/signature_parser.h"
#include "types/mismatch.h"

namespace bunraku {

Arena& Call::arena() const {
  return evaluator.arena();
}

void Call::fail(Issue issue, std::vector<std::string> arguments) const {
  fail(make_diagnostic(issue, {}, std::move(arguments)));
}

void Call::fail(Diagnostic diagnostic) const {
  EvaluationError error(std::move(diagnostic));
  if (place.expression != nullptr) add_place(error, place);
  throw error;
}

namespace {

// The arena of native functions' types and signatures, which live as long as the process.
Arena& process_arena() {
  static Arena* const arena = new Arena();
  return *arena;
}

std::mutex& process_mutex() {
  static std::mutex* const mutex = new std::mutex();
  return *mutex;
}

class NativeFunction final : public Function {
 public:
  explicit NativeFunction(const NativeFunctionInfo& info) : info_(info), name_(info.name) {}

  Name name() const override { return name_; }

  std::span<const Signature> signatures() const override {
    parse_signatures();
    return shown_;
  }

  Value call(Call& call) const override {
    parse_signatures();
    return info_.is_legacy ? call_legacy(call) : dispatch(call);
  }

 private:
  void parse_signatures() const {
    std::call_once(parsed_, [this] {
      const std::lock_guard lock(process_mutex());
      SignatureParser parser(process_arena(), info_.local_types);
      for (const Overload& overload : info_.overloads) {
        signatures_.push_back(parser.parse(overload.signature));
        if (!overload.is_unlisted) shown_.push_back(signatures_.back().signature);
      }
    });
  }

  Value dispatch(Call& call) const {
    for (size_t i = 0; i < signatures_.size(); ++i) {
      const NativeSignature& signature = signatures_[i];
      if (accepts_arguments(signature, call.arguments) && accepts_block(signature, call.block)) {
        return info_.overloads[i].implementation(call);
      }
    }
    const CallableType* block = call.block ? call.block->signature().type : nullptr;
    call.fail(Issue::kCallMismatch, {describe_call_mismatch("'" + std::string(info_.name) + "'",
                                                            shown_, call.arguments, block)});
  }

  Value call_legacy(Call& call) const {
    const NativeSignature& signature = signatures_.front();
    auto count = static_cast<int64_t>(call.arguments.size());
    ArrayBuilder arguments(call.arena(), call.arguments.size());
    for (const Value argument : call.arguments) {
      arguments.push(legacy_argument(call.arena(), argument, false));
    }
    if (count < signature.size.from || count > signature.size.to) fail_arity(call, signature);
    Call converted{call.evaluator, call.scope, arguments.finish().as_array(), call.block,
                   call.place};
    return legacy_result(call.arena(), info_.overloads.front().implementation(converted));
  }

  [[noreturn]] void fail_arity(const Call& call, const NativeSignature& signature) const {
    const bool is_exact = signature.size.from == signature.size.to;
    call.fail(Issue::kWrongArgumentCount,
              {std::string(info_.name) + "(): Wrong number of arguments given (" +
               std::to_string(call.arguments.size()) + (is_exact ? " for " : " for minimum ") +
               std::to_string(signature.size.from) + ")"});
  }

  const NativeFunctionInfo& info_;
  Name name_;
  mutable std::once_flag parsed_;
  mutable std::vector<NativeSignature> signatures_;  // one per overload
  mutable std::vector<Signature> shown_;             // without those of mismatch handlers
};

}  // namespace

const Function& native_function(const NativeFunctionInfo& info) {
  static auto* const functions =
      new std::unordered_map<const NativeFunctionInfo*, std::unique_ptr<NativeFunction>>();
  const std::lock_guard lock(process_mutex());
  std::unique_ptr<NativeFunction>& function = (*functions)[&info];
  if (function == nullptr) function = std::make_unique<NativeFunction>(info);
  return *function;
}

}  // namespace bunraku

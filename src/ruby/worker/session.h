// What one compilation has to do with Ruby: it takes a worker when it first needs one, keeps it to
// its end, and answers what Ruby code asks of the compiler meanwhile.
//
// The protocol. Both sides send frames (worker.h), each an array in the Marshal format (marshal.h)
// that begins with a number:
//
//   to the worker    [0, method, arguments, scope, block]   a request
//                    [1, value]                             the answer to what it asked
//                    [2, message, token, is_lookup]         what it asked failed
//                    [3]                                    a block was left early: unwind
//                    [4]                                    the compilation is over; forget it
//   from the worker  [0, value]                             the answer to the request
//                    [1, message, class, token, place, own, is_foreign]  the request failed
//                    [2, name, arguments, scope, block]     a question to the compiler
//                    [3]                                    unwound
//
// Requests and questions nest like calls: while the worker waits for an answer it takes further
// requests. `scope` is the number of a scope lent to the worker, `block` nil or [number, smallest
// and largest count of parameters, their names] of a block to be called through the question
// "block.call", while the compilation goes on (for the worker: [number, smallest, largest] of a
// proc, to be called through the request "core.call_proc" until what it was given to has answered).
// `token` names an error of ours that went through Ruby unchanged (-1: none). `own` is nil where
// the error gets the place of the call, else [file, line, column] of the place that it has
// itself, each of them nil where it does not. An error is foreign when it is none of the
// reference's.
//
// To add a request: write Bunraku.on('erb.render') { |text, names| ... } in src/ruby/prelude/erb.rb
// (loaded when a request of that file's name first comes) and call
// host.ruby->call({.method = "erb.render", .arguments = ..., ...}). In the block,
// Bunraku.scope is the request's scope (a Puppet::Parser::Scope, prelude/scope.rb), and
// Bunraku.ask(name, *arguments) a question. To add a question: a line in the table of questions.cc.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evaluation/host.h"
#include "ruby/worker/marshal.h"
#include "ruby/worker/pool.h"

namespace bunraku {

class Evaluator;

// What observers of reads are notified of (see base/system/reads.h).
inline constexpr std::string_view kRubyWasRun = "Ruby code was run, which may read anything";

class RubySession final : public RubyHost {
 public:
  explicit RubySession(RubyOptions options) : options_(std::move(options)) {}
  ~RubySession() override;
  // The evaluator that questions are put to; before the first call. It must outlive all calls.
  void set_evaluator(Evaluator& evaluator) { evaluator_ = &evaluator; }

  Value call(const RubyRequest& request) override;
  bool is_available() override;
  std::string version() override;
  bool is_running() const override { return depth_ > 0; }

  // --- for the questions ---
  Evaluator& evaluator() { return *evaluator_; }
  const HandleTable& handles() const { return handles_; }
  // Lends a scope for as long as the compilation goes on.
  int64_t lend(Scope& scope);
  // Null when there is none of the number.
  Scope* scope(int64_t number) const;
  const Block* block(int64_t number) const;

 private:
  class LentBlock;
  // The worker has ended; with an error when that is to be reported and the request not repeated.
  struct Lost {
    std::exception_ptr error;
  };

  Value exchange(const RubyRequest& request);
  Value converse(const RubyRequest& request);
  Value read(std::string_view message, const RubyRequest& request);
  Value read_once(std::string_view message);
  void answer(std::string_view asked_message, const RubyRequest& request);
  void start(const RubyRequest& request);
  void send(std::string_view content, const RubyRequest& request);
  void receive(std::string& content, const RubyRequest& request);
  [[noreturn]] void lose();
  void discard(std::exception_ptr error);
  [[noreturn]] void fail_lost(const RubyRequest& request);
  [[noreturn]] void fail_timeout(const RubyRequest& request);
  [[noreturn]] void fail_unavailable(const RubyRequest& request, std::string_view reason);
  [[noreturn]] void rethrow(std::span<const Value> failure);

  RubyOptions options_;
  Evaluator* evaluator_ = nullptr;
  std::unique_ptr<RubyWorker> worker_;
  HandleTable handles_;
  std::vector<Scope*> scopes_;  // by number
  std::unordered_map<const Scope*, int64_t> scope_numbers_;
  std::vector<const Block*> blocks_;        // by number; null for those that have ended
  std::vector<std::exception_ptr> errors_;  // by token
  uint32_t depth_ = 0;                      // requests within each other
  // Has the outermost request changed anything in the compiler, so that it cannot be repeated?
  bool has_effects_ = false;
  std::chrono::milliseconds rest_{0};  // of the outermost request's time
  Value control_;                      // what left a block early
  std::exception_ptr unwinding_;       // what else goes through Ruby code without stopping
  std::string loss_;                   // how the last worker ended
  std::exception_ptr loss_error_;
};

// Where Ruby code raised what became an error of ours: a file of a module or library, and its line.
struct RubyPlace {
  std::string file;
  int line;
};
// From the label of what Ruby code raised.
std::optional<RubyPlace> ruby_place_of(const Diagnostic& diagnostic);

// A question of a worker: who asks, the scope it is about, and the block that came with it or null.
struct RubyAsking {
  RubySession& session;
  Scope& scope;
  std::span<const Value> arguments;
  const Block* block;
  const RubyRequest& request;  // within which it is asked

  Evaluator& evaluator() const { return session.evaluator(); }
  Arena& arena() const;
  // undef when it was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
  // Empty when it is no string.
  std::string_view text(size_t at) const {
    return argument(at).is_string() ? argument(at).as_string() : std::string_view();
  }
  int64_t number(size_t at) const {
    return argument(at).is_integer() ? argument(at).as_integer() : -1;
  }
};

struct RubyQuestion {
  std::string_view name;
  bool is_pure;  // may be asked again, by a repetition, without a trace
  // May give a control value. Throws EvaluationError.
  Value (*answer)(const RubyAsking& asking);
};
// Null when there is none of the name.
const RubyQuestion* find_ruby_question(std::string_view name);

}  // namespace bunraku

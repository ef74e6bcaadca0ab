// The Ruby side of one compilation: it takes a worker when it first needs one, keeps it to the
// end, and answers the questions that Ruby code puts to the compiler meanwhile.
//
// The protocol. Both sides send frames (worker.h), each an array in the Marshal format (marshal.h)
// that begins with a number:
//
//   to the worker    [0, method, arguments, scope, block]   a request
//                    [1, value]                             the answer to a question
//                    [2, message, token, is_lookup]         a question failed
//                    [3]                                    a block was left early: unwind
//                    [4]                                    the compilation is over; forget it
//   from the worker  [0, value]                             the answer to the request
//                    [1, message, class, token, place, own, is_foreign]  the request failed
//                    [2, name, arguments, scope, block]     a question to the compiler
//                    [3]                                    unwound
//                    [4]                                    ready for the next compilation
//
// Requests and questions nest like calls: while the worker waits for an answer it accepts further
// requests. `scope` is the number of a scope lent to the worker. `block` is nil or [number,
// smallest and largest count of parameters, their names] of a block, which the worker calls through
// the question "block.call" until the compilation ends; from the worker it is [number, smallest,
// largest] of a proc, which the compiler calls through the request "core.call_proc" until the
// question is answered. `token` identifies a native error that passed through Ruby unchanged (-1:
// none). `own` is nil where the error gets the place of the call, otherwise [file, line, column] of
// the place that it carries, any of which may be nil. An error is foreign when its class is none of
// the reference's.
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

// The notification that observers of reads get (see base/system/reads.h).
inline constexpr std::string_view kRubyWasRun = "Ruby code was run, which may read anything";

class RubySession final : public RubyHost {
 public:
  explicit RubySession(RubyOptions options) : options_(std::move(options)) {}
  ~RubySession() override;
  // Sets the evaluator that answers questions; required before the first call. It must outlive all
  // calls.
  void set_evaluator(Evaluator& evaluator) { evaluator_ = &evaluator; }

  Value call(const RubyRequest& request) override;
  bool is_available() override;
  std::string version() override;
  bool is_running() const override { return depth_ > 0; }

  // --- for the questions ---
  Evaluator& evaluator() { return *evaluator_; }
  const HandleTable& handles() const { return handles_; }
  // Lends a scope to the worker until the compilation ends.
  int64_t lend(Scope& scope);
  // Returns null when there is no scope of the number.
  Scope* scope(int64_t number) const;
  const Block* block(int64_t number) const;

 private:
  class LentBlock;
  // The worker has ended. With `error` it is reported, otherwise the request may be repeated.
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
  std::vector<const Block*> blocks_;        // by number; null for blocks whose request has ended
  std::vector<std::exception_ptr> errors_;  // by token
  uint32_t depth_ = 0;                      // nested requests
  // Whether the outermost request has changed anything in the compiler, so that it cannot be
  // repeated.
  bool has_effects_ = false;
  std::chrono::milliseconds rest_{0};  // the remaining time of the outermost request
  Value control_;                      // the value by which a block was left early
  std::exception_ptr unwinding_;       // another exception that passes through Ruby code
  std::string loss_;                   // how the last worker ended
  std::exception_ptr loss_error_;
};

// The place where Ruby code raised an error that became a native one: a file of a module or
// library, and its line.
struct RubyPlace {
  std::string file;
  int line;
};
// Reads it from the label of a diagnostic.
std::optional<RubyPlace> ruby_place_of(const Diagnostic& diagnostic);

// A question of a worker: the session, the scope that it refers to, and the block passed with it or
// null.
struct RubyAsking {
  RubySession& session;
  Scope& scope;
  std::span<const Value> arguments;
  const Block* block;
  const RubyRequest& request;  // the request that is running

  Evaluator& evaluator() const { return session.evaluator(); }
  Arena& arena() const;
  // Returns undef when the argument is missing.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
  // Returns an empty text when the argument is missing or not a string.
  std::string_view text(size_t at) const {
    return argument(at).is_string() ? argument(at).as_string() : std::string_view();
  }
  int64_t number(size_t at) const {
    return argument(at).is_integer() ? argument(at).as_integer() : -1;
  }
};

struct RubyQuestion {
  std::string_view name;
  bool is_pure;  // has no effect, so a repeated request may put it again
  // May return a control value. Throws EvaluationError.
  Value (*answer)(const RubyAsking& asking);
};
// Returns null when there is no question of the name.
const RubyQuestion* find_ruby_question(std::string_view name);

}  // namespace bunraku

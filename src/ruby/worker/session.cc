#include "ruby/worker/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/file_range.h"
#include "base/system/file_system.h"
#include "base/system/limits.h"
#include "base/system/profile.h"
#include "base/system/reads.h"
#include "evaluation/evaluator.h"
#include "ruby/worker/block.h"

namespace bunraku {
namespace {

// The kinds of messages: the number at a message's start.
enum class ToWorker : int64_t { kRequest, kAnswer, kFailure, kUnwind, kEnd, kAgain };
enum class FromWorker : int64_t { kAnswer, kFailure, kQuestion, kUnwound, kNone };

EvaluationError unreadable() {
  return EvaluationError(make_diagnostic(Issue::kUnreadableWorker, {},
                                         {"The Ruby worker sent a message that cannot be read"}));
}

// The kind of a message. It can be read even when the rest cannot, so that a question with an
// unreadable part still gets an answer.
FromWorker kind_of(std::string_view message) {
  if (message.size() < 6 || message[2] != '[' || message[4] != 'i') return FromWorker::kNone;
  const int number = message[5] == 0 ? 0 : message[5] - 5;
  return number >= 0 && number <= 3 ? static_cast<FromWorker>(number) : FromWorker::kNone;
}

std::string_view text_at(std::span<const Value> parts, size_t at) {
  if (at >= parts.size() || !parts[at].is_string()) return {};
  return parts[at].as_string();
}

int64_t number_at(std::span<const Value> parts, size_t at) {
  return at < parts.size() && parts[at].is_integer() ? parts[at].as_integer() : -1;
}

// The place [file, line, column] that an error of Ruby code carries.
Range range_of_place(std::span<const Value> place) {
  const auto number = [&](size_t at) {
    return static_cast<uint32_t>(std::clamp<int64_t>(number_at(place, at), 0, UINT32_MAX));
  };
  return range_in_file(std::string(text_at(place, 0)), number(1), number(2));
}

// The place where an error was raised, from a backtrace's first line "file:line:in `method'".
Range raised_range(std::string_view place) {
  const size_t colon = place.find(':');
  if (colon == place.npos) return {};
  const std::string line(place.substr(colon + 1));
  return range_in_file(std::string(place.substr(0, colon)),
                       static_cast<uint32_t>(std::max(std::atoi(line.c_str()), 0)));
}

// The message that Ruby code gets when it rescues a native error.
std::string text_for_ruby(const Diagnostic& diagnostic) {
  return (diagnostic.primary.file != nullptr ? "Evaluation Error: " : "") + one_line(diagnostic);
}

std::string in_brackets(std::string_view file) {
  return file.empty() ? std::string() : fmt::format(" ({})", file);
}

// "The function 'm::f' (line 3: the method 'unpack')"
std::string subject_with_reason(const RubyRequest& request) {
  return std::string(request.subject) + in_brackets(request.reason);
}

}  // namespace

std::optional<RubyPlace> ruby_place_of(const Diagnostic& diagnostic) {
  const Diagnostic& raised = root_cause(diagnostic);
  if (raised.issue != Issue::kRuntimeError || raised.labels.empty()) return std::nullopt;
  const FilePlace place = place_of(raised.labels.front().range);
  return RubyPlace{place.file, static_cast<int>(place.begin.line)};
}

RubySession::~RubySession() {
  if (worker_ == nullptr || depth_ != 0) return;
  std::string message;
  Arena arena;
  MarshalWriter writer(message, arena, handles_);
  writer.begin_array(1);
  writer.integer(static_cast<int64_t>(ToWorker::kEnd));
  if (worker_->send(message, RubyClock::now() + std::chrono::seconds(1)) !=
      RubyWorker::Outcome::kDone) {
    return;
  }
  RubyPool::instance().give_back(std::move(worker_));
}

bool RubySession::is_available() {
  if (worker_ != nullptr) return true;
  return options_.use != RubyUse::kNever && !find_ruby(options_.program).empty();
}

// Systems with several versions name the programs after them: `ruby` is a link to `ruby3.1`.
std::string RubySession::version() {
  static const std::string kVersion = [this] {
    const std::string program = path_without_links(find_ruby(options_.program));
    const size_t begin = program.rfind("/ruby");
    const std::string version = begin == program.npos ? std::string() : program.substr(begin + 5);
    const bool is_version =
        !version.empty() && version.find_first_not_of("0123456789.") == version.npos;
    return is_version ? version : std::string();
  }();
  return kVersion;
}

// --- what is lent -------------------------------------------------------------------------------

int64_t RubySession::lend(Scope& scope) {
  const auto [found, is_new] = scope_numbers_.emplace(&scope, static_cast<int64_t>(scopes_.size()));
  if (is_new) scopes_.push_back(&scope);
  return found->second;
}

Scope* RubySession::scope(int64_t number) const {
  return number >= 0 && static_cast<size_t>(number) < scopes_.size()
             ? scopes_[static_cast<size_t>(number)]
             : nullptr;
}

const Block* RubySession::block(int64_t number) const {
  return number >= 0 && static_cast<size_t>(number) < blocks_.size()
             ? blocks_[static_cast<size_t>(number)]
             : nullptr;
}

// --- calls --------------------------------------------------------------------------------------

Value RubySession::call(const RubyRequest& request) {
  report_untracked(kRubyWasRun);
  const std::string subject = Profile::current() != nullptr ? subject_with_reason(request) : "";
  const ProfileSpan span(WorkKind::kRuby, subject);
  if (depth_ > 0) return exchange(request);
  has_effects_ = false;
  rest_ = options_.timeout;
  WorkLimits* const limits = WorkLimits::current();
  if (limits != nullptr) {
    limits->check();
    rest_ = std::min(rest_, limits->rest().value_or(rest_));
  }
  for (int attempt = 0;; ++attempt) {
    try {
      return exchange(request);
    } catch (const Lost& lost) {
      if (limits != nullptr) limits->check();  // a limit may be why the worker has ended
      if (lost.error != nullptr) std::rethrow_exception(lost.error);
      if (attempt > 0 || has_effects_) fail_lost(request);
    }
  }
}

// Sends a request. Scopes and blocks that it refers to are lent to the worker until it returns.
Value RubySession::exchange(const RubyRequest& request) {
  struct Guard {
    explicit Guard(RubySession& session) : session(session) { ++session.depth_; }
    ~Guard() {
      if (--session.depth_ == 0) session.errors_.clear();
    }
    RubySession& session;
  };
  // Each level takes C++ stack; calls of functions have a bound of their own.
  constexpr uint32_t kMaxDepth = 500;
  if (depth_ >= kMaxDepth) evaluator_->fail_endless_recursion(request.place);
  const Guard guard(*this);
  // The worker expects the top scope as scope 0.
  if (scopes_.empty()) lend(evaluator_->top_scope());
  if (worker_ == nullptr) {
    // The worker of the enclosing request has ended.
    if (depth_ > 1) throw Lost{loss_error_};
    start(request);
  }
  return converse(request);
}

// A block lent to the worker while its request runs; what lasts of it is kept afterwards.
class RubySession::LentBlock {
 public:
  LentBlock(RubySession& session, const Block* block)
      : session_(session), number_(session.blocks_.size()), is_lent_(block != nullptr) {
    if (is_lent_) session_.blocks_.push_back(block);
  }
  ~LentBlock() {
    if (!is_lent_) return;
    const Block*& block = session_.blocks_[number_];
    block = block->lasting(session_.evaluator_->arena());
  }
  LentBlock(const LentBlock&) = delete;
  LentBlock& operator=(const LentBlock&) = delete;

  void write(MarshalWriter& writer) const;

 private:
  RubySession& session_;
  size_t number_;
  bool is_lent_;
};

void RubySession::LentBlock::write(MarshalWriter& writer) const {
  if (!is_lent_) return writer.nil();
  const Block& block = *session_.blocks_[number_];
  const IntegerRange count = parameter_range(block);
  const std::span<const SignatureParameter> parameters = block.signature().parameters;
  writer.begin_array(4);
  writer.integer(static_cast<int64_t>(number_));
  writer.integer(count.from);
  writer.integer(count.to == kMaxInteger ? -1 : count.to);
  writer.begin_array(parameters.size());
  for (const SignatureParameter& parameter : parameters) writer.string(parameter.name);
}

Value RubySession::converse(const RubyRequest& request) {
  Arena& arena = evaluator_->arena();
  const LentBlock block(*this, request.block);
  std::string message;
  {
    MarshalWriter writer(message, arena, handles_);
    writer.begin_array(5);
    writer.integer(static_cast<int64_t>(ToWorker::kRequest));
    writer.string(request.method);
    writer.begin_array(request.arguments.size());
    for (const Value argument : request.arguments) writer.value(argument);
    writer.integer(lend(request.scope != nullptr ? *request.scope : evaluator_->top_scope()));
    block.write(writer);
  }
  send(message, request);
  for (;;) {
    receive(message, request);
    switch (kind_of(message)) {
      case FromWorker::kAnswer: {
        const Value parts = read(message, request);
        return parts.as_array().size() > 1 ? parts.as_array()[1] : Value();
      }
      case FromWorker::kFailure:
        rethrow(read(message, request).as_array());
      case FromWorker::kUnwound:
        if (unwinding_ != nullptr) std::rethrow_exception(std::exchange(unwinding_, nullptr));
        return control_;
      case FromWorker::kQuestion:
        answer(message, request);
        break;
      default:
        discard(std::make_exception_ptr(unreadable()));
        throw Lost{loss_error_};
    }
  }
}

// Reads a message, which is always an array. When it has an object without a counterpart, the
// message is requested again: only then does the worker search for such objects.
Value RubySession::read(std::string_view message, const RubyRequest& request) {
  try {
    return read_once(message);
  } catch (const ForeignObjectSent&) {
    std::string plain;
    {
      MarshalWriter writer(plain, evaluator_->arena(), handles_);
      writer.begin_array(1);
      writer.integer(static_cast<int64_t>(ToWorker::kAgain));
    }
    send(plain, request);
    receive(plain, request);
    return read_once(plain);
  }
}

Value RubySession::read_once(std::string_view message) {
  const Value value =
      MarshalReader(message, evaluator_->arena(), handles_, evaluator_->host().types).read();
  if (!value.is_array()) throw unreadable();
  return value;
}

// Answers a question: [2, name, arguments, scope, block].
void RubySession::answer(std::string_view asked_message, const RubyRequest& request) {
  Arena& arena = evaluator_->arena();
  std::string message;
  try {
    const Value read_question = read(asked_message, request);
    const std::span<const Value> question = read_question.as_array();
    const RubyQuestion* known = find_ruby_question(text_at(question, 1));
    if (known == nullptr || question.size() != 5 || !question[2].is_array()) {
      throw unreadable();
    }
    Scope* asked = scope(number_at(question, 3));
    if (asked == nullptr) asked = &evaluator_->top_scope();
    if (!known->is_pure) has_effects_ = true;
    std::optional<RubyBlock> block;
    if (question[4].is_array()) {
      const std::span<const Value> parts = question[4].as_array();
      block.emplace(*this, arena, number_at(parts, 0), number_at(parts, 1), number_at(parts, 2));
    }
    const Value value =
        known->answer({*this, *asked, question[2].as_array(), block ? &*block : nullptr, request});
    MarshalWriter writer(message, arena, handles_);
    if (value.is_control()) {
      control_ = value;
      writer.begin_array(1);
      writer.integer(static_cast<int64_t>(ToWorker::kUnwind));
    } else {
      writer.begin_array(2);
      writer.integer(static_cast<int64_t>(ToWorker::kAnswer));
      writer.value(value);
    }
  } catch (const Lost&) {
    throw;
  } catch (const EvaluationError& error) {
    message.clear();
    errors_.push_back(std::current_exception());
    MarshalWriter writer(message, arena, handles_);
    writer.begin_array(4);
    writer.integer(static_cast<int64_t>(ToWorker::kFailure));
    writer.string(text_for_ruby(error.diagnostic()));
    writer.integer(static_cast<int64_t>(errors_.size()) - 1);
    writer.value(Value::boolean(error.kind() == ErrorKind::kLookup));
  } catch (...) {
    // Not an error but a control flow exception, which no Ruby code may stop.
    unwinding_ = std::current_exception();
    message.clear();
    MarshalWriter writer(message, arena, handles_);
    writer.begin_array(1);
    writer.integer(static_cast<int64_t>(ToWorker::kUnwind));
  }
  send(message, request);
}

// Throws the error of [1, message, class, token, place, own, is_foreign].
void RubySession::rethrow(std::span<const Value> failure) {
  const int64_t token = number_at(failure, 3);
  if (token >= 0 && static_cast<size_t>(token) < errors_.size()) {
    std::rethrow_exception(errors_[static_cast<size_t>(token)]);
  }
  Diagnostic diagnostic =
      make_diagnostic(Issue::kRuntimeError, {}, {std::string(text_at(failure, 1))});
  if (Range range = raised_range(text_at(failure, 4)); range.file != nullptr) {
    diagnostic.labels.push_back(
        {std::move(range), fmt::format("{} raised here", text_at(failure, 2))});
  }
  if (failure.size() > 6 && failure[6].is_truthy()) throw ForeignError(std::move(diagnostic));
  if (failure.size() < 6 || !failure[5].is_array()) throw EvaluationError(std::move(diagnostic));
  diagnostic.issue = Issue::kRubyError;
  diagnostic.primary = range_of_place(failure[5].as_array());
  const bool has_place = diagnostic.primary.file != nullptr;
  throw EvaluationError(std::move(diagnostic), has_place ? ErrorKind::kError : ErrorKind::kLookup);
}

// --- the worker ---------------------------------------------------------------------------------

void RubySession::start(const RubyRequest& request) {
  if (options_.use == RubyUse::kNever)
    fail_unavailable(request, "the option '--ruby never' is set");
  ModuleHost* modules = evaluator_->host().modules;
  std::vector<std::string> directories;
  if (modules != nullptr) directories = modules->module_directories();
  std::string configuration;
  for (const std::string& directory : directories) configuration.append(directory).append(1, '\n');
  std::string reason;
  worker_ = RubyPool::instance().take(options_, configuration, reason);
  if (worker_ == nullptr) fail_unavailable(request, reason);
  if (worker_->configuration == configuration) return;
  worker_->configuration = configuration;
  Arena& arena = evaluator_->arena();
  ArrayBuilder paths(arena, directories.size());
  for (const std::string& directory : directories) paths.push(Value::string(arena, directory));
  const Value arguments[] = {paths.finish()};
  RubyRequest setting_up = request;
  setting_up.method = "core.configure";
  setting_up.arguments = arguments;
  setting_up.block = nullptr;
  converse(setting_up);
}

void RubySession::send(std::string_view content, const RubyRequest& request) {
  if (worker_ == nullptr) throw Lost{loss_error_};
  switch (worker_->send(content, RubyClock::now() + rest_)) {
    case RubyWorker::Outcome::kDone:
      return;
    case RubyWorker::Outcome::kDead:
      lose();
    case RubyWorker::Outcome::kTimeout:
      fail_timeout(request);
  }
}

void RubySession::receive(std::string& content, const RubyRequest& request) {
  const RubyClock::time_point begin = RubyClock::now();
  const RubyWorker::Outcome outcome = worker_->receive(content, begin + rest_);
  rest_ -= std::min(
      rest_, std::chrono::duration_cast<std::chrono::milliseconds>(RubyClock::now() - begin));
  if (outcome == RubyWorker::Outcome::kDead) lose();
  if (outcome == RubyWorker::Outcome::kTimeout) fail_timeout(request);
}

void RubySession::lose() {
  loss_ = worker_->end_text();
  discard(nullptr);
  throw Lost{nullptr};
}

void RubySession::discard(std::exception_ptr error) {
  worker_.reset();
  loss_error_ = std::move(error);
}

void RubySession::fail_timeout(const RubyRequest& request) {
  const std::string seconds =
      fmt::format("{:g}", static_cast<double>(options_.timeout.count()) / 1000);
  discard(std::make_exception_ptr(EvaluationError(
      make_diagnostic(Issue::kRubyTimeout, request.place.range(),
                      {std::string(request.subject), in_brackets(request.file), seconds}))));
  throw Lost{loss_error_};
}

void RubySession::fail_lost(const RubyRequest& request) {
  throw EvaluationError(
      make_diagnostic(Issue::kRubyDied, request.place.range(),
                      {std::string(request.subject), in_brackets(request.file), loss_}));
}

void RubySession::fail_unavailable(const RubyRequest& request, std::string_view reason) {
  throw EvaluationError(make_diagnostic(
      Issue::kRubyUnavailable, request.place.range(),
      {subject_with_reason(request), in_brackets(request.file), std::string(reason)}));
}

}  // namespace bunraku

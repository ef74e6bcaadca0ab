// Diagnostics: plain records, made where a mistake is found and turned into text only when somebody
// reads them (see diagnostic_renderer.h). Every kind stands once in diagnostics.def, with its
// stable code, the reference's name for it, its severity and its message.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/source.h"

namespace bunraku {

enum class Severity : uint8_t { kIgnore, kDeprecation, kWarning, kError };

// What family a fatal error belongs to; chooses the prefix of its message and its `kind` in JSON.
enum class ErrorKind : uint8_t { kSyntax, kEvaluation, kLookup, kUsage, kUnrepresentable, kError };

// The kinds of diagnostics, by the reference's issue name (our own where it has none):
// Issue::kUnknownVariable and so on.
enum class Issue : uint16_t {
#define DIAGNOSTIC(number, identifier, issue_code, severity, message) k##identifier,
#include "base/diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

// The registry's record of an issue.
struct IssueInfo {
  uint16_t number;              // ours and stable: BK1234; a retired number is never used again
  std::string_view issue_code;  // the reference's name; empty where it has none
  Severity severity;            // unless settings demote it
  // With {0}, {1}... for the arguments, {cause} for the message of the cause, and {cause at} for it
  // with its place.
  std::string_view message;
  bool has_cause;  // the message holds that of a cause
  // The reference raises it where it knows no code: while an expression is evaluated, it becomes
  // the cause of a diagnostic that names the expression.
  bool is_raised;
};
const IssueInfo& info(Issue issue);
// How many issues there are; their values count from 0.
size_t issue_count();
// "BK1234"
std::string code(Issue issue);

// A stretch of a file that a diagnostic points at. Shares ownership of the text, so a diagnostic
// may outlive all that made it. `file` may be null (a place outside any source).
struct Range {
  SourcePointer file;
  Location location;
  // Messages have the line alone, as the reference does of hiera.yaml.
  bool is_whole_line = false;
  // Reported with the file alone, although its place is known: the reference gives no line.
  bool is_whole_file = false;
};

struct Label {
  Range range;
  std::string text;
};

// A replacement that would mend the mistake.
struct Fix {
  Range range;
  std::string replacement;
  std::string description;
};

struct Diagnostic {
  Issue issue;
  Severity severity = Severity::kError;
  Range primary;
  std::vector<std::string> arguments;  // for the message's {0}, {1}...
  std::vector<Label> labels;           // secondary places
  std::vector<std::string> notes;
  std::vector<Fix> fixes;
  // The diagnostic that made this one; null when nothing else did. Immutable and shared by copies.
  std::shared_ptr<const Diagnostic> cause = nullptr;

  // The message alone, without its place. Holds the messages of the causes as the reference nests
  // them.
  std::string message() const;
};

// Makes a diagnostic with the registry's severity.
Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments = {});
// The same with what caused it.
Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments,
                           Diagnostic cause);

// The first link of the chain of causes: the diagnostic that has no cause.
const Diagnostic& root_cause(const Diagnostic& diagnostic);

// The whole chain as one diagnostic for people: the message and code of the root cause, the
// innermost place that is known, the labels, notes and fixes of all, and a label or a note for each
// step of the way there.
Diagnostic flattened(const Diagnostic& diagnostic);

// The reference's name for the diagnostic, as an error of that kind has it; empty where it has
// none: what is raised outside any expression is a bare message there.
std::string_view reference_code(const Diagnostic& diagnostic, ErrorKind kind);

// An error that ends an evaluation. Holds one diagnostic and the chain of calls that led to it,
// innermost first.
class EvaluationError : public std::exception {
 public:
  explicit EvaluationError(Diagnostic diagnostic, ErrorKind kind = ErrorKind::kEvaluation);
  const char* what() const noexcept override;  // the message alone
  const Diagnostic& diagnostic() const { return *diagnostic_; }
  Diagnostic& diagnostic() { return *diagnostic_; }
  ErrorKind kind() const { return kind_; }
  void set_kind(ErrorKind kind) { kind_ = kind; }

 private:
  // Shared, because exceptions are copied and may not throw while they are.
  std::shared_ptr<Diagnostic> diagnostic_;
  std::shared_ptr<std::string> what_;
  ErrorKind kind_;
};

// An error of what lies below the reference: a library, or Ruby code that raised no error of the
// reference's. It stays what it is on its way out of a look-up, where others become look-up errors.
class ForeignError : public EvaluationError {
 public:
  using EvaluationError::EvaluationError;
};

// Where diagnostics of a stage go: a list that grows to a bound set by the stage that fills it.
class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

// Keeps all.
class DiagnosticList : public DiagnosticSink {
 public:
  void report(Diagnostic diagnostic) override { all.push_back(std::move(diagnostic)); }
  bool has_errors() const;
  std::vector<Diagnostic> all;
};

}  // namespace bunraku

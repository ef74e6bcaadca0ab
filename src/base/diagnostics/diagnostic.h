// Diagnostics: plain records, made where an error is found and converted to text only when they are
// shown (see diagnostic_renderer.h). diagnostics.def defines every kind, with its stable code, the
// reference's name for it, its severity and its message.
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

// The family of a fatal error; determines the prefix of its message and its `kind` in JSON.
enum class ErrorKind : uint8_t { kSyntax, kEvaluation, kLookup, kUsage, kUnrepresentable, kError };

// The kinds of diagnostics, by the reference's issue name (or one of this program):
// Issue::kUnknownVariable and so on.
enum class Issue : uint16_t {
#define DIAGNOSTIC(number, identifier, issue_code, severity, message) k##identifier,
#include "base/diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

// The registry's record of an issue.
struct IssueInfo {
  uint16_t number;              // the stable number of the code BK1234; never reused
  std::string_view issue_code;  // the reference's name; empty when it has none
  Severity severity;            // the default, which settings may lower
  // With {0}, {1}... for the arguments, {cause} for the message of the cause, and {cause at} for it
  // with its place.
  std::string_view message;
  bool has_cause;  // the message includes that of a cause
  // The reference raises it without knowledge of the code: while an expression is evaluated, it
  // becomes the cause of a diagnostic that names the expression.
  bool is_raised;
};
const IssueInfo& info(Issue issue);
// The number of issues; their values count from 0.
size_t issue_count();
// "BK1234"
std::string code(Issue issue);

// The range of a file that a diagnostic refers to. It shares ownership of the text, so a diagnostic
// may outlive its origin. `file` may be null (a place outside any source).
struct Range {
  SourcePointer file;
  Location location;
  // Messages show only the line, as the reference does for hiera.yaml.
  bool is_whole_line = false;
  // Messages show only the file, although the place is known, because the reference reports no
  // line.
  bool is_whole_file = false;
};

struct Label {
  Range range;
  std::string text;
};

// A replacement that would correct the error.
struct Fix {
  Range range;
  std::string replacement;
  std::string description;
};

struct Diagnostic {
  Issue issue;
  Severity severity = Severity::kError;
  Range primary;
  std::vector<std::string> arguments;  // for {0}, {1}... of the message
  std::vector<Label> labels;           // secondary places
  std::vector<std::string> notes;
  std::vector<Fix> fixes;
  // The cause of this diagnostic; null when there is none. Immutable and shared by copies.
  std::shared_ptr<const Diagnostic> cause = nullptr;

  // The message without its place. It includes the messages of the causes, nested as in the
  // reference.
  std::string message() const;
};

// Makes a diagnostic with the registry's severity.
Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments = {});
// The same, with a cause.
Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments,
                           Diagnostic cause);

// Returns the diagnostic at the end of the chain of causes.
const Diagnostic& root_cause(const Diagnostic& diagnostic);

// Returns the whole chain as one diagnostic for display: the message and code of the root cause,
// the innermost known place, the labels, notes and fixes of all, and a label or a note for each
// step.
Diagnostic flattened(const Diagnostic& diagnostic);

// The reference's issue code of the diagnostic in an error of that kind; empty when it has none,
// because errors outside any expression are plain messages there.
std::string_view reference_code(const Diagnostic& diagnostic, ErrorKind kind);

// An error that ends an evaluation, with one diagnostic and the chain of calls that led to it,
// innermost first.
class EvaluationError : public std::exception {
 public:
  explicit EvaluationError(Diagnostic diagnostic, ErrorKind kind = ErrorKind::kEvaluation);
  const char* what() const noexcept override;  // the message only
  const Diagnostic& diagnostic() const { return *diagnostic_; }
  Diagnostic& diagnostic() { return *diagnostic_; }
  ErrorKind kind() const { return kind_; }
  void set_kind(ErrorKind kind) { kind_ = kind; }

 private:
  // Shared, because copying an exception must not throw.
  std::shared_ptr<Diagnostic> diagnostic_;
  std::shared_ptr<std::string> what_;
  ErrorKind kind_;
};

// An error from outside of the reference: of a library, or of Ruby code that raised no error of the
// reference's. A look-up passes it on unchanged, whereas others become look-up errors.
class ForeignError : public EvaluationError {
 public:
  using EvaluationError::EvaluationError;
};

// Receives diagnostics of a stage, which limits their number itself.
class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

// Keeps all diagnostics.
class DiagnosticList : public DiagnosticSink {
 public:
  void report(Diagnostic diagnostic) override { all.push_back(std::move(diagnostic)); }
  bool has_errors() const;
  std::vector<Diagnostic> all;
};

}  // namespace bunraku

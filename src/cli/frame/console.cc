#include "cli/frame/console.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "base/system/version.h"
#include "base/text/ascii.h"
#include "cli/frame/line_editor.h"
#include "cli/frame/session.h"
#include "conversion/conversion.h"
#include "evaluation/interrupt.h"
#include "functions/core/registry.h"
#include "syntax/dump.h"
#include "syntax/parser.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {

using compilation::CodeEvaluation;

namespace {

constexpr std::string_view kTypeNames[] = {
    "Any",        "Array",      "Binary",  "Boolean",     "Callable",  "CatalogEntry", "Class",
    "Collection", "Data",       "Default", "Deferred",    "Enum",      "Error",        "Float",
    "Hash",       "Init",       "Integer", "Iterable",    "Iterator",  "NotUndef",     "Numeric",
    "Object",     "Optional",   "Pattern", "Regexp",      "Resource",  "RichData",     "Runtime",
    "Scalar",     "ScalarData", "SemVer",  "SemVerRange", "Sensitive", "String",       "Struct",
    "Timespan",   "Timestamp",  "Tuple",   "Type",        "TypeSet",   "URI",          "Undef",
    "Variant"};
constexpr std::string_view kKeywords[] = {"and",   "case",     "default", "else", "elsif",
                                          "false", "function", "if",      "in",   "or",
                                          "true",  "undef",    "unless"};
constexpr std::string_view kCommands[] = {":dump", ":help", ":quit", ":type"};

constexpr std::string_view kHelp =
    "Type an expression to see its value; what it assigns and defines stays.\n"
    "An expression may go on over several lines; an empty line ends it.\n"
    "  :type EXPR   the type of the value\n"
    "  :dump EXPR   the tree\n"
    "  :quit        leave (so does the end of input, Ctrl-D)\n"
    "  :help        this text\n"
    "Ctrl-C drops what is being typed, and ends what is being evaluated.\n"
    "The tabulator completes functions, types and $variables; Ctrl-R searches what was typed "
    "before.\n";

// The path of the history; empty without a home directory.
std::string history_path() {
  std::string directory;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
    directory = state;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    directory = std::string(home) + "/.local/state";
  } else {
    return {};
  }
  directory += "/bunraku";
  for (size_t at = directory.find('/', 1);; at = directory.find('/', at + 1)) {
    mkdir(directory.substr(0, at).c_str(), 0700);
    if (at == std::string::npos) break;
  }
  return directory + "/history";
}

// --- colour --------------------------------------------------------------------------------------

constexpr std::string_view kStringColor = "\033[32m";
constexpr std::string_view kNumberColor = "\033[36m";
constexpr std::string_view kTypeColor = "\033[33m";
constexpr std::string_view kKeywordColor = "\033[35m";
constexpr std::string_view kPlain = "\033[0m";

// The length of the quoted string at the start of the text.
size_t quoted_size(std::string_view text) {
  size_t at = 1;
  while (at < text.size() && text[at] != text[0]) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

size_t word_size(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && (is_word_character(text[at]) || text[at] == ':')) ++at;
  return at;
}

// A value's text with colours for its parts.
std::string colored(std::string_view text) {
  std::string out;
  auto add = [&](std::string_view color, size_t size) {
    out += color;
    out += text.substr(0, size);
    out += kPlain;
    text.remove_prefix(size);
  };
  while (!text.empty()) {
    const char first = text[0];
    if (first == '\'' || first == '"') {
      add(kStringColor, quoted_size(text));
    } else if (is_digit(first)) {
      size_t size = 1;
      while (size < text.size() && (is_word_character(text[size]) || text[size] == '.')) {
        ++size;
      }
      add(kNumberColor, size);
    } else if (is_word_character(first)) {
      const size_t size = word_size(text);
      const std::string_view word = text.substr(0, size);
      const bool is_keyword =
          word == "true" || word == "false" || word == "undef" || word == "default";
      const bool is_type = first >= 'A' && first <= 'Z';
      add(is_keyword ? kKeywordColor : (is_type ? kTypeColor : std::string_view()), size);
    } else {
      out += first;
      text.remove_prefix(1);
    }
  }
  return out;
}

// --- Ctrl-C --------------------------------------------------------------------------------------

// During its lifetime, Ctrl-C ends the current evaluation and not the program.
class InterruptHandler {
 public:
  InterruptHandler() {
    struct sigaction action{};
    action.sa_handler = [](int) { is_interrupted = true; };
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptHandler() { sigaction(SIGINT, &before_, nullptr); }
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

 private:
  struct sigaction before_{};
};

// --- the console ---------------------------------------------------------------------------------

class Console {
 public:
  Console(CodeEvaluation& evaluation, Session& session)
      : evaluation_(evaluation), session_(session), editor_(history_path()) {
    editor_.set_completer([this](std::string_view word) { return candidates(word); });
  }

  int run() {
    session_.print(fmt::format("bunraku {}; :help lists what can be typed here\n", kVersion));
    session_.flush();
    const InterruptHandler handler;
    while (std::optional<std::string> text = read_expression()) {
      if (*text == ":quit" || *text == ":q") break;
      if (!text->empty()) respond(*text);
      session_.flush();
    }
    session_.print("\n");
    return kExitSuccess;
  }

 private:
  // Reads lines until the expression is complete or an empty line ends it. No value at the end of
  // input.
  std::optional<std::string> read_expression() {
    std::string text;
    while (true) {
      std::optional<std::string> line = editor_.read(text.empty() ? ">> " : " > ");
      if (editor_.was_interrupted()) {
        session_.print("\n");
        return std::string();
      }
      if (!line) return std::nullopt;
      const bool is_blank = line->find_first_not_of(" \t") == std::string::npos;
      if (text.empty() && is_blank) return std::string();
      if (!text.empty() && is_blank) break;
      text += text.empty() ? *line : "\n" + *line;
      if (text[0] == ':' || !is_incomplete(text)) break;
    }
    editor_.remember(text);
    return text;
  }

  static bool is_incomplete(const std::string& text) {
    DiagnosticList found;
    parse(std::make_shared<const SourceFile>("", text), {}, found);
    for (const Diagnostic& diagnostic : found.all) {
      switch (diagnostic.issue) {
        case Issue::kUnclosedQuote:
        case Issue::kUnclosedMlcomment:
        case Issue::kHeredocWithoutText:
        case Issue::kHeredocWithoutEndTaggedLine:
          return true;
        case Issue::kSyntaxError:
          return diagnostic.arguments.size() == 1 && diagnostic.arguments[0] == "end of input";
        default:
          break;
      }
    }
    return false;
  }

  void respond(const std::string& text) {
    is_interrupted = false;
    try {
      if (text.starts_with(":help")) {
        session_.print(kHelp);
      } else if (text.starts_with(":type ")) {
        const Value value = evaluation_.evaluate(text.substr(6));
        show(Value::type(infer_detailed(evaluation_.arena(), value)));
      } else if (text.starts_with(":dump ")) {
        dump(text.substr(6));
      } else if (text[0] == ':') {
        session_.print(fmt::format("there is no command {}; :help lists them\n", text));
      } else {
        show(evaluation_.evaluate(text));
      }
    } catch (const EvaluationError& error) {
      session_.report(error.diagnostic());
    } catch (const std::exception& error) {
      session_.print(fmt::format("{}\n", error.what()));
    }
  }

  void show(Value value) {
    const Value text = to_formatted_string(evaluation_.arena(), value, Value::string("%#p"));
    const std::string shown(text.as_string());
    session_.print((session_.has_color_output() ? colored(shown) : shown) + "\n");
  }

  void dump(std::string code) {
    const ProgramPointer program = evaluation_.parse(std::move(code));
    session_.print(bunraku::dump(*program, DumpFormat::kPn, true) + "\n");
  }

  std::vector<std::string> candidates(std::string_view word) {
    std::vector<std::string> found;
    auto add = [&](std::string_view candidate) {
      if (candidate.starts_with(word)) found.emplace_back(candidate);
    };
    if (word.starts_with('$')) {
      HashBuilder variables(evaluation_.arena());
      evaluation_.compiler().evaluator().top_scope().add_visible_to(variables);
      for (const HashEntry& entry : variables.finish().as_hash()) {
        add("$" + std::string(entry.key.as_string()));
      }
    } else if (word.starts_with(':')) {
      for (const std::string_view command : kCommands) add(command);
    } else if (!word.empty()) {
      for (const std::string_view name : kTypeNames) add(name);
      for (const std::string_view name : kKeywords) add(name);
      for (const NativeFunctionInfo* function : builtin_functions()) add(function->name);
    }
    std::ranges::sort(found);
    return found;
  }

  CodeEvaluation& evaluation_;
  Session& session_;
  LineEditor editor_;
};

}  // namespace

int run_console(CodeEvaluation& evaluation, Session& session) {
  return Console(evaluation, session).run();
}

}  // namespace bunraku

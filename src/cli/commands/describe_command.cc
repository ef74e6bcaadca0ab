#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/diagnostic_explanation.h"
#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/text/suggestion.h"
#include "base/text/utf8.h"
#include "cli/commands/commands.h"
#include "cli/commands/describe_type.h"
#include "cli/commands/differences.h"
#include "cli/frame/help.h"
#include "cli/frame/session.h"
#include "functions/core/registry.h"
#include "resource_types/native_type.h"

namespace bunraku {
namespace {

struct DescribeOptions {
  std::vector<std::string> words;  // [KIND] NAME, or a kind in the plural
  bool is_list = false;
  TypeDetail type_detail;
};

struct Kinds {
  bool types = false;
  bool functions = false;
  bool diagnostics = false;
  bool differences = false;
};
constexpr Kinds kAllKinds{true, true, true, true};

// The kind for "function" or, with the ending, "functions"; no value for other words.
std::optional<Kinds> kind_named(std::string_view word, std::string_view ending = "") {
  const auto is = [&](std::string_view kind) {
    return word.starts_with(kind) && word.substr(kind.size()) == ending;
  };
  if (is("type")) return Kinds{.types = true};
  if (is("function")) return Kinds{.functions = true};
  if (is("diagnostic")) return Kinds{.diagnostics = true};
  if (is("difference")) return Kinds{.differences = true};
  return std::nullopt;
}

// Everything with a given name.
struct Findings {
  std::vector<const NativeType*> types;
  std::vector<const NativeFunctionInfo*> functions;
  std::vector<Issue> issues;
  std::vector<Difference> differences;
  bool empty() const {
    return types.empty() && functions.empty() && issues.empty() && differences.empty();
  }
};

std::vector<const NativeFunctionInfo*> all_functions() {
  std::vector<const NativeFunctionInfo*> all;
  for (const NativeFunctionInfo* info : builtin_functions()) all.push_back(info);
  for (const NativeFunctionInfo* info : stdlib_functions()) all.push_back(info);
  return all;
}

std::vector<Issue> all_issues() {
  std::vector<Issue> all;
  for (size_t i = 0; i < issue_count(); ++i) all.push_back(static_cast<Issue>(i));
  return all;
}

Findings everything_of(Kinds kinds) {
  Findings all;
  if (kinds.types) {
    for (const NativeType& type : native_types()) all.types.push_back(&type);
    std::ranges::sort(all.types, [](const NativeType* a, const NativeType* b) {
      return a->name.text() < b->name.text();
    });
  }
  if (kinds.functions) all.functions = all_functions();
  if (kinds.diagnostics) all.issues = all_issues();
  if (kinds.differences) all.differences = all_differences();
  return all;
}

Findings find_all(Kinds kinds, std::string_view name) {
  Findings found = everything_of(kinds);
  const std::string lower = downcase(name), upper = upcase(name);
  std::erase_if(found.types, [&](const auto* type) { return type->name.text() != lower; });
  std::erase_if(found.functions, [&](const auto* function) { return function->name != name; });
  std::erase_if(found.issues, [&](Issue issue) {
    return upper != code(issue) && upper != info(issue).issue_code;
  });
  std::erase_if(found.differences, [&](const Difference& one) { return one.id != upper; });
  return found;
}

UsageError unknown_name(Kinds kinds, std::string_view name) {
  const Findings all = everything_of(kinds);
  std::vector<std::string_view> names;
  for (const NativeType* type : all.types) names.push_back(type->name.text());
  for (const NativeFunctionInfo* function : all.functions) names.push_back(function->name);
  for (const Issue issue : all.issues) names.push_back(info(issue).issue_code);
  for (const Difference& one : all.differences) names.push_back(one.id);
  const bool is_any = kinds.types && kinds.functions;
  const std::string_view what = is_any              ? "type, function, diagnostic or difference"
                                : kinds.types       ? "type"
                                : kinds.functions   ? "function"
                                : kinds.diagnostics ? "diagnostic"
                                                    : "difference";
  std::string message = fmt::format("no {} has the name '{}'", what, name);
  std::string_view close = closest_name(name, names);
  if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
  return UsageError(message);
}

// Returns whether a diagnostic's message is only its argument, so that its messages have no words
// in common.
bool is_all_argument(Issue issue) {
  return info(issue).message == "{0}" || info(issue).message == "{cause}" ||
         info(issue).message == "{0}{cause at}";
}

std::string_view first_sentence(const Explanation* found) {
  if (found == nullptr) return {};
  const size_t end = found->text.find_first_of(".:");
  return found->text.substr(0, end);
}

// --- as text ---

class TextDescription {
 public:
  TextDescription(Session& session, const TypeDetail& type_detail)
      : session_(session),
        type_detail_(type_detail),
        width_(std::min(terminal_width(STDOUT_FILENO), 100u)) {}

  void add(const NativeType& type) {
    begin(fmt::format("Resource type {}", type.name.text()));
    session_.print(type_text(type, type_detail_, width_));
  }

  void add(const NativeFunctionInfo& function) {
    begin(fmt::format("Function {}", function.name));
    if (!function.documentation.empty()) session_.print(wrapped(function.documentation, 2, width_));
    std::string signatures;
    for (const Overload& overload : function.overloads) {
      if (overload.is_unlisted) continue;
      signatures += fmt::format("    {}{}\n", function.name, overload.signature);
    }
    session_.print(fmt::format("\n  Signatures\n{}", signatures));
    if (!function.example.empty()) {
      session_.print("\n  Example\n");
      session_.print(indented(function.example));
    }
  }

  void add(Issue issue) {
    std::string name = code(issue);
    if (!info(issue).issue_code.empty()) name += fmt::format(" ({})", info(issue).issue_code);
    begin(fmt::format("Diagnostic {}", name));
    section("Severity", std::string(name_of(info(issue).severity)));
    if (!is_all_argument(issue)) section("Message", std::string(info(issue).message));
    if (const Explanation* found = explanation(issue)) {
      section("Meaning", std::string(found->text));
      example("Wrong", replace_invalid_utf8(found->wrong));
      example("Right", found->right);
    }
  }

  void add(const Difference& difference) {
    begin(fmt::format("Difference {}: {}", difference.id, difference.title));
    section("Effect", difference.effect);
    section("Area", difference.area);
    section("Since", difference.since);
    for (const std::string& paragraph : difference.paragraphs) {
      session_.print("\n" + wrapped(paragraph, 2, width_));
    }
    std::string cases;
    for (const std::string& name : difference.cases) {
      cases += fmt::format("    tests/cases/{}\n", name);
    }
    if (!cases.empty()) session_.print("\n  Shown by\n" + cases);
  }

 private:
  void begin(const std::string& heading) {
    if (has_begun_) session_.print("\n");
    has_begun_ = true;
    session_.print(session_.has_color_output() ? fmt::format("\033[1m{}\033[0m\n", heading)
                                               : heading + "\n");
  }

  void section(std::string_view title, const std::string& text) {
    if (text.empty()) return;
    session_.print(fmt::format("\n  {}\n{}", title, wrapped(text, 4, width_)));
  }

  void example(std::string_view title, std::string_view code) {
    session_.print(fmt::format("\n  {}\n{}", title, indented(code)));
  }

  static std::string indented(std::string_view text) {
    std::string result;
    while (!text.empty()) {
      const size_t end = text.find('\n');
      result += fmt::format("    {}\n", text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return result;
  }

  Session& session_;
  const TypeDetail& type_detail_;
  uint32_t width_;
  bool has_begun_ = false;
};

// --- as JSON ---

void write(JsonWriter& json, const NativeFunctionInfo& function) {
  json.begin_object();
  json.member("kind", std::string_view("function"));
  json.member("name", function.name);
  json.key("signatures");
  json.begin_array();
  for (const Overload& overload : function.overloads) {
    if (!overload.is_unlisted) json.string(overload.signature);
  }
  json.end_array();
  json.member("documentation", function.documentation);
  json.member("example", function.example);
  json.end_object();
}

void write(JsonWriter& json, Issue issue) {
  json.begin_object();
  json.member("kind", std::string_view("diagnostic"));
  json.member("code", std::string_view(code(issue)));
  json.member("issue_code", info(issue).issue_code);
  json.member("severity", name_of(info(issue).severity));
  json.member("message", info(issue).message);
  if (const Explanation* found = explanation(issue)) {
    json.member("explanation", found->text);
    // Examples that are not valid text are left out.
    if (is_valid_utf8(found->wrong)) json.member("wrong", found->wrong);
    json.member("right", found->right);
  }
  json.end_object();
}

void write(JsonWriter& json, const Difference& difference) {
  json.begin_object();
  json.member("kind", std::string_view("difference"));
  json.member("id", std::string_view(difference.id));
  json.member("title", std::string_view(difference.title));
  json.member("area", std::string_view(difference.area));
  json.member("effect", std::string_view(difference.effect));
  json.member("since", std::string_view(difference.since));
  json.key("cases");
  json.begin_array();
  for (const std::string& name : difference.cases) json.string(name);
  json.end_array();
  json.member("text", std::string_view(difference.text));
  json.end_object();
}

void print_as_json(const Findings& found, const DescribeOptions& options, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_array();
  for (const NativeType* type : found.types) {
    write_type(json, *type, options.type_detail.with_metaparameters);
  }
  for (const NativeFunctionInfo* function : found.functions) write(json, *function);
  for (const Issue issue : found.issues) write(json, issue);
  for (const Difference& difference : found.differences) write(json, difference);
  json.end_array();
  session.print(text + "\n");
}

void print_as_text(const Findings& found, const DescribeOptions& options, Session& session) {
  TextDescription description(session, options.type_detail);
  for (const NativeType* type : found.types) description.add(*type);
  for (const NativeFunctionInfo* function : found.functions) description.add(*function);
  for (const Issue issue : found.issues) description.add(issue);
  for (const Difference& difference : found.differences) description.add(difference);
}

// Prints a line for each entry.
class List {
 public:
  explicit List(Session& session) : session_(session) {}

  void print(const Findings& all) {
    if (!all.types.empty()) begin("Resource types");
    for (const NativeType* type : all.types) {
      const std::string_view summary = type_summary(*type);
      line(summary.empty() ? std::string(type->name.text())
                           : fmt::format("{:<24} {}", type->name.text(), summary));
    }
    if (!all.functions.empty()) begin("Functions");
    for (const NativeFunctionInfo* function : all.functions) {
      const std::string_view words = function->documentation;
      line(fmt::format("{:<24} {}", function->name, words.substr(0, words.find_first_of(".\n"))));
    }
    if (!all.issues.empty()) begin("Diagnostics");
    for (const Issue issue : all.issues) {
      line(fmt::format(
          "{} {:<11} {}", code(issue), name_of(info(issue).severity),
          is_all_argument(issue) ? first_sentence(explanation(issue)) : info(issue).message));
    }
    if (!all.differences.empty()) begin("Differences from the reference");
    for (const Difference& one : all.differences) {
      line(fmt::format("{:<5} {:<14} {}", one.id, one.effect, one.title));
    }
  }

 private:
  void begin(std::string_view heading) {
    session_.print(fmt::format("{}{}\n", has_begun_ ? "\n" : "", heading));
    has_begun_ = true;
  }
  void line(const std::string& text) { session_.print("  " + text + "\n"); }

  Session& session_;
  bool has_begun_ = false;
};

// The entries that the words request; `is_list` is set when the words name no single entry.
Findings asked_for(const DescribeOptions& options, bool& is_list) {
  const std::vector<std::string>& words = options.words;
  is_list = true;
  if (options.is_list) return everything_of(kAllKinds);
  if (words.empty()) throw UsageError("argument NAME is missing");
  if (words.size() > 2) throw UsageError(fmt::format("unexpected argument '{}'", words[2]));
  if (words.size() == 1) {
    if (const auto kinds = kind_named(words[0], "s")) return everything_of(*kinds);
  }
  is_list = false;
  Kinds kinds = kAllKinds;
  if (words.size() == 2) {
    const auto named = kind_named(words[0]);
    if (!named) {
      throw UsageError(
          fmt::format("'{}' is none of type, function, diagnostic and difference", words[0]));
    }
    kinds = *named;
  }
  Findings found = find_all(kinds, words.back());
  if (found.empty()) throw unknown_name(kinds, words.back());
  return found;
}

int describe(const DescribeOptions& options, Session& session) {
  bool is_list = false;
  const Findings found = asked_for(options, is_list);
  if (session.format_or("text") == "json") {
    print_as_json(found, options, session);
  } else if (is_list) {
    List(session).print(found);
  } else {
    print_as_text(found, options, session);
  }
  return kExitSuccess;
}

}  // namespace

Command make_describe_command() {
  auto options = std::make_shared<DescribeOptions>();
  Command command("describe", "What a resource type, a function, a diagnostic or a difference is");
  command.argument(
      "[NAME...]",
      "a resource type (file), a function (split), a diagnostic, by its code (BK2001) or the "
      "reference's name for it (UNKNOWN_VARIABLE), or a difference from the reference (D65); "
      "'type', 'function', 'diagnostic' or 'difference' before it says which is meant, and their "
      "plurals list all",
      options->words);
  command.flag("-l, --list", "list all there is to describe", options->is_list);
  command.flag("-s, --short", "of a resource type, list the names of attributes alone",
               options->type_detail.is_short);
  command.flag("-p, --providers", "of a resource type, describe the providers, too",
               options->type_detail.with_providers);
  command.flag("-m, --meta", "of a resource type, describe the metaparameters, too",
               options->type_detail.with_metaparameters);
  command.formats({"text", "json"});
  command.example("bunraku describe split", "shows how a function is called, with an example");
  command.example("bunraku describe --providers package",
                  "shows the attributes of a resource type and the providers of it");
  command.example("bunraku describe functions", "lists the built-in functions");
  command.example("bunraku describe BK2001", "explains the code at the head of a message");
  command.example("bunraku describe D65", "shows where and why the reference does otherwise");
  command.run([options](Session& session) { return describe(*options, session); });
  return command;
}

}  // namespace bunraku

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "catalog/native_type.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"
#include "functions/registry.h"
#include "support/diagnostic.h"
#include "support/diagnostic_explanation.h"
#include "support/diagnostic_renderer.h"
#include "support/json.h"
#include "support/suggestion.h"
#include "support/utf8.h"

namespace bunraku {
namespace {

struct DescribeOptions {
  std::string name;
  bool is_list = false;
};

// All that bears a name.
struct Findings {
  std::vector<const NativeType*> types;
  std::vector<const NativeFunctionInfo*> functions;
  std::vector<Issue> issues;
  bool empty() const { return types.empty() && functions.empty() && issues.empty(); }
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

Findings find_all(std::string_view name) {
  Findings found;
  if (const NativeType* type = find_native_type(Name(downcase(name)))) found.types.push_back(type);
  for (const NativeFunctionInfo* info : all_functions()) {
    if (info->name == name) found.functions.push_back(info);
  }
  std::string upper = upcase(name);
  for (Issue issue : all_issues()) {
    if (upper == code(issue) || upper == info(issue).issue_code) found.issues.push_back(issue);
  }
  return found;
}

UsageError unknown_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const NativeType& type : native_types()) names.push_back(type.name.text());
  for (const NativeFunctionInfo* info : all_functions()) names.push_back(info->name);
  for (Issue issue : all_issues()) names.push_back(info(issue).issue_code);
  std::string message = fmt::format("no type, function or diagnostic has the name '{}'", name);
  std::string_view close = closest_name(name, names);
  if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
  return UsageError(message);
}

std::string joined(const std::vector<Name>& names) {
  std::string text;
  for (Name name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", name.text());
  return text;
}

// --- as text ---

class TextDescription {
 public:
  explicit TextDescription(Session& session)
      : session_(session), width_(std::min(terminal_width(STDOUT_FILENO), 100u)) {}

  void add(const NativeType& type) {
    begin(fmt::format("Resource type {}", type.name.text()));
    section("Named by", joined(type.key_attributes));
    section("Properties", joined(type.properties));
    section("Parameters", joined(type.parameters));
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
    section("Message", std::string(info(issue).message));
    if (const Explanation* found = explanation(issue)) {
      section("Meaning", std::string(found->text));
      example("Wrong", replace_invalid_utf8(found->wrong));
      example("Right", found->right);
    }
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
      size_t end = text.find('\n');
      result += fmt::format("    {}\n", text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return result;
  }

  Session& session_;
  uint32_t width_;
  bool has_begun_ = false;
};

// --- as JSON ---

void write_names(JsonWriter& json, std::string_view key, const std::vector<Name>& names) {
  json.key(key);
  json.begin_array();
  for (Name name : names) json.string(name.text());
  json.end_array();
}

void write(JsonWriter& json, const NativeType& type) {
  json.begin_object();
  json.member("kind", std::string_view("type"));
  json.member("name", type.name.text());
  write_names(json, "key_attributes", type.key_attributes);
  write_names(json, "properties", type.properties);
  write_names(json, "parameters", type.parameters);
  json.end_object();
}

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
    // An example of bytes that are not text is not shown.
    if (is_valid_utf8(found->wrong)) json.member("wrong", found->wrong);
    json.member("right", found->right);
  }
  json.end_object();
}

void print_as_json(const Findings& found, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_array();
  for (const NativeType* type : found.types) write(json, *type);
  for (const NativeFunctionInfo* function : found.functions) write(json, *function);
  for (Issue issue : found.issues) write(json, issue);
  json.end_array();
  session.print(text + "\n");
}

void print_as_text(const Findings& found, Session& session) {
  TextDescription description(session);
  for (const NativeType* type : found.types) description.add(*type);
  for (const NativeFunctionInfo* function : found.functions) description.add(*function);
  for (Issue issue : found.issues) description.add(issue);
}

// A line for each thing there is.
void list_all(Session& session) {
  session.print("Resource types\n");
  for (const NativeType& type : native_types())
    session.print(fmt::format("  {}\n", type.name.text()));
  session.print("\nFunctions\n");
  for (const NativeFunctionInfo* info : all_functions()) {
    std::string_view summary =
        info->documentation.substr(0, info->documentation.find_first_of(".\n"));
    session.print(fmt::format("  {:<24} {}\n", info->name, summary));
  }
  session.print("\nDiagnostics\n");
  for (Issue issue : all_issues()) {
    session.print(fmt::format("  {} {:<11} {}\n", code(issue), name_of(info(issue).severity),
                              info(issue).message));
  }
}

int describe(const DescribeOptions& options, Session& session) {
  if (options.is_list) {
    list_all(session);
    return kExitSuccess;
  }
  if (options.name.empty()) throw UsageError("argument NAME is missing");
  Findings found = find_all(options.name);
  if (found.empty()) throw unknown_name(options.name);
  if (session.format_or("text") == "json") {
    print_as_json(found, session);
  } else {
    print_as_text(found, session);
  }
  return kExitSuccess;
}

}  // namespace

Command make_describe_command() {
  auto options = std::make_shared<DescribeOptions>();
  Command command("describe", "What a resource type, a function or a diagnostic is");
  command.argument(
      "[NAME]",
      "a resource type (file), a function (split), or a diagnostic, by its code (BK2001) or the "
      "reference's name for it (UNKNOWN_VARIABLE)",
      options->name);
  command.flag("-l, --list", "list all there is to describe", options->is_list);
  command.formats({"text", "json"});
  command.example("bunraku describe split", "shows how a function is called, with an example");
  command.example("bunraku describe BK2001",
                  "tells what the code at the head of a message stands for");
  command.run([options](Session& session) { return describe(*options, session); });
  return command;
}

}  // namespace bunraku

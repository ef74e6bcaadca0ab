#include <fmt/core.h>

#include <memory>
#include <vector>

#include "cli/commands.h"
#include "cli/session.h"
#include "support/diagnostic.h"
#include "support/diagnostic_renderer.h"
#include "support/json.h"
#include "support/suggestion.h"
#include "support/utf8.h"

namespace bunraku {
namespace {

void describe_as_json(Issue issue, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("code", std::string_view(code(issue)));
  json.member("issue_code", info(issue).issue_code);
  json.member("severity", name_of(info(issue).severity));
  json.member("message", info(issue).message);
  json.end_object();
  session.print(text + "\n");
}

void describe_as_text(Issue issue, Session& session) {
  std::string name = code(issue);
  if (!info(issue).issue_code.empty()) name += fmt::format(" ({})", info(issue).issue_code);
  session.print(fmt::format("{}\n  severity  {}\n  message   {}\n", name, name_of(info(issue).severity),
                            info(issue).message));
}

// Throws UsageError when nothing bears the name.
Issue find_issue(std::string_view name) {
  std::string wanted = upcase(name);
  std::vector<std::string> names;
  for (size_t i = 0; i < issue_count(); ++i) {
    auto issue = static_cast<Issue>(i);
    if (wanted == code(issue) || wanted == info(issue).issue_code) return issue;
    names.emplace_back(info(issue).issue_code);
  }
  std::vector<std::string_view> candidates(names.begin(), names.end());
  std::string message = fmt::format("nothing is known by the name '{}'", name);
  std::string_view close = closest_name(wanted, candidates);
  if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
  throw UsageError(message);
}

}  // namespace

Command make_describe_command() {
  auto name = std::make_shared<std::string>();
  Command command("describe", "What a diagnostic means");
  command.argument("DIAGNOSTIC", "its code (BK2001) or the reference's name for it (UNKNOWN_VARIABLE)", *name);
  command.formats({"text", "json"});
  command.example("bunraku describe BK2001", "tells what the code at the head of a message stands for");
  command.run([name](Session& session) {
    Issue issue = find_issue(*name);
    if (session.format_or("text") == "json") {
      describe_as_json(issue, session);
    } else {
      describe_as_text(issue, session);
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku

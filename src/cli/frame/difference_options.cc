#include "cli/frame/difference_options.h"

#include <fmt/format.h>

#include "base/formats/json.h"
#include "cli/frame/session.h"

namespace bunraku {

void take_difference_options(Command& command, DifferenceCommandOptions& options) {
  command.option("--ignore RULE",
                 "leave out resources (\"Notify[*]\", \"Exec\") or parameters "
                 "(\"File[/tmp/*]::content\", \"*::loglevel\", \"*::edges\"); may be repeated",
                 options.ignored);
  command.flag("--tags", "tags that differ count too", options.with_tags);
  command.formats({"text", "json", "html", "markdown", "github", "gitlab"});
}

DifferenceOptions difference_options_of(const DifferenceCommandOptions& options,
                                        const Session& session) {
  DifferenceOptions difference;
  difference.with_tags = options.with_tags;
  std::vector<std::string> rules = options.ignored;
  if (const Repository* repository = session.repository()) {
    const std::vector<std::string>& more = repository->conf.ignored_differences;
    rules.insert(rules.end(), more.begin(), more.end());
  }
  for (const std::string& rule : rules) {
    if (!difference.ignored.add(rule)) {
      throw UsageError(
          fmt::format("--ignore takes \"TYPE[TITLE]\" or \"TYPE[TITLE]::PARAMETER\", "
                      "not \"{}\"",
                      rule));
    }
  }
  return difference;
}

void print_difference(const DifferenceReport& report, Session& session) {
  const std::string_view format = session.format_or("text");
  if (format == "html") {
    session.print(difference_page(report));
  } else if (format == "markdown") {
    session.print(difference_markdown(report));
  } else if (format == "github") {
    session.print(github_annotations(report));
  } else if (format == "gitlab") {
    session.print(gitlab_report(report));
  } else if (format == "json") {
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    write_difference(json, report);
    session.print(text + "\n");
  } else {
    session.print(difference_text(report, session.has_color_output()));
  }
}

std::string cycle_text(const std::vector<std::string>& cycle) {
  std::string text;
  for (const std::string& reference : cycle) text += reference + " => ";
  return text + cycle.front();
}

}  // namespace bunraku

// `catalog diff`
#include <fmt/format.h>

#include <memory>

#include "base/system/file_system.h"
#include "catalog/difference/difference_report.h"
#include "cli/commands/commands.h"
#include "cli/frame/difference_options.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

struct CatalogDiffOptions : DifferenceCommandOptions {
  std::string before;
  std::string after;
};

int compare(const CatalogDiffOptions& options, Session& session) {
  const DifferenceOptions difference_options = difference_options_of(options, session);
  const CatalogDocument before(read_file(options.before), options.before);
  const CatalogDocument after(read_file(options.after), options.after);
  CatalogDifference difference = compare_catalogs(before, after, difference_options);
  DifferenceReport report;
  report.before = options.before;
  report.after = options.after;
  for (ResourceChange& change : difference.resources) {
    report.changes.push_back({std::move(change), {}});
  }
  if (!difference.cycle.empty()) {
    report.cycles.push_back({cycle_text(difference.cycle), {}});
  }
  print_difference(report, session);
  return difference.empty() ? kExitSuccess : kExitDifferent;
}

}  // namespace

Command make_catalog_diff_command() {
  auto options = std::make_shared<CatalogDiffOptions>();
  Command command("catalog diff", "What differs between two catalogs");
  command.argument("BEFORE", "a catalog as `catalog compile` writes it", options->before);
  command.argument("AFTER", "the one to compare it with", options->after);
  take_difference_options(command, *options);
  command.details(
      "Compares what the catalogs mean: resources, parameters, what contains them, and the order "
      "that relationships ask for, however it is written. Texts of several lines are shown line "
      "by line. Sensitive values are never shown.\n\n"
      "The exit code is 0 when they are the same, 2 when they differ, and 1 when they could not be "
      "compared.");
  command.example("bunraku catalog diff old.json new.json", "shows what differs");
  command.example(
      "bunraku catalog diff old.json new.json --ignore 'File[/tmp/*]' --ignore '*::loglevel'",
      "leaves out what does not matter");
  command.example("bunraku catalog diff old.json new.json --format html > difference.html",
                  "writes a page that needs no network");
  command.run([options](Session& session) { return compare(*options, session); });
  return command;
}

}  // namespace bunraku

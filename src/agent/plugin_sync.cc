// Synchronises each kind of plug-ins as one recursive file resource, in a catalog of its own.
#include "agent/plugin_sync.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apply/transaction/catalog.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/run.h"
#include "base/formats/json.h"

namespace bunraku::agent {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = text.find_first_not_of(' '); begin != std::string::npos;
       begin = text.find_first_not_of(' ', begin)) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

// The message of the first failed resource.
std::string first_failure(const apply::Report& report) {
  for (const apply::ResourceStatus& status : report.statuses()) {
    if (!status.has_failed) continue;
    return status.events.empty() ? "unknown" : status.events.front().message;
  }
  // A failure, because missing facts and code would lead to another catalog.
  return report.failed_to_generate ? "the files could not be listed" : "";
}

}  // namespace

std::string PluginSync::catalog_text(const char* name, const char* destination, const char* source,
                                     const std::string& ignored, const char* permissions) const {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("name", std::string_view("PluginSync"));
  json.key("resources");
  json.begin_array();
  json.begin_object();
  json.member("type", std::string_view("File"));
  json.member("title", std::string_view(settings_.text(destination)));
  json.key("parameters");
  json.begin_object();
  json.key("recurse");
  json.boolean(true);
  json.member("links", std::string_view("follow"));
  json.member("source", std::string_view(settings_.text(source)));
  json.member("source_permissions", std::string_view(permissions));
  json.member("tag", std::string_view(name));
  for (const char* flag : {"purge", "force"}) {
    json.key(flag);
    json.boolean(true);
  }
  for (const char* flag : {"backup", "noop"}) {
    json.key(flag);
    json.boolean(false);
  }
  json.member("max_files", int64_t{-1});
  json.member("owner", static_cast<int64_t>(geteuid()));
  json.member("group", static_cast<int64_t>(getegid()));
  json.key("ignore");
  json.begin_array();
  for (const std::string& word : words_of(ignored)) json.string(word);
  json.end_array();
  json.end_object();
  json.end_object();
  json.end_array();
  json.key("edges");
  json.begin_array();
  json.end_array();
  json.end_object();
  return text;
}

void PluginSync::synchronise(const char* name, const char* destination, const char* source,
                             const std::string& ignored, const char* permissions,
                             const std::string& environment) {
  log_.log(LogLevel::kInfo, fmt::format("Retrieving {}", name));
  apply::RunOptions options;
  options.is_host_config = false;
  options.environment = environment;
  options.run_mode = "agent";
  apply::Context context{options, host_, sources_, log_, types_, nullptr};
  std::string problem;
  try {
    const CatalogDocument document(catalog_text(name, destination, source, ignored, permissions),
                                   name);
    apply::Catalog catalog(context);
    catalog.read(document);
    apply::Report report;
    const bool is_done = apply::apply_resources(catalog, report);
    problem = first_failure(report);
    if (problem.empty() && !is_done) problem = "unknown";
    if (problem.empty()) return;
    problem = fmt::format("Failed to retrieve {}: {}", name, problem);
  } catch (const apply::Failure& failure) {
    problem = failure.message();
  }
  if (!settings_.is_true("ignore_plugin_errors")) throw PluginError(problem);
  log_.log(LogLevel::kErr, fmt::format("Could not retrieve {}: {}", name, problem));
}

void PluginSync::run(const std::string& environment) {
  sources_.set_environment(environment);
  const std::string ignored = settings_.text("pluginsignore");
  synchronise("pluginfacts", "pluginfactdest", "pluginfactsource", ignored, "use", environment);
  synchronise("plugin", "plugindest", "pluginsource", ignored, "ignore", environment);
  if (settings_.is_true("disable_i18n")) return;
  synchronise("locales", "localedest", "localesource", ignored + " *.pot config.yaml", "ignore",
              environment);
}

}  // namespace bunraku::agent

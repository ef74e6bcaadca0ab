#include <fmt/format.h>

#include <memory>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/suggestion.h"
#include "base/text/utf8.h"
#include "catalog/explanation/explanation.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"

namespace bunraku {

using compilation::Compilation;

namespace {

struct WhyOptions {
  std::string node;
  std::string reference;
  std::string attribute;
  std::vector<std::string> code;
};

struct ResourceReference {
  Name type_key;
  std::string title;
};

// Parses "File[/etc/motd]" or "File['/etc/motd']".
ResourceReference parse_reference(const std::string& text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string::npos || bracket == 0 || !text.ends_with(']')) {
    throw UsageError(fmt::format("'{}' is no reference like File[/etc/motd]", text));
  }
  std::string title = text.substr(bracket + 1, text.size() - bracket - 2);
  const bool is_quoted = title.size() > 1 && (title.front() == '\'' || title.front() == '"') &&
                         title.back() == title.front();
  if (is_quoted) title = title.substr(1, title.size() - 2);
  return {Name(downcase(text.substr(0, bracket))), std::move(title)};
}

std::string meant(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view closest = closest_name(name, views);
  return closest.empty() ? "" : fmt::format("; did you mean {}?", closest);
}

// Shortens paths below the current directory.
std::string with_short_paths(std::string text) {
  const std::string directory = " at " + absolute_path(".") + "/";
  for (size_t at = 0; (at = text.find(directory, at)) != std::string::npos; at += 4) {
    text.erase(at + 4, directory.size() - 4);
  }
  return text;
}

int explain_to(const Compiler& compiler, const Provenance& provenance, const WhyOptions& options,
               Session& session) {
  const auto [type_key, title] = parse_reference(options.reference);
  const Resource* resource = compiler.catalog().find(type_key, title);
  if (resource == nullptr) {
    std::vector<std::string> known;
    for (const Resource* other : compiler.catalog().resources()) {
      if (other->type_key != type_key) continue;
      known.push_back(other->reference());
      // The main class and stage are not found by title.
      if (downcase(other->title) == downcase(title)) resource = other;
    }
    if (resource == nullptr) {
      return session.fail(ErrorKind::kError,
                          fmt::format("{} is not in the catalog of {}{}", options.reference,
                                      compiler.node().name, meant(options.reference, known)));
    }
  }
  std::optional<Name> attribute;
  if (!options.attribute.empty()) {
    attribute = Name(options.attribute);
    if (resource->find(*attribute) == nullptr) {
      std::vector<std::string> known;
      for (const ResourceParameter& parameter : resource->parameters) {
        known.emplace_back(parameter.name.text());
      }
      return session.fail(ErrorKind::kError,
                          fmt::format("{} has no attribute '{}'{}", resource->reference(),
                                      options.attribute, meant(options.attribute, known)));
    }
  }
  const Reason reason = explain(compiler, provenance, *resource, attribute);
  if (session.format_or("text") == "text") {
    session.print(with_short_paths(explanation_text(reason)));
    return kExitSuccess;
  }
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  write_explanation(json, reason);
  text.push_back('\n');
  session.print(text);
  return kExitSuccess;
}

int explain_resource(const WhyOptions& options, Session& session) {
  CompilationRequest request;
  request.node = options.node;
  request.take_code(options.code);
  request.needs_facts = options.code.empty();
  request.host_facts = [&](Arena& arena) {
    return agent_facts_of_host(session, arena, "server", false);
  };
  parse_reference(options.reference);
  int exit_code = kExitFailure;
  auto task = [&] {
    NodeCompilation node(session, request);
    Compilation& compilation = node.compilation;
    Provenance provenance;
    RecordingData data(compilation.lookup(), provenance);
    compilation.compiler().record(provenance, data);
    try {
      compilation.compile();
      exit_code = explain_to(compilation.compiler(), provenance, options, session);
    } catch (const EvaluationError& error) {
      exit_code = session.fail(error, compilation.suffix());
    }
  };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_catalog_why_command() {
  auto options = std::make_shared<WhyOptions>();
  Command command("catalog why", "Why a resource is in a node's catalog, with these values");
  command.details(
      "Shows what asked for the resource, which classes and defines it stands in, and for each\n"
      "attribute what has set it, the last first: the declaration, a default, an override, a\n"
      "collector, an arrow, data with their file and line; and the same of the variables that\n"
      "the value was made of.");
  command.argument("NODE", "the node's name", options->node);
  command.argument("RESOURCE", "a reference, 'File[/etc/motd]'", options->reference);
  command.argument("[ATTRIBUTE]", "only this one of its attributes", options->attribute);
  command.option("-e, --execute CODE", "compile CODE in place of the environment's manifests",
                 options->code);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku catalog why web01.example.com 'File[/etc/motd]' content",
                  "where the content of a file comes from");
  command.example("bunraku catalog why web01.example.com 'Class[Ntp]' --format json",
                  "what includes a class, and what set each of its parameters, for programs");
  command.run([options](Session& session) { return explain_resource(*options, session); });
  return command;
}

}  // namespace bunraku

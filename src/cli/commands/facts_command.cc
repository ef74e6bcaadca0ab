#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "serialization/serialization.h"
#include "site/node/facts.h"

namespace bunraku {
namespace {

struct FactsShowOptions {
  std::vector<std::string> names;
  bool is_value_only = false;
  bool is_json = false;
  bool with_custom = true;
  bool with_external = true;
  bool shows_timing = false;
  HostFactsRequest host;
};

// The facts of this machine.
Value host_facts(Session& session, Arena& arena, const FactsShowOptions& options) {
  HostFactsRequest request = options.host;
  request.with_custom = options.with_custom;
  request.with_external = options.with_external;
  // A fact requested by name may be a flat one.
  request.shows_legacy = request.shows_legacy || !options.names.empty();
  std::vector<facts::Timing> timings;
  if (options.shows_timing) request.timings = &timings;
  const Value facts = facts_of_host(session, arena, request);
  for (const facts::Timing& timing : timings) {
    fmt::print(stderr, "fact '{}', took: {:.6f} seconds\n", timing.subject,
               static_cast<double>(timing.time.count()) / 1e6);
  }
  return facts;
}

// The value for a dotted name ("os.release.major"); no value when it does not exist.
std::optional<Value> dig(Value value, std::string_view name) {
  while (!name.empty()) {
    const size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
    if (value.is(ValueKind::kHash)) {
      const Value* found = value.as_hash().find(part);
      if (found == nullptr) return std::nullopt;
      value = *found;
    } else if (value.is(ValueKind::kArray)) {
      std::optional<int64_t> index = parse_integer(part);
      const std::span<const Value> items = value.as_array();
      if (!index || *index < 0 || static_cast<size_t>(*index) >= items.size()) return std::nullopt;
      value = items[static_cast<size_t>(*index)];
    } else {
      return std::nullopt;
    }
  }
  return value;
}

void write_value(JsonWriter& json, Value value) {
  write_rich_data(json, value, true, TypeForm::kText);
}

int show_facts(const FactsShowOptions& options, Session& session) {
  if (options.is_value_only && options.names.size() != 1) {
    throw UsageError("option '--value-only' needs the name of one fact");
  }
  Arena arena;
  const std::string& file = session.options().facts;
  const Value facts =
      file.empty() ? host_facts(session, arena, options) : read_facts(arena, read_file(file), file);
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  if (options.is_value_only) {
    const Value value = dig(facts, options.names[0]).value_or(Value());
    if (value.is(ValueKind::kString)) {
      text = value.as_string();
    } else {
      write_value(json, value);
    }
  } else if (options.names.empty()) {
    write_value(json, facts);
  } else {
    json.begin_object();
    std::vector<std::string> names = options.names;
    std::ranges::sort(names);
    for (const std::string& name : names) {
      json.key(name);
      // As in the reference, a missing fact is shown as an empty text.
      write_value(json, dig(facts, name).value_or(Value::string("")));
    }
    json.end_object();
  }
  session.print(text + "\n");
  return kExitSuccess;
}

}  // namespace

Command make_facts_show_command() {
  auto options = std::make_shared<FactsShowOptions>();
  Command command("facts show", "The facts of a node");
  command.details(
      "Shows facts as a compilation would see them: those of the file given with --facts, "
      "otherwise those of this machine: core facts, external facts (text, YAML, JSON and programs "
      "in facts.d), and custom facts in Ruby from the modules of the environment.\n\n"
      "Exit codes: 0; 1 when facts cannot be collected at all. A single fact that fails is "
      "reported on standard error and left out.");
  command.argument("[NAME...]", "facts to show, \"os.family\"; all when none is named",
                   options->names);
  command.flag("--value-only", "the value of one fact, without its name", options->is_value_only);
  command.flag("--show-legacy", "flat facts too, when none is named", options->host.shows_legacy);
  command.flag("--json", "the same as --format json, which is the only format", options->is_json);
  command.flag("--custom-facts", "custom facts of modules, in Ruby (the default)",
               options->with_custom);
  command.flag("--external-facts", "facts from files (the default)", options->with_external);
  command.option("--custom-dir DIR", "a directory of custom facts beside those of modules",
                 options->host.custom_directories);
  command.option("--external-dir DIR", "a directory of external facts in place of the system's",
                 options->host.external_directories);
  command.option("--config-file FILE", "facter.conf; otherwise that of the system",
                 options->host.configuration);
  command.flag("--block", "leave out the facts that facter.conf blocks (the default)",
               options->host.blocks);
  command.flag("--cache", "keep facts for as long as facter.conf says (the default)",
               options->host.caches);
  command.flag("--timing", "write on standard error how long each subject took",
               options->shows_timing);
  command.formats({"json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku facts show --facts node.yaml", "shows all that a file holds");
  command.example("bunraku facts show --no-custom-facts --timing",
                  "shows what this machine knows of itself without Ruby, and what took long");
  command.example("bunraku facts show os.family --value-only", "prints one value of this machine");
  command.run([options](Session& session) { return show_facts(*options, session); });
  return command;
}

}  // namespace bunraku

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
#include "facts/core_facts.h"
#include "pcore/serialization.h"
#include "site/node/facts.h"

namespace bunraku {
namespace {

struct FactsShowOptions {
  std::vector<std::string> names;
  bool is_value_only = false;
  bool shows_legacy = false;
  bool shows_timing = false;
};

// The facts of this machine.
Value host_facts(Arena& arena, const FactsShowOptions& options) {
  Arena collected;
  facts::FactSet facts(collected);
  std::vector<facts::Timing> timings;
  facts::CoreOptions core;
  if (options.shows_timing) core.timings = &timings;
  facts::collect_core_facts(facts::Machine(), facts, core);
  for (const facts::Timing& timing : timings) {
    fmt::print(stderr, "fact '{}', took: {:.6f} seconds\n", timing.subject,
               static_cast<double>(timing.time.count()) / 1e6);
  }
  // A fact that is asked for by its name may be a flat one.
  return value_of_data(arena, facts.as_hash(options.shows_legacy || !options.names.empty()));
}

// The value that a dotted name leads to ("os.release.major"); nothing when there is none.
std::optional<Value> dig(Value value, std::string_view name) {
  while (!name.empty()) {
    size_t dot = name.find('.');
    std::string_view part = name.substr(0, dot);
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
    if (value.is(ValueKind::kHash)) {
      const Value* found = value.as_hash().find(part);
      if (found == nullptr) return std::nullopt;
      value = *found;
    } else if (value.is(ValueKind::kArray)) {
      std::optional<int64_t> index = parse_integer(part);
      std::span<const Value> items = value.as_array();
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
      file.empty() ? host_facts(arena, options) : read_facts(arena, read_file(file), file);
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  if (options.is_value_only) {
    Value value = dig(facts, options.names[0]).value_or(Value());
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
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      json.key(name);
      // As the reference: what is not there is shown empty.
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
      "otherwise those of this machine.");
  command.argument("[NAME...]", "facts to show, \"os.family\"; all when none is named",
                   options->names);
  command.flag("--value-only", "the value of one fact, without its name", options->is_value_only);
  command.flag("--show-legacy", "flat facts too, when none is named", options->shows_legacy);
  command.flag("--timing", "write on standard error how long each subject took",
               options->shows_timing);
  command.formats({"json"});
  command.takes(OptionGroup::kNode);
  command.example("bunraku facts show --facts node.yaml", "shows all that a file holds");
  command.example("bunraku facts show os.family --value-only", "prints one value of this machine");
  command.run([options](Session& session) { return show_facts(*options, session); });
  return command;
}

}  // namespace bunraku

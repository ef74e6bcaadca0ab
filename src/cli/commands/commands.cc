#include "cli/commands/commands.h"

#include <span>
#include <string_view>

#include "cli/commands/agent_commands.h"
#include "cli/commands/facts_commands.h"

namespace bunraku {
namespace {

template <Command (*make)()>
void add(std::vector<Command>& commands) {
  commands.push_back(make());
}

template <std::vector<Command> (*make)()>
void add_each(std::vector<Command>& commands) {
  for (Command& command : make()) commands.push_back(std::move(command));
}

template <Command (*make)(SourceForm), SourceForm form>
void add_of(std::vector<Command>& commands) {
  commands.push_back(make(form));
}

// A function that adds commands, and the first word of their names.
struct Entry {
  std::string_view word;
  void (*add)(std::vector<Command>&);
};

constexpr Entry kCatalogs[] = {
    {"catalog", add<make_catalog_compile_command>}, {"catalog", add<make_catalog_diff_command>},
    {"catalog", add<make_catalog_why_command>},     {"catalog", add<make_catalog_graph_command>},
    {"lookup", add<make_lookup_command>},           {"eval", add<make_eval_command>},
    {"epp", add<make_epp_render_command>},
};
constexpr Entry kFleets[] = {
    {"fleet", add<make_fleet_compile_command>},
    {"fleet", add<make_fleet_diff_command>},
    {"fleet", add<make_fleet_impact_command>},
    {"fleet", add<make_fleet_unused_command>},
};
constexpr Entry kChecks[] = {
    {"validate", add<make_validate_repository_command>},
    {"test", add<make_test_command>},
    {"rspec", add<make_rspec_command>},
    {"module", add<make_module_list_command>},
    {"module", add<make_module_doctor_command>},
    {"describe", add<make_describe_command>},
    {"config", add<make_config_print_command>},
};
constexpr Entry kFacts[] = {
    {"facts", add<make_facts_show_command>},
    {"facts", add<make_facts_sample_command>},
    {"facts", add<make_facts_fetch_command>},
};
constexpr Entry kHost[] = {
    {"apply", add<make_apply_command>},           {"resource", add<make_resource_command>},
    {"agent", add<make_agent_command>},           {"ssl", add_each<make_ssl_commands>},
    {"filebucket", add<make_filebucket_command>},
};
constexpr Entry kServers[] = {
    {"server", add<make_server_command>},     {"server", add<make_server_status_command>},
    {"ca", add_each<make_ca_commands>},       {"query", add<make_query_command>},
    {"store", add_each<make_store_commands>},
};
constexpr Entry kSyntax[] = {
    {"parser", add_of<make_validate_command, SourceForm::kManifest>},
    {"parser", add_of<make_dump_command, SourceForm::kManifest>},
    {"parser", add_of<make_tokens_command, SourceForm::kManifest>},
    {"epp", add_of<make_validate_command, SourceForm::kTemplate>},
    {"epp", add_of<make_dump_command, SourceForm::kTemplate>},
    {"epp", add_of<make_tokens_command, SourceForm::kTemplate>},
    {"generate", add<make_generate_types_command>},
};
constexpr Entry kProgram[] = {
    {"help", add<make_help_command>},
    {"completion", add<make_completion_command>},
    {"version", add<make_version_command>},
};

// In the order of the help.
struct Section {
  std::string_view title;
  std::span<const Entry> entries;
};
constexpr Section kSections[] = {
    {"Catalogs and values", kCatalogs},
    {"Many nodes", kFleets},
    {"Checks", kChecks},
    {"Syntax", kSyntax},
    {"Facts", kFacts},
    {"This host", kHost},
    {"Servers and stores", kServers},
    {"The program", kProgram},
};

// Returns the commands whose names have this first word; an empty word selects all commands.
std::vector<Command> make_commands(std::string_view word) {
  std::vector<Command> commands;
  for (const Section& section : kSections) {
    for (const Entry& entry : section.entries) {
      if (!word.empty() && entry.word != word) continue;
      const size_t before = commands.size();
      entry.add(commands);
      for (Command& command : std::span(commands).subspan(before)) command.section(section.title);
    }
  }
  return commands;
}

}  // namespace

std::vector<Command> all_commands() {
  return make_commands({});
}

std::vector<Command> commands_of(std::string_view word) {
  return make_commands(word);
}

}  // namespace bunraku

#include "cli/commands/commands.h"

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

// A function that adds commands, and the first word of their names, in the order of the help.
struct Entry {
  std::string_view word;
  void (*add)(std::vector<Command>&);
};

constexpr Entry kEntries[] = {
    {"agent", add<make_agent_command>},
    {"apply", add<make_apply_command>},
    {"resource", add<make_resource_command>},
    {"filebucket", add<make_filebucket_command>},
    {"catalog", add<make_catalog_compile_command>},
    {"catalog", add<make_catalog_diff_command>},
    {"catalog", add<make_catalog_graph_command>},
    {"fleet", add<make_fleet_compile_command>},
    {"fleet", add<make_fleet_diff_command>},
    {"catalog", add<make_catalog_why_command>},
    {"fleet", add<make_fleet_impact_command>},
    {"fleet", add<make_fleet_unused_command>},
    {"lookup", add<make_lookup_command>},
    {"epp", add<make_epp_render_command>},
    {"config", add<make_config_print_command>},
    {"validate", add<make_validate_repository_command>},
    {"parser", add_of<make_validate_command, SourceForm::kManifest>},
    {"parser", add_of<make_dump_command, SourceForm::kManifest>},
    {"parser", add_of<make_tokens_command, SourceForm::kManifest>},
    {"epp", add_of<make_validate_command, SourceForm::kTemplate>},
    {"epp", add_of<make_dump_command, SourceForm::kTemplate>},
    {"epp", add_of<make_tokens_command, SourceForm::kTemplate>},
    {"completion", add<make_completion_command>},
    {"describe", add<make_describe_command>},
    {"eval", add<make_eval_command>},
    {"facts", add<make_facts_fetch_command>},
    {"facts", add<make_facts_sample_command>},
    {"facts", add<make_facts_show_command>},
    {"generate", add<make_generate_types_command>},
    {"help", add<make_help_command>},
    {"module", add<make_module_list_command>},
    {"module", add<make_module_doctor_command>},
    {"server", add<make_server_command>},
    {"server", add<make_server_status_command>},
    {"ca", add_each<make_ca_commands>},
    {"query", add<make_query_command>},
    {"rspec", add<make_rspec_command>},
    {"test", add<make_test_command>},
    {"store", add_each<make_store_commands>},
    {"ssl", add_each<make_ssl_commands>},
    {"version", add<make_version_command>},
};

}  // namespace

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  for (const Entry& entry : kEntries) entry.add(commands);
  return commands;
}

std::vector<Command> commands_of(std::string_view word) {
  std::vector<Command> commands;
  for (const Entry& entry : kEntries) {
    if (entry.word == word) entry.add(commands);
  }
  return commands;
}

}  // namespace bunraku

#include "cli/commands/commands.h"

#include "cli/commands/facts_commands.h"

#include "cli/commands/agent_commands.h"

namespace bunraku {

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  commands.push_back(make_agent_command());
  commands.push_back(make_apply_command());
  commands.push_back(make_resource_command());
  commands.push_back(make_filebucket_command());
  commands.push_back(make_catalog_compile_command());
  commands.push_back(make_catalog_diff_command());
  commands.push_back(make_catalog_graph_command());
  commands.push_back(make_fleet_compile_command());
  commands.push_back(make_fleet_diff_command());
  commands.push_back(make_catalog_why_command());
  commands.push_back(make_fleet_impact_command());
  commands.push_back(make_fleet_unused_command());
  commands.push_back(make_lookup_command());
  commands.push_back(make_epp_render_command());
  commands.push_back(make_config_print_command());
  commands.push_back(make_validate_repository_command());
  for (const SourceForm form : {SourceForm::kManifest, SourceForm::kTemplate}) {
    commands.push_back(make_validate_command(form));
    commands.push_back(make_dump_command(form));
    commands.push_back(make_tokens_command(form));
  }
  commands.push_back(make_completion_command());
  commands.push_back(make_describe_command());
  commands.push_back(make_eval_command());
  commands.push_back(make_facts_fetch_command());
  commands.push_back(make_facts_sample_command());
  commands.push_back(make_facts_show_command());
  commands.push_back(make_generate_types_command());
  commands.push_back(make_help_command());
  commands.push_back(make_module_list_command());
  commands.push_back(make_module_doctor_command());
  commands.push_back(make_server_command());
  commands.push_back(make_server_status_command());
  for (Command& command : make_ca_commands()) commands.push_back(std::move(command));
  commands.push_back(make_query_command());
  commands.push_back(make_rspec_command());
  commands.push_back(make_test_command());
  for (Command& command : make_store_commands()) commands.push_back(std::move(command));
  for (Command& command : make_ssl_commands()) commands.push_back(std::move(command));
  commands.push_back(make_version_command());
  return commands;
}

}  // namespace bunraku

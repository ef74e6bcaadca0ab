// All commands. To add one, write its file (see command.h), declare its function here, and list it
// in its section of the help in commands.cc.
#pragma once

#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "syntax/parser.h"

namespace bunraku {

Command make_apply_command();
Command make_catalog_compile_command();
Command make_catalog_diff_command();
Command make_catalog_why_command();
Command make_catalog_graph_command();
Command make_lookup_command();
Command make_epp_render_command();
Command make_config_print_command();
Command make_describe_command();
Command make_eval_command();
Command make_completion_command();
Command make_validate_repository_command();
Command make_facts_sample_command();
Command make_facts_show_command();
Command make_filebucket_command();
Command make_fleet_compile_command();
Command make_fleet_diff_command();
Command make_fleet_impact_command();
Command make_fleet_unused_command();
Command make_generate_types_command();
Command make_help_command();
Command make_module_doctor_command();
Command make_module_list_command();
Command make_server_command();
Command make_server_status_command();
Command make_resource_command();
Command make_query_command();
Command make_rspec_command();
Command make_test_command();
std::vector<Command> make_store_commands();
Command make_version_command();
std::vector<Command> make_ca_commands();
Command make_tokens_command(SourceForm form);
Command make_dump_command(SourceForm form);
Command make_validate_command(SourceForm form);

std::vector<Command> all_commands();
// The commands whose names have this first word. Making all commands would take longer than many of
// them run.
std::vector<Command> commands_of(std::string_view word);

}  // namespace bunraku

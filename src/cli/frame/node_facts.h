// Where the facts of a node come from when a command needs them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compilation/inputs.h"

namespace bunraku {

class Session;
class Settings;

// The facts that a file has for the node. In this order: the file of --facts, or the node's file in
// a directory of --facts; the node's file in the directories that bunraku.toml names and in facts/
// of the repository; what a server on this host has kept; the store. Nothing when there are none.
// Throws EvaluationError when a file cannot be read, or when --facts has nothing for the node.
std::optional<compilation::Document> find_facts(const Session& session, const Settings& settings,
                                                const std::string& node);

// The directories of the repository that hold facts of nodes.
std::vector<std::string> repository_facts(const Session& session);

// Where facts that a command brings are put: the directory, or facts/ of the repository when it is
// empty. Throws UsageError without a repository.
std::string directory_for_facts(const Session& session, const std::string& directory);
// Writes the node's file, readable by its owner alone, and returns its path. Throws FileError.
std::string save_facts(const std::string& directory, const std::string& node,
                       std::string_view json);

// Throws EvaluationError when no directory is found for the environment of the settings.
void check_environment_exists(const Settings& settings);
// Throws EvaluationError (InvalidNodeList), with all the ways to give facts.
[[noreturn]] void fail_without_facts(const Session& session, const std::string& node);

}  // namespace bunraku

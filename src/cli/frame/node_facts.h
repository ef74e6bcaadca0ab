// Finds the facts of a node for a command.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compilation/inputs.h"

namespace bunraku {

class Session;
class Settings;

// The facts of the node from a file. Sources in this order: the file in --facts, or the node's file
// in a directory in --facts; the node's file in the directories that bunraku.toml names and in
// facts/ of the repository; facts saved by a server on this host; the store. No value when there
// are none. Throws EvaluationError when a file cannot be read, or when --facts has none for the
// node.
std::optional<compilation::Document> find_facts(const Session& session, const Settings& settings,
                                                const std::string& node);

// The directories of the repository with facts of nodes.
std::vector<std::string> repository_facts(const Session& session);

// The directory in which commands store facts: the given one, or facts/ of the repository when it
// is empty. Throws UsageError without a repository.
std::string directory_for_facts(const Session& session, const std::string& directory);
// Writes the node's file, NODE.json, readable only by its owner, and returns its path. Throws
// FileError, and UsageError when the directory has facts of the node in another format, or in the
// same file a text for which `may_replace` returns false.
std::string save_facts(const std::string& directory, const std::string& node, std::string_view json,
                       const std::function<bool(std::string_view)>& may_replace);

// Throws EvaluationError when the settings' environment has no directory.
void check_environment_exists(const Settings& settings);
// Throws EvaluationError (InvalidNodeList) that lists the ways to provide facts.
[[noreturn]] void fail_without_facts(const Session& session, const std::string& node);

}  // namespace bunraku

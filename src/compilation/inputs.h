// The external inputs of compilations, as plain data: callers read files and requests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ruby/worker/pool.h"

namespace bunraku::compilation {

// A JSON or YAML text, with its name in messages (the path of a file).
struct Document {
  std::string text;
  std::string name;
};

class StoredNodes;

// The inputs for all nodes; unset ones have defaults. Each document is a hash.
struct Inputs {
  std::optional<Document> trusted;       // $trusted
  std::optional<Document> server_facts;  // $server_facts; by default those of this machine
  // a classifier's answer, which replaces the settings' classifier
  std::optional<Document> classification;
  std::optional<Document> variables;  // rich data: variables for the top scope
  RubyOptions ruby;
  // The store of facts, catalogs and exported resources; may be null.
  std::shared_ptr<StoredNodes> store;
};

// The code to compile, if it is not that of the environment's directory.
struct Sources {
  std::optional<std::string> code;  // replaces the manifest
  std::string code_name;            // the name of the code in messages
  std::optional<std::string> manifest;
  bool only_defines = false;  // see CompilerOptions
  bool is_script = false;     // no catalog: functions that need one fail
  // The section of puppet.conf whose `environment` takes precedence over [main].
  std::string_view environment_section = "user";
};

}  // namespace bunraku::compilation

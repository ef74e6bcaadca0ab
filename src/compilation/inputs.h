// What compilations take from outside, as plain data: the caller reads files and requests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ruby/worker/pool.h"

namespace bunraku::compilation {

// A JSON or YAML text, and the name that messages give it (a file's path).
struct Document {
  std::string text;
  std::string name;
};

class StoredNodes;

// What holds for every node, where something is given. Each document is a hash.
struct Inputs {
  std::optional<Document> trusted;         // $trusted
  std::optional<Document> server_facts;    // $server_facts; those of this machine otherwise
  std::optional<Document> classification;  // a classifier's answer, in place of the settings' one
  std::optional<Document> variables;       // rich data: variables for the top scope
  RubyOptions ruby;
  // Where facts and catalogs are kept, and exported resources of other nodes come from; may be
  // null.
  std::shared_ptr<StoredNodes> store;
};

// What is compiled, where it is not what the environment's directory says.
struct Sources {
  std::optional<std::string> code;  // in place of the manifest
  std::string code_name;            // what messages call the code
  std::optional<std::string> manifest;
  bool only_defines = false;  // see CompilerOptions
  bool is_script = false;     // no catalog: what needs one is an error
  // The section of puppet.conf whose `environment` goes before that of [main].
  std::string_view environment_section = "user";
};

}  // namespace bunraku::compilation

// The static rules of the language: what a tree may not contain although it is grammatical. Rules,
// codes and messages are the reference's.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/strictness.h"
#include "syntax/tree.h"

namespace bunraku {

// Where a file stands among the modules. A module's file may hold definitions only, and their names
// must begin with the namespace that its path gives.
struct ModuleLocation {
  enum class Kind : uint8_t {
    kOutside,    // in no module, or the initial manifest: no rules
    kInModule,   // `name_space` is what names must begin with
    kMisplaced,  // in a module, but in no directory that is looked into
  };
  Kind kind = Kind::kOutside;
  std::string name_space;  // "apache::mod", down-cased
};

// Finds a file's place. `path` and the directories must be absolute; `initial_manifest` is the
// environment's manifest (a file or a directory), empty when there is none.
ModuleLocation locate_in_modules(std::string_view path, std::span<const std::string> module_path,
                                 std::string_view initial_manifest);

struct ValidationSettings {
  Strictness strict = Strictness::kError;  // the severity of duplicate keys
  bool tasks = false;                      // catalog expressions only within `apply`
  ModuleLocation location;
};

// Reports every breach of a rule, in the order in which the reference finds them. The program must
// have been parsed without errors.
void validate(const Program& program, const ValidationSettings& settings,
              DiagnosticSink& diagnostics);

}  // namespace bunraku

// The static rules of the language: restrictions on trees beyond the grammar. Rules, codes and
// messages are those of the reference.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/strictness.h"
#include "syntax/tree.h"

namespace bunraku {

// The position of a file in the modules. A module's file may contain only definitions, with names
// in the namespace of its path.
struct ModuleLocation {
  enum class Kind : uint8_t {
    kOutside,    // in no module, or the initial manifest: no restrictions
    kInModule,   // names must begin with `name_space`
    kMisplaced,  // in a module, but in a directory that is never searched
  };
  Kind kind = Kind::kOutside;
  std::string name_space;  // "apache::mod", down-cased
};

// Determines a file's position. `path` and the directories must be absolute; `initial_manifest` is
// the environment's manifest (a file or a directory), empty when there is none.
ModuleLocation locate_in_modules(std::string_view path, std::span<const std::string> module_path,
                                 std::string_view initial_manifest);

struct ValidationSettings {
  Strictness strict = Strictness::kError;  // the severity of duplicate keys
  bool tasks = false;                      // catalog expressions are allowed only within `apply`
  ModuleLocation location;
};

// Reports every violation, in the order of the reference. The program must have been parsed without
// errors.
void validate(const Program& program, const ValidationSettings& settings,
              DiagnosticSink& diagnostics);

}  // namespace bunraku

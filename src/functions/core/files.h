// Files of modules, for the functions that read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluation/function.h"
#include "evaluation/host.h"

namespace bunraku {

// The path of `module/name` in the directory `kind` of a module, or an absolute path itself; no
// value when it does not exist. Without modules, only absolute paths are found.
std::optional<std::string> find_module_file(Call& call, std::string_view kind,
                                            std::string_view name);

// The same file with its contents, which live as long as the compilation. Fails with the reason
// when the file cannot be read.
std::optional<ModuleHost::FoundFile> read_module_file(Call& call, std::string_view kind,
                                                      std::string_view name);

// The parts of `epp` and `inline_epp` after their arguments are checked: the arguments are a
// module's file or the template's text, and optionally the hash of the template's parameters.
Value render_template_file(Call& call);
Value render_template_text(Call& call);

}  // namespace bunraku

// Files of modules, for the functions that read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

// The path of `module/name` in the directory `kind` of a module, or an absolute path itself;
// nothing when it does not exist. Where there are no modules, absolute paths alone can be found.
std::optional<std::string> find_module_file(Call& call, std::string_view kind,
                                            std::string_view name);

// A file's bytes, for as long as the compilation. Fails with the reason when it cannot be read.
std::string_view file_contents(Call& call, const std::string& path);

// What `epp` and `inline_epp` do once their arguments are checked: a file of a module or the text
// of a template, and the hash that the template is given, if any.
Value render_template_file(Call& call);
Value render_template_text(Call& call);

}  // namespace bunraku

// Modules in the repository's Puppetfile that are not installed.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

class Session;
struct Diagnostic;

// Returns them in the order of the Puppetfile; empty without a repository, or when its environment
// cannot be opened.
std::vector<std::string> missing_modules(Session& session);

// Warns of missing modules, if there are any: they may be the reason why code was not found.
void warn_of_missing_modules(Session& session);

// The advice for a class, type or function that was not found: its module is not on the module
// path, or is a version without it. Empty when its name has no module.
std::string missing_module_note(const Diagnostic& diagnostic, Session& session);

}  // namespace bunraku

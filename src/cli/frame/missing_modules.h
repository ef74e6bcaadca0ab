// Modules that the repository's Puppetfile names and that are not installed.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

class Session;
struct Diagnostic;

// In the order of the Puppetfile; none without a repository, or when its environment cannot be
// opened.
std::vector<std::string> missing_modules(Session& session);

// Warns of them, when nodes did not compile: code that is not there may be why.
void warn_of_missing_modules(Session& session);

// When a class, type or function that was not found belongs to a module that is not on the module
// path: what to do about it. Empty otherwise.
std::string missing_module_note(const Diagnostic& diagnostic, Session& session);

}  // namespace bunraku

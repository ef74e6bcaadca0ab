// Compares the Puppetfile with the module path.
#include "cli/frame/missing_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/diagnostics/diagnostic.h"
#include "base/text/counts.h"
#include "base/text/utf8.h"
#include "cli/frame/session.h"
#include "site/environment/environment.h"
#include "site/environment/environment_settings.h"

namespace bunraku {
namespace {

// Returns null when there is no environment, or it cannot be opened.
std::shared_ptr<Environment> opened(
    Session& session, std::shared_ptr<Environment> (*open)(const Settings& settings)) {
  if (session.repository() == nullptr) return nullptr;
  try {
    return open(Settings(session.settings_sources("server")));
  } catch (const EvaluationError&) {
    return nullptr;
  }
}

std::shared_ptr<Environment> layout(Session& session) {
  return opened(session, open_layout);
}

// With what metadata.json says of the modules.
std::shared_ptr<Environment> with_metadata(Session& session) {
  return opened(session,
                [](const Settings& settings) { return open_environment(settings, false); });
}

// "ufw" for "::ufw::allow" and "Ufw::Allow".
std::string module_of_name(std::string_view name) {
  while (name.starts_with(':')) name.remove_prefix(1);
  return downcase(name.substr(0, name.find("::")));
}

bool is_about_missing_code(Issue issue) {
  return issue == Issue::kUnknownClass || issue == Issue::kUnknownDeclaredClass ||
         issue == Issue::kUnknownDeclaredType || issue == Issue::kUnknownResourceType ||
         issue == Issue::kUnknownFunction;
}

}  // namespace

std::vector<std::string> missing_modules(Session& session) {
  const std::shared_ptr<Environment> environment = layout(session);
  if (environment == nullptr) return {};
  std::vector<std::string> missing = puppetfile_modules(session.repository()->directory);
  std::erase_if(missing,
                [&](const std::string& name) { return environment->find_module(name) != nullptr; });
  return missing;
}

void warn_of_missing_modules(Session& session) {
  const std::vector<std::string> missing = missing_modules(session);
  if (missing.empty()) return;
  session.warn(fmt::format(
      "modules of the Puppetfile that are not installed: {}; `r10k puppetfile install` or `g10k "
      "-puppetfile` brings them",
      names_text(missing, 8)));
}

std::string missing_module_note(const Diagnostic& diagnostic, Session& session) {
  if (!is_about_missing_code(diagnostic.issue) || diagnostic.arguments.empty()) return {};
  const std::string& name = diagnostic.arguments.front();
  const std::string module = module_of_name(name);
  const std::vector<std::string> missing = missing_modules(session);
  if (std::ranges::find(missing, module) != missing.end()) {
    return fmt::format(
        "the module '{}' of the Puppetfile is not installed; `r10k puppetfile install` or `g10k "
        "-puppetfile` brings it, --modulepath DIRS names other places",
        module);
  }
  const bool is_qualified = name.find("::", 1) != name.npos;
  const std::shared_ptr<Environment> environment = is_qualified ? with_metadata(session) : nullptr;
  if (environment == nullptr) return {};
  const Module* found = environment->find_module(module);
  if (found == nullptr) {
    return fmt::format("there is no module '{}' in {}", module,
                       fmt::join(environment->modulepath(), ", "));
  }
  // Often another version of the module was meant.
  return fmt::format("the module '{}' in {}{} does not define it", module, found->path,
                     found->version.empty() ? "" : fmt::format(", version {},", found->version));
}

}  // namespace bunraku

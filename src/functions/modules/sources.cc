// Which files of modules the native functions were made after, and what is left to these files.
#include <algorithm>
#include <string>

#include "base/system/file_system.h"
#include "evaluation/evaluator.h"
#include "functions/modules/families.h"
#include "ruby/worker/function.h"

namespace bunraku::modules {

namespace {

struct KnownSource {
  std::string_view function;
  std::string_view digest;
  friend auto operator<=>(const KnownSource&, const KnownSource&) = default;
};

// Sorted by name and digest; made by tools/function-digests.
constexpr KnownSource kSources[] = {
#include "functions/modules/digests.inc"
};
static_assert(std::ranges::is_sorted(kSources));

}  // namespace

bool is_known_source(std::string_view function, std::string_view digest) {
  return std::ranges::binary_search(kSources, KnownSource{function, digest});
}

Value call_own_ruby(Call& call, std::string_view function) {
  const size_t colons = function.find("::");
  const std::string module(function.substr(0, colons));
  ModuleHost* modules = call.evaluator.host().modules;
  const auto directory = modules == nullptr ? std::nullopt : modules->module_directory(module);
  if (!directory) call.fail(Issue::kMissingModule, {module});
  const std::string path =
      "lib/puppet/functions/" + module + "/" + std::string(function.substr(colons + 2)) + ".rb";
  return make_ruby_function(call.evaluator, Name(function), join_path(*directory, path),
                            RubyInterface::kCurrent, call.place)
      ->call(call);
}

}  // namespace bunraku::modules

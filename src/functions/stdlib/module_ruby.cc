#include "functions/stdlib/module_ruby.h"

#include <string>

#include "base/system/file_system.h"
#include "evaluation/evaluator.h"

namespace bunraku::stdlib {

Value call_module_ruby(Call& call, std::string_view function, RubyInterface interface) {
  ModuleHost* modules = call.evaluator.host().modules;
  const auto directory = modules == nullptr ? std::nullopt : modules->module_directory("stdlib");
  if (!directory) call.fail(Issue::kMissingModule, {"stdlib"});
  const std::string_view place =
      interface == RubyInterface::kLegacy ? "lib/puppet/parser/functions" : "lib/puppet/functions";
  const std::string base = std::string(function).append(".rb");
  std::string name(function), file = join_path(join_path(*directory, place), base);
  if (interface == RubyInterface::kCurrent) {
    // If the module has the function under its own name as well, the other one only calls that.
    const std::string own = join_path(join_path(join_path(*directory, place), "stdlib"), base);
    if (exists(own)) {
      name.insert(0, "stdlib::");
      file = own;
    }
  }
  return make_ruby_function(call.evaluator, Name(name), file, interface, call.place)->call(call);
}

}  // namespace bunraku::stdlib

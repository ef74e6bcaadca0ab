// The standard library's functions on file paths.
#include <sys/stat.h>

#include <algorithm>

#include "base/system/file_reader.h"
#include "base/system/glob.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "functions/stdlib/module_ruby.h"

namespace bunraku::stdlib {

namespace {

std::string_view without_slashes_at_end(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// Ruby's File.basename; the suffix ".*" matches any extension.
std::string_view base_of(std::string_view path, std::string_view suffix) {
  if (path.empty()) return path;
  path = without_slashes_at_end(path);
  if (path == "/") return path;
  path = path.substr(path.rfind('/') + 1);
  if (suffix == ".*") {
    const size_t dot = path.rfind('.');
    return dot == path.npos || dot == 0 ? path : path.substr(0, dot);
  }
  if (!suffix.empty() && path.size() > suffix.size() && path.ends_with(suffix)) {
    path.remove_suffix(suffix.size());
  }
  return path;
}

std::string_view directory_of_path(std::string_view path) {
  const std::string_view trimmed = without_slashes_at_end(path);
  const size_t slash = trimmed.rfind('/');
  if (slash == trimmed.npos) return ".";
  return without_slashes_at_end(slash == 0 ? trimmed.substr(0, 1) : trimmed.substr(0, slash));
}

std::string_view extension_of(std::string_view path) {
  std::string_view base = path.substr(path.rfind('/') + 1);
  while (base.starts_with('.')) base.remove_prefix(1);
  const size_t dot = base.rfind('.');
  return dot == base.npos || dot == 0 ? std::string_view() : base.substr(dot);
}

Value basename(Call& call) {
  if (call.arguments.empty())
    call.fail(Issue::kWrongArgumentCount, {"basename(): No arguments given"});
  if (call.arguments.size() > 2) {
    call.fail(Issue::kWrongArgumentCount, {"basename(): Too many arguments given (" +
                                           std::to_string(call.arguments.size()) + ")"});
  }
  if (!call.arguments[0].is_string())
    call.fail(Issue::kWrongArgumentKind, {"basename(): Requires string as first argument"});
  if (call.arguments.size() == 2 && !call.arguments[1].is_string()) {
    call.fail(Issue::kWrongArgumentKind, {"basename(): Requires string as second argument"});
  }
  const std::string_view suffix = call.arguments.size() == 2 ? call.arguments[1].as_string() : "";
  return Value::string(base_of(call.arguments[0].as_string(), suffix));
}

Value dirname(Call& call) {
  if (call.arguments.empty())
    call.fail(Issue::kWrongArgumentCount, {"dirname(): No arguments given"});
  if (call.arguments.size() > 1) {
    call.fail(Issue::kWrongArgumentCount, {"dirname(): Too many arguments given (" +
                                           std::to_string(call.arguments.size()) + ")"});
  }
  if (!call.arguments[0].is_string())
    call.fail(Issue::kWrongArgumentKind, {"dirname(): Requires string as argument"});
  if (call.arguments[0].as_string().empty()) {
    call.fail(Issue::kWrongArgumentKind, {"dirname(): Requires a non-empty string as argument"});
  }
  return Value::string(directory_of_path(call.arguments[0].as_string()));
}

Value extname(Call& call) {
  const std::string_view extension = extension_of(call.arguments[0].as_string());
  return extension.empty() ? Value::byte_string("") : Value::string(extension);
}

// The matches of a pattern; without wildcards, the path itself if it exists.
std::vector<std::string> matches_of(const std::string& pattern) {
  std::vector<std::string> paths = expand_glob(pattern);
  std::erase_if(paths, [](const std::string& path) {
    struct stat status;
    return file_status(path, false, status) != 0;
  });
  std::ranges::sort(paths);
  return paths;
}

Value glob_files(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "glob", "1");
  Value given = call.arguments[0];
  if (!given.is_string() && !given.is_array()) {
    call.fail(Issue::kWrongArgumentKind, {"glob(): Requires either array or string to work"});
  }
  const std::span<const Value> patterns =
      given.is_array() ? given.as_array() : std::span(&given, 1);
  ArrayBuilder found(call.arena());
  for (const Value pattern : patterns) {
    if (!pattern.is_string()) fail_implicit_conversion(call, pattern, "String");
    const std::string text(pattern.as_string());
    // Directories of any depth, which only Ruby supports.
    if (text.find("**/") != text.npos) {
      return call_module_ruby(call, "glob", RubyInterface::kLegacy);
    }
    for (const std::string& path : matches_of(text)) found.push(Value::string(call.arena(), path));
  }
  return found.finish();
}

Value get_module_path(Call& call) {
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount,
              {"get_module_path(): Wrong number of arguments, expects one"});
  }
  ModuleHost* modules = call.evaluator.host().modules;
  const std::string name = to_s(call.arguments[0]);
  auto path = modules == nullptr ? std::nullopt : modules->module_directory(name);
  if (!path) {
    CatalogHost* catalog = call.evaluator.host().catalog;
    const std::string environment(catalog == nullptr ? "production" : catalog->environment_name());
    call.fail(Issue::kMissingModule, {name + " in environment " + environment});
  }
  return Value::string(call.arena(), *path);
}

constexpr Overload kBasename[] = {{"(Any *$arguments)", basename}};
constexpr Overload kDirname[] = {{"(Any *$arguments)", dirname}};
constexpr Overload kExtname[] = {{"(String $filename) >> String", extname}};
constexpr Overload kGlob[] = {{"(Any *$arguments)", glob_files}};
constexpr Overload kGetModulePath[] = {{"(Any *$arguments)", get_module_path}};

constexpr NativeFunctionInfo kPathFunctions[] = {
    {"basename", kBasename, "The last part of a path, without a suffix when one is given.",
     "basename('/etc/apache2/apache2.conf', '.conf')", true},
    {"dirname", kDirname, "The directory part of a path.", "dirname('/etc/apache2/apache2.conf')",
     true},
    {"stdlib::extname", kExtname, "The extension of a file name, with its dot.",
     "stdlib::extname('test.rb')"},
    {"glob", kGlob, "The files that match patterns.", "glob('/etc/pass*')", true},
    {"get_module_path", kGetModulePath, "The directory of a module; an error when there is none.",
     "module_directory('stdlib')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> path_functions() {
  return kPathFunctions;
}

}  // namespace bunraku::stdlib

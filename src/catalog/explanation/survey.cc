#include "catalog/explanation/survey.h"

#include <algorithm>
#include <unordered_set>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/system/file_system.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "functions/core/registry.h"
#include "resource_types/native_type.h"
#include "ruby/erb/function_file.h"
#include "ruby/erb/template.h"
#include "site/environment/files.h"
#include "site/environment/module_names.h"
#include "syntax/children.h"
#include "values/type.h"

namespace bunraku {
namespace {

using NameSet = std::unordered_set<std::string>;

constexpr std::pair<SurveyedKind, std::string_view> kRubyDirectories[] = {
    {SurveyedKind::kFunction, "lib/puppet/functions/"},
    {SurveyedKind::kLegacyFunction, "lib/puppet/parser/functions/"},
    {SurveyedKind::kResourceType, "lib/puppet/type/"},
    {SurveyedKind::kDataType, "lib/puppet/datatypes/"},
    {SurveyedKind::kTemplate, "templates/"},
};

// Determines whether a template can be rendered without Ruby, as far as that is known beforehand.
void examine_template(const std::string& path, SurveyedPart& part, SurveyedModule& module) {
  try {
    const erb::Template compiled(read_file(path));
    const erb::Obstacle* obstacle = compiled.obstacle();
    if (obstacle == nullptr) obstacle = compiled.possible_obstacle();
    const bool is_mistake = obstacle != nullptr && !obstacle->unknown_name.empty();
    part.is_native = obstacle == nullptr || is_mistake;
    if (is_mistake) {
      module.unresolved.push_back({"variable or method", obstacle->unknown_name, path,
                                   static_cast<uint32_t>(obstacle->line)});
    }
    if (part.is_native) return;
    part.obstacle = obstacle->construct;
    part.obstacle_line = obstacle->line;
  } catch (const FileError& error) {
    part.obstacle = error.what();
  }
}

// Determines the same for the file of a function.
void examine_function(const std::string& path, SurveyedPart& part) {
  try {
    const erb::FunctionFile compiled(read_file(path), path,
                                     part.kind == SurveyedKind::kLegacyFunction);
    const erb::Obstacle* obstacle = compiled.obstacle();
    if (obstacle == nullptr) obstacle = compiled.possible_obstacle();
    part.is_native = obstacle == nullptr && compiled.function().name == part.name;
    if (obstacle == nullptr) return;
    part.obstacle = obstacle->construct;
    part.obstacle_line = obstacle->line;
  } catch (const FileError& error) {
    part.obstacle = error.what();
  }
}

// Returns the text of a file's first error.
std::string first_mistake(const ParsedFile& file) {
  for (const Diagnostic& diagnostic : file.diagnostics) {
    if (diagnostic.severity == Severity::kError) return one_line(diagnostic);
  }
  return {};
}

std::string without_colons(std::string_view name) {
  return downcase(name.starts_with("::") ? name.substr(2) : name);
}

class Surveyor {
 public:
  explicit Surveyor(const Environment& environment) : environment_(environment) {}

  std::vector<SurveyedModule> run() {
    add_files("environment", environment_.directory(), "manifests");
    std::vector<const Module*> modules;
    for (const Module& module : environment_.modules()) modules.push_back(&module);
    std::ranges::sort(
        modules, [](const Module* a, const Module* b) { return a->name.text() < b->name.text(); });
    for (const Module* module : modules) add_files(module->name.text(), module->path, "");
    for (Entry& entry : entries_) {
      for (const ParsedFilePointer& file : entry.programs) {
        find_uses(*file->program, *file->program->body, entry.module);
      }
    }
    std::vector<SurveyedModule> modules_found;
    for (Entry& entry : entries_) modules_found.push_back(std::move(entry.module));
    return modules_found;
  }

 private:
  struct Entry {
    SurveyedModule module;
    std::vector<ParsedFilePointer> programs;
  };

  void add_files(std::string_view name, const std::string& path, std::string_view only) {
    Entry& entry = entries_.emplace_back();
    entry.module.name = name;
    entry.module.path = path;
    if (path.empty()) return;
    for (const std::string_view directory : {"manifests", "functions", "lib/puppet", "templates"}) {
      if (!only.empty() && directory != only) continue;
      for (const std::string& file : list_files_below(join_path(path, directory))) {
        const std::string relative = join_path(directory, file);
        if (relative.ends_with(".pp")) {
          add_program(entry, join_path(path, relative));
        } else {
          add_ruby(entry.module, relative);
        }
      }
    }
  }

  void add_program(Entry& entry, const std::string& path) {
    const ParsedFilePointer file = environment_.parse(path);
    if (file->has_errors) {
      entry.module.broken_files.push_back({path, first_mistake(*file)});
      return;
    }
    for (const Expression* definition : file->program->definitions) {
      if (const auto* found = definition->try_as<HostClassDefinition>()) {
        classes_.insert(std::string(found->name.text()));
      } else if (const auto* define = definition->try_as<ResourceTypeDefinition>()) {
        types_.insert(downcase(define->name.text()));
      } else if (const auto* function = definition->try_as<FunctionDefinition>()) {
        functions_.insert(std::string(function->name.text()));
      }
    }
    entry.programs.push_back(file);
  }

  void add_ruby(SurveyedModule& module, const std::string& file) {
    for (const auto& [kind, directory] : kRubyDirectories) {
      if (!file.starts_with(directory)) continue;
      std::string_view rest = std::string_view(file).substr(directory.size());
      if (kind == SurveyedKind::kTemplate) {
        if (rest.ends_with(".erb")) {
          SurveyedPart part{kind, module.name + "/" + std::string(rest), file};
          examine_template(join_path(module.path, file), part, module);
          module.parts.push_back(std::move(part));
        }
        return;
      }
      if (!rest.ends_with(".rb")) return;
      rest.remove_suffix(3);
      SurveyedPart part{kind, qualified_name(rest), file};
      const std::string path = join_path(module.path, file);
      if (kind == SurveyedKind::kResourceType) {
        // Only files directly in this directory define types.
        if (rest.find('/') != std::string_view::npos) return;
        part.is_native = is_native_type(part.name, path);
        types_.insert(part.name);
      } else if (kind != SurveyedKind::kDataType) {
        part.is_native =
            find_builtin_function_info(part.name) != nullptr ||
            (module.name == "stdlib" ? find_stdlib_function(Name(part.name), path)
                                     : find_module_function(Name(part.name), path)) != nullptr;
        if (!part.is_native) examine_function(path, part);
        functions_.insert(part.name);
      }
      module.parts.push_back(std::move(part));
      return;
    }
  }

  static bool is_native_type(const std::string& name, const std::string& path) {
    const NativeType* type = find_native_type(Name(name));
    return type != nullptr && !type->file_digest.empty() &&
           digest_hex(DigestAlgorithm::kSha256, read_file(path)) == type->file_digest;
  }

  // --- uses ---

  void find_uses(const Program& program, const Expression& node, SurveyedModule& module) {
    if (const auto* call = node.try_as<CallNamedFunctionExpression>()) {
      if (const auto* name = call->functor->try_as<QualifiedName>()) {
        check_call(program, *call, name->name.text(), module);
      }
    } else if (const auto* resource = node.try_as<ResourceExpression>()) {
      if (const auto* name = resource->type_name->try_as<QualifiedName>()) {
        check_type(program, node, name->name.text(), module);
      }
    } else if (const auto* definition = node.try_as<HostClassDefinition>()) {
      if (definition->parent) check_class(program, node, definition->parent.text(), module);
    }
    for_each_child(node, [&](const Expression& child) { find_uses(program, child, module); });
  }

  void check_call(const Program& program, const CallNamedFunctionExpression& call,
                  std::string_view name, SurveyedModule& module) {
    if (name.starts_with("::")) name.remove_prefix(2);
    if (find_builtin_function_info(name) == nullptr && !functions_.contains(std::string(name))) {
      report(program, call, "function", name, module);
    }
    if (name != "include" && name != "contain" && name != "require") return;
    for (const Expression* argument : call.arguments) {
      if (const auto* text = argument->try_as<LiteralString>()) {
        check_class(program, *argument, text->value, module);
      } else if (const auto* bare = argument->try_as<QualifiedName>()) {
        check_class(program, *argument, bare->name.text(), module);
      }
    }
  }

  void check_type(const Program& program, const Expression& at, std::string_view name,
                  SurveyedModule& module) {
    const std::string key = without_colons(name);
    if (key == "class" || types_.contains(key) || find_native_type(Name(key)) != nullptr) return;
    report(program, at, "resource type", key, module);
  }

  void check_class(const Program& program, const Expression& at, std::string_view name,
                   SurveyedModule& module) {
    const std::string key = without_colons(name);
    if (!classes_.contains(key)) report(program, at, "class", key, module);
  }

  static void report(const Program& program, const Expression& at, std::string_view kind,
                     std::string_view name, SurveyedModule& module) {
    module.unresolved.push_back(
        {kind, std::string(name), program.path(), program.position(at).line});
  }

  const Environment& environment_;
  std::vector<Entry> entries_;
  NameSet functions_, types_, classes_;
};

}  // namespace

std::string_view name_of(SurveyedKind kind) {
  static constexpr std::string_view kNames[] = {"function", "legacy function", "resource type",
                                                "data type", "ERB template"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<SurveyedModule> survey(const Environment& environment) {
  return Surveyor(environment).run();
}

}  // namespace bunraku

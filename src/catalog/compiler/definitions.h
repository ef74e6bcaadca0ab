// The classes, defines and nodes that a compilation knows: those of the initial manifests, and what
// modules are found to hold when it is asked for.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "catalog/compiler/definition.h"
#include "evaluation/evaluator.h"
#include "site/environment/environment.h"
#include "site/environment/loader.h"

namespace bunraku {

class Definitions {
 public:
  // All must outlive this.
  Definitions(const Environment& environment, Loader& loader, Evaluator& evaluator);

  // See CompilerOptions.
  void spare_main_files() { spares_main_files_ = true; }

  // The manifests of the environment, or the code that replaces them.
  void load_initial_manifests(const ParsedFilePointer& code);
  // What the program defines is known from now on.
  void add_program(const ProgramPointer& program, Name module_name);

  Definition& main() { return *main_; }
  // Names are down-cased and without a leading ::. Null when there is none; the file of a module
  // that should hold it is loaded first.
  Definition* find_class(Name name) { return find(name, Definition::Kind::kClass); }
  Definition* find_define(Name name) { return find(name, Definition::Kind::kDefine); }
  // All that may be found under a name, whether it is loaded or not: of files, only their names are
  // looked at, which do not distinguish classes and defines.
  std::vector<std::string> class_names() const { return names(Definition::Kind::kClass); }
  std::vector<std::string> define_names() const { return names(Definition::Kind::kDefine); }
  bool has_nodes() const { return !nodes_.empty(); }
  // By exact name, else the first whose regular expression matches.
  Definition* find_node(std::string_view name);

  // A class without code that the compiler itself provides.
  Definition& add_internal_class(Name name);
  // The class that another inherits from, looked for once; fails when there is none.
  Definition* parent_of(Definition& definition);

 private:
  using Table = std::unordered_map<Name, Definition*>;

  Definition* find(Name name, Definition::Kind kind);
  std::vector<std::string> names(Definition::Kind kind) const;
  void load_candidates(Name name, Definition::Kind kind);
  bool load_file(const Module& module, std::string_view relative_path);
  void add(const ProgramPointer& program, const Expression& definition, Name module_name);
  void add_node(const ProgramPointer& program, const NodeDefinition& definition, Name module_name);
  Definition& make(Definition::Kind kind, Name name, const ProgramPointer& program,
                   const Expression& expression, const Expression* body, Name module_name);
  void set_parameters(Definition& definition, ParameterList parameters);
  void check_is_new(const Definition& definition);
  // An alias may not take the name of a type that the language has.
  void check_is_no_builtin_type(Name name);
  // A mapping must be one of Ruby's classes.
  void check_mapped_type(const ProgramPointer& program, const TypeMapping& mapping);
  // Defines and aliases share one space of names, functions and plans have their own; none is ever
  // defined twice. `at` is the place that messages about a second one show.
  void check_entity_is_new(std::string_view space, Name name, const Program& program, Position at);
  void check_metaparameters(const Definition& definition);
  const Table& table(Definition::Kind kind) const {
    return kind == Definition::Kind::kClass ? classes_ : defines_;
  }

  const Environment& environment_;
  Loader& loader_;
  Evaluator& evaluator_;
  std::vector<std::unique_ptr<Definition>> all_;
  Definition* main_ = nullptr;
  bool spares_main_files_ = false;
  Table classes_, defines_, nodes_;
  std::vector<Definition*> pattern_nodes_;
  std::unordered_set<std::string> loaded_files_;
  std::unordered_map<std::string, std::string> entities_;  // where each was defined
};

}  // namespace bunraku

// The classes, defines and nodes that a compilation knows: those of the initial manifests, and
// those of modules, which are loaded on demand.
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
  // All arguments must outlive this.
  Definitions(const Environment& environment, Loader& loader, Evaluator& evaluator);

  // See CompilerOptions.
  void spare_main_files() { spares_main_files_ = true; }

  // The manifests of the environment, or the code that replaces them.
  void load_initial_manifests(const ParsedFilePointer& code);
  // Adds the definitions of the program.
  void add_program(const ProgramPointer& program, Name module_name);

  Definition& main() { return *main_; }
  // Names are down-cased and without a leading ::. A module's file that should contain the
  // definition is loaded first. Returns null when there is none.
  Definition* find_class(Name name) { return find(name, Definition::Kind::kClass); }
  Definition* find_define(Name name) { return find(name, Definition::Kind::kDefine); }
  // All names that may be found, loaded or not: for files only the file names are read, which do
  // not distinguish classes and defines.
  std::vector<std::string> class_names() const { return names(Definition::Kind::kClass); }
  std::vector<std::string> define_names() const { return names(Definition::Kind::kDefine); }
  bool has_nodes() const { return !nodes_.empty(); }
  // Finds a node by its exact name, else by the first matching regular expression.
  Definition* find_node(std::string_view name);

  // Adds a class without code, provided by the compiler itself.
  Definition& add_internal_class(Name name);
  // Returns the parent class of a definition, searched once; fails when it does not exist.
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
  // Fails when an alias has the name of a built-in type.
  void check_is_no_builtin_type(Name name);
  // Fails when a mapping is not to a class of Ruby.
  void check_mapped_type(const ProgramPointer& program, const TypeMapping& mapping);
  // Fails when the name is already defined. Defines and aliases share one namespace; functions and
  // plans have their own. `at` is the place that the message shows.
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
  std::unordered_map<std::string, std::string> entities_;  // the place of each definition
};

}  // namespace bunraku

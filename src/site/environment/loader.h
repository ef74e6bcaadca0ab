// Finds functions, data types, files and templates for one compilation: the built-in ones and those
// of the environment and its modules.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/system/text_cache.h"
#include "evaluation/host.h"
#include "ruby/worker/function.h"
#include "site/environment/environment.h"

namespace bunraku {

class Evaluator;

class Loader final : public FunctionLoader, public TypeResolver, public ModuleHost {
 public:
  // All must outlive the loader.
  Loader(const Environment& environment, Arena& arena, LogSink* log);
  ~Loader();
  // Sets the evaluator that uses this loader; it also evaluates types.
  void set_evaluator(Evaluator& evaluator) { evaluator_ = &evaluator; }

  // A function or type alias that a manifest defines.
  void add_definition(const ProgramPointer& program, const FunctionDefinition& definition);
  void add_definition(const ProgramPointer& program, const TypeAlias& definition);

  // The type of an expression when it is the same in every compilation, otherwise null.
  const Type* shared_type(const ProgramPointer& program, const Expression& expression);

  const Function* find_function(Name name, const Place& place) override;
  std::vector<std::string> function_names() override;
  const Type* find_type(std::string_view name) override;
  std::vector<std::string> type_names() override;

  std::optional<std::string> find_file(std::string_view kind, std::string_view name) override;
  std::optional<std::string> module_directory(std::string_view module) override;
  std::string_view module_data_provider(std::string_view module) override;
  std::string_view read(std::string_view path) override;
  std::optional<FoundFile> read_file(std::string_view kind, std::string_view name) override;
  ProgramPointer parse_template(std::string_view path) override;
  ProgramPointer parse_template_text(std::string_view name, std::string_view text) override;
  std::vector<std::string> module_directories() override;
  const RubyTypeCode* ruby_code_of(std::string_view type_name) override;
  // The SHA-256 of a file's contents, in hexadecimal digits.
  std::string digest(const std::string& path);

 private:
  class SharedFunction;

  const Function* load_function(Name name, const Place& place);
  const Function* load_language_function(Name name);
  const Function* load_ruby_function(Name name, const Place& place);
  // `path` is relative to the directories of functions. A function in the newer directory takes
  // precedence.
  const Function* load_ruby_function_of(const Module* module, Name name, const std::string& path,
                                        const Place& place);
  const Function* load_ruby_file(Name name, const Module* module, const std::string& file,
                                 RubyInterface interface, const Place& place);
  // Returns the function of the module that is seen first by the code at `place`, or by `caller`
  // (as in Call).
  const Function& shared_function(Name name, const std::string& path, const Place& place,
                                  std::optional<std::string_view> caller);
  const Type* load_type(std::string_view lower_case_name);
  const Type* load_module_type_set(std::string_view lower_case_name);
  // Loads a type that the file declares with Puppet::DataTypes.create_type.
  const Type* load_ruby_type(std::string_view lower_case_name, const std::string& file);
  const Type* make_type(const ProgramPointer& program, const TypeAlias& definition);
  const Type* find_in_type_sets(std::string_view lower_case_name);
  const Type* find_resource_type(std::string_view lower_case_name);
  // Returns the one definition that a file under functions/ or types/ must have.
  template <typename Definition>
  const Definition& sole_definition(const Program& program, std::string_view kind,
                                    std::string_view name) const;

  const FileText& file(const std::string& path);

  const Environment& environment_;
  Arena& arena_;
  LogSink* log_;
  Evaluator* evaluator_ = nullptr;
  std::unordered_map<Name, const Function*> functions_;  // null: the function does not exist
  // Ruby functions that several modules have, by module.
  std::unordered_map<Name, std::map<const Module*, const Function*>> shared_functions_;
  // functions of the older interface among these
  std::unordered_map<Name, const Function*> older_functions_;
  std::vector<std::unique_ptr<Function>> own_functions_;
  std::unordered_map<Name, const Type*> types_;
  bool has_own_types_ = false;  // manifests define types, which may replace a module's
  std::unordered_map<std::string, RubyTypeCode> ruby_types_;  // by name in lower case
  std::vector<ProgramPointer> programs_;
  std::unordered_map<std::string, std::shared_ptr<const FileText>> files_;  // by path
  std::unordered_map<std::string, std::string> found_files_;  // paths, by "templates/apache/x.epp"
};

}  // namespace bunraku

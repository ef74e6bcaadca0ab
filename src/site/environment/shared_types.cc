#include "site/environment/shared_types.h"

#include <algorithm>
#include <mutex>

#include "base/system/reads.h"
#include "base/text/utf8.h"
#include "site/environment/definition_files.h"
#include "site/environment/environment.h"
#include "types/interpretation.h"
#include "values/type.h"

namespace bunraku {
namespace {

// Thrown when a type turns out not to be shareable.
struct NotShared {};

}  // namespace

// Makes one type with its parts while the lock is held.
class SharedTypes::Maker final : public TypeResolver {
 public:
  explicit Maker(SharedTypes& shared) : shared_(shared) {}

  const Type* find_type(std::string_view name) override {
    if (name.starts_with("::")) name.remove_prefix(2);
    const Type* type = alias(downcase(name));
    if (type == nullptr) throw NotShared();
    return type;
  }

  const Type* alias(const std::string& name) {
    if (const auto known = shared_.aliases_.find(name); known != shared_.aliases_.end()) {
      use(known->second);
      return known->second.type;
    }
    // An entry without a type while the type is being made: a type that refers to itself is not
    // shared.
    shared_.aliases_.try_emplace(name);
    Entry made;
    std::swap(made.aliases, aliases_);
    try {
      made.type = declared(name);
    } catch (const NotShared&) {
    } catch (const EvaluationError&) {
      // A compilation that makes the type itself reports the error.
    }
    std::swap(made.aliases, aliases_);
    if (made.type != nullptr) made.aliases.push_back(name);
    use(made);
    const Type* const type = made.type;
    shared_.aliases_[name] = std::move(made);
    return type;
  }

  Entry interpreted(const Program& program, const Expression& expression) {
    Entry made;
    try {
      made.type = TypeInterpreter(shared_.arena_, program, this).type(expression);
      made.aliases = std::move(aliases_);
    } catch (const NotShared&) {
    } catch (const EvaluationError&) {
    }
    return made;
  }

 private:
  void use(const Entry& entry) {
    for (const std::string& name : entry.aliases) {
      if (std::ranges::find(aliases_, name) == aliases_.end()) {
        aliases_.push_back(name);
      }
    }
  }

  const Type* declared(const std::string& name) {
    const Environment& environment = shared_.environment_;
    const auto [module, path, is_possible] = own_file(environment, "types", name);
    if (!is_possible || module == nullptr) return nullptr;
    // A class or defined type of the name takes precedence over the alias.
    if (environment.has_file(module, own_file(environment, "manifests", name).path)) return nullptr;
    if (environment.has_file(module, ruby_type_file(name))) return nullptr;
    if (!environment.has_file(module, path)) return nullptr;
    const ParsedFilePointer file = environment.parse(environment.path_in(module, path));
    // Diagnostics of a file have to be reported in every compilation.
    if (!file->diagnostics.empty()) return nullptr;
    const Program& program = *file->program;
    if (program.definitions.size() != 1 || program.body != program.definitions[0]) return nullptr;
    const auto* definition = program.definitions[0]->try_as<TypeAlias>();
    if (definition == nullptr || downcase(definition->name.text()) != name) return nullptr;
    shared_.programs_.insert(file->program);
    const Type* type = declare_type(shared_.arena_, program, *definition);
    if (type->kind != TypeKind::kTypeAlias) return nullptr;
    resolve_declared_type(shared_.arena_, type, this);
    return type->as<TypeAliasType>().is_recursive ? nullptr : type;
  }

  SharedTypes& shared_;
  std::vector<std::string> aliases_;  // the aliases used so far
};

const Type* SharedTypes::find_alias(std::string_view lower_case_name) {
  const std::string name(lower_case_name);
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = aliases_.find(name); known != aliases_.end())
      return reported(known->second);
  }
  {
    const std::unique_lock lock(mutex_);
    const ObservedReads nobody(nullptr);
    // If another thread has made it first, this finds it in the table.
    Maker(*this).alias(name);
  }
  return find_alias(name);
}

const Type* SharedTypes::find(const ProgramPointer& program, const Expression& expression) {
  {
    const std::shared_lock lock(mutex_);
    const auto known = expressions_.find(&expression);
    if (known != expressions_.end()) return reported(known->second);
  }
  {
    const std::unique_lock lock(mutex_);
    const ObservedReads nobody(nullptr);
    programs_.insert(program);
    expressions_.try_emplace(&expression, Maker(*this).interpreted(*program, expression));
  }
  return find(program, expression);
}

const Type* SharedTypes::reported(const Entry& entry) const {
  if (entry.type == nullptr || ReadObserver::current() == nullptr) return entry.type;
  for (const std::string& name : entry.aliases) {
    const auto [module, path, is_possible] = own_file(environment_, "types", name);
    environment_.has_file(module, own_file(environment_, "manifests", name).path);
    environment_.has_file(module, ruby_type_file(name));
    environment_.has_file(module, path);
    environment_.parse(environment_.path_in(module, path));
  }
  return entry.type;
}

}  // namespace bunraku

// The interfaces through which the evaluator reaches the rooms above it: functions and types by
// name, the catalog, data, modules. A null pointer means that this evaluation has no such part
// (`eval --script` has no catalog), and that using it is an error.
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"
#include "types/type_text.h"

namespace bunraku {

class ChangedObjects;
class Scope;
class LogSink;

class FunctionLoader {
 public:
  virtual ~FunctionLoader() = default;
  // Finds a function that is built in, written in the language (autoloaded), or in Ruby. Null when
  // there is none.
  virtual const Function* find_function(Name name, const Place& place) = 0;
  // The names of available functions, for suggestions.
  virtual std::vector<std::string> function_names() { return {}; }
};

// One evaluated name => value of a resource expression.
struct EvaluatedParameter {
  Name name;
  // Its arrays and hashes are shared by the resources that it is for, and by nothing else.
  Value value;
  bool append;  // +>
  Place place;
};

// Mostly few, and for a short time.
using EvaluatedParameters = boost::container::small_vector<EvaluatedParameter, 6>;

struct ResourceRequest {
  ResourceForm form;
  // `file`, `apache::vhost`, `class`: down-cased, without a leading ::.
  Name type_name;
  // Already checked and flattened: strings; from the function create_resources() anything but
  // arrays.
  std::span<const Value> titles;
  std::span<const EvaluatedParameter> parameters;
  Place place;
  // Requested by the function create_resources() and not by an expression; the catalog differs.
  bool is_from_function = false;
};

enum class ArrowKind : uint8_t { kBefore, kNotify };

class CatalogHost {
 public:
  virtual ~CatalogHost() = default;

  // Adds resources; returns an array of references to them. Called once for each body of a resource
  // expression, with the parameters of a `default:` body merged in.
  virtual Value create_resources(Scope& scope, const ResourceRequest& request) = 0;
  virtual void add_defaults(Scope& scope, Name type_name,
                            std::span<const EvaluatedParameter> parameters) = 0;
  // `reference` has a title.
  virtual void override_resource(Scope& scope, const ResourceType& reference,
                                 std::span<const EvaluatedParameter> parameters,
                                 const Place& place) = 0;
  // Registers a collector; the returned value represents it as an operand of arrows.
  virtual Value collect(Scope& scope, const CollectExpression& expression, Name type_name,
                        std::span<const EvaluatedParameter> overrides, const Place& place) = 0;
  // Adds an arrow from each of `source` to each of `target`: arrays without nested arrays or
  // duplicates, of references (already checked) and results of collect() (any other object must be
  // rejected: kIllegalRelationshipOperandType). Either may be empty.
  virtual void relate(Value source, Value target, ArrowKind kind, const Place& place) = 0;
  // The value of File['x'][name].
  virtual Value parameter_of(const ResourceType& reference, std::string_view name,
                             const Place& place) = 0;
  virtual bool is_resource_type(Name lower_case_name, const Place& place) = 0;
  // The scope of an evaluated class, for $a::b::c; null when the class was not evaluated.
  virtual Scope* class_scope(Name class_name) = 0;
  virtual bool is_known_class(Name class_name) = 0;

  enum class ClassCall : uint8_t { kInclude, kRequire, kContain };
  // include, require, contain: names are down-cased and without a leading ::; returns an array of
  // class references.
  virtual Value include_classes(Scope& scope, ClassCall kind, std::span<const Name> names,
                                const Place& place) = 0;
  // The references are flattened.
  virtual void realize(Scope& scope, std::span<const Value> references, const Place& place) = 0;
  // Returns whether the catalog has the resource (a reference with a title); a Class must be
  // evaluated.
  virtual bool is_declared(const Type* reference) = 0;
  virtual void add_tags(Scope& scope, std::span<const std::string_view> tags) = 0;
  virtual bool has_tags(Scope& scope, std::span<const std::string_view> tags) = 0;
  virtual std::string_view environment_name() = 0;
  // The name of the node, which facts and trusted data may not have.
  virtual std::string_view node_name() = 0;

  // Replaces values that hold objects changed by code in the scope: of the parameters of its
  // resource, and of the variables and parameters of classes. A value that a declaration gives is
  // the declared resource's own copy.
  virtual void update_values(Scope& scope, ChangedObjects& objects) = 0;
  // Sets a parameter of an existing resource, wherever it was declared, for code in Ruby.
  virtual void set_resource_parameter(Scope& scope, const Type* reference, Name name, Value value,
                                      const Place& place) = 0;
  // Removes a resource, if it exists, for code in Ruby.
  virtual void remove_resource(const Type* reference) = 0;

  // --- for code that looks at the catalog as a whole ---
  // The data of a resource: {type, title, parameters, file, line, virtual, exported, tags}; undef
  // when there is none.
  virtual Value resource_data(const Type* reference) = 0;
  // The same for the resource that the scope belongs to.
  virtual Value scope_resource_data(Scope& scope) = 0;
  // References to all resources, in their order, and the data of all.
  virtual Value resource_references() = 0;
  virtual Value all_resource_data() = 0;
  virtual Value class_names() = 0;
  // The defaults in the scope for resources of a type (its name in lower case): {name => value}.
  virtual Value defaults_data(const Scope& scope, Name type_name) = 0;
  virtual Value catalog_tags() = 0;
  // {keys, properties, parameters} of a resource type that the program has natively; undef when
  // there is none of the name.
  virtual Value type_data(Name type_name) = 0;
};

struct LookupRequest {
  std::span<const std::string_view> names;
  bool names_are_array = false;      // as passed to the block
  const Type* value_type = nullptr;  // null: any
  Value merge;                       // undef, a strategy's name, or a hash of options
  bool has_default = false;
  Value default_value;
  Value default_values_hash;     // hash or undef
  Value override_hash;           // hash or undef
  Value location_overrides;      // for the hiera functions: a name or an array of names, or undef
  const Block* block = nullptr;  // called with the name when nothing is found
  // from hiera(), hiera_array()...: without an environment's hiera.yaml, only the global layer is
  // used
  bool is_hiera_call = false;
  Place place;
};

class DataHost {
 public:
  virtual ~DataHost() = default;
  virtual Value lookup(Scope& scope, const LookupRequest& request) = 0;
  // Looks up a class parameter; returns nothing when no data has the name, which need not outlive
  // the call.
  virtual std::optional<Value> lookup_parameter(Scope& scope, std::string_view name) = 0;
  // Adds to an error the files that were searched for the key, and similar keys in them.
  virtual void explain_missing(Diagnostic& problem, std::string_view key) const = 0;
  // Adds to a problem with the value of the key where in the data that is; values are not shown.
  virtual void explain_found(Diagnostic& problem, std::string_view key) const = 0;
};

// The code of a data type that a module defines in Ruby.
struct RubyTypeCode {
  std::string file;
  std::vector<std::string> methods;  // of its instances
};

class ModuleHost {
 public:
  struct FoundFile {
    std::string path;
    std::string_view contents;
  };
  virtual ~ModuleHost() = default;
  // Returns the absolute path of <module>/<kind>/<path> ("files", "templates", "scripts", ...) for
  // the name "module/path", or an absolute path itself; nothing when the file does not exist.
  virtual std::optional<std::string> find_file(std::string_view kind, std::string_view name) = 0;
  // Returns the absolute path of a module's directory.
  virtual std::optional<std::string> module_directory(std::string_view module) = 0;
  // The data provider in the module's metadata.json; mostly empty.
  virtual std::string_view module_data_provider(std::string_view module) = 0;
  // Returns a file's bytes, kept for the compilation so that every reader sees the same; fails with
  // the reason when it cannot be read.
  virtual std::string_view read(std::string_view path) = 0;
  // Returns the file that find_file() finds, with its bytes as from read(); the file is examined
  // once, and not twice as by both together.
  virtual std::optional<FoundFile> read_file(std::string_view kind, std::string_view name) = 0;
  // Returns a parsed template, shared by all compilations of the environment snapshot.
  virtual ProgramPointer parse_template(std::string_view path) = 0;
  // Parses a template that is not from a file; messages call it `name`.
  virtual ProgramPointer parse_template_text(std::string_view name, std::string_view text) = 0;
  // The directories of the environment's modules, in the order of the module path.
  virtual std::vector<std::string> module_directories() = 0;
  // Returns null for types without Ruby code, and for those that were not requested yet.
  virtual const RubyTypeCode* ruby_code_of(std::string_view type_name) = 0;
};

// A request to the prelude that runs Ruby code (see ruby/worker/session.h).
struct RubyRequest {
  std::string_view method;  // "functions.call": the prelude's file, and its method
  std::span<const Value> arguments;
  const Block* block = nullptr;  // passed as a Ruby block
  Scope* scope = nullptr;        // the `scope` of Ruby code; null: the top scope
  Place place;
  // For messages: "The function 'apt::x'", and the Ruby file; may be empty.
  std::string_view subject;
  std::string_view file;
  // What native code does not support: "line 3: the method 'unpack'"; empty when that is not known.
  std::string_view reason;
};

// Runs Ruby code of modules, in a separate process.
class RubyHost {
 public:
  virtual ~RubyHost() = default;
  // May return a control value, when a block was left early. Throws EvaluationError with the error
  // of the code (its message only, without a place), or because the code could not be run.
  virtual Value call(const RubyRequest& request) = 0;
  // Returns false when the settings forbid Ruby or there is no `ruby`.
  virtual bool is_available() = 0;
  // The first two numbers of its version, "3.1", when they are known without running it.
  virtual std::string version() = 0;
  // Returns whether Ruby code of this compilation is waiting for an answer. It may hold values that
  // it has changed since the compiler got them.
  virtual bool is_running() const = 0;
};

struct Host {
  FunctionLoader* functions = nullptr;
  TypeResolver* types = nullptr;
  CatalogHost* catalog = nullptr;
  DataHost* data = nullptr;
  ModuleHost* modules = nullptr;
  RubyHost* ruby = nullptr;
  LogSink* log = nullptr;
};

}  // namespace bunraku

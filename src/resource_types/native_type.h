// Metadata of resource types that are written in Ruby: those of the reference and of the modules in
// its agent package.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory/name.h"
#include "values/value.h"

namespace bunraku {

class Regex;

// A rule that splits a title into attribute values.
struct TitlePattern {
  const Regex* pattern;        // null: the whole title
  std::vector<Name> captures;  // the attributes set by its groups
};

// An attribute value from a title.
struct TitlePart {
  Name attribute;
  Value value;  // text, unless Ruby code converts it
};

// Parses titles of a type whose patterns run Ruby code on the captured texts.
class TitleParser {
 public:
  virtual ~TitleParser() = default;
  // Returns false when no pattern matches. The texts live as long as the compilation.
  virtual bool parse(std::string_view title, std::vector<TitlePart>& parts) = 0;
};

struct NativeType {
  Name name;                         // down-cased
  std::string_view file_digest;      // SHA-256 of the file that defines it in a module; empty: core
  bool is_isomorphic;                // two resources must not manage the same object
  std::vector<Name> key_attributes;  // in the order of definition
  std::vector<Name> sorted_key_attributes;  // by name
  std::vector<Name> properties;
  std::vector<Name> parameters;  // see all_parameters()
  std::vector<TitlePattern> title_patterns;
  TitleParser* title_parser = nullptr;  // replaces the patterns
  // Returns whether some module has a provider, which makes `provider` a parameter; empty when
  // `parameters` is complete. Asked on demand, for it searches all modules. Safe from any thread.
  std::function<bool()> has_provider = nullptr;
  bool needs_module = false;  // the defining module is not part of agents

  // The single attribute that names the resource; `name` for types with several.
  Name namevar() const;
  // Returns whether the name is one of its attributes, a metaparameter or `name`.
  bool has_attribute(Name attribute) const;
  // `parameters`, and `provider` where a module has one.
  std::vector<Name> all_parameters() const;
};

// Returns null when the type is not native.
const NativeType* find_native_type(Name lower_case_name);
std::span<const NativeType> native_types();

// Sorted as in the reference.
std::span<const Name> metaparameters();
bool is_metaparameter(Name name);
// Returns whether the name is before, notify, require or subscribe.
bool is_relationship_metaparameter(Name name);

}  // namespace bunraku

// What is known of the resource types that are written in Ruby: those of the reference itself and
// of the modules that its agent package brings.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/memory/name.h"
#include "values/value.h"

namespace bunraku {

class Regex;

// How a title gives values to attributes.
struct TitlePattern {
  const Regex* pattern;        // null: the whole title
  std::vector<Name> captures;  // the attributes that its groups set
};

// A value that a title gives to an attribute.
struct TitlePart {
  Name attribute;
  Value value;  // text, unless Ruby code makes something else of it
};

// Titles of a type whose patterns do more than to capture: Ruby code changes the texts.
class TitleParser {
 public:
  virtual ~TitleParser() = default;
  // False when no pattern matches. The texts live as long as the compilation.
  virtual bool parse(std::string_view title, std::vector<TitlePart>& parts) = 0;
};

struct NativeType {
  Name name;                         // down-cased
  std::string_view file_digest;      // SHA-256 of the file that defines it in a module; empty: core
  bool is_isomorphic;                // may two resources not manage the same thing?
  std::vector<Name> key_attributes;  // in the order of their definition
  std::vector<Name> sorted_key_attributes;  // by name
  std::vector<Name> properties;
  std::vector<Name> parameters;
  std::vector<TitlePattern> title_patterns;
  TitleParser* title_parser = nullptr;  // in place of the patterns
  bool needs_module = false;            // agents do not bring the module that defines it

  // The one attribute that names the resource; `name` for those that have several.
  Name namevar() const;
  // Its own attributes, metaparameters and `name`.
  bool has_attribute(Name attribute) const;
};

// Null when it is not among them.
const NativeType* find_native_type(Name lower_case_name);
std::span<const NativeType> native_types();

// In the reference's order.
std::span<const Name> metaparameters();
bool is_metaparameter(Name name);
// before, notify, require, subscribe
bool is_relationship_metaparameter(Name name);

}  // namespace bunraku

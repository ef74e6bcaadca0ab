// The resource types of an environment: native ones, those that modules define in Ruby, and
// defines.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>

#include "catalog/compiler/compiler_state.h"
#include "catalog/compiler/ruby_types.h"

namespace bunraku {

class KnownTypes {
 public:
  explicit KnownTypes(CompilerState& state);

  RubyTypes& ruby_types() { return ruby_types_; }
  // Returns the native or Ruby type; null when there is none. `place` is the place of its use.
  // Throws EvaluationError when its Ruby code cannot be loaded.
  const NativeType* find(Name type_key, const Place& place);
  // Returns whether such a type or define exists.
  bool is_resource_type(Name lower_case_name, const Place& place);
  // Returns "Apache::Vhost" for "apache::vhost".
  Name shown_type(Name type_key);
  // The type and title that a resource of a native type has in the catalog.
  ResourceName native_resource_name(Name type_key, std::string_view title);

  [[noreturn]] static void fail_untitled(Name type_key, const NativeType* native,
                                         const Definition* define);
  // The message shows `prefix` before the name: "::" when the code has it.
  [[noreturn]] void fail_unknown_resource_type(Name name, const Place& place,
                                               std::string_view prefix);

 private:
  CompilerState& state_;
  RubyTypes ruby_types_;
  boost::unordered_flat_map<Name, const NativeType*, std::hash<Name>> native_types_;
  boost::unordered_flat_map<Name, Name, std::hash<Name>> shown_types_;
};

}  // namespace bunraku

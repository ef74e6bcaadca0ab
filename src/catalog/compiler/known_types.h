// The resource types of an environment: native ones, those that modules have in Ruby, and defines.
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
  // The type, native or in Ruby; null when there is none. `place` is where it is asked for. Throws
  // EvaluationError when its Ruby code cannot be loaded.
  const NativeType* find(Name type_key, const Place& place);
  // Is there such a type or define?
  bool is_resource_type(Name lower_case_name, const Place& place);
  // "Apache::Vhost" of "apache::vhost"
  Name shown_type(Name type_key);
  // What a resource of a native type is called in the catalog.
  ResourceName native_resource_name(Name type_key, std::string_view title);

  [[noreturn]] static void fail_untitled(Name type_key, const NativeType* native,
                                         const Definition* define);
  // The message shows `prefix` before the name: "::" where it is written so.
  [[noreturn]] void fail_unknown_resource_type(Name name, const Place& place,
                                               std::string_view prefix);

 private:
  CompilerState& state_;
  RubyTypes ruby_types_;
  boost::unordered_flat_map<Name, const NativeType*, std::hash<Name>> native_types_;
  boost::unordered_flat_map<Name, Name, std::hash<Name>> shown_types_;
};

}  // namespace bunraku

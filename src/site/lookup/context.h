// The context argument of data functions ($context, Puppet::LookupContext).
#pragma once

#include <string_view>
#include <utility>

#include "evaluation/function.h"
#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"

namespace bunraku {

// The context of a level and location, with the cache that its function keeps between calls.
// Functions may return it as data, so it lives as long as the compilation.
class LookupContext final : public NativeObject {
 public:
  // `lookup`, `environment` and `module` must outlive it.
  LookupContext(Lookup& lookup, Arena& arena, std::string_view environment,
                std::string_view module);

  // Sets the invocation that the methods refer to during a call of the function. Between calls
  // they refer to the top scope.
  class InUse {
   public:
    InUse(LookupContext& context, Invocation& invocation)
        : context_(context), outer_(std::exchange(context.invocation_, &invocation)) {}
    ~InUse() { context_.invocation_ = outer_; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    LookupContext& context_;
    Invocation* outer_;
  };

  // The value of `context` for code.
  Value value() const { return value_; }

  // Implements the methods of Puppet::LookupContext, and in addition yaml_data, json_data,
  // hocon_data and eyaml_lookup_key, with the arguments of the functions of these names, and
  // is_ruby_file_data(path): whether Ruby has made the result of cached_file_data(path).
  Value call_method(std::string_view name, Call& call) override;

 private:
  Value call_in_use(std::string_view name, Call& call);
  Value cached_entries(Call& call);
  Value cached_file_data(Call& call);
  Value file_data(Call& call, const std::string& path, DataFormat format);
  Value encrypted_value(Call& call);

  Lookup& lookup_;
  Value value_;
  HashBuilder cache_;
  Invocation* invocation_ = nullptr;  // null while no function is called
};

}  // namespace bunraku

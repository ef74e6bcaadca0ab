// The context argument of data functions ($context, Puppet::LookupContext).
#pragma once

#include <string_view>

#include "evaluation/function.h"
#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"

namespace bunraku {

// The cache that a data function keeps between calls, one for each level and location.
struct FunctionCache {
  explicit FunctionCache(Arena& arena) : entries(arena) {}
  HashBuilder entries;
};

class LookupContext final : public NativeObject {
 public:
  // Valid for one call: the invocation and the cache are only referenced.
  LookupContext(Invocation& invocation, FunctionCache& cache)
      : invocation_(invocation), cache_(cache) {}

  // Implements the methods of Puppet::LookupContext, and in addition yaml_data, json_data,
  // hocon_data and eyaml_lookup_key, with the arguments of the functions of these names, and
  // is_ruby_file_data(path): whether Ruby has made the result of cached_file_data(path).
  Value call_method(std::string_view name, Call& call) override;

 private:
  Value cached_entries(Call& call);
  Value cached_file_data(Call& call);
  Value file_data(Call& call, const std::string& path, DataFormat format);
  Value encrypted_value(Call& call);

  Invocation& invocation_;
  FunctionCache& cache_;
};

// The value of `context` for code.
Value context_value(Arena& arena, LookupContext& context, std::string_view environment,
                    std::string_view module);

}  // namespace bunraku

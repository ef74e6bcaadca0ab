// The context that a function which gives data is called with ($context, Puppet::LookupContext).
#pragma once

#include <string_view>

#include "evaluation/function.h"
#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"

namespace bunraku {

// What a function keeps from call to call, for each level and location.
struct FunctionCache {
  explicit FunctionCache(Arena& arena) : entries(arena) {}
  HashBuilder entries;
};

class LookupContext final : public NativeObject {
 public:
  // Good for one call: neither the invocation nor the cache is kept.
  LookupContext(Invocation& invocation, FunctionCache& cache)
      : invocation_(invocation), cache_(cache) {}

  // Besides the methods of Puppet::LookupContext: yaml_data, json_data, hocon_data and
  // eyaml_lookup_key, with the arguments of the functions of these names; is_ruby_file_data(path),
  // whether Ruby has made what cached_file_data(path) gives.
  Value call_method(std::string_view name, Call& call) override;

 private:
  Value cached_entries(Call& call);
  Value cached_file_data(Call& call);
  Value file_data(Call& call, const std::string& path, DataFormat format);
  Value encrypted_value(Call& call);

  Invocation& invocation_;
  FunctionCache& cache_;
};

// The value that stands for `context` in code.
Value context_value(Arena& arena, LookupContext& context, std::string_view environment,
                    std::string_view module);

}  // namespace bunraku

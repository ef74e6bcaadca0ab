// A resource type as `describe` shows it: what is written of it, with the values, defaults and
// features that its native implementation has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

class JsonWriter;
struct NativeType;

struct TypeDetail {
  bool is_short = false;             // names of attributes and providers alone
  bool with_providers = false;       // providers with their descriptions
  bool with_metaparameters = false;  // metaparameters, too
};

// All but the heading, wrapped to `width` columns.
std::string type_text(const NativeType& type, const TypeDetail& detail, uint32_t width);
// An object. Attributes and providers are always there, metaparameters when they are asked for.
void write_type(JsonWriter& json, const NativeType& type, bool with_metaparameters);
// The first sentence of the type's description, without its full stop; empty when there is none.
std::string_view type_summary(const NativeType& type);

}  // namespace bunraku

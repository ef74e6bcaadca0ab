// A resource type as `describe` shows it: its description, with the values, defaults and features
// of its native implementation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

class JsonWriter;
struct NativeType;

struct TypeDetail {
  bool is_short = false;             // only names of attributes and providers
  bool with_providers = false;       // with descriptions of providers
  bool with_metaparameters = false;  // with metaparameters
};

// The text without the heading, wrapped to `width` columns.
std::string type_text(const NativeType& type, const TypeDetail& detail, uint32_t width);
// Writes an object with attributes and providers, and optionally metaparameters.
void write_type(JsonWriter& json, const NativeType& type, bool with_metaparameters);
// The first sentence of the type's description, without the full stop; empty when there is none.
std::string_view type_summary(const NativeType& type);

}  // namespace bunraku

// The built-in data functions yaml_data, json_data, hocon_data and eyaml_lookup_key, for levels of
// a hierarchy and for calls in code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"

namespace bunraku {

// The format of yaml_data, json_data or hocon_data; no value for other functions.
std::optional<DataFormat> data_format_of(std::string_view function);

// The name of the format in messages: "yaml".
std::string_view language_of(DataFormat format);

// Returns the parsed file, or fails with the reason when it cannot be read or parsed.
std::shared_ptr<const DataFile> parsed_data_file(Invocation& invocation, const std::string& path,
                                                 DataFormat format);

// Returns the file's hash. For other content it fails or, with lenient settings, warns and returns
// an empty hash.
Value data_hash(Invocation& invocation, const DataFile& file, const std::string& path,
                DataFormat format);

// Decrypts and interpolates a value of a file with encrypted texts. `options` is a hash that may
// name the key files, or undef; `root` and `path` are for messages.
Value decrypted_value(Invocation& invocation, Value options, std::string_view root, Value value,
                      const std::string& path);

}  // namespace bunraku

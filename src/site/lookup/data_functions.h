// What the built-in functions that give data do: yaml_data, json_data, hocon_data and
// eyaml_lookup_key, for levels of a hierarchy and for code that calls them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"

namespace bunraku {

// Of yaml_data, json_data and hocon_data.
std::optional<DataFormat> data_format_of(std::string_view function);

// "yaml" for messages.
std::string_view language_of(DataFormat format);

// A file that could be read and parsed; fails with the reason when it could not.
std::shared_ptr<const DataFile> parsed_data_file(Invocation& invocation, const std::string& path,
                                                 DataFormat format);

// The file's hash. What is none is an error or, when the settings are not strict about it, a
// warning and an empty hash.
Value data_hash(Invocation& invocation, const DataFile& file, const std::string& path,
                DataFormat format);

// A value of a file with encrypted texts: decrypted and interpolated. `options` is a hash that may
// name the keys' files, or undef; `root` and `path` are for messages.
Value decrypted_value(Invocation& invocation, Value options, std::string_view root, Value value,
                      const std::string& path);

}  // namespace bunraku

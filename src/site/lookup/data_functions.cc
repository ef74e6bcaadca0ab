#include "site/lookup/explainer.h"
#include "site/lookup/data_functions.h"

#include <fmt/format.h>

#include "site/lookup/eyaml.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"

namespace bunraku {
namespace {

std::string key_path(Value options, std::string_view option) {
  const Value* given = options.is_hash() ? options.as_hash().find(option) : nullptr;
  if (given != nullptr && given->is_string()) return std::string(given->as_string());
  return option == "pkcs7_private_key" ? "./keys/private_key.pkcs7.pem"
                                       : "./keys/public_key.pkcs7.pem";
}

}  // namespace

std::optional<DataFormat> data_format_of(std::string_view function) {
  if (function == "yaml_data") return DataFormat::kYaml;
  if (function == "json_data") return DataFormat::kJson;
  if (function == "hocon_data") return DataFormat::kHocon;
  return std::nullopt;
}

std::string_view language_of(DataFormat format) {
  switch (format) {
    case DataFormat::kYaml:
      return "yaml";
    case DataFormat::kJson:
      return "json";
    case DataFormat::kHocon:
      return "hocon";
  }
  return {};
}

std::shared_ptr<const DataFile> parsed_data_file(Invocation& invocation, const std::string& path,
                                                 DataFormat format) {
  std::shared_ptr<const DataFile> file = invocation.lookup.files().get(path, format);
  if (file->error.empty()) return file;
  if (const std::string& reason = file->system_reason; !reason.empty()) {
    const bool is_open = reason == "Is a directory";
    fail_foreign(fmt::format("{} @ {} - {}", reason, is_open ? "io_fread" : "rb_sysopen", path));
  }
  if (format == DataFormat::kYaml) fail_lookup("Unable to parse " + file->error);
  fail_lookup(fmt::format("Unable to parse ({}): {}", path, file->error));
}

Value data_hash(Invocation& invocation, const DataFile& file, const std::string& path,
                DataFormat format) {
  if (file.data.is_hash()) return file.data;
  std::string message =
      path + ": file does not contain a valid " + std::string(language_of(format)) + " hash";
  if (invocation.lookup.is_strict() && !file.data.is_undef()) fail_lookup(message);
  invocation.lookup.warn(message);
  return HashBuilder(invocation.arena).finish();
}

Value decrypted_value(Invocation& invocation, Value options, std::string_view root, Value value,
                      const std::string& path) {
  if (value.is_array()) {
    ArrayBuilder out(invocation.arena, value.as_array().size());
    for (Value item : value.as_array()) {
      out.push(decrypted_value(invocation, options, root, item, path));
    }
    return out.finish();
  }
  if (value.is_hash()) {
    HashBuilder out(invocation.arena, value.as_hash().size);
    for (const HashEntry& entry : value.as_hash()) {
      out.set(interpolate(invocation, entry.key, true),
              decrypted_value(invocation, options, root, entry.value, path));
    }
    return out.finish();
  }
  if (!value.is_string()) return value;
  const bool is_secret = holds_encrypted_text(value.as_string());
  if (is_secret) {
    try {
      value = Value::string(invocation.arena,
                            decrypt_text(value.as_string(), key_path(options, "pkcs7_private_key"),
                                         key_path(options, "pkcs7_public_key")));
    } catch (const EvaluationError& error) {
      fail_lookup("hiera-eyaml backend error decrypting " + std::string(value.as_string()) +
                  " when looking up " + std::string(root) + " in " + path + ". Error was " +
                  error.what());
    }
  }
  const Value result = interpolate(invocation, value, true);
  if (is_secret && invocation.explainer != nullptr) {
    invocation.explainer->secret(value);
    invocation.explainer->secret(result);
  }
  return result;
}

}  // namespace bunraku

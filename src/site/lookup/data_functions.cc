#include "site/lookup/data_functions.h"
#include "site/lookup/explainer.h"

#include <fmt/format.h>

#include "site/lookup/eyaml.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"
#include "values/bounds.h"

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
    fail_foreign(Issue::kUnreadableDataFile,
                 {fmt::format("{} @ {} - {}", reason, is_open ? "io_fread" : "rb_sysopen", path)});
  }
  Diagnostic diagnostic = make_diagnostic(
      Issue::kInvalidDataFile, Range(),
      {format == DataFormat::kYaml ? "Unable to parse " + file->error
                                   : fmt::format("Unable to parse ({}): {}", path, file->error)});
  diagnostic.labels = file->error_labels;
  throw EvaluationError(std::move(diagnostic), ErrorKind::kLookup);
}

Value data_hash(Invocation& invocation, const DataFile& file, const std::string& path,
                DataFormat format) {
  if (file.data.is_hash()) return file.data;
  const std::string message =
      path + ": file does not contain a valid " + std::string(language_of(format)) + " hash";
  if (invocation.lookup.is_strict() && !file.data.is_undef()) {
    fail_lookup(Issue::kInvalidDataFile, {message});
  }
  invocation.lookup.warn(message);
  return HashBuilder(invocation.arena).finish();
}

Value decrypted_value(Invocation& invocation, Value options, std::string_view root, Value value,
                      const std::string& path) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    ArrayBuilder out(invocation.arena, value.as_array().size());
    for (const Value item : value.as_array()) {
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
      fail_lookup(Issue::kDecryptionFailed,
                  {std::string(value.as_string()), std::string(root), path}, error.diagnostic());
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

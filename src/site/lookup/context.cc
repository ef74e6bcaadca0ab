#include "site/lookup/context.h"

#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "evaluation/evaluator.h"
#include "site/lookup/data_functions.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"

namespace bunraku {
namespace {

void expect_arguments(Call& call, std::string_view method, size_t count) {
  if (call.arguments.size() == count) return;
  call.fail(Issue::kDataFunctionMisused,
            {"'" + std::string(method) + "' expects " +
             (count == 0 ? "no arguments"
                         : std::to_string(count) + (count == 1 ? " argument" : " arguments")) +
             ", got " + std::to_string(call.arguments.size())});
}

}  // namespace

LookupContext::LookupContext(Lookup& lookup, Arena& arena, std::string_view environment,
                             std::string_view module)
    : lookup_(lookup), cache_(arena) {
  const Value attributes[] = {Value::string(environment),
                              module.empty() ? Value() : Value::string(module)};
  const std::span<const Value> kept = arena.copy(std::span<const Value>(attributes));
  value_ = Value::object(arena.make<ObjectInstance>(types::kLookupContext, kept, this));
}

Value LookupContext::call_method(std::string_view name, Call& call) {
  if (invocation_ != nullptr) return call_in_use(name, call);
  Invocation later = lookup_.make_invocation(lookup_.evaluator().top_scope());
  const InUse in_use(*this, later);
  return call_in_use(name, call);
}

Value LookupContext::call_in_use(std::string_view name, Call& call) {
  if (name == "not_found") {
    expect_arguments(call, name, 0);
    throw DataNotFound();
  }
  if (name == "explain") {
    if (call.block == nullptr)
      call.fail(Issue::kDataFunctionMisused, {"'explain' expects a block"});
    if (invocation_->explainer != nullptr) {
      invocation_->explainer->text(interpolated(call.block->call({})));
    }
    return Value();
  }
  if (name == "interpolate") {
    expect_arguments(call, name, 1);
    return interpolate(*invocation_, call.argument(0), true);
  }
  if (name == "cache") {
    expect_arguments(call, name, 2);
    cache_.set(call.argument(0), call.argument(1));
    return call.argument(1);
  }
  if (name == "cache_all") {
    expect_arguments(call, name, 1);
    if (!call.argument(0).is_hash())
      call.fail(Issue::kDataFunctionMisused, {"'cache_all' expects a Hash value"});
    cache_.set_all(call.argument(0).as_hash());
    return Value();
  }
  if (name == "cache_has_key") {
    expect_arguments(call, name, 1);
    return Value::boolean(cache_.find(call.argument(0)) != nullptr);
  }
  if (name == "cached_value") {
    expect_arguments(call, name, 1);
    const Value* value = cache_.find(call.argument(0));
    return value == nullptr ? Value() : *value;
  }
  if (name == "cached_entries") return cached_entries(call);
  if (name == "is_ruby_file_data") {
    return Value::boolean(call.argument(0).is_string() &&
                          lookup_.is_ruby_file_data(std::string(call.argument(0).as_string())));
  }
  if (name == "eyaml_lookup_key") return encrypted_value(call);
  if (const auto format = data_format_of(name)) {
    return file_data(call, std::string(call.argument(0).as_hash().find("path")->as_string()),
                     *format);
  }
  return cached_file_data(call);
}

Value LookupContext::cached_entries(Call& call) {
  expect_arguments(call, "cached_entries", 0);
  // A copy: a block may add entries while it runs, but sees only those of the start.
  ArrayBuilder pairs(call.arena(), cache_.size());
  for (const HashEntry& entry : cache_.items()) {
    pairs.push(Value::array(call.arena(), {entry.key, entry.value}));
  }
  Value array = pairs.finish();
  if (call.block == nullptr) return array;
  for (Value pair : array.as_array()) {
    Value result = call.block->parameter_count() == 2 ? call.block->call(pair.as_array())
                                                      : call.block->call({&pair, 1});
    if (result.is_control()) return result;
  }
  return Value();
}

Value LookupContext::cached_file_data(Call& call) {
  expect_arguments(call, "cached_file_data", 1);
  if (!call.argument(0).is_string())
    call.fail(Issue::kDataFunctionMisused, {"'cached_file_data' expects a String value"});
  const std::string path(call.argument(0).as_string());
  if (const Value* known = lookup_.find_file_data(path)) return *known;
  Value data;
  try {
    data = Value::string(call.arena(), read_file(path));
  } catch (const FileError& error) {
    call.fail(Issue::kUnreadableDataFile, {error.what()});
  }
  if (call.block != nullptr) data = call.block->call({&data, 1});
  if (data.is_control()) return data;
  const RubyHost* const ruby = lookup_.evaluator().host().ruby;
  if (ruby != nullptr && ruby->is_running()) lookup_.note_ruby_file_data(path);
  lookup_.keep_file_data(path, data);
  return data;
}

Value LookupContext::file_data(Call& call, const std::string& path, DataFormat format) {
  if (const Value* known = lookup_.find_file_data(path)) return *known;
  if (!exists(path))
    call.fail(Issue::kUnreadableDataFile, {"No such file or directory @ rb_file_s_stat - " + path});
  const std::shared_ptr<const DataFile> file = parsed_data_file(*invocation_, path, format);
  if (ReadObserver* observer = ReadObserver::current()) observer->file(path, file->digest.get());
  const Value data =
      format == DataFormat::kYaml ? data_hash(*invocation_, *file, path, format) : file->data;
  lookup_.keep_file_data(path, data);
  return data;
}

Value LookupContext::encrypted_value(Call& call) {
  const Value key = call.argument(0);
  const Value options = call.argument(1);
  if (const Value* known = cache_.find(key)) return *known;
  const Value* path = options.as_hash().find("path");
  if (path == nullptr || !path->is_string()) {
    call.fail(
        Issue::kDataFunctionMisused,
        {"'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be "
         "declared in hiera.yaml when using this lookup_key function"});
  }
  const std::string file(path->as_string());
  const Value* raw = cache_.find(Value());
  if (raw == nullptr) {
    cache_.set(Value(), file_data(call, file, DataFormat::kYaml));
    raw = cache_.find(Value());
  }
  const Value* found = raw->is_hash() ? raw->as_hash().find(key) : nullptr;
  if (found == nullptr) throw DataNotFound();
  const Value value = decrypted_value(*invocation_, options, key.as_string(), *found, file);
  cache_.set(key, value);
  return value;
}

}  // namespace bunraku

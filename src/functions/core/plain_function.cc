#include "functions/core/plain_function.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics/log.h"
#include "base/formats/yaml.h"
#include "base/system/file_system.h"
#include "evaluation/evaluator.h"
#include "evaluation/object_holders.h"
#include "functions/core/call_scope.h"
#include "functions/core/files.h"
#include "ruby/erb/function_file.h"
#include "serialization/serialization.h"
#include "types/built_in_types.h"

namespace bunraku {

namespace {

// A parsed YAML text and its memory.
struct ParsedYaml {
  Arena arena;
  std::optional<Value> value;  // no value when a worker has to parse the text
};

bool holds_bytes(const DataNode& node) {
  switch (node.kind()) {
    case DataKind::kString:
      return node.is_byte_string();
    case DataKind::kBigInteger:
      return true;
    case DataKind::kArray:
      return std::ranges::any_of(node.items(), holds_bytes);
    case DataKind::kHash:
      return std::ranges::any_of(node.entries(), [](const DataEntry& entry) {
        return holds_bytes(entry.key) || holds_bytes(entry.value);
      });
    default:
      return false;
  }
}

std::shared_ptr<const ParsedYaml> parsed_yaml(std::string_view source, bool allows_regexps) {
  auto parsed = std::make_shared<ParsedYaml>();
  try {
    const std::string_view text = parsed->arena.copy(source);
    YamlOptions options;
    options.allow_symbols = false;
    options.allow_regexps = allows_regexps;
    const DataNode node = read_yaml(text, options, parsed->arena);
    // The value of an empty text is false or nil, by the version of the library.
    if (node.is(DataKind::kNull) || holds_bytes(node)) return parsed;
    parsed->value = value_of(parsed->arena, node, {});
  } catch (const DataError&) {
    // A worker parses the text again and reports the error.
  }
  return parsed;
}

// YAML texts that functions have parsed, shared by all compilations and found by the whole text, so
// that a changed file is another entry and nobody can substitute one text for another. When they
// have grown too large all are dropped; compilations keep those that they use.
class YamlTexts {
 public:
  std::shared_ptr<const ParsedYaml> get(std::string_view text, bool allows_regexps) {
    std::string key = (allows_regexps ? 'r' : '-') + std::string(text);
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = texts_.find(key); found != texts_.end()) return found->second;
    }
    auto parsed = parsed_yaml(text, allows_regexps);
    const std::lock_guard lock(mutex_);
    if (bytes_ > kMostBytes) {
      texts_.clear();
      bytes_ = 0;
    }
    const auto [entry, is_new] = texts_.try_emplace(std::move(key), std::move(parsed));
    if (is_new) bytes_ += text.size();
    return entry->second;
  }

 private:
  static constexpr size_t kMostBytes = 16u << 20;

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const ParsedYaml>> texts_;
  size_t bytes_ = 0;
};

YamlTexts& yaml_texts() {
  static YamlTexts texts;
  return texts;
}

// A block that a function passes to a method of its context; its code runs natively.
class PlainBlock final : public Block {
 public:
  explicit PlainBlock(const erb::ContextBlock& block) : block_(block) {}
  const Signature& signature() const override {
    static const Signature kAny{};
    return kAny;
  }
  Value call(std::span<const Value> arguments) const override { return block_(arguments); }
  size_t parameter_count() const override { return 1; }

 private:
  const erb::ContextBlock& block_;
};

// The scope that the code of a function sees.
class FunctionScope final : public CallScope {
 public:
  // `caller` is the function's file, whose module's functions are seen first; empty for an older
  // function, which calls those of the environment. `calling` is the scope of the code that calls
  // the function.
  FunctionScope(Call& call, std::string_view caller, Scope& calling)
      : CallScope(call), caller_(caller), calling_(calling) {}

  void change_objects(std::span<const ObjectChange> changes) override {
    update_holders(call().evaluator, calling_, changes);
  }

  bool is_context(Value value) override {
    return value.is_object() && value.as_object().type == types::kLookupContext;
  }

  Value call_context(Value context, std::string_view method, std::span<const Value> arguments,
                     const erb::ContextBlock* block) override {
    NativeObject& native = *context.as_object().native;
    Call inner{call().evaluator, call().scope, arguments, nullptr, call().place};
    if (method == "cached_file_data") {
      // The data may have held Ruby objects that are not values of the language.
      if (native.call_method("is_ruby_file_data", inner).is_truthy()) {
        erb::fail_with_obstacle(1, "data of a file that Ruby has made");
      }
    }
    // The block of `explain` is called only while look-ups are explained; a worker writes the text
    // then.
    const erb::ContextBlock explanation = [](std::span<const Value>) -> Value {
      erb::fail_with_obstacle(1, "an explanation");
    };
    if (method == "explain") block = &explanation;
    std::optional<PlainBlock> plain;
    if (block != nullptr) inner.block = &plain.emplace(*block);
    return native.call_method(method, inner);
  }

  bool reads_log(std::string_view level) override {
    const LogSink* log = call().evaluator.host().log;
    return log != nullptr && log->takes(parse_log_level(level).value_or(LogLevel::kInfo));
  }

  std::string ruby_version() override {
    RubyHost* ruby = call().evaluator.host().ruby;
    return ruby == nullptr ? std::string() : ruby->version();
  }

  // An unknown variable is an obstacle, because Ruby reports it with the line of the code.
  Value look_up(std::string_view name) override {
    try {
      return CallScope::look_up(name);
    } catch (const EvaluationError&) {
      erb::fail_with_obstacle(1, "a variable that does not exist");
    }
  }

  // The reference warns of some of these functions and calls others in its own way, so a worker
  // calls them.
  bool has_older_function(std::string_view name) override {
    constexpr std::string_view kWorkerOnly[] = {
        "contain", "create_resources", "include", "require", "tag", "tagged"};
    return std::ranges::find(kWorkerOnly, name) == std::end(kWorkerOnly) &&
           CallScope::has_older_function(name);
  }

  bool exists(const std::string& path) override { return bunraku::exists(path); }
  bool is_file(const std::string& path) override { return bunraku::is_file(path); }

  std::optional<std::string> read_file(const std::string& path) override {
    try {
      // For the function below the name "-" is standard input.
      if (path == "-" || !bunraku::is_file(path)) return std::nullopt;
      return bunraku::read_file(path);
    } catch (const FileError&) {
      return std::nullopt;
    }
  }

  std::optional<Value> parse_yaml(std::string_view text, bool allows_regexps) override {
    std::shared_ptr<const ParsedYaml> parsed = yaml_texts().get(text, allows_regexps);
    const std::optional<Value> value = parsed->value;
    memory().kept.push_back(std::move(parsed));
    return value;
  }

  Value call_function(std::string_view name, std::span<const Value> arguments) override {
    if (name.starts_with("::")) name.remove_prefix(2);
    Evaluator& evaluator = call().evaluator;
    if (evaluator.find_function(Name(name), call().place) == nullptr) {
      erb::fail_with_obstacle(1, "a function that does not exist");
    }
    return keep_result(
        call_from_ruby(evaluator, call().scope, name, arguments, nullptr, call().place, caller_));
  }

 private:
  std::string_view caller_;
  Scope& calling_;
};

std::string text_of(const erb::Obstacle& obstacle) {
  return fmt::format("line {}: {}", obstacle.line, obstacle.construct);
}

class FileCode final : public PlainCode {
 public:
  FileCode(std::shared_ptr<const erb::FunctionFile> file, std::string path, bool is_legacy)
      : file_(std::move(file)), path_(std::move(path)), is_legacy_(is_legacy) {}

  Value description(Arena& arena) const override;

  std::optional<Value> call(Call& call, size_t dispatch, RubyReplay& replay) const override {
    RubyHost* ruby = call.evaluator.host().ruby;
    // Ruby code that waits for this call may have changed the scope in the worker.
    const bool sees_scope = file_->function().script.uses_scope;
    if (sees_scope && ruby != nullptr && ruby->is_running()) return std::nullopt;
    Scope& seen = is_legacy_ ? call.scope : call.evaluator.top_scope();
    Call own{call.evaluator, seen, call.arguments, call.block, call.place};
    FunctionScope scope(own, is_legacy_ ? std::string_view() : path_, call.scope);
    try {
      return file_->call(scope, dispatch, call.arguments);
    } catch (const erb::Obstacle& obstacle) {
      replay.obstacle = text_of(obstacle);
    } catch (const erb::Failure&) {
      // A worker reports the failure in Ruby's words.
    }
    replay.results.assign(scope.results().begin(), scope.results().end());
    replay.set_variables.assign(scope.set_names().begin(), scope.set_names().end());
    return std::nullopt;
  }

 private:
  std::shared_ptr<const erb::FunctionFile> file_;
  std::string path_;
  bool is_legacy_;
};

// The format is that of the prelude's answers to functions.load and functions.load_3x.
Value FileCode::description(Arena& arena) const {
  const erb::ParsedFunction& function = file_->function();
  HashBuilder description(arena);
  if (is_legacy_) {
    description.set("arity", Value::integer(function.arity));
    return description.finish();
  }
  ArrayBuilder dispatches(arena);
  for (const erb::FunctionDispatch& dispatch : function.dispatches) {
    ArrayBuilder parameters(arena);
    int64_t minimum = 0;
    bool is_bounded = true;
    for (const auto& parameter : dispatch.parameters) {
      HashBuilder one(arena);
      one.set("type", Value::string(arena, parameter.type));
      one.set("name", Value::string(arena, parameter.name));
      one.set("optional", Value::boolean(parameter.is_optional));
      one.set("repeated", Value::boolean(parameter.is_repeated));
      parameters.push(one.finish());
      if (!parameter.is_optional) ++minimum;
      if (parameter.is_repeated) is_bounded = false;
    }
    HashBuilder one(arena);
    one.set("parameters", parameters.finish());
    one.set("minimum", Value::integer(minimum));
    if (is_bounded) {
      one.set("maximum", Value::integer(static_cast<int64_t>(dispatch.parameters.size())));
    }
    if (dispatch.return_type.data() != nullptr) {
      one.set("return_type", Value::string(arena, dispatch.return_type));
    }
    one.set("method", Value::string(arena, dispatch.method->name));
    dispatches.push(one.finish());
  }
  description.set("dispatches", dispatches.finish());
  ArrayBuilder local_types(arena);
  for (const std::string_view type : function.local_types) {
    local_types.push(Value::string(arena, type));
  }
  description.set("local_types", local_types.finish());
  return description.finish();
}

// Returns null when a worker has to run the function, and then may set the reason.
std::unique_ptr<PlainCode> plain_code(Name name, const std::string& path, RubyInterface interface,
                                      std::string& obstacle) {
  const bool is_legacy = interface == RubyInterface::kLegacy;
  std::string source;
  try {
    source = read_file(path);
  } catch (const FileError&) {
    return nullptr;
  }
  std::shared_ptr<const erb::FunctionFile> file = erb::compiled_function(source, path, is_legacy);
  if (file->obstacle() != nullptr) {
    obstacle = text_of(*file->obstacle());
    return nullptr;
  }
  if (file->function().name != name.text()) return nullptr;
  return std::make_unique<FileCode>(std::move(file), path, is_legacy);
}

}  // namespace

std::unique_ptr<Function> make_module_function(Evaluator& evaluator, Name name, std::string path,
                                               RubyInterface interface, const Place& place) {
  std::string obstacle;
  std::unique_ptr<PlainCode> plain = plain_code(name, path, interface, obstacle);
  return make_ruby_function(evaluator, name, std::move(path), interface, place, std::move(plain),
                            std::move(obstacle));
}

}  // namespace bunraku

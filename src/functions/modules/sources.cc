// Which files of modules the native functions were made after, and what these functions share.
#include <algorithm>
#include <string>

#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "evaluation/evaluator.h"
#include "functions/core/known_source.h"
#include "functions/modules/families.h"
#include "functions/modules/support.h"
#include "ruby/worker/function.h"
#include "types/ruby_value_text.h"

namespace bunraku::modules {

namespace {

// Sorted by name and digest; made by tools/function-digests.
constexpr KnownSource kSources[] = {
#include "functions/modules/digests.inc"
};
static_assert(std::ranges::is_sorted(kSources));
constexpr KnownSource kOlderSources[] = {
#include "functions/modules/older_digests.inc"
};
static_assert(std::ranges::is_sorted(kOlderSources));

}  // namespace

bool is_known_source(std::string_view function, std::string_view digest) {
  return std::ranges::binary_search(kSources, KnownSource{function, digest});
}

bool is_older_source(std::string_view function, std::string_view digest) {
  return std::ranges::binary_search(kOlderSources, KnownSource{function, digest});
}

Value call_own_ruby(Call& call, const OwnRuby& own) {
  const std::string module(own.module);
  ModuleHost* modules = call.evaluator.host().modules;
  const auto directory = modules == nullptr ? std::nullopt : modules->module_directory(module);
  if (!directory) call.fail(Issue::kMissingModule, {module});
  const size_t colons = own.function.find("::");
  std::string file = own.is_legacy ? "lib/puppet/parser/functions/" : "lib/puppet/functions/";
  if (colons != own.function.npos) file += std::string(own.function.substr(0, colons)) + "/";
  file += own.function.substr(colons == own.function.npos ? 0 : colons + 2);
  file += ".rb";
  return make_ruby_function(call.evaluator, Name(own.function), join_path(*directory, file),
                            own.is_legacy ? RubyInterface::kLegacy : RubyInterface::kCurrent,
                            call.place)
      ->call(call);
}

void log_debug(const Call& call, std::string message) {
  LogSink* log = call.evaluator.host().log;
  if (log == nullptr || !log->takes(LogLevel::kDebug)) return;
  LogRecord record;
  record.level = LogLevel::kDebug;
  record.message = std::move(message);
  log->log(record);
}

std::string text_of(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

Value fact(Call& call, std::initializer_list<std::string_view> path) {
  static const Name kFacts("facts");
  // Asked of the evaluator, which notifies observers of facts.
  const Value* found = call.evaluator.find_variable(kFacts, call.scope);
  Value value = found == nullptr ? Value() : *found;
  for (const std::string_view key : path) {
    const Value* inner = value.is_hash() ? value.as_hash().find(key) : nullptr;
    value = inner == nullptr ? Value() : *inner;
  }
  return value;
}

bool consists_of(std::string_view text, std::string_view others) {
  return std::ranges::all_of(
      text, [&](char c) { return is_digit(c) || is_letter(c) || others.find(c) != others.npos; });
}

std::optional<int64_t> plain_number(std::string_view text) {
  constexpr size_t kMostDigits = 9;
  if (text.empty() || text.size() > kMostDigits || (text[0] == '0' && text.size() > 1)) {
    return std::nullopt;
  }
  if (!std::ranges::all_of(text, is_digit)) return std::nullopt;
  int64_t number = 0;
  for (const char c : text) number = number * 10 + (c - '0');
  return number;
}

}  // namespace bunraku::modules

// Shared code of users and groups.
#include "apply/providers/account/account_support.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/account/local_accounts.h"
#include "base/text/number_text.h"

namespace bunraku::apply {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ","));
}

std::vector<std::string> sorted_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

Datum number_or_text(const Datum& value) {
  if (!value.is_string()) return value;
  const std::optional<int64_t> number = parse_integer(value.text());
  return number ? Datum::integer(*number) : value;
}

std::string needed_program(std::string_view name) {
  std::string path = find_executable(name);
  if (path.empty()) throw Failure(fmt::format("Command {} is missing", name));
  return path;
}

bool have_account_programs(std::initializer_list<std::string_view> names) {
  return std::ranges::none_of(names,
                              [](std::string_view name) { return find_executable(name).empty(); });
}

void change_account(std::vector<std::string> words, const std::string& what, bool is_sensitive,
                    bool uses_libuser) {
  ExecutionRequest request;
  if (uses_libuser) request.environment = libuser_environment();
  request.words = std::move(words);
  request.is_sensitive = is_sensitive;
  try {
    execute(request);
  } catch (const Failure& failure) {
    throw Failure(fmt::format("{}: {}", what, failure.message()));
  }
}

}  // namespace bunraku::apply

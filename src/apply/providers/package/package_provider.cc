// Helpers of package providers.
#include "apply/providers/package/package_provider.h"

#include <unistd.h>

#include <algorithm>

namespace bunraku::apply {

bool is_installed(const Datum& ensure) {
  return !ensure.is_symbol(kAbsent) && !ensure.is_symbol(kPurged) && !ensure.is_symbol(kDisabled);
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  size_t at = line.find_first_not_of(' ');
  while (at != std::string_view::npos) {
    const size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

std::vector<std::string> option_words(const Datum& options) {
  std::vector<std::string> words;
  const auto quoted = [](const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "\"" + text + "\"";
  };
  const auto add = [&](const Datum& option) {
    if (!option.is_hash()) return words.push_back(quoted(option.to_text()));
    std::vector<std::string> pairs;
    for (const auto& [key, value] : option.entries()) {
      pairs.push_back(quoted(key.to_text()) + "=" + quoted(value.to_text()));
    }
    std::ranges::sort(pairs);
    words.insert(words.end(), pairs.begin(), pairs.end());
  };
  if (options.is_array()) {
    for (const Datum& option : options.items()) add(option);
  } else if (!options.is_null()) {
    add(options);
  }
  return words;
}

bool have_programs(std::initializer_list<const char*> paths) {
  return std::ranges::all_of(paths, [](const char* path) { return access(path, X_OK) == 0; });
}

}  // namespace bunraku::apply

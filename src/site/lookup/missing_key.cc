#include "site/lookup/missing_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostics/file_range.h"
#include "base/system/file_system.h"
#include "evaluation/suggestions.h"

namespace bunraku {
namespace {

// The bound on listed files, for existing and for missing ones.
constexpr size_t kMostFiles = 6;

// "a, b and 3 more" of the files that exist, or of those that do not; empty when there are none.
std::string list_of(const std::vector<SearchedFile>& files, bool exist,
                    const std::string& directory) {
  std::vector<std::string> paths;
  for (const SearchedFile& file : files) {
    std::string path = path_from(directory, file.path);
    if (file.exists == exist && std::ranges::find(paths, path) == paths.end()) {
      paths.push_back(std::move(path));
    }
  }
  std::string list;
  for (size_t i = 0; i < std::min(paths.size(), kMostFiles); ++i) {
    list += (i > 0 ? ", " : "") + paths[i];
  }
  if (paths.size() > kMostFiles) list += fmt::format(" and {} more", paths.size() - kMostFiles);
  return list;
}

// Finds the key at the start of a line, quoted or not, after at most the start of a JSON object.
// The range's source ends after the key, because the value may be a secret.
std::optional<Range> range_of_key(const std::string& path, std::string_view key) {
  const SourcePointer source = source_of_file(path);
  for (uint32_t number = 1; number <= source->line_count(); ++number) {
    const std::string_view line = source->line(number);
    const size_t at = line.find_first_not_of(" \t{\"'");
    if (at == std::string_view::npos || !line.substr(at).starts_with(key)) continue;
    const size_t end = line.find_first_not_of("\"' ", at + key.size());
    if (end == std::string_view::npos || line[end] != ':') continue;
    std::string text(number - 1, '\n');
    text += line.substr(0, end + 1);
    const auto shown = std::make_shared<const SourceFile>(path, std::move(text));
    Range range = range_at(shown, number, static_cast<uint32_t>(at + 1));
    range.location.length = static_cast<uint32_t>(key.size());
    return range;
  }
  return std::nullopt;
}

const SearchedFile* file_with_key(const std::vector<SearchedFile>& files, std::string_view key) {
  for (const SearchedFile& file : files) {
    if (file.file != nullptr && file.file->data.is_hash() &&
        file.file->data.as_hash().find(key) != nullptr) {
      return &file;
    }
  }
  return nullptr;
}

void suggest_key(Diagnostic& diagnostic, std::string_view key,
                 const std::vector<SearchedFile>& files) {
  std::vector<std::string> keys;
  for (const SearchedFile& file : files) {
    if (file.file == nullptr || !file.file->data.is_hash()) continue;
    for (const HashEntry& entry : file.file->data.as_hash()) {
      if (entry.key.is_string()) keys.emplace_back(entry.key.as_string());
    }
  }
  const std::string close = closest_of(key, std::move(keys));
  if (close.empty()) return;
  const SearchedFile* file = file_with_key(files, close);
  const std::optional<Range> range = range_of_key(file->path, close);
  if (!range) {
    diagnostic.notes.push_back(fmt::format("did you mean `{}`?", close));
    return;
  }
  diagnostic.labels.push_back({*range, fmt::format("did you mean `{}`?", close)});
}

}  // namespace

void explain_missing_key(Diagnostic& diagnostic, std::string_view key,
                         const std::vector<SearchedFile>& files, const std::string& directory) {
  suggest_key(diagnostic, key, files);
  std::vector<std::string> notes;
  if (const std::string searched = list_of(files, true, directory); !searched.empty()) {
    notes.push_back(fmt::format("`{}` is not in {}", key, searched));
  }
  if (const std::string missing = list_of(files, false, directory); !missing.empty()) {
    notes.push_back("no such file: " + missing);
  }
  diagnostic.notes.insert(diagnostic.notes.begin(), notes.begin(), notes.end());
}

}  // namespace bunraku

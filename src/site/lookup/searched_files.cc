#include "site/lookup/searched_files.h"

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

// Returns the column of the key when the line starts with the key, quoted or not, after at most the
// start of a JSON object; npos otherwise. Sets `end` to the place of the colon.
size_t column_of_key(std::string_view line, std::string_view key, size_t& end) {
  const size_t at = line.find_first_not_of(" \t{\"'");
  if (at == std::string_view::npos || !line.substr(at).starts_with(key)) return line.npos;
  end = line.find_first_not_of("\"' ", at + key.size());
  if (end == std::string_view::npos || line[end] != ':') return line.npos;
  // "profile" is not the key of "profile::a: 1".
  const bool is_end = end + 1 == line.size() || line[end + 1] == ' ' || end > at + key.size();
  return is_end ? at : line.npos;
}

// Finds the key at the start of a line. Of several such lines the one with the smallest indentation
// counts, because the others belong to nested hashes. The range's source ends after the key,
// because the value may be a secret.
std::optional<Range> range_of_key(const std::string& path, std::string_view key) {
  const SourcePointer source = source_of_file(path);
  uint32_t found = 0;
  size_t column = std::string_view::npos, end = 0;
  for (uint32_t number = 1; number <= source->line_count(); ++number) {
    size_t colon = 0;
    const size_t at = column_of_key(source->line(number), key, colon);
    if (at >= column) continue;
    found = number;
    column = at;
    end = colon;
  }
  if (found == 0) return std::nullopt;
  std::string text(found - 1, '\n');
  text += source->line(found).substr(0, end + 1);
  const auto shown = std::make_shared<const SourceFile>(path, std::move(text));
  Range range = range_at(shown, found, static_cast<uint32_t>(column + 1));
  range.location.length = static_cast<uint32_t>(key.size());
  return range;
}

bool has_key(const SearchedFile& file, std::string_view key) {
  return file.file != nullptr && file.file->data.is_hash() &&
         file.file->data.as_hash().find(key) != nullptr;
}

const SearchedFile* file_with_key(const std::vector<SearchedFile>& files, std::string_view key) {
  for (const SearchedFile& file : files) {
    if (has_key(file, key)) return &file;
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

void explain_found_key(Diagnostic& diagnostic, std::string_view root, bool is_merged,
                       const std::vector<SearchedFile>& files, const std::string& directory) {
  size_t shown = 0;
  for (const SearchedFile& file : files) {
    if (!has_key(file, root)) continue;
    if (const std::optional<Range> range = range_of_key(file.path, root)) {
      diagnostic.labels.push_back(
          {*range, is_merged ? "part of the value is found here" : "the value is found here"});
    } else {
      diagnostic.notes.push_back(
          fmt::format("`{}` is found in {}", root, path_from(directory, file.path)));
    }
    if (!is_merged || ++shown == kMostFiles) return;
  }
}

}  // namespace bunraku

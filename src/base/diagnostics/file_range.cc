// Reading of files that diagnostics refer to.
#include "base/diagnostics/file_range.h"

#include <algorithm>

#include "base/system/file_system.h"

namespace bunraku {
namespace {

// The maximum lines and columns of the replacement for a file that cannot be read or has changed.
constexpr uint32_t kMostLines = 1'000'000;
constexpr uint32_t kMostColumns = 10'000;

}  // namespace

SourcePointer source_of_file(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const FileError&) {
    // An unreadable file still has line numbers.
  }
  return std::make_shared<const SourceFile>(path, std::move(text));
}

Range range_at(SourcePointer source, uint32_t line, uint32_t column) {
  if (line > kMostLines) line = 0;
  if (column > kMostColumns) column = 0;
  if (line > 0 && source->line_count() < line) {
    std::string text(line - 1, '\n');
    text.append(column, ' ');
    source = std::make_shared<const SourceFile>(source->path(), std::move(text));
  }
  Range range{std::move(source), {}};
  range.is_whole_file = line == 0;
  if (line == 0) return range;
  range.is_whole_line = column == 0;
  const auto width = static_cast<uint32_t>(range.file->line(line).size());
  range.location.offset = range.file->line_start(line);
  if (range.is_whole_line) {
    range.location.length = width;
  } else {
    range.location.offset += std::min(column - 1, width);
  }
  return range;
}

Range range_in_file(const std::string& path, uint32_t line, uint32_t column) {
  if (path.empty() && line == 0) return {};
  return range_at(source_of_file(path), line, column);
}

}  // namespace bunraku

#include "base/diagnostics/source.h"

#include <algorithm>
#include <cstring>

namespace bunraku {

void SourceFile::index_lines() const {
  std::call_once(indexed_, [this] {
    line_starts_.push_back(0);
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    for (const char* at = begin; at < end;) {
      const auto* newline = static_cast<const char*>(std::memchr(at, '\n', end - at));
      if (newline == nullptr) break;
      at = newline + 1;
      line_starts_.push_back(static_cast<uint32_t>(at - begin));
    }
  });
}

Position SourceFile::position(uint32_t offset) const {
  index_lines();
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  uint32_t line = static_cast<uint32_t>(after - line_starts_.begin());
  uint32_t column = 1;
  for (uint32_t i = line_starts_[line - 1]; i < offset; ++i) {
    // Every byte but UTF-8's continuation bytes begins a character.
    if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;
  }
  return {line, column};
}

uint32_t SourceFile::line_count() const {
  index_lines();
  return static_cast<uint32_t>(line_starts_.size());
}

uint32_t SourceFile::line_start(uint32_t number) const {
  index_lines();
  if (number == 0 || number > line_starts_.size()) return static_cast<uint32_t>(text_.size());
  return line_starts_[number - 1];
}

std::string_view SourceFile::line(uint32_t number) const {
  index_lines();
  if (number == 0 || number > line_starts_.size()) return {};
  size_t begin = line_starts_[number - 1];
  size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace bunraku

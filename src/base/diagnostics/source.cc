#include "base/diagnostics/source.h"

#include <algorithm>
#include <cstring>

namespace bunraku {

namespace {

// The size of blocks whose characters are counted in advance, for longer lines.
constexpr uint32_t kBlock = 1024;

uint32_t count_characters(std::string_view text) {
  // Every byte but UTF-8's continuation bytes begins a character.
  return static_cast<uint32_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

void SourceFile::index_lines() const {
  std::call_once(indexed_, [this] {
    line_starts_.push_back(0);
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    bool has_long_line = false;
    for (const char* at = begin; at < end;) {
      const auto* newline = static_cast<const char*>(std::memchr(at, '\n', end - at));
      has_long_line = has_long_line || (newline == nullptr ? end : newline) - at > kBlock;
      if (newline == nullptr) break;
      at = newline + 1;
      line_starts_.push_back(static_cast<uint32_t>(at - begin));
    }
    if (!has_long_line) return;
    uint32_t count = 0;
    for (size_t block = 0; block < text_.size(); block += kBlock) {
      character_counts_.push_back(count);
      count += count_characters(std::string_view(text_).substr(block, kBlock));
    }
  });
}

uint32_t SourceFile::characters_before(uint32_t offset) const {
  const uint32_t block =
      std::min<uint32_t>(offset / kBlock, static_cast<uint32_t>(character_counts_.size()) - 1);
  const uint32_t begin = block * kBlock;
  return character_counts_[block] +
         count_characters(std::string_view(text_).substr(begin, offset - begin));
}

Position SourceFile::position(uint32_t offset) const {
  index_lines();
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto after = std::ranges::upper_bound(line_starts_, offset);
  const uint32_t line = static_cast<uint32_t>(after - line_starts_.begin());
  const uint32_t start = line_starts_[line - 1];
  const uint32_t before =
      character_counts_.empty()
          ? count_characters(std::string_view(text_).substr(start, offset - start))
          : characters_before(offset) - characters_before(start);
  return {line, before + 1};
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
  const size_t begin = line_starts_[number - 1];
  size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace bunraku

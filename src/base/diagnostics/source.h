// Source files and places in them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// A stretch of bytes in a source file. 32 bits bound a file at 4 GB; the lexer refuses larger ones.
struct Location {
  uint32_t offset = 0;
  uint32_t length = 0;
};

// Both count from 1; a column counts characters, as the reference's does.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
};

// A file's text with its path, shared by all that points into it. Immutable but for the index of
// lines, which is made when a position is first asked for (safe from any thread).
class SourceFile {
 public:
  SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  // Empty for code that came from no file.
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Position position(uint32_t offset) const;
  // The 1-based line without its line ending; empty when there is no such line.
  std::string_view line(uint32_t number) const;
  uint32_t line_count() const;
  uint32_t line_start(uint32_t number) const;

 private:
  void index_lines() const;
  // The characters before the offset.
  uint32_t characters_before(uint32_t offset) const;

  std::string path_;
  std::string text_;
  mutable std::once_flag indexed_;
  mutable std::vector<uint32_t> line_starts_;
  // Where a line is long: the characters before each block of the text.
  mutable std::vector<uint32_t> character_counts_;
};

using SourcePointer = std::shared_ptr<const SourceFile>;

}  // namespace bunraku

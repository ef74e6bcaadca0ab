// Source files and places in them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// A range of bytes in a source file. 32 bits limit a file to 4 GB; the lexer rejects larger ones.
struct Location {
  uint32_t offset = 0;
  uint32_t length = 0;
};

// Both count from 1; columns count characters, as in the reference.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
};

// A file's text with its path, shared by all objects that refer to it. Immutable except for the
// index of lines, which is made on demand (thread-safe).
class SourceFile {
 public:
  SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  // Empty for code that is not from a file.
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Position position(uint32_t offset) const;
  // The 1-based line without its line end; empty when there is no such line.
  std::string_view line(uint32_t number) const;
  uint32_t line_count() const;
  uint32_t line_start(uint32_t number) const;

 private:
  void index_lines() const;
  // The number of characters before the offset.
  uint32_t characters_before(uint32_t offset) const;

  std::string path_;
  std::string text_;
  mutable std::once_flag indexed_;
  mutable std::vector<uint32_t> line_starts_;
  // For long lines: the number of characters before each block of the text.
  mutable std::vector<uint32_t> character_counts_;
};

using SourcePointer = std::shared_ptr<const SourceFile>;

}  // namespace bunraku

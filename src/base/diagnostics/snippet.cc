#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/system/file_system.h"
#include "base/text/replacement.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kYellow = "\033[1;33m";
constexpr std::string_view kBlue = "\033[1;34m";
constexpr std::string_view kGreen = "\033[1;32m";
constexpr std::string_view kPlain = "\033[0m";
constexpr uint32_t kTabWidth = 4;
// The number of source lines between two shown ones up to which they are shown too, instead of
// dots.
constexpr uint32_t kSmallGap = 1;

// A range to underline on one line of a file, in bytes of that line.
struct Mark {
  const SourceFile* file;
  uint32_t line;
  size_t begin;
  size_t end;
  std::string_view text;  // the label beside it; may be empty
  bool is_primary;
};

// A character of a source line as shown by a terminal.
struct Cell {
  std::string_view text;
  uint32_t column;  // its start, from 0
  uint32_t width;
  size_t offset;  // in the line
};

constexpr std::string_view kSpaces = "        ";
constexpr std::string_view kUnprintable = "\xEF\xBF\xBD";

// Lays out a line; of a very long one, only the part around the byte `focus`.
std::vector<Cell> cells_of(std::string_view line, size_t focus) {
  constexpr size_t kBefore = 500;
  constexpr size_t kAfter = 1000;
  size_t begin = focus > kBefore ? focus - kBefore : 0;
  while (begin > 0 && (static_cast<unsigned char>(line[begin]) & 0xC0) == 0x80) --begin;
  line = line.substr(0, focus + kAfter);
  std::vector<Cell> cells;
  uint32_t column = 0;
  for (size_t offset = begin; offset < line.size();) {
    const size_t start = offset;
    const char32_t c = next_character(line, offset);
    Cell cell{line.substr(start, offset - start), column, 1, start};
    if (c == '\t') {
      cell.width = kTabWidth - column % kTabWidth;
      cell.text = kSpaces.substr(0, cell.width);
    } else if (c == kInvalidCharacter || c < 0x20 || (c >= 0x7F && c < 0xA0)) {
      cell.text = kUnprintable;
    } else {
      cell.width = static_cast<uint32_t>(display_width(c));
    }
    column += cell.width;
    cells.push_back(cell);
  }
  return cells;
}

class SnippetRenderer {
 public:
  SnippetRenderer(const Diagnostic& diagnostic, const SnippetOptions& options)
      : diagnostic_(diagnostic), options_(options) {}

  std::string render() {
    collect_marks();
    render_heading();
    gutter_ = gutter_width();
    for (size_t i = 0; i < marks_.size();) i = render_file(i);
    render_notes();
    return std::move(text_);
  }

 private:
  void paint(std::string_view color, std::string_view text) {
    if (text.empty()) return;
    if (options_.color) text_ += color;
    text_ += text;
    if (options_.color) text_ += kPlain;
  }

  std::string_view main_color() const {
    return diagnostic_.severity == Severity::kError ? kRed : kYellow;
  }

  void render_heading() {
    paint(main_color(),
          fmt::format("{}[{}]", name_of(diagnostic_.severity), code(diagnostic_.issue)));
    paint(kBold, ": " + shown_text(diagnostic_.message()));
    text_ += '\n';
  }

  void add_mark(const Range& range, std::string_view text, bool is_primary) {
    if (range.file == nullptr) return;
    const SourceFile* file = range.file.get();
    const uint32_t line = file->position(range.location.offset).line;
    const std::string_view content = file->line(line);
    const size_t begin =
        std::min<size_t>(range.location.offset - file->line_start(line), content.size());
    const size_t end =
        std::min<size_t>(begin + std::max<uint32_t>(range.location.length, 1), content.size());
    marks_.push_back({file, line, begin, end, text, is_primary});
  }

  // Adds the marks of the primary file first, then those of other files; within a file by line.
  void collect_marks() {
    add_mark(diagnostic_.primary, {}, true);
    for (const Label& label : diagnostic_.labels) add_mark(label.range, label.text, false);
    std::vector<const SourceFile*> files;
    for (const Mark& mark : marks_) {
      if (std::ranges::find(files, mark.file) == files.end()) files.push_back(mark.file);
    }
    auto rank = [&files](const Mark& mark) {
      return std::ranges::find(files, mark.file) - files.begin();
    };
    std::ranges::stable_sort(marks_, [&rank](const Mark& a, const Mark& b) {
      if (a.file != b.file) return rank(a) < rank(b);
      return a.line < b.line;
    });
  }

  std::string shown_path(const SourceFile& file) const {
    const std::string& path = file.path();
    return path.empty() ? "code" : path_from(options_.directory, path);
  }

  // Shows the paths of the marked files in a text like those of their places.
  std::string shown_text(std::string text) const {
    const SourceFile* last = nullptr;
    for (const Mark& mark : marks_) {
      if (mark.file == last || mark.file->path().empty()) continue;
      last = mark.file;
      text = replaced(text, last->path(), shown_path(*last));
    }
    return text;
  }

  size_t gutter_width() const {
    uint32_t largest = 1;
    for (const Mark& mark : marks_) largest = std::max(largest, mark.line);
    return std::to_string(largest).size();
  }

  void render_gutter(std::string_view number, std::string_view rail) {
    paint(kBlue, fmt::format("{:>{}} {}", number, gutter_, rail));
  }

  // Renders the marks of one file, from `first` on; returns the index of the first one of another
  // file.
  size_t render_file(size_t first) {
    const SourceFile* file = marks_[first].file;
    size_t end = first;
    while (end < marks_.size() && marks_[end].file == file) ++end;
    const Mark* place = &marks_[first];
    for (size_t i = first; i < end; ++i) {
      if (marks_[i].is_primary) place = &marks_[i];
    }
    Position position =
        file->position(file->line_start(place->line) + static_cast<uint32_t>(place->begin));
    std::string_view arrow = first == 0 ? "-->" : ":::";
    paint(kBlue, fmt::format("{:>{}}{} ", "", gutter_, arrow));
    text_ += fmt::format("{}:{}:{}\n", shown_path(*file), position.line, position.column);
    render_gutter("", "|");
    text_ += '\n';
    uint32_t shown = 0;
    for (size_t i = first; i < end;) {
      const uint32_t line = marks_[i].line;
      render_gap(*file, shown, line);
      size_t next = i;
      while (next < end && marks_[next].line == line) ++next;
      render_line(*file, line, i, next);
      shown = line;
      i = next;
    }
    return end;
  }

  void render_gap(const SourceFile& file, uint32_t shown, uint32_t next) {
    if (shown == 0 || next <= shown + 1) return;
    if (next - shown - 1 > kSmallGap) {
      paint(kBlue, "...");
      text_ += '\n';
      return;
    }
    for (uint32_t line = shown + 1; line < next; ++line) render_line(file, line, 0, 0);
  }

  // The columns of a line that fit on the screen; all of a short line.
  struct Window {
    uint32_t begin = 0;
    uint32_t end = UINT32_MAX;
  };
  Window window_for(const std::vector<Cell>& cells, size_t focus_offset) const {
    const size_t margin = gutter_ + 4;
    const uint32_t room =
        options_.width > margin + 30 ? options_.width - static_cast<uint32_t>(margin) : 30;
    const uint32_t length = cells.empty() ? 0 : cells.back().column + cells.back().width;
    if (length <= room) return {};
    const uint32_t focus = column_of(cells, focus_offset);
    constexpr uint32_t kBeforeFocus = 20;
    constexpr uint32_t kDots = 3;
    if (focus + kBeforeFocus <= room) return {0, room - kDots};
    // The line is shown to its end if that fits.
    const uint32_t begin = std::min(focus - kBeforeFocus, length + kDots - room);
    const uint32_t end = begin + room - kDots;
    return {begin, end >= length ? end : end - kDots};
  }

  static uint32_t column_of(const std::vector<Cell>& cells, size_t offset) {
    auto found = std::ranges::lower_bound(cells, offset, {}, &Cell::offset);
    if (found != cells.end()) return found->column;
    return cells.empty() ? 0 : cells.back().column + cells.back().width;
  }

  void render_line(const SourceFile& file, uint32_t line, size_t first_mark, size_t last_mark) {
    size_t focus = 0;
    for (size_t i = first_mark; i < last_mark; ++i) {
      if (i == first_mark || marks_[i].is_primary) focus = marks_[i].begin;
    }
    const std::vector<Cell> cells = cells_of(file.line(line), focus);
    const Window window = window_for(cells, focus);
    render_gutter(std::to_string(line), "|");
    std::string shown;
    uint32_t dropped = 0;  // columns that are cut off at the left
    if (window.begin > 0) {
      shown = "...";
      dropped = window.begin - 3;
    }
    for (const Cell& cell : cells) {
      if (cell.column < window.begin) continue;
      if (cell.column + cell.width > window.end) {
        shown += "...";
        break;
      }
      shown += cell.text;
    }
    while (!shown.empty() && shown.back() == ' ') shown.pop_back();
    if (!shown.empty()) text_ += ' ';
    text_ += shown;
    text_ += '\n';
    for (size_t i = first_mark; i < last_mark; ++i) {
      if (!marks_[i].is_primary) continue;
      render_mark(marks_[i], cells, window, dropped);
    }
    for (size_t i = first_mark; i < last_mark; ++i) {
      if (!marks_[i].is_primary) render_mark(marks_[i], cells, window, dropped);
    }
  }

  void render_mark(const Mark& mark, const std::vector<Cell>& cells, Window window,
                   uint32_t dropped) {
    const uint32_t begin = std::max(column_of(cells, mark.begin), window.begin);
    const uint32_t end = std::min(column_of(cells, mark.end), window.end);
    const bool is_hidden = begin >= window.end || (window.begin > 0 && end <= window.begin);
    if (is_hidden) return;
    render_gutter("", "|");
    text_ += ' ';
    text_.append(begin - dropped, ' ');
    std::string underline(std::max<uint32_t>(end > begin ? end - begin : 0, 1),
                          mark.is_primary ? '^' : '-');
    if (!mark.text.empty()) underline += fmt::format(" {}", mark.text);
    paint(mark.is_primary ? main_color() : kBlue, underline);
    text_ += '\n';
  }

  void render_remark(std::string_view color, std::string_view kind, std::string_view text) {
    render_gutter("", "=");
    text_ += ' ';
    paint(color, kind);
    text_ += fmt::format(": {}\n", shown_text(std::string(text)));
  }

  void render_notes() {
    for (const std::string& note : diagnostic_.notes) render_remark(kBold, "note", note);
    for (const Fix& fix : diagnostic_.fixes) {
      std::string text = fix.description;
      if (text.empty()) text = fmt::format("use `{}`", fix.replacement);
      render_remark(kGreen, "fix", text);
    }
  }

  const Diagnostic& diagnostic_;
  SnippetOptions options_;
  std::string text_;
  std::vector<Mark> marks_;
  size_t gutter_ = 1;
};

}  // namespace

std::string snippet(const Diagnostic& diagnostic, const SnippetOptions& options) {
  const Diagnostic whole = flattened(diagnostic);
  return SnippetRenderer(whole, options).render();
}

}  // namespace bunraku

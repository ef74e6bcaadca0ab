#include "ruby/erb/script.h"

#include <algorithm>

namespace bunraku::erb {

namespace {

// Scans the source once. As in ERB, the text between two tags is collected until something makes a
// statement of it.
class ScriptMaker {
 public:
  explicit ScriptMaker(std::string_view source) : source_(source) {}

  Script make() {
    push("");  // _erbout = +''
    while (at_ < source_.size()) {
      if (tag_ == Tag::kNone) {
        scan_text();
      } else {
        scan_code();
      }
    }
    // Code that is not closed becomes text.
    put_text();
    push("");  // _erbout
    end_line();
    return std::move(script_);
  }

 private:
  enum class Tag { kNone, kCode, kInsert, kComment };

  bool looking_at(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  // The length of "   <%-" at the scanner's position. Leading blanks are removed at any position,
  // because Ruby's scanner takes its own position for the start of a line.
  size_t trimmed_tag(bool at_line_start) const {
    size_t at = at_;
    if (at_line_start) {
      while (at < source_.size() && (source_[at] == ' ' || source_[at] == '\t')) ++at;
    }
    return source_.substr(at).starts_with("<%-") ? at + 3 - at_ : 0;
  }

  void scan_text() {
    const size_t begin = at_;
    while (at_ < source_.size()) {
      const bool at_line_start = at_ == begin || source_[at_ - 1] == '\n';
      if (const size_t length = trimmed_tag(at_line_start)) return open(begin, length, Tag::kCode);
      if (looking_at("<%%")) {
        content_ += source_.substr(begin, at_ - begin);
        content_ += "<%";
        at_ += 3;
        return;
      }
      if (looking_at("<%=")) return open(begin, 3, Tag::kInsert);
      if (looking_at("<%#")) return open(begin, 3, Tag::kComment);
      if (looking_at("<%")) return open(begin, 2, Tag::kCode);
      ++at_;
    }
    content_ += source_.substr(begin);
  }

  void open(size_t begin, size_t length, Tag tag) {
    content_ += source_.substr(begin, at_ - begin);
    put_text();
    tag_ = tag;
    at_ += length;
  }

  void scan_code() {
    const size_t begin = at_;
    while (at_ < source_.size()) {
      if (looking_at("-%>")) {
        content_ += source_.substr(begin, at_ - begin);
        at_ += 3;
        close();
        if (looking_at("\r\n")) {
          at_ += 2;
          end_line();
        } else if (looking_at("\n")) {
          at_ += 1;
          end_line();
        } else if (at_ == source_.size()) {
          end_line();
        }
        return;
      }
      if (looking_at("%%>")) {
        content_ += source_.substr(begin, at_ - begin);
        content_ += "%>";
        at_ += 3;
        return;
      }
      if (looking_at("%>")) {
        content_ += source_.substr(begin, at_ - begin);
        at_ += 2;
        close();
        return;
      }
      ++at_;
    }
    content_ += source_.substr(begin);
  }

  void close() {
    switch (tag_) {
      case Tag::kCode:
        if (content_.ends_with('\n')) {
          content_.pop_back();
          push(content_);
          end_line();
        } else {
          push(content_);
        }
        break;
      case Tag::kInsert:
        push(kInsertMark + ("((" + content_) + ").to_s)");
        break;
      case Tag::kComment:
      case Tag::kNone:
        break;
    }
    tag_ = Tag::kNone;
    content_.clear();
  }

  void put_text() {
    if (content_.empty()) return;
    std::string mark = kTextMark + std::to_string(script_.texts.size()) + kTextMark;
    mark.append(static_cast<size_t>(std::ranges::count(content_, '\n')), '\n');
    script_.texts.push_back(std::move(content_));
    content_.clear();
    push(mark);
  }

  // Appends a statement to the line. Statements of a line are joined with semicolons; the line end
  // follows in end_line().
  void push(std::string_view statement) {
    if (has_statement_) script_.code += "; ";
    script_.code += statement;
    has_statement_ = true;
  }
  void end_line() {
    script_.code += '\n';
    has_statement_ = false;
  }

  std::string_view source_;
  size_t at_ = 0;
  Tag tag_ = Tag::kNone;
  std::string content_;
  Script script_;
  bool has_statement_ = false;
};

}  // namespace

Script make_script(std::string_view source) {
  return ScriptMaker(source).make();
}

bool has_marks(std::string_view source) {
  return source.find(kTextMark) != source.npos || source.find(kInsertMark) != source.npos;
}

}  // namespace bunraku::erb

#include "cli/frame/line_editor.h"

#include <histedit.h>
#include <langinfo.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstring>

namespace bunraku {

namespace {

constexpr int kRememberedLines = 1000;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || c == '$';
}

std::string common_prefix(const std::vector<std::string>& words) {
  std::string prefix = words.front();
  for (const std::string& word : words) {
    size_t same = 0;
    while (same < prefix.size() && same < word.size() && prefix[same] == word[same]) ++same;
    prefix.resize(same);
  }
  return prefix;
}

// The library reads characters by the locale, and code is UTF-8.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

struct LineEditor::State {
  EditLine* line;
  History* history;
  HistEvent event;
};

LineEditor::LineEditor(std::string history_path)
    : state_(new State()), history_path_(std::move(history_path)) {
  use_utf8();
  state_->line = el_init("bunraku", stdin, stdout, stderr);
  state_->history = history_init();
  history(state_->history, &state_->event, H_SETSIZE, kRememberedLines);
  history(state_->history, &state_->event, H_SETUNIQUE, 1);
  if (!history_path_.empty()) {
    history(state_->history, &state_->event, H_LOAD, history_path_.c_str());
  }
  el_set(state_->line, EL_CLIENTDATA, this);
  el_set(state_->line, EL_PROMPT, reinterpret_cast<void*>(prompt_of));
  el_set(state_->line, EL_EDITOR, "emacs");
  el_set(state_->line, EL_SIGNAL, 1);
  // While a line is typed, Ctrl-C is a key: its signal might be delivered to another thread, and
  // the library would continue with the line.
  el_set(state_->line, EL_SETTY, "-d", "-isig", nullptr);
  el_set(state_->line, EL_ADDFN, "bunraku-interrupt", "drop the line",
         reinterpret_cast<void*>(interrupt));
  el_set(state_->line, EL_BIND, "^C", "bunraku-interrupt", nullptr);
  el_set(state_->line, EL_HIST, history, state_->history);
  el_set(state_->line, EL_ADDFN, "bunraku-complete", "complete the word",
         reinterpret_cast<void*>(complete));
  el_set(state_->line, EL_BIND, "^I", "bunraku-complete", nullptr);
  el_set(state_->line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(state_->line, nullptr);
}

LineEditor::~LineEditor() {
  if (!history_path_.empty()) {
    history(state_->history, &state_->event, H_SAVE, history_path_.c_str());
  }
  history_end(state_->history);
  el_end(state_->line);
  delete state_;
}

char* LineEditor::prompt_of(void* editor) {
  void* self = nullptr;
  el_get(static_cast<EditLine*>(editor), EL_CLIENTDATA, &self);
  return static_cast<LineEditor*>(self)->prompt_.data();
}

unsigned char LineEditor::complete(void* editor, int) {
  auto* line = static_cast<EditLine*>(editor);
  void* client = nullptr;
  el_get(line, EL_CLIENTDATA, &client);
  auto* self = static_cast<LineEditor*>(client);
  if (!self->completer_) return CC_ERROR;
  const LineInfo* info = el_line(line);
  const char* start = info->cursor;
  while (start > info->buffer && is_word_character(start[-1])) --start;
  const std::string_view word(start, static_cast<size_t>(info->cursor - start));
  const std::vector<std::string> words = self->completer_(word);
  if (words.empty()) return CC_ERROR;
  const std::string prefix = common_prefix(words);
  if (prefix.size() > word.size()) {
    el_insertstr(line, prefix.substr(word.size()).c_str());
    return CC_REFRESH;
  }
  if (words.size() == 1) return CC_REFRESH;
  std::string listed = "\n";
  for (const std::string& candidate : words) listed += candidate + "  ";
  listed += "\n";
  std::fputs(listed.c_str(), stdout);
  return CC_REDISPLAY;
}

unsigned char LineEditor::interrupt(void* editor, int) {
  void* self = nullptr;
  el_get(static_cast<EditLine*>(editor), EL_CLIENTDATA, &self);
  static_cast<LineEditor*>(self)->was_interrupted_ = true;
  return CC_EOF;
}

std::optional<std::string> LineEditor::read(std::string_view prompt) {
  prompt_ = prompt;
  int count = 0;
  was_interrupted_ = false;
  // Set before the prompt appears, so that no key after it causes a signal.
  el_set(state_->line, EL_PREP_TERM, 1);
  const char* line = el_gets(state_->line, &count);
  if (line == nullptr || count <= 0) return std::nullopt;
  std::string text(line, static_cast<size_t>(count));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

void LineEditor::remember(const std::string& text) {
  history(state_->history, &state_->event, H_ENTER, text.c_str());
}

}  // namespace bunraku

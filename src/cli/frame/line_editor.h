// Reads lines from a terminal, with editing, history and completion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class LineEditor {
 public:
  // Returns the words that may replace `word`, which ends at the cursor.
  using Completer = std::function<std::vector<std::string>(std::string_view word)>;

  // `history_path` is read now and written at the end; empty: no history is kept.
  explicit LineEditor(std::string history_path);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  void set_completer(Completer completer) { completer_ = std::move(completer); }
  // The next line without its end; no value at the end of input and after Ctrl-C, which
  // was_interrupted() distinguishes.
  std::optional<std::string> read(std::string_view prompt);
  bool was_interrupted() const { return was_interrupted_; }
  void remember(const std::string& text);

 private:
  struct State;
  static unsigned char complete(void* editor, int character);
  static unsigned char interrupt(void* editor, int character);
  static char* prompt_of(void* editor);

  State* state_;
  std::string history_path_;
  std::string prompt_;
  Completer completer_;
  bool was_interrupted_ = false;
};

}  // namespace bunraku

// Ruby-compatible regular expressions: the engine is Oniguruma, and patterns in Ruby's dialect are
// translated to its own first (see regex_pattern.h). Texts and patterns are UTF-8; `^` and `$`
// match at every line. Frequently used patterns with the same meaning in a faster engine are run by
// that one (see fast_regex.h).
//
//  No search runs forever: one that backtracks too much or grows its stack too far throws a
//  RegexError.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class FastRegex;

// The error for an invalid pattern, in Ruby's wording ("premature end of char-class: /[a/"), or for
// a search that was given up.
class RegexError : public std::exception {
 public:
  explicit RegexError(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

// The groups of a match, as byte ranges of the searched text. Reusable, so that a loop of searches
// allocates once.
class Captures {
 public:
  struct Range {
    int32_t begin;
    int32_t end;
  };
  // Group 0 is the whole match; zero before the first successful search.
  size_t size() const { return ranges_.size(); }
  bool matched(size_t group) const { return group < ranges_.size() && ranges_[group].begin >= 0; }
  size_t begin(size_t group = 0) const { return static_cast<size_t>(ranges_[group].begin); }
  size_t end(size_t group = 0) const { return static_cast<size_t>(ranges_[group].end); }
  // A group's text; empty when it did not match. `searched` is the text of the search.
  std::string_view text(std::string_view searched, size_t group = 0) const {
    if (!matched(group)) return {};
    return searched.substr(begin(group), end(group) - begin(group));
  }

 private:
  friend class Regex;
  std::vector<Range> ranges_;
};

// A compiled pattern. Immutable and thread-safe.
class Regex {
 public:
  struct NamedGroup {
    std::string name;
    std::vector<int> groups;  // a name may refer to several groups
  };

  // For patterns in code: never freed; the same text returns the same pointer for the life of the
  // process. Throws RegexError. A known pattern costs one hash look-up.
  static const Regex* compile(std::string_view pattern);

  // For patterns that may be from data, whose number is unlimited: the process keeps a bounded
  // number of the most recent ones. Throws RegexError.
  static std::shared_ptr<const Regex> compile_at_run_time(std::string_view pattern);

  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  // The pattern as written.
  std::string_view source() const { return source_; }
  // Returns whether the pattern matches its own text and nothing else.
  bool is_literal() const { return is_literal_; }
  // The number of capturing groups, without the whole match.
  int group_count() const { return group_count_; }
  const std::vector<NamedGroup>& named_groups() const { return named_groups_; }

  // Finds the first match that begins at byte `from` or later; `captures` is unchanged when there
  // is none. Look-behind, `^` and `\b` see the text before `from`. Throws RegexError when the text
  // is not valid UTF-8 (checked only when `from` is 0, so that a loop stays linear), is larger than
  // 2 GB, or the search was given up.
  bool search(std::string_view text, size_t from, Captures& captures) const;
  // As above, without the position.
  bool matches(std::string_view text) const;

 private:
  explicit Regex(std::string_view pattern);
  bool search(std::string_view text, size_t from, Captures* captures) const;
  bool search_slowly(std::string_view text, size_t from, Captures* captures) const;
  const FastRegex* fast() const;
  void compile_program() const;

  // The engine's regex_t; for a plain pattern, which is known to be valid, it is made for the first
  // search.
  mutable void* program_ = nullptr;
  mutable std::once_flag has_program_;
  std::string source_;
  int group_count_ = 0;
  bool is_literal_ = false;
  std::vector<NamedGroup> named_groups_;  // in the order of their groups
  // Made after some searches; null before, and when the pattern cannot be translated.
  mutable std::atomic<const FastRegex*> fast_ = nullptr;
  mutable std::atomic<uint32_t> searches_ = 0;
};

// Returns the pattern that matches `text` literally, as Ruby's Regexp.escape.
std::string escape_regex(std::string_view text);

}  // namespace bunraku

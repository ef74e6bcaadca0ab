// Patterns of paths, by the rules of Ruby's Dir.glob.
#include "base/system/glob.h"

#include <fnmatch.h>
#include <locale.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_reader.h"
#include "base/system/limits.h"
#include "base/system/reads.h"
#include "base/system/stack.h"

namespace bunraku {
namespace {

constexpr size_t kLongestPattern = 1 << 16;  // in bytes
constexpr size_t kMostAlternatives = 1 << 16;
constexpr size_t kLargestExpansion = 1 << 26;  // in bytes, of all alternatives
constexpr size_t kDeepest = 1024;              // levels of directories

[[noreturn]] void fail_too_large(size_t bound, const char* unit) {
  throw EvaluationError(
      make_diagnostic(Issue::kTooLarge, {}, {"A pattern for paths", std::to_string(bound), unit}));
}

// Where the first braces open, their commas, and where they close. Only the first place when they
// are not closed; empty when there are none.
std::vector<size_t> first_braces(std::string_view pattern) {
  std::vector<size_t> places;
  size_t depth = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (c == '{') {
      if (++depth == 1) places.push_back(i);
    } else if (depth > 0 && (c == '}' || (c == ',' && depth == 1))) {
      if (c == ',' || depth == 1) places.push_back(i);
      if (c == '}' && --depth == 0) return places;
    }
  }
  if (!places.empty()) places.resize(1);
  return places;
}

// Makes the patterns without braces that a pattern stands for, one at a time, in Ruby's order: the
// first braces vary most slowly. Braces that are not closed stand for no pattern, as in Ruby.
class Alternatives {
 public:
  explicit Alternatives(std::string pattern) {
    if (pattern.size() > kLongestPattern) fail_too_large(kLongestPattern, "bytes");
    open_.push_back(std::move(pattern));
  }

  // Returns nothing at the end. Throws EvaluationError when there are too many.
  std::optional<std::string> next() {
    while (!open_.empty()) {
      const std::string pattern = std::move(open_.back());
      open_.pop_back();
      const std::vector<size_t> braces = first_braces(pattern);
      if (braces.empty()) {
        bytes_ += pattern.size();
        if (bytes_ > kLargestExpansion) fail_too_large(kLargestExpansion, "bytes of alternatives");
        return pattern;
      }
      expand(pattern, braces);
    }
    return std::nullopt;
  }

 private:
  // Opens the patterns in which the parts of the braces replace them, the first one on top.
  void expand(std::string_view pattern, const std::vector<size_t>& braces) {
    check_limits();
    made_ += braces.size() - 1;
    // Patterns whose inner braces are still to be replaced are counted as well.
    if (made_ > 2 * kMostAlternatives) fail_too_large(kMostAlternatives, "alternatives");
    const std::string_view before = pattern.substr(0, braces.front());
    const std::string_view after = pattern.substr(braces.back() + 1);
    for (size_t i = braces.size() - 1; i > 0; --i) {
      const size_t begin = braces[i - 1] + 1;
      const std::string_view part = pattern.substr(begin, braces[i] - begin);
      open_.push_back(std::string(before).append(part).append(after));
    }
  }

  std::vector<std::string> open_;  // the next one is the last
  size_t made_ = 0;
  size_t bytes_ = 0;
};

bool has_wildcard(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (std::string_view("*?[").find(text[i]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// During its lifetime fnmatch() on this thread matches characters of UTF-8, not bytes.
class Utf8Names {
 public:
  Utf8Names() {
    if (locale() != nullptr) before_ = ::uselocale(locale());
  }
  ~Utf8Names() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  // Null where the system lacks it.
  static locale_t locale() {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return utf8;
  }
  locale_t before_ = nullptr;
};

// A parsed pattern, with the paths that it finds.
class Pattern {
 public:
  explicit Pattern(std::string_view rest) {
    if (rest.size() > kLongestPattern) fail_too_large(kLongestPattern, "bytes");
    while (!rest.empty()) {
      const size_t slash = rest.find('/');
      if (has_wildcard(rest.substr(0, slash)) || has_braces(rest)) {
        first_ = parse(rest, false);
        return;
      }
      const size_t end = std::min(slash, rest.size() - 1) + 1;
      beginning_ += without_escapes(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  }

  std::vector<std::string> find() {
    struct stat status;
    if (first_ != nullptr) {
      if (beginning_.empty() || is_directory(beginning_)) visit(beginning_, {first_}, true);
    } else if (file_status(beginning_, false, status) == 0) {
      found_.push_back(beginning_);
    }
    return std::move(found_);
  }

 private:
  enum class Kind : uint8_t { kName, kWildcard, kRecursive, kBraces };
  // A part of the path; an empty name, after the last slash, matches directories.
  struct Segment {
    Kind kind;
    bool is_after_recursive;
    std::string text;                                  // of kBraces: the whole rest of the pattern
    const Segment* next = nullptr;                     // null at the end of the pattern
    mutable std::vector<const Segment*> alternatives;  // without braces; made when they are needed
    mutable bool is_expanded = false;
  };
  // The segments that the next name may match; null: the path matches.
  using Places = std::vector<const Segment*>;

  // Returns whether braces open in the first part of the path. They may close in a later one.
  static bool has_braces(std::string_view pattern) {
    const std::vector<size_t> braces = first_braces(pattern.substr(0, pattern.find('/')));
    return !braces.empty();
  }

  // Returns the first segment of the pattern; the others follow until there are braces.
  const Segment* parse(std::string_view pattern, bool is_after_recursive) {
    const Segment* first = nullptr;
    const Segment** link = &first;
    for (bool is_last = false; !is_last;) {
      check_limits();
      const size_t slash = pattern.find('/');
      is_last = slash == std::string_view::npos || has_braces(pattern);
      const std::string_view text = is_last ? pattern : pattern.substr(0, slash);
      pattern.remove_prefix(std::min(pattern.find_first_not_of('/', text.size()), pattern.size()));
      if (text == "**" && !is_last && is_after_recursive) continue;
      Segment& segment = segments_.emplace_back();
      segment.is_after_recursive = is_after_recursive;
      segment.kind = kind_of(text, is_last);
      const bool is_escaped = segment.kind == Kind::kWildcard || segment.kind == Kind::kBraces;
      segment.text = is_escaped ? std::string(text) : without_escapes(text);
      is_after_recursive = segment.kind == Kind::kRecursive;
      *link = &segment;
      link = &segment.next;
    }
    return first;
  }

  static Kind kind_of(std::string_view text, bool is_last) {
    if (has_braces(text)) return Kind::kBraces;
    if (text == "**" && !is_last) return Kind::kRecursive;
    return has_wildcard(text) ? Kind::kWildcard : Kind::kName;
  }

  const std::vector<const Segment*>& alternatives(const Segment& braces) {
    if (!braces.is_expanded) {
      braces.is_expanded = true;
      Alternatives all(braces.text);
      while (const std::optional<std::string> text = all.next()) {
        braces.alternatives.push_back(parse(*text, braces.is_after_recursive));
      }
    }
    return braces.alternatives;
  }

  // Adds the segment, and those that match the same name; null is the end of the pattern.
  void add_place(const Segment* segment, Places& places) {
    if (segment != nullptr && segment->kind == Kind::kBraces) {
      for (const Segment* first : alternatives(*segment)) add_place(first, places);
      return;
    }
    if (std::ranges::find(places, segment) != places.end()) return;
    places.push_back(segment);
    if (segment != nullptr && segment->kind == Kind::kRecursive) add_place(segment->next, places);
  }

  static bool matches(const Segment& segment, const std::string& name) {
    if (name == "." && segment.is_after_recursive) return false;
    if (segment.kind == Kind::kName) return segment.text == name;
    return ::fnmatch(segment.text.c_str(), name.c_str(), FNM_PERIOD) == 0;
  }

  // `path` exists and matches all before the segments.
  void visit(const std::string& path, const Places& segments, bool has_entries) {
    if (depth_ == kDeepest || is_stack_low()) fail_too_large(depth_, "levels of directories");
    ++depth_;
    visit_with(path, segments, has_entries);
    --depth_;
  }

  void visit_with(const std::string& path, const Places& segments, bool has_entries) {
    check_limits();
    if (segments.size() == 1 && segments[0] != nullptr && segments[0]->kind == Kind::kBraces) {
      for (const Segment* first : alternatives(*segments[0])) {
        visit_with(path, {first}, has_entries);
      }
      return;
    }
    Places places;
    for (const Segment* segment : segments) add_place(segment, places);
    const std::string directory = path.empty() || path.ends_with('/') ? path : path + '/';
    std::erase_if(places, [&](const Segment* segment) {
      const bool is_end = segment == nullptr;
      const bool is_slash = !is_end && segment->kind == Kind::kName && segment->text.empty();
      if (is_end) found_.push_back(path);
      if (is_slash && has_entries) found_.push_back(directory);
      return is_end || is_slash;
    });
    if (places.empty() || !has_entries) return;
    const bool is_listed = std::ranges::any_of(
        places, [](const Segment* segment) { return segment->kind != Kind::kName; });
    is_listed ? visit_entries(directory, places) : visit_names(directory, places);
  }

  void visit_entries(const std::string& directory, const Places& places) {
    std::vector<DirectoryEntry> entries;
    if (read_entries(directory.empty() ? "." : directory, entries) != 0) return;
    entries.insert(entries.begin(), {".", true});
    for (const DirectoryEntry& entry : entries) {
      const std::string path = directory + entry.name;
      Places next;
      for (const Segment* segment : places) {
        if (segment->kind != Kind::kRecursive) {
          if (matches(*segment, entry.name)) next.push_back(segment->next);
        } else if (entry.is_directory && !entry.name.starts_with('.') && !entry.is_link) {
          next.push_back(segment);
        }
      }
      if (!next.empty()) visit(path, next, entry.is_directory);
    }
  }

  // Names without wildcards are looked up; the directory is not listed.
  void visit_names(const std::string& directory, const Places& places) {
    for (const Segment* segment : places) {
      const std::string path = directory + segment->text;
      struct stat status;
      if (file_status(path, false, status) == 0) visit(path, {segment->next}, is_directory(path));
    }
  }

  std::string beginning_;  // without wildcards, as written
  std::deque<Segment> segments_;
  const Segment* first_ = nullptr;
  std::vector<std::string> found_;
  size_t depth_ = 0;
};

// The pattern for fnmatch() where "*" also matches slashes: "**/" may match no directory.
std::string with_optional_directories(std::string pattern) {
  for (size_t at = 0; (at = pattern.find("**/", at)) != std::string::npos;) {
    const bool is_segment = at == 0 || pattern[at - 1] == '/';
    is_segment ? pattern.replace(at, 3, "*") : pattern.replace(at, 1, "");
  }
  return pattern;
}

}  // namespace

std::vector<std::string> expand_glob(const std::string& pattern) {
  if (pattern.find_first_of("*?[{") == std::string::npos) return {pattern};
  std::vector<std::string> found;
  {
    const ObservedReads unobserved(nullptr);
    const Utf8Names utf8;
    found = Pattern(pattern).find();
  }
  if (ReadObserver* observer = ReadObserver::current()) {
    observer->glob(pattern, names_digest(found));
  }
  return found;
}

bool may_match_glob(const std::string& pattern, const std::string& path) {
  const Utf8Names utf8;
  Alternatives all(pattern);
  while (std::optional<std::string> plain = all.next()) {
    if (::fnmatch(with_optional_directories(*std::move(plain)).c_str(), path.c_str(), 0) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace bunraku

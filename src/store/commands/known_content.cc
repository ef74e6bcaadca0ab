// A strict splitter of an object's members, and the cache of their digests.
#include "store/commands/known_content.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "base/text/digest.h"

namespace bunraku::store {
namespace {

// in one generation; there are two
constexpr size_t kMostHashes = 200'000;

// Finds the first of these characters from a position on, or the text's end.
class CharacterSet {
 public:
  constexpr explicit CharacterSet(std::string_view characters) {
    for (const char c : characters) has_[static_cast<unsigned char>(c)] = true;
  }
  size_t find_in(std::string_view text, size_t at) const {
    while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) ++at;
    return at;
  }

 private:
  std::array<bool, 256> has_{};
};

constexpr CharacterSet kEndOfScalar(",}] \n\t\r");
constexpr CharacterSet kMarks("\"{}[]");

// Scans JSON without parsing values. Each function returns false for unexpected text.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool is_at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  // Reads a string with its quotes.
  bool take_string(std::string_view& string) {
    skip_blanks();
    const size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '"' || !skip_string()) return false;
    string = text_.substr(begin, at_ - begin);
    return true;
  }
  bool take_value(std::string_view& value) {
    skip_blanks();
    const size_t begin = at_;
    if (!skip_value()) return false;
    value = text_.substr(begin, at_ - begin);
    return !value.empty();
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool skip_string() {
    for (++at_;;) {
      const size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) return false;
      size_t backslashes = 0;
      while (quote - backslashes > at_ && text_[quote - backslashes - 1] == '\\') ++backslashes;
      at_ = quote + 1;
      if (backslashes % 2 == 0) return true;
    }
  }
  bool skip_value() {
    size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
      } else if (c == '{' || c == '[') {
        ++depth, ++at_;
        continue;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return true;  // the end of the enclosing object
        --depth, ++at_;
      } else if (depth == 0) {
        if (c == ',') return true;
        at_ = kEndOfScalar.find_in(text_, at_);
        return true;
      } else {
        at_ = kMarks.find_in(text_, at_);
        continue;
      }
      if (depth == 0) return true;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

struct Known {
  std::mutex mutex;
  std::unordered_map<std::string, std::string> young, old;
};

Known& known() {
  static Known hashes;
  return hashes;
}

}  // namespace

std::optional<SplitBody> split_body(std::string_view body,
                                    std::span<const std::string_view> large) {
  // A text with this escape is changed before it is parsed.
  if (body.find("\\u0000") != std::string_view::npos) return std::nullopt;
  Cutter cutter(body);
  if (!cutter.take('{')) return std::nullopt;
  SplitBody split;
  split.rest = "{";
  std::string digested;
  size_t found = 0;
  do {
    std::string_view key, value;
    if (!cutter.take_string(key) || !cutter.take(':') || !cutter.take_value(value)) {
      return std::nullopt;
    }
    const std::string_view name = key.substr(1, key.size() - 2);
    if (name.find('\\') != std::string_view::npos) return std::nullopt;
    if (std::ranges::find(large, name) == large.end()) {
      if (split.rest.size() > 1) split.rest += ',';
      split.rest.append(key).append(":").append(value);
      continue;
    }
    if (digested.find('"' + std::string(name) + '"') != std::string::npos) return std::nullopt;
    digested.append(key).append(content_id(value));
    ++found;
  } while (cutter.take(','));
  if (!cutter.take('}') || !cutter.is_at_end() || found == 0) return std::nullopt;
  split.rest += '}';
  split.large_digest = std::move(digested);
  return split;
}

std::optional<std::string> known_hash(const std::string& key) {
  Known& hashes = known();
  const std::scoped_lock lock(hashes.mutex);
  if (const auto found = hashes.young.find(key); found != hashes.young.end()) return found->second;
  const auto found = hashes.old.find(key);
  if (found == hashes.old.end()) return std::nullopt;
  std::string hash = found->second;
  hashes.young.emplace(key, hash);
  return hash;
}

void keep_hash(const std::string& key, const std::string& hash) {
  Known& hashes = known();
  const std::scoped_lock lock(hashes.mutex);
  if (hashes.young.size() >= kMostHashes) {
    hashes.old = std::move(hashes.young);
    hashes.young.clear();
  }
  hashes.young.insert_or_assign(key, hash);
}

}  // namespace bunraku::store

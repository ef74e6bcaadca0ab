#include "conversion/replacement.h"

#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

// Finds the group of a name: as in Ruby, the last group of that name that matched.
bool find_named_group(const Regex& pattern, const Captures& match, std::string_view name,
                      size_t& number) {
  for (const Regex::NamedGroup& named : pattern.named_groups()) {
    if (named.name != name) continue;
    for (const int group : named.groups) {
      number = static_cast<size_t>(group);
      if (match.matched(number)) return true;
    }
    return true;
  }
  return false;
}

// Appends the text of the escape at `at` (after the backslash), and moves `at` behind it.
void append_escape(std::string& out, std::string_view text, std::string_view replacement,
                   size_t& at, const Regex& pattern, const Captures& match) {
  const char c = replacement[at++];
  if (c >= '1' && c <= '9' && !pattern.named_groups().empty()) {
    // In a pattern with named groups, numbers refer to nothing.
  } else if (c >= '0' && c <= '9') {
    out += match.text(text, static_cast<size_t>(c - '0'));
  } else if (c == '&') {
    out += match.text(text);
  } else if (c == '`') {
    out += text.substr(0, match.begin());
  } else if (c == '\'') {
    out += text.substr(match.end());
  } else if (c == '\\') {
    out += '\\';
  } else if (c == 'k' && at < replacement.size() && replacement[at] == '<') {
    const size_t end = replacement.find('>', at);
    size_t number = 0;
    if (end == replacement.npos) {
      out += "\\k";
      return;
    }
    const std::string_view name = replacement.substr(at + 1, end - at - 1);
    if (find_named_group(pattern, match, name, number)) {
      out += match.text(text, number);
    } else if (!name.empty() && name.find_first_not_of("0123456789") == name.npos &&
               name.size() < 6) {
      out += match.text(text, static_cast<size_t>(std::stoul(std::string(name))));
    } else {
      throw RegexError("undefined group name reference: " + std::string(name));
    }
    at = end + 1;
  } else {
    out += '\\';
    out += c;
  }
}

void append_replacement(std::string& out, std::string_view text, Value replacement,
                        const Regex& pattern, const Captures& match) {
  if (replacement.is_hash()) {
    const Value* value = replacement.as_hash().find(match.text(text));
    if (value != nullptr) append_ruby_to_s(out, *value);
    return;
  }
  const std::string_view source = replacement.as_string();
  size_t at = 0;
  while (at < source.size()) {
    const size_t escape = source.find('\\', at);
    if (escape == source.npos || escape + 1 == source.size()) {
      out += source.substr(at);
      return;
    }
    out += source.substr(at, escape - at);
    at = escape + 1;
    append_escape(out, text, source, at, pattern, match);
  }
}

}  // namespace

std::string ruby_sub(std::string_view text, const Regex& pattern, Value replacement, bool all) {
  std::string out;
  Captures match;
  size_t copied = 0;  // the end of the part of `text` that is in `out`
  size_t from = 0;
  while (from <= text.size() && pattern.search(text, from, match)) {
    out += text.substr(copied, match.begin() - copied);
    append_replacement(out, text, replacement, pattern, match);
    check_length(out.size());
    copied = from = match.end();
    if (!all) break;
    if (match.begin() == match.end()) {
      if (copied >= text.size()) break;
      const size_t length = character_length(static_cast<unsigned char>(text[copied]));
      out += text.substr(copied, length);
      copied = from = copied + length;
    }
  }
  if (copied < text.size()) out += text.substr(copied);
  return out;
}

}  // namespace bunraku

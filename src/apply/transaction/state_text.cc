// Lines such as "File[/etc/motd]:" and "  :checked: 2026-11-22 20:22:13.540828813 +00:00".
#include "apply/transaction/state_text.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kBegin = "---\n";
constexpr std::string_view kUtc = " +00:00";
constexpr size_t kTimeLength = std::string_view("2026-11-22 20:22:13.540828813 +00:00").size();
// libyaml writes longer names in another form.
constexpr size_t kLongestName = 120;

// Returns whether YAML writes the name without quotes.
bool is_plain_name(std::string_view name) {
  constexpr std::string_view kMarks = "/_.:-[]@+=,";
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  };
  return name.size() <= kLongestName && name.ends_with(']') && name.front() >= 'A' &&
         name.front() <= 'Z' && name.find('[') != std::string_view::npos &&
         std::ranges::all_of(name, is_plain);
}

bool is_plain_key(std::string_view key) {
  return !key.empty() && key.size() <= kLongestName &&
         std::ranges::all_of(key, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

// Removes the first line from the text and returns it without its end.
std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Removes and returns the lines up to the next line that is neither indented nor empty.
std::string_view take_entry(std::string_view& text) {
  size_t end = 0;
  do {
    end = std::min(text.find('\n', end), text.size());
    end = std::min(end + 1, text.size());
  } while (end < text.size() && (text[end] == ' ' || text[end] == '\n'));
  const std::string_view entry = text.substr(0, end);
  text.remove_prefix(end);
  return entry;
}

// Parses a line such as "  :checked: 2026-11-22 20:22:13.540828813 +00:00".
bool read_value(std::string_view line, StateValues& to) {
  constexpr std::string_view kIndentation = "  :";
  if (!line.starts_with(kIndentation)) return false;
  line.remove_prefix(kIndentation.size());
  const size_t colon = line.find(": ");
  if (colon == std::string_view::npos || !is_plain_key(line.substr(0, colon))) return false;
  const std::string_view value = line.substr(colon + 2);
  if (value.size() != kTimeLength || !value.ends_with(kUtc)) return false;
  const int64_t time = parse_time(value);
  if (time < 0) return false;
  to.emplace_back(std::string(line.substr(0, colon)), Datum::time(time));
  return true;
}

bool read_entry(std::string_view entry, const StateEntry& take) {
  std::string_view name = take_line(entry);
  if (!name.ends_with(':')) return false;
  name.remove_suffix(1);
  if (!is_plain_name(name) || entry.empty()) return false;
  StateValues values;
  while (!entry.empty()) {
    if (!read_value(take_line(entry), values)) return false;
  }
  take(name, std::move(values));
  return true;
}

}  // namespace

bool read_state_text(std::string_view text, const StateEntry& take,
                     const std::function<bool(std::string_view)>& read_other) {
  if (!text.starts_with(kBegin)) return false;
  text.remove_prefix(kBegin.size());
  if (text.empty()) return false;
  while (!text.empty()) {
    const std::string_view entry = take_entry(text);
    if (read_entry(entry, take)) continue;
    // A long name and its values start with marks ("? ", ": ") on lines of their own, which are not
    // separate entries.
    const char first = entry.front();
    if (!is_letter(first) && first != '"' && first != '\'') return false;
    if (!read_other(std::string(kBegin) + std::string(entry))) return false;
  }
  return true;
}

bool append_state_entry(std::string_view resource, const StateValues& values, std::string& to) {
  const bool is_usual =
      !values.empty() && is_plain_name(resource) &&
      std::ranges::all_of(values, [](const auto& entry) {
        return entry.second.kind() == DatumKind::kTime && is_plain_key(entry.first);
      });
  if (!is_usual) return false;
  to.append(resource).append(":\n");
  for (const auto& [key, value] : values) {
    to.append("  :").append(key).append(": ").append(yaml_time(value.time_value())).append("\n");
  }
  return true;
}

}  // namespace bunraku::apply

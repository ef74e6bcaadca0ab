#include "catalog/difference/difference_report.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/formats/json.h"
#include "base/text/counts.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// The limits of names and of values in texts; JSON and the page have all.
constexpr size_t kShownNames = 8;
constexpr size_t kShownValue = 400;

std::string clipped(const std::string& value) {
  if (value.size() <= kShownValue) return value;
  size_t end = kShownValue;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
  return value.substr(0, end) + "…";
}

class TextWriter {
 public:
  explicit TextWriter(bool color) : color_(color) {}

  std::string write(const DifferenceReport& report) {
    // Changes of the same nodes are below one line with the names of the nodes.
    const std::vector<std::string>* named = nullptr;
    for (const SharedChange& shared : report.changes) {
      if (!shared.nodes.empty() && (named == nullptr || *named != shared.nodes)) {
        if (named != nullptr) add("\n");
        add(fmt::format("{}: {}\n", counted(shared.nodes.size(), "node"),
                        names_text(shared.nodes, kShownNames)),
            kBold);
        named = &shared.nodes;
      }
      write(shared.change);
      if (shared.has_names) {
        add(fmt::format("    (as {} has it; the others have their own names in it)\n",
                        shared.nodes.front()));
      }
    }
    if (named != nullptr) add("\n");
    write("A dependency cycle is new", report.cycles);
    write("Not compared", report.failures);
    write_sum(report);
    return std::move(text_);
  }

 private:
  static constexpr int kBold = 1, kRed = 31, kGreen = 32, kYellow = 33, kCyan = 36;

  void add(std::string_view text, int color = 0) {
    if (!color_ || color == 0) {
      text_ += text;
      return;
    }
    const bool has_end = text.ends_with('\n');
    if (has_end) text.remove_suffix(1);
    text_ += fmt::format("\033[{}m{}\033[0m{}", color, text, has_end ? "\n" : "");
  }

  void write(const ResourceChange& change) {
    constexpr std::string_view kSigns = "+-~";
    constexpr int kColors[] = {kGreen, kRed, kYellow};
    const auto kind = static_cast<size_t>(change.kind);
    const std::string place = change.place.empty() ? "" : "  (" + change.place + ")";
    add(fmt::format("{} {}", kSigns[kind], change.reference), kColors[kind]);
    add(place + "\n");
    for (const ParameterChange& parameter : change.parameters) write(parameter);
    for (const std::string& edge : change.removed_edges) add(fmt::format("    - {}\n", edge), kRed);
    for (const std::string& edge : change.added_edges) add(fmt::format("    + {}\n", edge), kGreen);
  }

  void write(const ParameterChange& change) {
    if (change.is_sensitive) {
      add(fmt::format("    {}: Sensitive, {}\n", change.name, name_of(change.kind)), kYellow);
      return;
    }
    if (!change.lines.empty()) {
      add(fmt::format("    {}:\n", change.name));
      for (const ChangedLine& line : change.lines) {
        if (line.sign == '@') {
          add("      …\n", kCyan);
        } else {
          add(fmt::format("      {}{}\n", line.sign, line.text), line.sign == '+'   ? kGreen
                                                                 : line.sign == '-' ? kRed
                                                                                    : 0);
        }
      }
      return;
    }
    if (change.kind != ChangeKind::kAdded) {
      add(fmt::format("    - {}: {}\n", change.name, clipped(change.before)), kRed);
    }
    if (change.kind != ChangeKind::kRemoved) {
      add(fmt::format("    + {}: {}\n", change.name, clipped(change.after)), kGreen);
    }
  }

  void write(std::string_view title, const std::vector<DifferenceReport::Note>& notes) {
    for (const DifferenceReport::Note& note : notes) {
      add(fmt::format("{}: {}\n", title, note.text), kRed);
      if (!note.nodes.empty()) {
        add(fmt::format("    {}: {}\n", counted(note.nodes.size(), "node"),
                        names_text(note.nodes, kShownNames)));
      }
    }
  }

  void write_sum(const DifferenceReport& report) {
    size_t added = 0, removed = 0, changed = 0;
    for (const SharedChange& shared : report.changes) {
      switch (shared.change.kind) {
        case ChangeKind::kAdded:
          ++added;
          break;
        case ChangeKind::kRemoved:
          ++removed;
          break;
        case ChangeKind::kChanged:
          ++changed;
          break;
      }
    }
    if (report.nodes == 0) {
      if (added + removed + changed + report.cycles.size() == 0) return;
      add(fmt::format("{} added, {} removed, {} changed\n", count_text(added), count_text(removed),
                      count_text(changed)));
      return;
    }
    std::set<std::string_view> failed;  // a node may fail on both sides
    for (const DifferenceReport::Note& note : report.failures) {
      failed.insert(note.nodes.begin(), note.nodes.end());
    }
    add(fmt::format("{} compared, {} differ", counted(report.nodes, "node"),
                    count_text(report.changed_nodes)));
    if (!failed.empty()) add(fmt::format(", {} failed", count_text(failed.size())));
    add(fmt::format("; {}\n", counted(report.changes.size(), "different change")));
  }

  bool color_;
  std::string text_;
};

void write_strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& all) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : all) json.string(replace_invalid_utf8(text));
  json.end_array();
}

void write(JsonWriter& json, const ParameterChange& change) {
  json.begin_object();
  json.member("name", change.name);
  json.member("change", name_of(change.kind));
  if (change.is_sensitive) {
    json.key("sensitive");
    json.boolean(true);
  } else if (!change.lines.empty()) {
    json.key("lines");
    json.begin_array();
    for (const ChangedLine& line : change.lines) {
      json.string(replace_invalid_utf8(fmt::format("{}{}", line.sign, line.text)));
    }
    json.end_array();
  } else {
    if (change.kind != ChangeKind::kAdded) {
      json.key("before");
      json.raw(change.before);
    }
    if (change.kind != ChangeKind::kRemoved) {
      json.key("after");
      json.raw(change.after);
    }
  }
  json.end_object();
}

void write(JsonWriter& json, const ResourceChange& change) {
  json.member("resource", replace_invalid_utf8(change.reference));
  json.member("change", name_of(change.kind));
  if (!change.place.empty()) json.member("place", replace_invalid_utf8(change.place));
  if (!change.parameters.empty()) {
    json.key("parameters");
    json.begin_array();
    for (const ParameterChange& parameter : change.parameters) write(json, parameter);
    json.end_array();
  }
  if (!change.removed_edges.empty()) write_strings(json, "removed_edges", change.removed_edges);
  if (!change.added_edges.empty()) write_strings(json, "added_edges", change.added_edges);
}

void write_notes(JsonWriter& json, std::string_view key,
                 const std::vector<DifferenceReport::Note>& notes) {
  json.key(key);
  json.begin_array();
  for (const DifferenceReport::Note& note : notes) {
    json.begin_object();
    json.member("message", replace_invalid_utf8(note.text));
    if (!note.file.empty()) json.member("file", replace_invalid_utf8(note.file));
    if (note.line > 0) json.member("line", int64_t{note.line});
    if (note.column > 0) json.member("column", int64_t{note.column});
    if (!note.nodes.empty()) write_strings(json, "nodes", note.nodes);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string key_of(const ResourceChange& change) {
  ResourceChange bare = change;
  bare.place.clear();
  for (ParameterChange& parameter : bare.parameters) {
    std::erase_if(parameter.lines,
                  [](const ChangedLine& line) { return line.sign == ' ' || line.sign == '@'; });
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write(json, bare);
  json.end_object();
  return text;
}

std::string difference_text(const DifferenceReport& report, bool color) {
  return TextWriter(color).write(report);
}

void write_difference(JsonWriter& json, const DifferenceReport& report) {
  json.begin_object();
  json.member("before", replace_invalid_utf8(report.before));
  json.member("after", replace_invalid_utf8(report.after));
  if (report.nodes > 0) {
    json.member("nodes", static_cast<int64_t>(report.nodes));
    json.member("changed_nodes", static_cast<int64_t>(report.changed_nodes));
  }
  json.key("changes");
  json.begin_array();
  for (const SharedChange& shared : report.changes) {
    json.begin_object();
    write(json, shared.change);
    if (!shared.nodes.empty()) write_strings(json, "nodes", shared.nodes);
    if (shared.has_names) {
      json.key("differs_by_name");
      json.boolean(true);
    }
    json.end_object();
  }
  json.end_array();
  write_notes(json, "cycles", report.cycles);
  write_notes(json, "failures", report.failures);
  json.end_object();
}

}  // namespace bunraku

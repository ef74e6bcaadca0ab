// Differences in the formats of code reviews: Markdown, and the formats of GitHub and GitLab.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/text/counts.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "catalog/difference/difference_report.h"

namespace bunraku {
namespace {

// Comments have a maximum size (65,536 characters on GitHub); further names and changes are only
// counted.
constexpr size_t kShownNames = 20;
constexpr size_t kLargestComment = 60'000;

std::string names_of(std::vector<std::string> names) {
  for (std::string& name : names) name = fmt::format("`{}`", name);
  return names_text(names, kShownNames);
}

char sign_of(ChangeKind kind) {
  return kind == ChangeKind::kAdded ? '+' : kind == ChangeKind::kRemoved ? '-' : '~';
}

void add_parameter(std::string& text, const ParameterChange& change) {
  if (change.is_sensitive) {
    text += fmt::format("  {}: Sensitive, {}\n", change.name, name_of(change.kind));
  } else if (!change.lines.empty()) {
    text += fmt::format("  {}:\n", change.name);
    for (const ChangedLine& line : change.lines) {
      text += line.sign == '@' ? "@@ @@\n" : fmt::format("{}   {}\n", line.sign, line.text);
    }
  } else {
    if (change.kind != ChangeKind::kAdded) {
      text += fmt::format("- {}: {}\n", change.name, change.before);
    }
    if (change.kind != ChangeKind::kRemoved) {
      text += fmt::format("+ {}: {}\n", change.name, change.after);
    }
  }
}

// The parameters and edges of the change, as the lines of a `diff` block.
std::string body_of(const ResourceChange& change) {
  std::string text;
  for (const ParameterChange& parameter : change.parameters) add_parameter(text, parameter);
  for (const std::string& edge : change.removed_edges) text += fmt::format("- {}\n", edge);
  for (const std::string& edge : change.added_edges) text += fmt::format("+ {}\n", edge);
  return text;
}

// Returns a fence that is longer than any in the text.
std::string fence_for(std::string_view text) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string section_of(const SharedChange& shared) {
  const ResourceChange& change = shared.change;
  const std::string nodes =
      shared.nodes.empty() ? "" : " — " + counted(shared.nodes.size(), "node");
  std::string text = fmt::format("<details><summary>{} <code>{}</code>{}</summary>\n\n",
                                 sign_of(change.kind), change.reference, nodes);
  if (!shared.nodes.empty()) text += names_of(shared.nodes) + "\n\n";
  if (shared.has_names) {
    text += fmt::format("As `{}` has it; the others have their own names in it.\n\n",
                        shared.nodes.front());
  }
  if (!change.place.empty()) text += fmt::format("`{}`\n\n", change.place);
  if (const std::string body = body_of(change); !body.empty()) {
    const std::string fence = fence_for(body);
    text += fmt::format("{}diff\n{}{}\n\n", fence, body, fence);
  }
  return text + "</details>\n";
}

void add_notes(std::string& text, std::string_view title,
               const std::vector<DifferenceReport::Note>& notes) {
  for (const DifferenceReport::Note& note : notes) {
    text += fmt::format("\n**{}**: {}", title, note.text);
    if (!note.nodes.empty()) text += fmt::format(" ({})", names_of(note.nodes));
    text += '\n';
  }
}

// A place that was written as "FILE:LINE".
struct Place {
  std::string file;
  int64_t line = 1;
};
Place place_of(const ResourceChange& change) {
  const size_t colon = change.place.rfind(':');
  Place place{change.place, 1};
  if (colon == std::string::npos) return place;
  const char* end = change.place.data() + change.place.size();
  const auto [stop, error] = std::from_chars(change.place.data() + colon + 1, end, place.line);
  if (error != std::errc() || stop != end) return {change.place, 1};
  place.file.resize(colon);
  return place;
}

std::string sentence_of(const SharedChange& shared) {
  std::string text = fmt::format("{} {}", shared.change.reference, name_of(shared.change.kind));
  std::string names;
  for (const ParameterChange& parameter : shared.change.parameters) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name);
  }
  if (shared.change.kind == ChangeKind::kChanged && !names.empty()) text += ": " + names;
  if (!shared.nodes.empty()) {
    text += fmt::format(" ({}: {}{})", counted(shared.nodes.size(), "node"), shared.nodes.front(),
                        shared.nodes.size() > 1 ? ", ..." : "");
  }
  return replace_invalid_utf8(text);
}

}  // namespace

std::string difference_markdown(const DifferenceReport& report) {
  std::string text = "### Catalogs: ";
  if (report.nodes > 0) {
    text += fmt::format("{} of {} nodes differ between `{}` and `{}`\n\n",
                        count_text(report.changed_nodes), count_text(report.nodes), report.before,
                        report.after);
  } else {
    text += fmt::format("`{}` and `{}`\n\n", report.before, report.after);
  }
  if (report.changes.empty() && report.cycles.empty() && report.failures.empty()) {
    return text + "No differences.\n";
  }
  size_t shown = 0;
  for (const SharedChange& shared : report.changes) {
    const std::string section = section_of(shared);
    if (text.size() + section.size() > kLargestComment) break;
    text += section;
    ++shown;
  }
  if (shown < report.changes.size()) {
    text += fmt::format("\n{} more changes are not shown.\n",
                        count_text(report.changes.size() - shown));
  }
  add_notes(text, "A dependency cycle is new", report.cycles);
  add_notes(text, "Not compared", report.failures);
  return replace_invalid_utf8(text);
}

std::string github_annotations(const DifferenceReport& report) {
  std::string text;
  for (const SharedChange& shared : report.changes) {
    const Place place = place_of(shared.change);
    text += "::notice ";
    if (!place.file.empty()) {
      text += fmt::format("file={},line={},", github_escaped(place.file, true), place.line);
    }
    text += fmt::format("title=Catalogs differ::{}\n", github_escaped(sentence_of(shared), false));
  }
  for (const auto* notes : {&report.cycles, &report.failures}) {
    for (const DifferenceReport::Note& note : *notes) {
      text += "::error ";
      if (!note.file.empty()) {
        text += fmt::format("file={},line={},", github_escaped(note.file, true),
                            std::max(note.line, 1u));
      }
      if (note.column > 0) text += fmt::format("col={},", note.column);
      text += fmt::format("title=Catalogs::{}\n",
                          github_escaped(replace_invalid_utf8(note.text), false));
    }
  }
  return text;
}

std::string gitlab_report(const DifferenceReport& report) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  const auto entry = [&](const std::string& description, std::string_view severity,
                         const Place& place) {
    json.begin_object();
    json.member("description", std::string_view(description));
    json.member("check_name", "catalog-difference");
    json.member("fingerprint", std::string_view(digest_hex(DigestAlgorithm::kSha256, description)));
    json.member("severity", severity);
    json.key("location");
    json.begin_object();
    // GitLab rejects a report with an empty path; changes without a file are reported for the whole
    // repository.
    json.member("path",
                std::string_view(place.file.empty() ? "." : replace_invalid_utf8(place.file)));
    json.key("lines");
    json.begin_object();
    json.member("begin", place.line);
    json.end_object();
    json.end_object();
    json.end_object();
  };
  json.begin_array();
  for (const SharedChange& shared : report.changes) {
    entry(sentence_of(shared), "info", place_of(shared.change));
  }
  for (const auto* notes : {&report.cycles, &report.failures}) {
    for (const DifferenceReport::Note& note : *notes) {
      entry(replace_invalid_utf8(note.text), "major", {note.file, std::max(note.line, 1u)});
    }
  }
  json.end_array();
  return text + "\n";
}

}  // namespace bunraku

#include "base/diagnostics/diagnostic_renderer.h"

#include <fmt/core.h>

#include "base/formats/json.h"
#include "base/text/utf8.h"

namespace bunraku {

FilePlace place_of(const Range& range) {
  if (range.file == nullptr) return {};
  if (range.is_whole_file) return {range.file->path(), {}, {}};
  const uint32_t end = range.location.offset + range.location.length;
  FilePlace place{range.file->path(), range.file->position(range.location.offset),
                  range.file->position(end)};
  if (range.is_whole_line) place.begin.column = place.end.column = 0;
  return place;
}

std::string place_text(std::string_view file, uint32_t line, uint32_t column) {
  std::string text;
  auto add = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{}{}: {}", text.empty() ? " (" : ", ", name, value);
  };
  if (!file.empty()) add("file", file);
  if (line > 0) add("line", std::to_string(line));
  if (line > 0 && column > 0) add("column", std::to_string(column));
  if (!text.empty()) text += ')';
  return text;
}

std::string place_text(const Range& range) {
  const FilePlace place = place_of(range);
  return place_text(place.file, place.begin.line, place.begin.column);
}

std::string one_line(const Diagnostic& diagnostic) {
  return diagnostic.message() + place_text(diagnostic.primary);
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kIgnore:
      return "ignore";
    case Severity::kDeprecation:
      return "deprecation";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

namespace {

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  json.string(replace_invalid_utf8(text));
}

void write_place(JsonWriter& json, const Range& range) {
  const FilePlace place = place_of(range);
  if (!place.file.empty()) write_text(json, "file", place.file);
  if (place.begin.line == 0) return;
  json.member("line", place.begin.line);
  if (place.begin.column == 0) return;
  json.member("pos", place.begin.column);
  json.member("end_line", place.end.line);
  json.member("end_pos", place.end.column);
}

void write_codes(JsonWriter& json, const Diagnostic& diagnostic, ErrorKind kind) {
  json.member("code", std::string_view(code(diagnostic.issue)));
  const std::string_view issue_code = reference_code(diagnostic, kind);
  if (!issue_code.empty()) json.member("issue_code", issue_code);
}

void write_causes(JsonWriter& json, const Diagnostic& diagnostic, ErrorKind kind) {
  std::vector<const Diagnostic*> chain;
  for (const Diagnostic* link = &diagnostic; link != nullptr; link = link->cause.get()) {
    chain.push_back(link);
  }
  json.key("cause");
  json.begin_array();
  for (size_t i = chain.size(); i-- > 0;) {
    json.begin_object();
    write_codes(json, *chain[i], kind);
    write_text(json, "message", chain[i]->message());
    write_place(json, chain[i]->primary);
    json.end_object();
  }
  json.end_array();
}

void write_details(JsonWriter& json, const Diagnostic& diagnostic) {
  if (!diagnostic.labels.empty()) {
    json.key("labels");
    json.begin_array();
    for (const Label& label : diagnostic.labels) {
      json.begin_object();
      write_text(json, "text", label.text);
      write_place(json, label.range);
      json.end_object();
    }
    json.end_array();
  }
  if (!diagnostic.notes.empty()) {
    json.key("notes");
    json.begin_array();
    for (const std::string& note : diagnostic.notes) json.string(replace_invalid_utf8(note));
    json.end_array();
  }
  if (!diagnostic.fixes.empty()) {
    json.key("fixes");
    json.begin_array();
    for (const Fix& fix : diagnostic.fixes) {
      json.begin_object();
      write_text(json, "description", fix.description);
      write_text(json, "replacement", fix.replacement);
      write_place(json, fix.range);
      json.end_object();
    }
    json.end_array();
  }
}

}  // namespace

void write_json(JsonWriter& json, const Diagnostic& diagnostic) {
  const Diagnostic whole = flattened(diagnostic);
  json.begin_object();
  json.member("severity", name_of(diagnostic.severity));
  write_codes(json, whole, ErrorKind::kEvaluation);
  write_text(json, "message", whole.message());
  write_place(json, whole.primary);
  if (diagnostic.cause != nullptr) write_causes(json, diagnostic, ErrorKind::kEvaluation);
  write_details(json, whole);
  json.end_object();
}

void write_error_members(JsonWriter& json, const Diagnostic& diagnostic, ErrorKind kind,
                         std::string_view message) {
  const Diagnostic whole = flattened(diagnostic);
  write_codes(json, whole, kind);
  write_place(json, whole.primary);
  write_text(json, "message", message);
  write_causes(json, diagnostic, kind);
  write_details(json, whole);
}

// In a message, line ends and percent signs are escaped; in a property, commas and colons too.
std::string github_escaped(std::string_view text, bool is_property) {
  std::string escaped;
  for (char c : text) {
    const bool must_escape =
        c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    if (must_escape) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string github_annotation(const Diagnostic& given) {
  const Diagnostic diagnostic = flattened(given);
  FilePlace place = place_of(diagnostic.primary);
  std::string text = diagnostic.severity == Severity::kError ? "::error " : "::warning ";
  if (!place.file.empty()) text += fmt::format("file={},", github_escaped(place.file, true));
  if (place.begin.line > 0) {
    text += fmt::format("line={},col={},endLine={},endColumn={},", place.begin.line,
                        place.begin.column, place.end.line, place.end.column);
  }
  return fmt::format("{}title={}::{}\n", text, code(diagnostic.issue),
                     github_escaped(diagnostic.message(), false));
}

}  // namespace bunraku

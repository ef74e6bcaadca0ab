#include <map>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

std::string_view sarif_level(Severity severity) {
  switch (severity) {
    case Severity::kIgnore:
      return "none";
    case Severity::kDeprecation:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

void write_message(JsonWriter& json, std::string_view text) {
  json.key("message");
  json.begin_object();
  json.member("text", std::string_view(replace_invalid_utf8(text)));
  json.end_object();
}

// Encodes a path as the path of a URI.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const bool is_alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_alphanumeric || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

void write_region(JsonWriter& json, std::string_view key, const FilePlace& place) {
  json.key(key);
  json.begin_object();
  json.member("startLine", place.begin.line);
  json.member("startColumn", place.begin.column);
  json.member("endLine", place.end.line);
  json.member("endColumn", place.end.column);
  json.end_object();
}

void write_artifact(JsonWriter& json, std::string_view file) {
  json.key("artifactLocation");
  json.begin_object();
  json.member("uri", std::string_view(uri_of(file)));
  json.end_object();
}

void write_physical_location(JsonWriter& json, const Range& range) {
  const FilePlace place = place_of(range);
  json.key("physicalLocation");
  json.begin_object();
  write_artifact(json,
                 place.file.empty() ? std::string_view("code") : std::string_view(place.file));
  if (place.begin.line > 0) write_region(json, "region", place);
  json.end_object();
}

void write_fixes(JsonWriter& json, const std::vector<Fix>& fixes) {
  json.key("fixes");
  json.begin_array();
  for (const Fix& fix : fixes) {
    const FilePlace place = place_of(fix.range);
    json.begin_object();
    json.key("description");
    json.begin_object();
    json.member("text", std::string_view(fix.description));
    json.end_object();
    json.key("artifactChanges");
    json.begin_array();
    json.begin_object();
    write_artifact(json, place.file);
    json.key("replacements");
    json.begin_array();
    json.begin_object();
    write_region(json, "deletedRegion", place);
    json.key("insertedContent");
    json.begin_object();
    json.member("text", std::string_view(replace_invalid_utf8(fix.replacement)));
    json.end_object();
    json.end_object();
    json.end_array();
    json.end_object();
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_result(JsonWriter& json, const Diagnostic& given) {
  const Diagnostic diagnostic = flattened(given);
  json.begin_object();
  json.member("ruleId", std::string_view(code(diagnostic.issue)));
  json.member("level", sarif_level(diagnostic.severity));
  write_message(json, diagnostic.message());
  if (diagnostic.primary.file != nullptr) {
    json.key("locations");
    json.begin_array();
    json.begin_object();
    write_physical_location(json, diagnostic.primary);
    json.end_object();
    json.end_array();
  }
  if (!diagnostic.labels.empty()) {
    json.key("relatedLocations");
    json.begin_array();
    for (const Label& label : diagnostic.labels) {
      json.begin_object();
      write_physical_location(json, label.range);
      write_message(json, label.text);
      json.end_object();
    }
    json.end_array();
  }
  if (!diagnostic.fixes.empty()) write_fixes(json, diagnostic.fixes);
  json.end_object();
}

void write_rules(JsonWriter& json, std::span<const Diagnostic> diagnostics) {
  std::map<std::string, Issue> rules;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Issue issue = root_cause(diagnostic).issue;
    rules.emplace(code(issue), issue);
  }
  json.key("rules");
  json.begin_array();
  for (const auto& [id, issue] : rules) {
    json.begin_object();
    json.member("id", std::string_view(id));
    const std::string_view name = info(issue).issue_code;
    if (!name.empty()) json.member("name", name);
    json.key("shortDescription");
    json.begin_object();
    json.member("text", info(issue).message);
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string sarif(std::span<const Diagnostic> diagnostics, std::string_view version) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("$schema", std::string_view("https://json.schemastore.org/sarif-2.1.0.json"));
  json.member("version", std::string_view("2.1.0"));
  json.key("runs");
  json.begin_array();
  json.begin_object();
  json.key("tool");
  json.begin_object();
  json.key("driver");
  json.begin_object();
  json.member("name", std::string_view("bunraku"));
  json.member("version", version);
  write_rules(json, diagnostics);
  json.end_object();
  json.end_object();
  // Columns count characters, as everywhere in this program.
  json.member("columnKind", std::string_view("unicodeCodePoints"));
  json.key("results");
  json.begin_array();
  for (const Diagnostic& diagnostic : diagnostics) write_result(json, diagnostic);
  json.end_array();
  json.end_object();
  json.end_array();
  json.end_object();
  text += '\n';
  return text;
}

}  // namespace bunraku

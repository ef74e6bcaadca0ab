#include "validation/heredoc_syntax.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/formats/document_check.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/memory/arena.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "syntax/characters.h"
#include "syntax/parser.h"
#include "validation/checker.h"
#include "validation/ruby_json.h"

namespace bunraku {
namespace {

// The depth limit of nested texts; deeper ones are not checked.
constexpr int kDeepestText = 8;
thread_local int depth = 0;

// The first `length` characters, with line ends as \n.
std::string shortened(std::string_view text, size_t length) {
  std::string result;
  for (size_t i = 0; i < text.size() && length > 0; --length) {
    const size_t size = characters::character_length(text, i);
    if (text[i] == '\n') {
      if (result.ends_with('\r')) result.pop_back();
      result += "\\n";
    } else {
      result.append(text.substr(i, size));
    }
    i += size;
  }
  return result;
}

// The offset of a reader's error in the text.
uint32_t offset_of(std::string_view text, const DataError& error) {
  return static_cast<uint32_t>(offset_of_place(text, error.line(), error.column()));
}

std::optional<TextMistake> check_json(std::string_view text) {
  std::optional<JsonMistake> found = find_json_mistake(text);
  if (!found) return {};
  TextMistake mistake{Issue::kInvalidHeredocJson, shortened(found->message, 100)};
  mistake.has_offset = true;
  mistake.offset = found->offset;
  // Ruby's parser reports the start of the enclosing array or object; this one the error's own
  // place.
  Arena arena;
  try {
    read_json(text, arena);
  } catch (const DataError& error) {
    mistake.offset = offset_of(text, error);
  }
  return mistake;
}

std::optional<TextMistake> check_yaml(std::string_view text) {
  Arena arena;
  try {
    read_yaml(text, {}, arena);
    return {};
  } catch (const DataError& error) {
    std::string_view problem = error.what();
    constexpr std::string_view kNoFile = "(<unknown>): ";
    if (problem.starts_with(kNoFile)) problem.remove_prefix(kNoFile.size());
    TextMistake mistake{Issue::kInvalidHeredocYaml, std::string(problem)};
    mistake.has_offset = error.line() > 0;
    if (mistake.has_offset) mistake.offset = offset_of(text, error);
    return mistake;
  }
}

std::optional<TextMistake> text_mistake(Issue issue, std::optional<DocumentMistake> found) {
  if (!found) return {};
  TextMistake mistake{issue, std::move(found->message)};
  mistake.has_offset = true;
  mistake.offset = found->offset;
  return mistake;
}

std::optional<TextMistake> check_base64(std::string_view text) {
  std::string cleaned;
  for (size_t i = 0; i < text.size();) {
    if (const size_t blank = characters::blank_length(text, i)) {
      i += blank;
      continue;
    }
    // The reference removes question marks too, by an error in its pattern.
    if (text[i] != '\r' && text[i] != '\n' && text[i] != '?') cleaned += text[i];
    ++i;
  }
  if (decode_base64(cleaned)) return {};
  const bool is_padding_wrong = cleaned.size() * 8 % 6 != 0;
  return TextMistake{Issue::kInvalidHeredocBase64,
                     is_padding_wrong
                         ? "padding is not correct"
                         : "contains letters outside strict base 64 range (or whitespace)"};
}

std::optional<TextMistake> check_code(std::string_view text, SourceForm form) {
  if (depth >= kDeepestText) return {};
  ++depth;
  auto source = std::make_shared<SourceFile>(std::string(), std::string(text));
  DiagnosticList diagnostics;
  ParseOptions options;
  options.form = form;
  auto program = parse(source, options, diagnostics);
  if (!diagnostics.has_errors()) validate(*program, {}, diagnostics);
  --depth;
  const auto is_error = [](const Diagnostic& one) { return one.severity == Severity::kError; };
  const auto first = std::ranges::find_if(diagnostics.all, is_error);
  if (first == diagnostics.all.end()) return {};
  const uint32_t offset = first->primary.location.offset;
  std::string message = first->message();
  const bool is_at_end = first->issue == Issue::kSyntaxError && offset >= text.size();
  if (!is_at_end) {
    Position position = source->position(offset);
    message += fmt::format(" (line: {}, column: {})", position.line, position.column);
  }
  TextMistake mistake{form == SourceForm::kManifest ? Issue::kInvalidHeredocManifest
                                                    : Issue::kInvalidHeredocTemplate,
                      shortened(message, 500)};
  mistake.has_offset = true;
  mistake.offset = offset;
  return mistake;
}

// The place in the file of an offset into a heredoc's text. Where a margin was removed, a line of
// the text is the end of its line in the file; where escapes changed it, the place is unknown.
std::optional<uint32_t> place_in_file(const SourceFile& source, const LiteralString& literal,
                                      uint32_t offset) {
  const std::string_view text = literal.value;
  const char* begin = source.text().data();
  if (text.data() >= begin && text.data() + text.size() <= begin + source.text().size()) {
    return static_cast<uint32_t>(text.data() - begin) + offset;
  }
  size_t line_start = 0;
  uint32_t line = 0;
  for (size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] != '\n') continue;
    line_start = i + 1;
    ++line;
  }
  const size_t line_end = text.find('\n', line_start);
  const std::string_view inner = text.substr(line_start, line_end - line_start);
  const uint32_t number = source.position(literal.location.offset).line + line;
  const std::string_view outer = source.line(number);
  if (!outer.ends_with(inner)) return {};
  return static_cast<uint32_t>(source.line_start(number) + outer.size() - inner.size() + offset -
                               line_start);
}

}  // namespace

std::optional<TextMistake> check_text_syntax(std::string_view text, std::string_view syntax) {
  while (!syntax.empty()) {
    if (syntax == "json") return check_json(text);
    if (syntax == "base64") return check_base64(text);
    if (syntax == "yaml") return check_yaml(text);
    if (syntax == "toml") return text_mistake(Issue::kInvalidHeredocToml, find_toml_mistake(text));
    if (syntax == "xml") return text_mistake(Issue::kInvalidHeredocXml, find_xml_mistake(text));
    if (syntax == "pp") return check_code(text, SourceForm::kManifest);
    if (syntax == "epp") return check_code(text, SourceForm::kTemplate);
    const size_t plus = syntax.find('+');
    if (plus == std::string_view::npos) break;
    syntax.remove_prefix(plus + 1);
  }
  return {};
}

void Checker::check_heredoc(const HeredocExpression& heredoc) {
  const auto* text = heredoc.text->try_as<LiteralString>();
  if (text == nullptr || heredoc.syntax.empty()) return;
  std::optional<TextMistake> mistake = check_text_syntax(text->value, heredoc.syntax);
  if (!mistake) return;
  Diagnostic diagnostic =
      make_diagnostic(mistake->issue, {program_.source(), {text->location.offset, 0}},
                      {std::string(heredoc.syntax), mistake->detail});
  if (mistake->has_offset) {
    if (auto place = place_in_file(*program_.source(), *text, mistake->offset)) {
      Range spot{program_.source(), {*place, 1}};
      diagnostic.labels.push_back({std::move(spot), "the mistake is here"});
    }
  }
  deliver(std::move(diagnostic));
}

}  // namespace bunraku

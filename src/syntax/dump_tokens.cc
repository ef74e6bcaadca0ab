#include "syntax/dump_tokens.h"

#include "base/formats/json.h"
#include "syntax/lexer.h"

namespace bunraku {
namespace {

constexpr size_t kPart = size_t{1} << 16;  // bytes

void write_lines(JsonWriter& json, std::string_view text) {
  json.begin_array();
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    json.string(text.substr(0, length));
    text.remove_prefix(length);
  }
  json.end_array();
}

void write_value(JsonWriter& json, const Token& token) {
  switch (token.kind) {
    case TokenKind::kTrue:
      return json.boolean(true);
    case TokenKind::kFalse:
      return json.boolean(false);
    case TokenKind::kEppStart:
    case TokenKind::kRenderExpression:
      return json.null();
    case TokenKind::kSublocate:
      return write_lines(json, token.value());
    case TokenKind::kRegex:
      json.begin_object();
      json.member("regexp", token.value());
      return json.end_object();
    default:
      return json.string(token.value());
  }
}

}  // namespace

void dump_tokens(const SourcePointer& source, const ParseOptions& options,
                 DiagnosticSink& diagnostics, const std::function<void(std::string_view)>& write) {
  Arena arena;
  TokenList list;
  lex(source, options, arena, list, diagnostics);
  for (const Diagnostic& error : list.errors) diagnostics.report(error);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("tokens");
  json.begin_array();
  for (const Token& token : list.tokens) {
    if (token.kind == TokenKind::kEndOfInput || token.kind == TokenKind::kError) continue;
    const Position position = source->position(token.offset);
    json.begin_object();
    json.member("token", name_of(token.kind));
    json.key("value");
    write_value(json, token);
    json.member("offset", int64_t{token.offset});
    json.member("length", int64_t{token.length});
    json.member("line", int64_t{position.line});
    json.member("pos", int64_t{position.column});
    json.end_object();
    if (text.size() < kPart) continue;
    write(text);
    text.clear();
  }
  json.end_array();
  json.end_object();
  write(text);
}

}  // namespace bunraku

#include "syntax/lexer.h"

#include <doctest/doctest.h>

#include <string>

#include "syntax/escapes.h"

namespace bunraku {
namespace {

// The names of the tokens, with their values where these vary: "VARIABLE(a) EQUALS NUMBER(1)".
std::string lexed(std::string text, SourceForm form = SourceForm::kManifest) {
  auto source = std::make_shared<SourceFile>("x.pp", std::move(text));
  Arena arena;
  TokenList list;
  DiagnosticList diagnostics;
  lex(source, {form, false}, arena, list, diagnostics);
  std::string result;
  for (const Token& token : list.tokens) {
    if (token.kind == TokenKind::kEndOfInput) break;
    if (!result.empty()) result += ' ';
    if (token.kind == TokenKind::kError) {
      const Diagnostic& error = list.errors[token.text_length];
      result += "error@" + std::to_string(error.primary.location.offset);
      continue;
    }
    result += name_of(token.kind);
    if (text_of(token.kind).empty()) result.append("(").append(token.value()).append(")");
  }
  return result;
}

TEST_CASE("a bracket after a blank starts a list") {
  CHECK(lexed("$a[1]") == "VARIABLE(a) LBRACK NUMBER(1) RBRACK");
  CHECK(lexed("$a [1]") == "VARIABLE(a) LISTSTART NUMBER(1) RBRACK");
  CHECK(lexed("$a\xC2\xA0[1]") == "VARIABLE(a) LISTSTART NUMBER(1) RBRACK");
}

TEST_CASE("a parenthesis that is first on its line begins no call") {
  CHECK(lexed("a (1)") == "NAME(a) LPAREN NUMBER(1) RPAREN");
  CHECK(lexed("a\n  (1)") == "NAME(a) WSLPAREN NUMBER(1) RPAREN");
}

TEST_CASE("a brace after a question mark is recognised") {
  CHECK(lexed("$a ? { }") == "VARIABLE(a) QMARK SELBRACE RBRACE");
}

TEST_CASE("a slash divides after a value and begins a pattern elsewhere") {
  CHECK(lexed("$a / 2 / 3") == "VARIABLE(a) DIV NUMBER(2) DIV NUMBER(3)");
  CHECK(lexed("$a =~ /2\\/ /") == "VARIABLE(a) MATCH REGEX(2/ )");
  CHECK(lexed("} /a/") == "RBRACE REGEX(a)");
}

TEST_CASE("words with hyphens are no names") {
  CHECK(lexed("a-b->c a- _x a::b") ==
        "WORD(a-b) IN_EDGE NAME(c) NAME(a) MINUS WORD(_x) NAME(a::b)");
}

TEST_CASE("a lone word in an interpolation is a variable") {
  CHECK(lexed("\"a${if}b$c::d-e\"") == "DQPRE(a) VARIABLE(if) DQMID(b) VARIABLE(c::d) DQPOST(-e)");
  CHECK(lexed("\"${a.b} ${a + 1}\"") ==
        "DQPRE() VARIABLE(a) DOT NAME(b) DQMID( ) NAME(a) PLUS NUMBER(1) DQPOST()");
  CHECK(lexed("\"$ ${'x'}\"") == "DQPRE($ ) STRING(x) DQPOST()");
}

TEST_CASE("a string within an interpolation may have one of its own") {
  CHECK(lexed("\"a${\"b${c}\"}\"") == "DQPRE(a) DQPRE(b) VARIABLE(c) DQPOST() DQPOST()");
}

TEST_CASE("a mistake in a string takes the place of the string") {
  CHECK(lexed("notice \"a ${09} b\" + 1") == "NAME(notice) error@12 PLUS NUMBER(1)");
  CHECK(lexed("'abc") == "error@1");
}

TEST_CASE("the margin of a heredoc is taken from lines that have it") {
  CHECK(lexed("@(E)\n  a\n b\n    c\n  | E\nd") ==
        "HEREDOC() SUBLOCATE(  a\n b\n    c\n) STRING(a\n b\n  c\n) NAME(d)");
  CHECK(lexed("@(E)\n  a\n  |- E\n") == "HEREDOC() SUBLOCATE(  a\n) STRING(a)");
}

TEST_CASE("heredocs of one line follow one another") {
  CHECK(lexed("f(@(A), @(B))\na\nA\nb\nB\nc") ==
        "NAME(f) LPAREN HEREDOC() SUBLOCATE(a\n) STRING(a\n) COMMA HEREDOC() SUBLOCATE(b\n) "
        "STRING(b\n) RPAREN NAME(c)");
}

TEST_CASE("what is interpolated in a heredoc stands where it is written") {
  auto source = std::make_shared<SourceFile>("x.pp", "@(\"E\")\n    one ${x}\n    $yy\n    | E\n");
  Arena arena;
  TokenList list;
  DiagnosticList diagnostics;
  lex(source, {}, arena, list, diagnostics);
  size_t found = 0;
  for (const Token& token : list.tokens) {
    if (token.kind != TokenKind::kVariable) continue;
    ++found;
    CHECK(source->text().substr(token.offset, token.length) == (found == 1 ? "x" : "$yy"));
  }
  CHECK(found == 2);
}

TEST_CASE("templates are text with code between tags") {
  CHECK(lexed("a <%= 1 -%>\nb", SourceForm::kTemplate) ==
        "EPP_START() RENDER_STRING(a ) RENDER_EXPR() NUMBER(1) EPP_END_TRIM RENDER_STRING(b)");
  CHECK(lexed("a <%%= b %%>", SourceForm::kTemplate) == "EPP_START() RENDER_STRING(a <%= b %>)");
  CHECK(lexed("a <%# no %> b", SourceForm::kTemplate) == "EPP_START() RENDER_STRING(a  b)");
}

TEST_CASE("unicode escapes are replaced before the others") {
  CHECK(unescape("\\u0041\\u{42}", kDoubleQuotedEscapes).text == "AB");
  CHECK(unescape("\\\\u0041", kDoubleQuotedEscapes).text == "\\u0041");
  CHECK(unescape("\\u{110000}", kDoubleQuotedEscapes).is_invalid);
  CHECK(unescape("a\\\r\nb", kDoubleQuotedEscapes).text == "ab");
  CHECK(unescape("\\q", kDoubleQuotedEscapes).mistakes.size() == 1);
  CHECK(unescape("\\n", kEscapeBackslash).text == "\\n");
}

TEST_CASE("bytes that are not UTF-8 are found") {
  CHECK(lexed("$a = 'x\xFFy'") == "error@7");
  CHECK(lexed("\xEF\xBB\xBF$a") == "error@0");
}

TEST_CASE("a file of mistakes ends in good time") {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "@(E)\n";
  CHECK(lexed(text).size() < 10000);
  text.clear();
  for (int i = 0; i < 20000; ++i) text += "\"${@(E)}";
  CHECK(lexed(text).size() < 10000);
}

}  // namespace
}  // namespace bunraku

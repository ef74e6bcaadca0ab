#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "syntax/characters.h"
#include "syntax/parser_internal.h"

namespace bunraku {

const LiteralString* Parser::make_string(const Token& token) {
  auto* made = node<LiteralString>(token.location());
  made->value = token.value();
  return made;
}

const Expression* Parser::parse_list() {
  const Token& start = take();
  const size_t mark = scratch_.size();
  if (!is_at(TokenKind::kRightBracket)) {
    push_argument(mark, parse_collection_entry());
    while (take_if(TokenKind::kComma)) {
      if (is_at(TokenKind::kRightBracket)) break;
      push_argument(mark, parse_collection_entry());
    }
  }
  const ExpressionList values = collect<Expression>(mark);
  const Token& end = expect_end(TokenKind::kRightBracket);
  auto* list = node<LiteralList>(between(start.location(), end.location()));
  list->values = values;
  return list;
}

const LiteralHash* Parser::parse_hash() {
  const Token& start = expect(TokenKind::kLeftBrace);
  const size_t mark = scratch_.size();
  if (!is_at(TokenKind::kRightBrace)) {
    scratch_.push_back(parse_pair_after(parse_hash_entry()));
    while (take_if(TokenKind::kComma)) {
      if (is_at(TokenKind::kRightBrace)) break;
      scratch_.push_back(parse_pair_after(parse_hash_entry()));
    }
  }
  auto entries = collect<KeyedEntry>(mark);
  const Token& end = expect_end(TokenKind::kRightBrace);
  auto* hash = node<LiteralHash>(between(start.location(), end.location()));
  hash->entries = entries;
  return hash;
}

// A name at the left end of an interpolated expression is a variable. The lexer has converted most.
const Expression* Parser::interpolated(const Expression* expression) {
  const Expression** place = &expression;
  while (true) {
    auto* at = const_cast<Expression*>(*place);
    switch (at->kind) {
      case NodeKind::kAccessExpression:
        place = &static_cast<AccessExpression*>(at)->left;
        break;
      case NodeKind::kCallMethodExpression: {
        const auto* functor = static_cast<CallMethodExpression*>(at)->functor;
        place = &const_cast<NamedAccessExpression*>(functor)->left;
        break;
      }
      case NodeKind::kQualifiedName: {
        auto* variable = node<VariableExpression>(at->location);
        variable->name = static_cast<QualifiedName*>(at)->name;
        variable->number = -1;
        *place = variable;
        return expression;
      }
      default:
        return expression;
    }
  }
}

// "text ${expression} text": empty texts are omitted.
const Expression* Parser::parse_interpolated_string() {
  const size_t mark = scratch_.size();
  const Token& start = token();
  while (true) {
    const Token& text = take();
    if (text.text_length > 0) scratch_.push_back(make_string(text));
    if (text.kind == TokenKind::kStringEnd) {
      auto* made = node<ConcatenatedString>(between(start.location(), text.location()));
      made->segments = collect<Expression>(mark);
      return made;
    }
    auto* segment = node<TextExpression>({start.offset, 0});
    segment->expression = interpolated(parse_assignment());
    scratch_.push_back(segment);
    if (!is_at(TokenKind::kStringMiddle) && !is_at(TokenKind::kStringEnd)) unexpected();
  }
}

const Expression* Parser::parse_heredoc() {
  const Token& tag = take();
  expect(TokenKind::kSublocate);
  const Expression* text =
      is_at(TokenKind::kString) ? make_string(take()) : parse_interpolated_string();
  auto* made = node<HeredocExpression>(tag.location());
  made->syntax = tag.value();
  made->text = text;
  return made;
}

const Expression* Parser::parse_number() {
  const Token& token = take();
  std::string_view text = token.value();
  const bool is_hex = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (!is_hex && text.find_first_of(".eE") != std::string_view::npos) {
    auto* made = node<LiteralFloat>(token.location());
    // from_chars leaves the value unchanged when it is out of range; one that is too small becomes
    // zero.
    auto result = std::from_chars(text.data(), text.data() + text.size(), made->value);
    if (result.ec != std::errc()) made->value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(made->value)) {
      report(make(Issue::kNumberTooLarge, token.location(), {std::string(text)}));
    }
    return made;
  }
  const bool is_octal = !is_hex && text.size() > 1 && text[0] == '0';
  auto* made = node<LiteralInteger>(token.location());
  made->radix = is_hex ? 16 : is_octal ? 8 : 10;
  if (is_hex) text.remove_prefix(2);
  auto result = std::from_chars(text.data(), text.data() + text.size(), made->value, made->radix);
  // Validation reports integers that do not fit; it reads the source text again.
  if (result.ec != std::errc()) made->value = std::numeric_limits<int64_t>::max();
  return made;
}

const VariableExpression* Parser::parse_variable() {
  const Token& token = take();
  auto* made = node<VariableExpression>(token.location());
  const std::string_view name = token.value();
  made->name = Name(name);
  made->number = -1;
  if (name.empty() || !characters::is_digit(name[0])) return made;
  const bool is_number =
      (name.size() == 1 || name[0] != '0') && std::ranges::all_of(name, characters::is_digit);
  if (is_number) {
    int32_t number = 0;
    auto result = std::from_chars(name.data(), name.data() + name.size(), number);
    made->number = result.ec == std::errc() ? number : std::numeric_limits<int32_t>::max();
  }
  return made;
}

const QualifiedReference* Parser::parse_type_reference() {
  const Token& token = expect(TokenKind::kClassReference);
  const std::string_view text = token.value();
  auto* made = node<QualifiedReference>(token.location());
  made->cased = Name(text);
  constexpr size_t kLongestUsual = 128;
  char buffer[kLongestUsual];
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (text.size() <= kLongestUsual) {
    for (size_t i = 0; i < text.size(); ++i) buffer[i] = lower(text[i]);
    made->name = Name(std::string_view(buffer, text.size()));
  } else {
    std::string lowered(text);
    for (char& c : lowered) c = lower(c);
    made->name = Name(lowered);
  }
  return made;
}

}  // namespace bunraku

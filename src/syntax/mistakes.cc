// Suggestions for syntax errors, guessed from the surrounding tokens.
#include <algorithm>
#include <array>

#include "base/text/suggestion.h"
#include "syntax/parser_internal.h"

namespace bunraku {
namespace {

bool contains(std::initializer_list<TokenKind> kinds, TokenKind kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool touch(const Token& left, const Token& right) {
  return left.offset + left.length == right.offset;
}

bool is_arrow(TokenKind kind) {
  return kind == TokenKind::kFatArrow || kind == TokenKind::kPlusArrow;
}

// Returns whether the token may begin an element of a list, so that a comma may be missing before
// it.
bool begins_element(TokenKind kind) {
  switch (kind) {
    case TokenKind::kVariable:
    case TokenKind::kName:
    case TokenKind::kWord:
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kStringStart:
    case TokenKind::kHeredoc:
    case TokenKind::kRegex:
    case TokenKind::kClassReference:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kUndef:
    case TokenKind::kDefault:
    case TokenKind::kListStart:
    case TokenKind::kLeftBrace:
      return true;
    default:
      return false;
  }
}

bool ends_element(TokenKind kind) {
  switch (kind) {
    case TokenKind::kStringEnd:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kRightParen:
      return true;
    default:
      return begins_element(kind) && kind != TokenKind::kListStart &&
             kind != TokenKind::kLeftBrace && kind != TokenKind::kStringStart;
  }
}

// Keywords of other languages, and their counterparts in Puppet.
struct OtherWord {
  std::string_view word;
  std::string_view ours;
};
constexpr OtherWord kOtherWords[] = {{"elseif", "elsif"},
                                     {"elif", "elsif"},
                                     {"def", "define"},
                                     {"func", "function"},
                                     {"switch", "case"}};

constexpr std::array<std::string_view, 9> kStatementKeywords = {
    "class", "define", "node", "if", "elsif", "else", "unless", "case", "function"};

// Returns the keyword that a word at the start of a statement was probably meant to be; empty when
// none is similar.
std::string_view keyword_like(std::string_view word) {
  for (const OtherWord& other : kOtherWords) {
    if (other.word == word) return other.ours;
  }
  return word.size() < 3 ? std::string_view() : closest_name(word, kStatementKeywords);
}

TokenKind closing_of(TokenKind open) {
  switch (open) {
    case TokenKind::kLeftParen:
    case TokenKind::kLineLeftParen:
      return TokenKind::kRightParen;
    case TokenKind::kLeftBracket:
    case TokenKind::kListStart:
      return TokenKind::kRightBracket;
    default:
      return TokenKind::kRightBrace;
  }
}

}  // namespace

// Returns the innermost bracket that is open at the current token. Null when there is none, or when
// it is far away, because errors must not make parsing slower than linear.
const Token* Parser::unclosed_bracket() const {
  constexpr ptrdiff_t kFarthest = 20000;
  const Token* farthest =
      is_at(TokenKind::kEndOfInput) || at_ - first_ < kFarthest ? first_ : at_ - kFarthest;
  size_t closed = 0;
  for (const Token* token = at_; token != farthest;) {
    --token;
    switch (token->kind) {
      case TokenKind::kLeftBrace:
      case TokenKind::kSelectorBrace:
      case TokenKind::kLeftParen:
      case TokenKind::kLineLeftParen:
      case TokenKind::kLeftBracket:
      case TokenKind::kListStart:
        if (closed == 0) return token;
        --closed;
        break;
      case TokenKind::kRightBrace:
      case TokenKind::kRightParen:
      case TokenKind::kRightBracket:
        ++closed;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

// Returns whether the current token is between `if` or `unless` and the following braces.
bool Parser::is_in_condition() const {
  constexpr int kFarthest = 50;
  const Token* token = at_;
  for (int i = 0; i < kFarthest && token != first_; ++i) {
    --token;
    if (contains({TokenKind::kIf, TokenKind::kElsif, TokenKind::kUnless}, token->kind)) return true;
    if (contains({TokenKind::kLeftBrace, TokenKind::kRightBrace}, token->kind)) return false;
  }
  return false;
}

struct Parser::Mistake {
  Diagnostic& diagnostic;
  const Token& found;
  const Token* before;  // null at the start of the file
  std::initializer_list<TokenKind> expected;
};

void Parser::add_fix(Diagnostic& diagnostic, Location location, std::string_view replacement,
                     std::string_view description) const {
  diagnostic.fixes.push_back(
      {{program_.source(), location}, std::string(replacement), std::string(description)});
}

// Explains an operator of another language, or one that is easily confused with another.
bool Parser::explain_operator(const Mistake& mistake) const {
  const Token& found = mistake.found;
  const Token* before = mistake.before;
  const Token& after = found.kind == TokenKind::kEndOfInput ? found : (&found)[1];
  auto replace = [&](Location at, std::string_view by, std::string_view description) {
    add_fix(mistake.diagnostic, at, by, description);
    return true;
  };
  auto is_text = [&](const Token& token, std::string_view text) {
    return std::string_view(program_.source()->text()).substr(token.offset, token.length) == text;
  };
  if (is_text(found, "&") && is_text(after, "&") && touch(found, after)) {
    return replace(between(found.location(), after.location()), "and", "write `and`");
  }
  if (found.kind == TokenKind::kPipe && after.kind == TokenKind::kPipe && touch(found, after)) {
    return replace(between(found.location(), after.location()), "or", "write `or`");
  }
  if (found.kind == TokenKind::kAssign && before != nullptr && touch(*before, found) &&
      contains({TokenKind::kEqual, TokenKind::kNotEqual}, before->kind)) {
    return replace(between(before->location(), found.location()), text_of(before->kind),
                   "compare with two characters");
  }
  if (found.kind == TokenKind::kAssign && is_in_condition()) {
    return replace(found.location(), "==", "compare with `==`");
  }
  const bool is_arrow_like = contains(
      {TokenKind::kAssign, TokenKind::kColon, TokenKind::kBefore, TokenKind::kGreaterOrEqual},
      found.kind);
  if (is_arrow_like && contains(mistake.expected, TokenKind::kFatArrow)) {
    return replace(found.location(), "=>", "write `=>` between a name and its value");
  }
  const bool is_after_variable = before != nullptr && before->kind == TokenKind::kVariable;
  if (found.kind == TokenKind::kFatArrow && is_after_variable) {
    return replace(found.location(), "=", "a variable takes its value with `=`");
  }
  return false;
}

// Explains a missing comma, colon or dollar sign.
bool Parser::explain_missing(const Mistake& mistake) const {
  const Token& found = mistake.found;
  const Token& after = found.kind == TokenKind::kEndOfInput ? found : (&found)[1];
  if (mistake.before == nullptr) return false;
  const Token& before = *mistake.before;
  const Location end{before.offset + before.length, 0};
  if (contains(mistake.expected, TokenKind::kVariable) && found.kind == TokenKind::kName) {
    add_fix(mistake.diagnostic, {found.offset, 0}, "$", "a parameter's name begins with `$`");
    return true;
  }
  if (contains(mistake.expected, TokenKind::kColon)) {
    if (is_arrow(after.kind)) {
      add_fix(mistake.diagnostic, end, ":", "end the title with a colon");
      return true;
    }
    if (contains({TokenKind::kComma, TokenKind::kSemicolon, TokenKind::kFatArrow}, found.kind)) {
      add_fix(mistake.diagnostic, found.location(), ":", "end the title with a colon");
      return true;
    }
  }
  const bool wants_comma = contains(mistake.expected, TokenKind::kComma);
  const bool is_attribute = is_arrow(after.kind);
  if (wants_comma && ends_element(before.kind) && (begins_element(found.kind) || is_attribute)) {
    add_fix(mistake.diagnostic, end, ",", "put a comma between them");
    return true;
  }
  return false;
}

// Explains a misspelt keyword, or one of another language.
bool Parser::explain_word(const Mistake& mistake) const {
  if (mistake.before == nullptr) return false;
  const Token& before = *mistake.before;
  if (before.kind == TokenKind::kElse && mistake.found.kind == TokenKind::kIf) {
    add_fix(mistake.diagnostic, between(before.location(), mistake.found.location()), "elsif",
            "write `elsif`");
    return true;
  }
  // The word is the first of its statement, followed by at most a name or a condition.
  constexpr int kFarthest = 12;
  const std::string_view text = program_.source()->text();
  const Token* token = &mistake.found;
  for (int i = 0; i < kFarthest && token != first_; ++i) {
    --token;
    if (contains({TokenKind::kRightBrace, TokenKind::kSemicolon}, token->kind) && i > 1) break;
    if (token->kind != TokenKind::kName) continue;
    const Token* around = token == first_ ? nullptr : token - 1;
    const size_t from = around == nullptr ? 0 : around->offset + around->length;
    const bool is_first =
        around == nullptr || around->kind == TokenKind::kRightBrace ||
        around->kind == TokenKind::kLeftBrace ||
        (from <= token->offset &&
         text.substr(from, token->offset - from).find('\n') != std::string_view::npos);
    if (!is_first) continue;
    const std::string_view keyword = keyword_like(token->value());
    if (keyword.empty() || keyword == token->value()) continue;
    add_fix(mistake.diagnostic, token->location(), keyword,
            "did you mean `" + std::string(keyword) + "`?");
    return true;
  }
  return false;
}

// Explains a resource whose title is not followed by a colon.
bool Parser::explain_title(const Mistake& mistake) const {
  const bool is_missing =
      mistake.found.kind == TokenKind::kRightBrace && contains(mistake.expected, TokenKind::kColon);
  if (!is_missing || mistake.before == nullptr) return false;
  const Token& title = *mistake.before;
  if (!contains({TokenKind::kString, TokenKind::kStringEnd, TokenKind::kVariable,
                 TokenKind::kRightBracket},
                title.kind)) {
    return false;
  }
  add_fix(mistake.diagnostic, {title.offset + title.length, 0}, ":", "end the title with a colon");
  return true;
}

void Parser::explain(Diagnostic& diagnostic, std::initializer_list<TokenKind> expected) const {
  const Token* before = at_ == first_ ? nullptr : at_ - 1;
  const Mistake mistake{diagnostic, *at_, before, expected};
  const bool is_closing = contains({TokenKind::kEndOfInput, TokenKind::kRightBrace,
                                    TokenKind::kRightBracket, TokenKind::kRightParen},
                                   at_->kind);
  const bool is_explained = explain_operator(mistake) || explain_missing(mistake) ||
                            explain_word(mistake) || explain_title(mistake);
  if (is_explained || !is_closing || diagnostic.issue != Issue::kSyntaxError) return;
  const Token* open = unclosed_bracket();
  if (open == nullptr || closing_of(open->kind) == at_->kind) return;
  diagnostic.labels.push_back({{program_.source(), open->location()}, "this is not closed"});
}

void Parser::unexpected_assignment(Location operator_location) {
  const size_t reported = reported_.size();
  try {
    unexpected({TokenKind::kFatArrow});
  } catch (const SyntaxFailure&) {
    if (reported_.size() > reported) {
      reported_.back().fixes.clear();
      add_fix(reported_.back(), operator_location, "=>", "write `=>` between a name and its value");
    }
    throw;
  }
}

}  // namespace bunraku

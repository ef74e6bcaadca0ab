// EPP: text with code between <% and %>.
#include "syntax/lexer_internal.h"

namespace bunraku {

void Lexer::lex_template() {
  add(TokenKind::kEppStart, {}, 0, 0);
  after_ = TokenKind::kEppStart;
  lex_template_text(false);
  lex_manifest();
  if (tag_is_open_) fail(Issue::kEppUnbalancedTag, at_);
}

void Lexer::lex_percent() {
  if (epp_mode_ == EppMode::kNone || peek(1) != '>') return emit(TokenKind::kModulo, 1);
  if (epp_mode_ == EppMode::kExpression) {
    emit(TokenKind::kEppEnd, 2);
  } else {
    at_ += 2;
  }
  epp_mode_ = EppMode::kText;
  lex_template_text(false);
}

void Lexer::lex_minus() {
  if (epp_mode_ != EppMode::kNone && peek(1) == '%' && peek(2) == '>') {
    if (epp_mode_ == EppMode::kExpression) {
      emit(TokenKind::kEppEndTrim, 3);
    } else {
      at_ += 3;
    }
    return lex_template_text(true);
  }
  switch (peek(1)) {
    case '>':
      return emit(TokenKind::kBefore, 2);
    case '=':
      return emit(TokenKind::kDelete, 2);
    default:
      return emit(TokenKind::kMinus, 1);
  }
}

// Reads text up to the next tag with code, or to the end. `skip_leading` drops the rest of the line
// if it is blank (otherwise only its leading blanks, as in the reference).
void Lexer::lex_template_text(bool skip_leading) {
  const size_t begin = at_;
  if (at_ >= text_.size()) {
    tag_is_open_ = false;
    return;
  }
  std::string value;
  auto finish = [&] { return context_.arena.copy(value); };
  auto add_text = [&](std::string_view part) {
    size_t escape = part.find("%%>");
    while (escape != std::string_view::npos) {
      value.append(part, 0, escape + 1).append(">");
      part.remove_prefix(escape + 3);
      escape = part.find("%%>");
    }
    value += part;
  };
  while (at_ < text_.size()) {
    const size_t tag = text_.find("<%", at_);
    const bool has_tag = tag != std::string_view::npos;
    size_t from = at_;
    const size_t end = has_tag ? tag : text_.size();
    if (skip_leading) {
      while (from < end && (text_[from] == ' ' || text_[from] == '\t')) ++from;
      if (from < end && text_[from] == '\r') ++from;
      if (from < end && text_[from] == '\n') ++from;
      skip_leading = false;
    }
    add_text(slice(from, end));
    at_ = has_tag ? end + 2 : end;
    if (!has_tag) {
      add(TokenKind::kRenderString, finish(), begin, at_ - begin);
      after_ = TokenKind::kRenderString;
      tag_is_open_ = false;
      return;
    }
    if (at_ >= text_.size()) return fail(Issue::kEppUnbalancedExpression, at_);
    const char mark = text_[at_];
    if (mark == '%') {  // <%% is a literal <%
      ++at_;
      value += "<%";
      continue;
    }
    if (mark == '#') {
      // A comment ends at the next %> that is not %%>.
      size_t close = text_.find("%>", at_ + 1);
      while (close != std::string_view::npos && text_[close - 1] == '%') {
        close = text_.find("%>", close + 1);
      }
      if (close == std::string_view::npos) {
        fail(Issue::kEppUnbalancedComment, at_);
        at_ = text_.size();
        return;
      }
      if (at_ + 1 < close + 2 && text_[at_ + 1] == '-') {
        value.resize(value.find_last_not_of(" \t") + 1);
      }
      skip_leading = text_[close - 1] == '-';
      at_ = close + 2;
      continue;
    }
    if (mark == '-') {
      ++at_;
      value.resize(value.find_last_not_of(" \t") + 1);
    } else if (mark == '=') {
      ++at_;
    }
    if (!value.empty()) {
      add(TokenKind::kRenderString, finish(), begin, at_ - begin);
      after_ = TokenKind::kRenderString;
    }
    epp_mode_ = mark == '=' ? EppMode::kExpression : EppMode::kCode;
    tag_is_open_ = true;
    if (mark == '=') {
      add(TokenKind::kRenderExpression, {}, begin, 0);
      after_ = TokenKind::kRenderExpression;
    }
    return;
  }
  // As in the reference, a template that ends with a comment or with <%% loses the text before it.
  tag_is_open_ = false;
}

}  // namespace bunraku

#include "syntax/parser.h"

#include <algorithm>
#include <utility>

#include "syntax/parser_internal.h"

namespace bunraku {

namespace {

// Shortens a token's text, which may have megabytes, to its start and end.
std::string shortened(std::string_view text) {
  constexpr size_t kLongest = 1000, kKept = 200;
  if (text.size() <= kLongest) return std::string(text);
  size_t head = kKept, tail = text.size() - kKept;
  while ((static_cast<unsigned char>(text[head]) & 0xC0) == 0x80) --head;
  while ((static_cast<unsigned char>(text[tail]) & 0xC0) == 0x80) --tail;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(tail));
}

// The text of a token in the reference's message.
std::string shown(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEndOfInput:
      return "end of input";
    case TokenKind::kRegex:
      return "'(?-mix:" + shortened(token.value()) + ")'";
    default:
      return "'" + shortened(token.value()) + "'";
  }
}

std::string described(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
      return "a name";
    case TokenKind::kVariable:
      return "a variable";
    case TokenKind::kClassReference:
      return "a type";
    case TokenKind::kEndOfInput:
      return "the end";
    default:
      return "'" + std::string(text_of(kind)) + "'";
  }
}

}  // namespace

Parser::Parser(Program& program, const ParseOptions& options, TokenList& tokens,
               DiagnosticSink& diagnostics)
    : program_(program),
      arena_(program.arena()),
      options_(options),
      tokens_(tokens),
      sink_(diagnostics),
      at_(tokens.tokens.data()),
      first_(at_) {
  scratch_.reserve(256);
}

const Token& Parser::expect(TokenKind kind) {
  if (at_->kind != kind) unexpected({kind});
  return take();
}

const Token& Parser::expect_end(TokenKind kind) {
  if (at_->kind != kind) unexpected({TokenKind::kComma, kind});
  return take();
}

Diagnostic Parser::make(Issue issue, Location location, std::vector<std::string> arguments) const {
  return make_diagnostic(issue, {program_.source(), location}, std::move(arguments));
}

void Parser::report(Diagnostic diagnostic) {
  if (reported_.size() < kMostSyntaxErrors) {
    reported_.push_back(std::move(diagnostic));
  } else {
    is_abandoned_ = true;
  }
}

// Reports the error of an error token, as described by the lexer.
void Parser::report_lexical(const Token& token) {
  report(tokens_.errors[token.text_length]);
}

void Parser::unexpected(std::initializer_list<TokenKind> expected) {
  if (is_abandoned_) throw SyntaxFailure();
  if (at_->kind == TokenKind::kEndOfInput) {
    is_abandoned_ = true;  // there is no further text to recover at
    // An error that extends over the rest of the file has been reported.
    if (at_ != first_ && at_[-1].kind == TokenKind::kError) throw SyntaxFailure();
  }
  if (at_->kind == TokenKind::kError) {
    report_lexical(take());
    throw SyntaxFailure();
  }
  Diagnostic diagnostic = make(Issue::kSyntaxError, at_->location(), {shown(*at_)});
  if (expected.size() > 0) {
    std::string note = "expected ";
    size_t number = 0;
    for (const TokenKind kind : expected) {
      if (number > 0) note += number + 1 == expected.size() ? " or " : ", ";
      note += described(kind);
      ++number;
    }
    diagnostic.notes.push_back(std::move(note));
  }
  diagnostic.primary.is_whole_file = at_->kind == TokenKind::kEndOfInput;
  explain(diagnostic, expected);
  report(std::move(diagnostic));
  throw SyntaxFailure();
}

void Parser::fail(Issue issue, Location location, std::vector<std::string> arguments) {
  Diagnostic diagnostic = make(issue, location, std::move(arguments));
  if (issue == Issue::kQuotedStringNotAllowed) {
    add_fix(diagnostic, location, at_->value(), "write the name without quotes");
  } else {
    explain(diagnostic, {});
  }
  report(std::move(diagnostic));
  throw SyntaxFailure();
}

void Parser::too_deep() {
  if (!is_abandoned_) {
    report(make(
        Issue::kTooDeep, at_->location(),
        {"The code", std::to_string(height_ > kTallestTree ? kTallestTree : kDeepestNesting)}));
  }
  is_abandoned_ = true;
  at_ = &tokens_.tokens.back();
  height_ = 0;
  throw SyntaxFailure();
}

// Skips to the possible start of a statement in the block, which has `braces` open braces.
void Parser::recover(int braces, bool is_nested) {
  while (!is_at(TokenKind::kEndOfInput)) {
    if (is_at(TokenKind::kError)) {
      report_lexical(take());
      continue;
    }
    const bool is_within = braces_ > braces;
    if (!is_within) {
      const bool is_end = is_at(TokenKind::kRightBrace) && is_nested;
      if (is_end || is_at(TokenKind::kSemicolon)) return;
      bool starts_statement = false;
      switch (kind()) {
        case TokenKind::kClass:
        case TokenKind::kDefine:
        case TokenKind::kNode:
        case TokenKind::kIf:
        case TokenKind::kUnless:
        case TokenKind::kCase:
        case TokenKind::kFunction:
        case TokenKind::kType:
        case TokenKind::kName:
        case TokenKind::kVariable:
        case TokenKind::kClassReference:
          starts_statement = at_ == first_ || [&] {
            // Only the first token of its line, unless the line continues with an attribute.
            const std::string_view text = program_.source()->text();
            const size_t from = at_[-1].offset + at_[-1].length;
            const size_t to = at_->offset;
            const bool is_first = from <= to && to <= text.size() &&
                                  text.substr(from, to - from).find('\n') != std::string_view::npos;
            return is_first && kind_after() != TokenKind::kFatArrow &&
                   kind_after() != TokenKind::kPlusArrow;
          }();
          break;
        default:
          break;
      }
      if (starts_statement) return;
    }
    take();
    if (braces_ < braces) {
      // A superfluous brace at the top.
      braces_ = braces;
    }
  }
}

// Reports the first error found, as the reference does, then the others in source order.
void Parser::deliver_diagnostics() {
  if (!is_abandoned_) {
    for (const Token* token = at_; token->kind != TokenKind::kEndOfInput; ++token) {
      if (token->kind == TokenKind::kError) report_lexical(*token);
    }
  }
  if (reported_.size() > 2) {
    std::stable_sort(reported_.begin() + 1, reported_.end(),
                     [](const Diagnostic& a, const Diagnostic& b) {
                       return a.primary.location.offset < b.primary.location.offset;
                     });
  }
  for (Diagnostic& diagnostic : reported_) sink_.report(std::move(diagnostic));
}

void Parser::parse_program() {
  auto end = static_cast<uint32_t>(program_.source()->text().size());
  const Location at_end{end, 0};
  if (options_.form == SourceForm::kTemplate && is_at(TokenKind::kEppStart)) {
    program_.body = parse_template();
  } else if (is_at(TokenKind::kEndOfInput)) {
    program_.body = nop(at_end);
  } else {
    try {
      const Statements statements = parse_statements(TokenKind::kEndOfInput);
      program_.body = block_or_expression(statements, {nullptr, nullptr});
    } catch (const SyntaxFailure&) {
      // Abandoned; the error was reported.
    }
  }
  if (program_.body == nullptr) program_.body = nop(at_end);
  std::ranges::stable_sort(definitions_, [](const Expression* a, const Expression* b) {
    return a->location.offset < b->location.offset;
  });
  program_.definitions = arena_.copy(ExpressionList(definitions_));
  auto* comments = arena_.make_array<Comment>(tokens_.comments.size());
  for (size_t i = 0; i < tokens_.comments.size(); ++i) comments[i] = {tokens_.comments[i]};
  program_.comments = {comments, tokens_.comments.size()};
  deliver_diagnostics();
}

Range Program::range(const Expression& at) const {
  return {source_, at.location};
}

std::shared_ptr<Program> parse(SourcePointer source, const ParseOptions& options,
                               DiagnosticSink& diagnostics) {
  // Reused for each file, so that most files need no memory besides their arena.
  thread_local TokenList tokens;
  // A parser that runs within another one (for the text of a heredoc) needs its own list.
  thread_local bool is_in_use = false;
  TokenList own;
  const bool shares = !is_in_use;
  TokenList& list = shares ? tokens : own;
  const struct InUse {
    bool shares;
    explicit InUse(bool value) : shares(value) {
      if (shares) is_in_use = true;
    }
    ~InUse() {
      if (shares) is_in_use = false;
    }
  } in_use(shares);
  auto program = std::make_shared<Program>(std::move(source));
  lex(program->source(), options, program->arena(), list, diagnostics);
  Parser parser(*program, options, list, diagnostics);
  parser.parse_program();
  return program;
}

}  // namespace bunraku

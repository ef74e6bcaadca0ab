// A recursive-descent parser of PQL. An error names the furthest position reached and all tokens
// expected there.
#include "store/query/pql.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/formats/json.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "store/query/conditions.h"

namespace bunraku::store {
namespace {

// A bound on nested expressions, for the stack.
constexpr int kDepth = 200;

constexpr std::array<std::string_view, 14> kEntities{"package_inventory",
                                                     "fact_contents",
                                                     "environments",
                                                     "fact_paths",
                                                     "factsets",
                                                     "inventory",
                                                     "resources",
                                                     "catalogs",
                                                     "packages",
                                                     "reports",
                                                     "events",
                                                     "edges",
                                                     "nodes",
                                                     "facts"};
constexpr std::array<std::string_view, 6> kFunctions{"to_string", "count", "avg",
                                                     "sum",       "min",   "max"};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

class PqlParser {
 public:
  PqlParser(std::string_view text, Arena& arena) : text_(text), arena_(arena) {}

  DataNode parse() {
    blanks();
    const auto from = this->from();
    if (from) {
      blanks();
      if (at_ == text_.size()) return *from;
      expect("the end of the query");
    }
    fail();
  }

 private:
  using Result = std::optional<DataNode>;
  using Nodes = std::vector<DataNode>;

  DataNode word(std::string_view text) {
    return DataNode::text(DataKind::kString, arena_.copy(text));
  }
  DataNode list(const Nodes& nodes) {
    return DataNode::array(arena_.copy(std::span<const DataNode>(nodes)));
  }

  [[noreturn]] void fail() const {
    size_t line = 1, begin = 0;
    for (size_t i = 0; i < furthest_ && i < text_.size(); ++i) {
      if (text_[i] == '\n') ++line, begin = i + 1;
    }
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    std::string message =
        fmt::format("PQL parse error at line {}, column {}:\n\n{}\n{}^\n\nExpected one of:\n\n",
                    line, furthest_ - begin + 1, text_.substr(begin, end - begin),
                    std::string(furthest_ - begin, ' '));
    for (const std::string& item : expected_) message += item + "\n";
    refuse_query(std::move(message));
  }

  void expect(std::string_view what) {
    if (at_ < furthest_) return;
    if (at_ > furthest_) expected_.clear();
    furthest_ = at_;
    expected_.emplace(what);
  }
  bool blanks() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ > begin;
  }
  bool needed_blanks() {
    if (blanks()) return true;
    expect("whitespace");
    return false;
  }
  bool take(std::string_view token) {
    if (text_.substr(at_).starts_with(token)) {
      at_ += token.size();
      return true;
    }
    expect(token);
    return false;
  }
  // Reads a word that is not the start of a longer one.
  bool take_word(std::string_view token) {
    const size_t end = at_ + token.size();
    if (text_.substr(at_).starts_with(token) &&
        (end >= text_.size() || !is_word_character(text_[end]))) {
      at_ = end;
      return true;
    }
    expect(token);
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  Result from();
  bool fields(Nodes& to, bool may_be_functions);
  Result field_or_function();
  Result function_call(std::string_view name);
  Result field();
  bool dotted_part();
  Result expression();
  Result and_expression();
  Result not_expression();
  Result condition();
  Result field_condition(const DataNode& left);
  Result in_condition(const DataNode& left);
  Result literal();
  Result literal_list();
  Result string();
  Result number();
  bool clauses(Nodes& to);
  Result page_clause(std::string_view word);
  Result order_clause();

  std::string_view text_;
  Arena& arena_;
  size_t at_ = 0;
  size_t furthest_ = 0;
  std::set<std::string> expected_;
  int depth_ = 0;
};

// Throws for escapes that JSON does not have: "\d" would silently become "d".
void refuse_unknown_escapes(std::string_view text) {
  for (size_t i = text.find('\\'); i != std::string_view::npos; i = text.find('\\', i + 2)) {
    if (i + 1 < text.size() &&
        std::string_view("\"\\/bfnrtu").find(text[i + 1]) == std::string_view::npos) {
      refuse_query(
          fmt::format("Unrecognized character escape '\\{}' in \"{}\": write '\\\\{}', or "
                      "put the text in single quotes",
                      text[i + 1], text, text[i + 1]));
    }
  }
}

struct DepthGuard {
  explicit DepthGuard(int& depth) : depth_(depth) {
    if (++depth_ > kDepth) refuse_query("The query is nested too deeply");
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  int& depth_;
};

// entity [fields] { expression clauses }
PqlParser::Result PqlParser::from() {
  const DepthGuard guard(depth_);
  const size_t begin = at_;
  const auto entity =
      std::ranges::find_if(kEntities, [&](std::string_view name) { return take_word(name); });
  if (entity == kEntities.end()) return {};
  blanks();
  Nodes extracted;
  bool is_projected = false;
  if (peek() == '[') {
    take("[");
    is_projected = true;
    blanks();
    if (peek() != ']' && !fields(extracted, true)) return {};
    blanks();
    if (!take("]")) return {};
    blanks();
  }
  if (!take("{")) {
    at_ = begin;
    return {};
  }
  blanks();
  Result filter;
  Nodes after;
  const size_t inner = at_;
  if (peek() != '}' && !clauses(after)) {
    at_ = inner;
    filter = expression();
    if (!filter) return {};
    const bool has_blanks = blanks();
    if (peek() != '}') {
      if (!has_blanks) expect("whitespace");
      if (!clauses(after)) return {};
    }
  }
  blanks();
  if (!take("}")) return {};
  Nodes made{word("from"), word(*entity)};
  DataNode group;
  const bool is_grouped = !after.empty() && after[0].items()[0].text_value() == "group_by";
  if (is_grouped) group = after[0], after.clear();
  if (is_projected || is_grouped) {
    Nodes extract{word("extract"), list(extracted)};
    if (filter) extract.push_back(*filter);
    if (is_grouped) extract.push_back(group);
    made.push_back(list(extract));
  } else if (filter) {
    made.push_back(*filter);
  }
  made.insert(made.end(), after.begin(), after.end());
  return list(made);
}

bool PqlParser::fields(Nodes& to, bool may_be_functions) {
  while (true) {
    const Result item = may_be_functions ? field_or_function() : field();
    if (!item) return false;
    to.push_back(*item);
    const size_t end = at_;
    blanks();
    if (peek() != ',') {
      expect(",");
      at_ = end;
      return true;
    }
    ++at_;
    blanks();
  }
}

PqlParser::Result PqlParser::field_or_function() {
  for (const std::string_view name : kFunctions) {
    const size_t begin = at_;
    if (text_.substr(at_).starts_with(name)) {
      at_ += name.size();
      blanks();
      if (peek() == '(') return function_call(name);
      at_ = begin;
    }
  }
  return field();
}

PqlParser::Result PqlParser::function_call(std::string_view name) {
  take("(");
  Nodes call{word("function"), word(name)};
  blanks();
  while (peek() != ')') {
    const Result argument = peek() == '"' || peek() == '\'' ? string() : field();
    if (!argument) return {};
    call.push_back(*argument);
    blanks();
    if (peek() == ',') {
      ++at_;
      blanks();
    } else if (peek() != ')') {
      expect(")");
      return {};
    }
  }
  ++at_;
  return list(call);
}

// One part of a dotted field, after its dot.
bool PqlParser::dotted_part() {
  if (text_.substr(at_).starts_with("match(\"")) {
    const size_t end = text_.find("\")", at_ + 7);
    if (end == std::string_view::npos) return false;
    at_ = end + 2;
  } else if (peek() == '"') {
    const size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return false;
    at_ = end + 1;
  } else {
    const size_t begin = at_;
    constexpr std::string_view kEnds = " \t\n\r\".,[]!<=>~{}()";
    while (at_ < text_.size() && kEnds.find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == begin) return false;
  }
  while (peek() == '[') {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    if (end == at_ + 1 || end == text_.size() || text_[end] != ']') return true;
    at_ = end + 1;
  }
  return true;
}

PqlParser::Result PqlParser::field() {
  const size_t begin = at_;
  while (is_word_character(peek())) ++at_;
  if (at_ == begin) {
    expect("field");
    return {};
  }
  const std::string_view name = text_.substr(begin, at_ - begin);
  if (name == "facts" || name == "trusted" || name == "parameters") {
    while (peek() == '.') {
      ++at_;
      if (!dotted_part()) {
        expect("field");
        return {};
      }
    }
  } else if (peek() == '?') {
    ++at_;
  }
  return word(text_.substr(begin, at_ - begin));
}

PqlParser::Result PqlParser::expression() {
  Nodes parts;
  while (true) {
    const Result part = and_expression();
    if (!part) return {};
    parts.push_back(*part);
    const size_t end = at_;
    if (!needed_blanks() || !take_word("or") || !needed_blanks()) {
      at_ = end;
      break;
    }
  }
  if (parts.size() == 1) return parts[0];
  parts.insert(parts.begin(), word("or"));
  return list(parts);
}

PqlParser::Result PqlParser::and_expression() {
  Nodes parts;
  while (true) {
    const Result part = not_expression();
    if (!part) return {};
    parts.push_back(*part);
    const size_t end = at_;
    if (!needed_blanks() || !take_word("and") || !needed_blanks()) {
      at_ = end;
      break;
    }
  }
  if (parts.size() == 1) return parts[0];
  parts.insert(parts.begin(), word("and"));
  return list(parts);
}

PqlParser::Result PqlParser::not_expression() {
  const DepthGuard guard(depth_);
  if (peek() == '!') {
    ++at_;
    blanks();
    const Result inner = not_expression();
    if (!inner) return {};
    return list({word("not"), *inner});
  }
  expect("!");
  if (peek() == '(') {
    ++at_;
    blanks();
    const Result inner = expression();
    if (!inner) return {};
    blanks();
    if (!take(")")) return {};
    return inner;
  }
  expect("(");
  return condition();
}

PqlParser::Result PqlParser::condition() {
  if (peek() == '[') {
    ++at_;
    Nodes names;
    blanks();
    if (!fields(names, false)) return {};
    blanks();
    if (!take("]") || !needed_blanks()) return {};
    return in_condition(list(names));
  }
  expect("[");
  // An entity followed by braces is a subquery, otherwise it is the name of a field.
  const size_t begin = at_;
  for (const std::string_view entity : kEntities) {
    if (!text_.substr(at_).starts_with(entity)) continue;
    at_ += entity.size();
    if (is_word_character(peek())) {
      at_ = begin;
      continue;
    }
    blanks();
    if (peek() != '{' && peek() != '[') {
      at_ = begin;
      break;
    }
    at_ = begin;
    const Result inner = from();
    if (!inner) return {};
    Nodes made{word("subquery"), inner->items()[1]};
    made.insert(made.end(), inner->items().begin() + 2, inner->items().end());
    return list(made);
  }
  const Result left = field();
  if (!left) return {};
  return field_condition(*left);
}

PqlParser::Result PqlParser::field_condition(const DataNode& left) {
  const bool has_blanks = blanks();
  const auto binary = [&](std::string_view op, Result right) -> Result {
    if (!right) return {};
    return list({word(op), left, *right});
  };
  const auto after = [&](std::string_view op) {
    if (!take(op)) return false;
    blanks();
    return true;
  };
  if (after("~>")) return binary("~>", literal_list());
  if (after("!~")) {
    const Result match = binary("~", literal());
    if (!match) return {};
    return list({word("not"), *match});
  }
  if (after("~")) return binary("~", string());
  for (const std::string_view op : {">=", "<=", "<", ">"}) {
    if (!after(op)) continue;
    return binary(op, peek() == '"' || peek() == '\'' ? string() : number());
  }
  if (after("!=")) {
    const Result equal = binary("=", literal());
    if (!equal) return {};
    return list({word("not"), *equal});
  }
  if (after("=")) return binary("=", literal());
  if (!has_blanks) return {};
  if (take_word("is not null")) return list({word("null?"), left, DataNode::boolean(false)});
  if (take_word("is null")) return list({word("null?"), left, DataNode::boolean(true)});
  return in_condition(left);
}

PqlParser::Result PqlParser::in_condition(const DataNode& left) {
  if (!take_word("in")) return {};
  blanks();
  if (peek() == '[') {
    const Result items = literal_list();
    if (!items) return {};
    return list({word("in"), left, list({word("array"), *items})});
  }
  const Result inner = from();
  if (!inner) return {};
  return list({word("in"), left, *inner});
}

PqlParser::Result PqlParser::literal_list() {
  const DepthGuard guard(depth_);
  if (!take("[")) return {};
  Nodes items;
  blanks();
  while (peek() != ']') {
    const Result item = literal();
    if (!item) return {};
    items.push_back(*item);
    blanks();
    if (peek() == ',') {
      ++at_;
      blanks();
    } else if (peek() != ']') {
      expect("]");
      expect(",");
      return {};
    }
  }
  ++at_;
  return list(items);
}

PqlParser::Result PqlParser::literal() {
  if (peek() == '"' || peek() == '\'') return string();
  if (peek() == '[') return literal_list();
  if (peek() == '-' || (peek() >= '0' && peek() <= '9')) return number();
  if (take_word("true")) return DataNode::boolean(true);
  if (take_word("false")) return DataNode::boolean(false);
  expect("string");
  expect("integer");
  return {};
}

PqlParser::Result PqlParser::string() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') {
    expect("string");
    return {};
  }
  size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) {
    at_ = text_.size();
    expect(std::string(1, quote));
    return {};
  }
  const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
  const std::string_view quoted = text_.substr(at_, end - at_ + 1);
  const size_t begin = at_;
  at_ = end + 1;
  if (quote == '"') {
    refuse_unknown_escapes(inner);
    try {
      return read_json(quoted, arena_);
    } catch (const DataError&) {
      at_ = begin;
      expect("string");
      return {};
    }
  }
  std::string text;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\' && i + 1 < inner.size() && inner[i + 1] == '\'') ++i;
    text += inner[i];
  }
  return word(text);
}

PqlParser::Result PqlParser::number() {
  const size_t begin = at_;
  if (peek() == '-') ++at_;
  const size_t digits = at_;
  while (peek() >= '0' && peek() <= '9') ++at_;
  if (at_ == digits) {
    expect("integer");
    return {};
  }
  if (peek() != '.') {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + at_, value);
    if (error != std::errc()) {
      at_ = begin;
      expect("integer");
      return {};
    }
    return DataNode::integer(value);
  }
  ++at_;
  const size_t fraction = at_;
  while (peek() >= '0' && peek() <= '9') ++at_;
  if (at_ == fraction) {
    expect("digits");
    return {};
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
  }
  return DataNode::floating(
      std::strtod(std::string(text_.substr(begin, at_ - begin)).c_str(), nullptr));
}

// Parses group by, or any of limit, offset and order by; returns false for other text.
bool PqlParser::clauses(Nodes& to) {
  if (take_word("group by")) {
    if (!needed_blanks()) return false;
    Nodes group{word("group_by")};
    if (!fields(group, true)) return false;
    to.push_back(list(group));
    return true;
  }
  std::set<std::string> known;
  while (true) {
    Result clause;
    const size_t begin = at_;
    for (const std::string_view name : {"limit", "offset"}) {
      if (!clause && take_word(name)) clause = page_clause(name);
    }
    if (!clause && at_ == begin && take_word("order by")) clause = order_clause();
    if (!clause) return false;
    const std::string name(clause->items()[0].text_value());
    if (!known.insert(name).second) {
      refuse_query(fmt::format("Multiple '{}' clauses are not permitted", name));
    }
    to.push_back(*clause);
    blanks();
    if (peek() == '}') return true;
  }
}

PqlParser::Result PqlParser::page_clause(std::string_view name) {
  if (!needed_blanks()) return {};
  const Result count = number();
  if (!count || !count->is(DataKind::kInteger)) return {};
  return list({word(name), *count});
}

PqlParser::Result PqlParser::order_clause() {
  if (!needed_blanks()) return {};
  Nodes items;
  while (true) {
    const Result name = field();
    if (!name) return {};
    const size_t end = at_;
    Result item = name;
    if (blanks()) {
      if (take_word("asc")) {
        item = list({*name, word("asc")});
      } else if (take_word("desc")) {
        item = list({*name, word("desc")});
      } else {
        at_ = end;
      }
    }
    items.push_back(*item);
    const size_t behind = at_;
    blanks();
    if (peek() != ',') {
      at_ = behind;
      break;
    }
    ++at_;
    blanks();
  }
  return list({word("order_by"), list(items)});
}

}  // namespace

DataNode parse_pql(std::string_view text, Arena& arena) {
  if (!is_valid_utf8(text)) refuse_query("The query is not UTF-8");
  return PqlParser(text, arena).parse();
}

}  // namespace bunraku::store

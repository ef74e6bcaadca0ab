#include "validation/literal_key.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/text/number_text.h"

namespace bunraku {
namespace {

const LiteralString* only_segment(const ConcatenatedString& string) {
  return string.segments.size() == 1 ? string.segments[0]->try_as<LiteralString>() : nullptr;
}

void append_tagged(std::string& to, char tag, std::string_view text) {
  to += tag;
  append_integer(to, static_cast<int64_t>(text.size()));
  to.append(":").append(text);
}

void append_inspected(std::string& to, const Expression& literal);

void append_inspected_list(std::string& to, ExpressionList values) {
  to += '[';
  for (const Expression* value : values) {
    if (value != values.front()) to += ", ";
    append_inspected(to, *value);
  }
  to += ']';
}

// Appends Ruby's inspect of a literal's value.
void append_inspected(std::string& to, const Expression& literal) {
  switch (literal.kind) {
    case NodeKind::kLiteralString:
    case NodeKind::kQualifiedName:
    case NodeKind::kQualifiedReference:
    case NodeKind::kConcatenatedString: {
      to += '"';
      for (const char c : literal_text(literal)) {
        if (c == '"' || c == '\\') to += '\\';
        to += c;
      }
      to += '"';
      return;
    }
    case NodeKind::kLiteralUndef:
      to += "nil";
      return;
    case NodeKind::kLiteralDefault:
      to += ":default";
      return;
    case NodeKind::kLiteralRegularExpression:
      to.append("/").append(literal.as<LiteralRegularExpression>().pattern).append("/");
      return;
    default:
      to += literal_text(literal);
  }
}

}  // namespace

bool append_literal_key(std::string& to, const Expression& key) {
  switch (key.kind) {
    case NodeKind::kLiteralString:
      append_tagged(to, 's', key.as<LiteralString>().value);
      return true;
    case NodeKind::kQualifiedName:
      append_tagged(to, 's', key.as<QualifiedName>().name.text());
      return true;
    case NodeKind::kConcatenatedString: {
      const LiteralString* segment = only_segment(key.as<ConcatenatedString>());
      if (segment == nullptr) return false;
      append_tagged(to, 's', segment->value);
      return true;
    }
    case NodeKind::kLiteralInteger:
      to += 'i';
      append_integer(to, key.as<LiteralInteger>().value);
      return true;
    case NodeKind::kLiteralFloat:
      to += 'f';
      append_float(to, key.as<LiteralFloat>().value);
      return true;
    case NodeKind::kLiteralBoolean:
      to += key.as<LiteralBoolean>().value ? "bt" : "bf";
      return true;
    case NodeKind::kLiteralUndef:
      to += 'u';
      return true;
    case NodeKind::kLiteralDefault:
      to += 'd';
      return true;
    case NodeKind::kLiteralRegularExpression:
      append_tagged(to, 'r', key.as<LiteralRegularExpression>().pattern);
      return true;
    case NodeKind::kLiteralList:
      to += '[';
      for (const Expression* value : key.as<LiteralList>().values) {
        if (!append_literal_key(to, *value)) return false;
        to += ',';
      }
      to += ']';
      return true;
    case NodeKind::kQualifiedReference:
      append_tagged(to, 't', key.as<QualifiedReference>().name.text());
      return true;
    case NodeKind::kUnaryMinusExpression:
      to += '-';
      return append_literal_key(to, *key.as<UnaryMinusExpression>().expression);
    case NodeKind::kAccessExpression:
      if (!append_literal_key(to, *key.as<AccessExpression>().left)) return false;
      to += '(';
      for (const Expression* value : key.as<AccessExpression>().keys) {
        if (!append_literal_key(to, *value)) return false;
        to += ',';
      }
      to += ')';
      return true;
    case NodeKind::kLiteralHash:
      to += '{';
      for (const KeyedEntry* entry : key.as<LiteralHash>().entries) {
        if (!append_literal_key(to, *entry->key)) return false;
        to += '>';
        if (!append_literal_key(to, *entry->value)) return false;
        to += ',';
      }
      to += '}';
      return true;
    default:
      return false;
  }
}

bool is_literal(const Expression& expression) {
  const auto* access = expression.try_as<AccessExpression>();
  if (access == nullptr) {
    std::string text;
    return append_literal_key(text, expression);
  }
  const ExpressionList keys = access->keys;
  if (keys.size() == 1 && keys[0]->kind == NodeKind::kLiteralList) return false;
  return std::ranges::all_of(keys, [](const Expression* key) { return is_literal(*key); });
}

std::string literal_text(const Expression& key) {
  std::string text;
  switch (key.kind) {
    case NodeKind::kLiteralString:
      return std::string(key.as<LiteralString>().value);
    case NodeKind::kQualifiedName:
      return std::string(key.as<QualifiedName>().name.text());
    case NodeKind::kConcatenatedString: {
      const LiteralString* segment = only_segment(key.as<ConcatenatedString>());
      return segment != nullptr ? std::string(segment->value) : text;
    }
    case NodeKind::kLiteralInteger:
      return std::to_string(key.as<LiteralInteger>().value);
    case NodeKind::kLiteralFloat:
      return float_text(key.as<LiteralFloat>().value);
    case NodeKind::kLiteralBoolean:
      return key.as<LiteralBoolean>().value ? "true" : "false";
    case NodeKind::kLiteralDefault:
      return "default";
    case NodeKind::kLiteralRegularExpression:
      return "(?-mix:" + std::string(key.as<LiteralRegularExpression>().pattern) + ")";
    case NodeKind::kQualifiedReference:
      return std::string(key.as<QualifiedReference>().name.text());
    case NodeKind::kUnaryMinusExpression:
      return "-" + literal_text(*key.as<UnaryMinusExpression>().expression);
    case NodeKind::kAccessExpression:
      append_inspected_list(text, key.as<AccessExpression>().keys);
      return text;
    case NodeKind::kLiteralList:
      append_inspected_list(text, key.as<LiteralList>().values);
      return text;
    case NodeKind::kLiteralHash: {
      text = "{";
      for (const KeyedEntry* entry : key.as<LiteralHash>().entries) {
        if (text.size() > 1) text += ", ";
        append_inspected(text, *entry->key);
        text += "=>";
        append_inspected(text, *entry->value);
      }
      return text + "}";
    }
    default:
      return text;
  }
}

MetKeys::MetKeys(size_t count) : slots_(std::bit_ceil(2 * count + 1)) {}

bool MetKeys::was_met(const Expression& key) {
  latest_.clear();
  if (!append_literal_key(latest_, key)) return false;
  const uint64_t digest = std::hash<std::string_view>()(latest_);
  const size_t mask = slots_.size() - 1;
  for (size_t i = digest & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.key == nullptr) {
      slot = {digest, &key};
      return false;
    }
    if (slot.digest == digest && is_equal_to_latest(*slot.key)) return true;
  }
}

bool MetKeys::is_equal_to_latest(const Expression& key) {
  other_.clear();
  append_literal_key(other_, key);
  return other_ == latest_;
}

}  // namespace bunraku

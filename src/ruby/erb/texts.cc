// The texts of objects, as Ruby 3.1 writes them.
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "ruby/erb/interpreter.h"
#include "ruby/erb/lexer.h"
#include "types/ruby_value_text.h"
#include "values/uri.h"

namespace bunraku::erb {

namespace {

bool is_word(std::string_view text) {
  auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (text.empty() || !is_start(text[0])) return false;
  for (const char c : text.substr(1)) {
    if (!is_start(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

// Returns whether the symbol is written without quotes.
bool is_plain_symbol(std::string_view text) {
  if (!text.empty() && leading_operator_name(text) == text) return true;
  if (!text.empty() && (text.back() == '?' || text.back() == '!' || text.back() == '=')) {
    text.remove_suffix(1);
  }
  return is_word(text);
}

}  // namespace

std::string_view Interpreter::to_s(const Object& object) {
  if (object.is(Class::kString) || object.is(Class::kSymbol)) return object.string->text;
  std::string text;
  append_to_s(text, object);
  check_size(text.size());
  return arena_.copy(text);
}

void Interpreter::append_to_s(std::string& out, const Object& object) {
  switch (object.type) {
    case Class::kNil:
      return;
    case Class::kString:
    case Class::kSymbol:
      check_size(out.size() + object.string->text.size());
      out += object.string->text;
      return;
    case Class::kRange:
      append_to_s(out, object.range->first);
      out += object.range->is_exclusive ? "..." : "..";
      append_to_s(out, object.range->last);
      return;
    case Class::kRegexp: {
      // (?mi-x:source)
      const std::string_view options = object.regexp->options;
      std::string off;
      for (const char option : std::string_view("mix")) {
        if (options.find(option) == options.npos) off += option;
      }
      if (object.regexp->source.find('/') != std::string_view::npos) {
        fail_with("the text of a regular expression");
      }
      out += "(?" + std::string(options) + (off.empty() ? "" : "-" + off) + ":";
      out += object.regexp->source;
      out += ')';
      return;
    }
    case Class::kMatch:
      if (object.match->groups[0].data() != nullptr) out += object.match->groups[0];
      return;
    case Class::kForeign:
      append_ruby_to_s(out, *object.foreign);
      return;
    case Class::kUriObject:
      bunraku::append_text(out, *object.uri);
      return;
    case Class::kTime:
      out += time_text(*this, *object.time);
      return;
    default:
      append_inspect(out, object);
  }
}

void Interpreter::append_inspect_hash(std::string& out, HashTable& table) {
  load(table);
  out += '{';
  bool is_first = true;
  spend(table.used);
  for (uint32_t i = 0; i < table.used; ++i) {
    const TableEntry& entry = table.entries[i];
    if (entry.is_removed) continue;
    if (!is_first) out += ", ";
    is_first = false;
    append_inspect(out, entry.key);
    out += "=>";
    append_inspect(out, entry.value);
  }
  out += '}';
}

void Interpreter::append_inspect(std::string& out, const Object& object) {
  const DepthGuard guard(*this, kMostNested);
  switch (object.type) {
    case Class::kNil:
      out += "nil";
      return;
    case Class::kBoolean:
      out += object.boolean ? "true" : "false";
      return;
    case Class::kInteger:
      append_integer(out, object.integer);
      return;
    case Class::kFloat:
      append_float(out, object.number);
      return;
    case Class::kString:
      check_size(out.size() + object.string->text.size());
      append_ruby_inspect(out, object.string->text);
      return;
    case Class::kSymbol:
      out += ':';
      if (is_plain_symbol(object.string->text)) {
        out += object.string->text;
      } else {
        append_ruby_inspect(out, object.string->text);
      }
      return;
    case Class::kArray: {
      out += '[';
      bool is_first = true;
      spend(object.array->size);
      for (const Object& item : items(*object.array)) {
        if (!is_first) out += ", ";
        is_first = false;
        append_inspect(out, item);
      }
      out += ']';
      return;
    }
    case Class::kHash:
      append_inspect_hash(out, *object.hash);
      return;
    case Class::kRange:
      if (!object.range->first.is_nil()) append_inspect(out, object.range->first);
      out += object.range->is_exclusive ? "..." : "..";
      if (!object.range->last.is_nil()) append_inspect(out, object.range->last);
      return;
    case Class::kRegexp:
      append_regexp_literal(out, object.regexp->source);
      out += object.regexp->options;
      return;
    case Class::kClass:
      out += class_name(object.named);
      return;
    case Class::kForeign:
      append_ruby_inspect(out, *object.foreign);
      return;
    default:
      fail_with("the text of such an object");
  }
}

}  // namespace bunraku::erb

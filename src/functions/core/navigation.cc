#include "functions/core/navigation.h"

#include "base/regex/regex.h"
#include "base/text/ruby_text.h"
#include "conversion/ruby_string.h"
#include "evaluation/fact_reads.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {

namespace {

void describe(NavigationError& error, Arena& arena, std::string_view issue_code,
              std::string_view wording, std::string_view type_key, Value offending,
              ArrayBuilder walked) {
  error.issue_code = issue_code;
  error.type_key = type_key;
  error.type = infer(arena, offending);
  error.walked_path = walked.finish();
  error.message = std::string(wording);
  append_ruby_inspect(error.message, error.walked_path);
  error.message += ", got '" + to_text(error.type) + "'";
}

Value item_at(std::span<const Value> items, int64_t index) {
  const int64_t size = static_cast<int64_t>(items.size());
  if (index < 0) index += size;
  return index < 0 || index >= size ? Value() : items[static_cast<size_t>(index)];
}

}  // namespace

bool dig(Arena& arena, Value data, std::span<const Value> path, Value& found,
         NavigationError& error) {
  ArrayBuilder walked(arena);
  if (FactReads* reads = FactReads::current()) reads->part(data, path);
  found = data;
  for (const Value key : path) {
    if (found.is_undef() || key.is_undef()) {
      found = Value();
      return true;
    }
    if (!found.is_array() && !found.is_hash()) {
      describe(error, arena, "EXPECTED_COLLECTION",
               "The given data does not contain a Collection at ", "value_type", found, walked);
      return false;
    }
    walked.push(key);
    if (found.is_hash()) {
      const Value* value = found.as_hash().find(key);
      found = value == nullptr ? Value() : *value;
    } else if (key.is_integer()) {
      found = item_at(found.as_array(), key.as_integer());
    } else {
      describe(error, arena, "EXPECTED_INTEGER_INDEX",
               "The given data requires an Integer index at ", "index_type", key, walked);
      return false;
    }
  }
  return true;
}

bool split_path(Arena& arena, std::string_view text, Value& path) {
  if (text.find_first_of("'\".") == text.npos) {
    path = Value::array(arena, {Value::string(text)});
    return true;
  }
  static const Regex& segment = *Regex::compile(R"((\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+))");
  static const Regex& integer = *Regex::compile("^(:?[+-]?[0-9]+)$");
  std::vector<std::string_view> pieces = ruby_split(text, segment);
  // The pieces are empty text, a segment, and then dots and segments in turn.
  if (pieces.size() < 2 || !pieces[0].empty()) return false;
  const size_t count = pieces.size() - 1;
  ArrayBuilder segments(arena);
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i] == ".") continue;
    const std::string_view piece = ruby_strip(pieces[i]);
    if (piece.starts_with('"') || piece.starts_with('\'')) {
      segments.push(Value::string(piece.size() < 2 ? "" : piece.substr(1, piece.size() - 2)));
    } else if (integer.matches(piece)) {
      segments.push(Value::integer(leading_integer(piece)));
    } else {
      segments.push(Value::string(piece));
    }
  }
  if (segments.size() * 2 != count + 1) return false;
  path = segments.finish();
  return true;
}

}  // namespace bunraku

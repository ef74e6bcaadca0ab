// Writes rows as JSON.
#include "store/query/answer.h"

#include <fmt/format.h>

#include "base/formats/json.h"
#include "store/query/conditions.h"
#include "store/query/nested.h"
#include "store/query/pql.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

// Replaces numbers that JSON does not have, such as "NaN", by null. ("1.5e+20" is valid JSON.)
std::string_view number_json(std::string_view text) {
  const bool is_none = text.empty() || text == "NaN" || text == "Infinity" || text == "-Infinity";
  return is_none ? "null" : text;
}

void write_column(std::string& to, Connection& connection, const Rows& rows, int index,
                  const Column& column) {
  if (rows.is_null(index)) {
    to += "null";
    return;
  }
  switch (column.kind) {
    case FieldKind::kText:
      append_json_string(to, rows.text(index));
      break;
    case FieldKind::kTime:
      to += '"';
      to += time_text(rows.integer(index));
      to += '"';
      break;
    case FieldKind::kBoolean:
      to += rows.boolean(index) ? "true" : "false";
      break;
    case FieldKind::kNumber:
      to += number_json(rows.text(index));
      break;
    case FieldKind::kArray:
    case FieldKind::kPath:
    case FieldKind::kValue:
    case FieldKind::kTrusted:
    case FieldKind::kParameters:
    case FieldKind::kJson:
      to += rows.text(index);
      break;
    case FieldKind::kFacts: {
      JsonWriter json(to);
      write_facts_object(json, connection, rows.integer(index));
      break;
    }
    case FieldKind::kNested: {
      JsonWriter json(to);
      write_nested(json, connection, column.nested, rows.integer(index));
      break;
    }
  }
}

// The text before the value of each column: separators and the column's name.
std::vector<std::string> texts_between(const std::vector<Column>& columns) {
  std::vector<std::string> texts;
  for (const Column& column : columns) {
    std::string& text = texts.emplace_back(1, texts.empty() ? '{' : ',');
    append_json_string(text, column.name);
    text += ':';
  }
  return texts;
}

}  // namespace

Answer answer_query(Connection& connection, const CompiledQuery& query, bool counts_total,
                    const AnswerLimits& limits) {
  Answer answer;
  if (counts_total) {
    const auto rows = connection.query_once(query.count_sql, query.values, limits.timeout);
    answer.total = rows->next() ? rows->integer(0) : 0;
  }
  // Concatenated directly, because there may be 100,000 rows with the same names.
  const std::vector<std::string> between = texts_between(query.columns);
  std::string& json = answer.json;
  json += '[';
  const auto rows = connection.query_once(query.sql, query.values, limits.timeout);
  while (rows->next()) {
    if (json.size() > 1) json += ',';
    for (size_t i = 0; i < query.columns.size(); ++i) {
      json += between[i];
      write_column(json, connection, *rows, static_cast<int>(i), query.columns[i]);
    }
    json += '}';
    if (json.size() > limits.most_bytes) {
      throw StoreError(StoreErrorKind::kTime, "The answer is larger than it may be");
    }
  }
  json += ']';
  return answer;
}

Answer answer_query(Store& store, const CompiledQuery& query, bool counts_total,
                    const AnswerLimits& limits) {
  Answer answer;
  store.read([&](Connection& connection) {
    answer = answer_query(connection, query, counts_total, limits);
  });
  return answer;
}

DataNode read_ast(std::string_view text, Arena& arena) {
  try {
    return read_json(text, arena);
  } catch (const DataError& error) {
    refuse_query(fmt::format("Json parse error at line {}, column {}:\n\n{}", error.line(),
                             error.column(), error.what()));
  }
}

CompiledQuery compile_text_query(std::string_view text, const Paging& paging) {
  Arena arena;
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const DataNode tree =
      text.substr(begin).starts_with('[') ? read_ast(text, arena) : parse_pql(text, arena);
  return compile_root_query(tree, paging);
}

}  // namespace bunraku::store

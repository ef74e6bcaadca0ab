// From rows to JSON.
#include "store/query/answer.h"

#include <fmt/format.h>

#include "base/formats/json.h"
#include "store/query/conditions.h"
#include "store/query/nested.h"
#include "store/query/pql.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

// Databases write numbers in forms that JSON does not have ("1.5e+20" it has; ".5" and "NaN" not).
void write_number(JsonWriter& json, std::string_view text) {
  if (text.empty() || text == "NaN" || text == "Infinity" || text == "-Infinity") {
    json.null();
  } else {
    json.raw(text);
  }
}

void write_column(JsonWriter& json, Connection& connection, const Rows& rows, int index,
                  const Column& column) {
  if (rows.is_null(index)) return json.null();
  switch (column.kind) {
    case FieldKind::kText:
      return json.string(rows.text(index));
    case FieldKind::kTime:
      return json.string(time_text(rows.integer(index)));
    case FieldKind::kBoolean:
      return json.boolean(rows.boolean(index));
    case FieldKind::kNumber:
      return write_number(json, rows.text(index));
    case FieldKind::kArray:
    case FieldKind::kPath:
    case FieldKind::kValue:
    case FieldKind::kTrusted:
    case FieldKind::kParameters:
    case FieldKind::kJson:
      return json.raw(rows.text(index));
    case FieldKind::kFacts:
      return write_facts_object(json, connection, rows.integer(index));
    case FieldKind::kNested:
      return write_nested(json, connection, column.nested, rows.integer(index));
  }
}

}  // namespace

Answer answer_query(Connection& connection, const CompiledQuery& query, bool counts_total,
                    const AnswerLimits& limits) {
  Answer answer;
  if (counts_total) {
    const auto rows = connection.query_once(query.count_sql, query.values, limits.timeout);
    answer.total = rows->next() ? rows->integer(0) : 0;
  }
  JsonWriter json(answer.json);
  json.begin_array();
  const auto rows = connection.query_once(query.sql, query.values, limits.timeout);
  while (rows->next()) {
    json.begin_object();
    for (size_t i = 0; i < query.columns.size(); ++i) {
      json.key(query.columns[i].name);
      write_column(json, connection, *rows, static_cast<int>(i), query.columns[i]);
    }
    json.end_object();
    if (answer.json.size() > limits.most_bytes) {
      throw StoreError(StoreErrorKind::kTime, "The answer is larger than it may be");
    }
  }
  json.end_array();
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

// bk_leaves and bk_edges: functions that return tables, for SQLite.
#include <sqlite3.h>

#include <array>
#include <memory>
#include <vector>

#include "base/formats/json.h"
#include "store/database/json_text.h"
#include "store/database/sqlite_functions.h"
#include "store/error.h"

namespace bunraku::store {
namespace {

constexpr size_t kMostColumns = 5;
using TableRow = std::array<std::string, kMostColumns>;

struct TableKind {
  const char* declaration;  // the hidden columns are the arguments
  int columns;              // before the arguments
  int arguments;
  std::vector<TableRow> (*make)(const std::vector<std::string_view>& arguments);
};

// The recursion is bounded, because the JSON parser bounds nesting.
void add_leaves(const std::string& path, std::string_view json, std::vector<TableRow>& rows) {
  const JsonKind kind = json_kind(json);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) {
    rows.push_back({path + "]", std::string(json)});
    return;
  }
  size_t index = 0;
  for_each_part(json, [&](std::string_view key, std::string_view value) {
    add_leaves(path + "," + (key.empty() ? std::to_string(index++) : std::string(key)), value,
               rows);
    return true;
  });
}

std::vector<TableRow> make_leaves(const std::vector<std::string_view>& arguments) {
  std::vector<TableRow> rows;
  std::string path = "[";
  append_json_string(path, arguments[0]);
  add_leaves(path, arguments[1], rows);
  return rows;
}

std::vector<TableRow> make_edges(const std::vector<std::string_view>& arguments) {
  std::vector<TableRow> rows;
  const auto text = unpacked_text(arguments[0]);
  if (!text) throw StoreError(StoreErrorKind::kDatabase, "the edges of a catalog are damaged");
  for_each_part(*text, [&](std::string_view, std::string_view edge) {
    TableRow row;
    size_t column = 0;
    for_each_part(edge, [&](std::string_view, std::string_view item) {
      if (column < kMostColumns) row[column++] = json_plain_text(item);
      return true;
    });
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

constexpr TableKind kLeaves{"CREATE TABLE t(path, value, fact_name HIDDEN, fact_value HIDDEN)", 2,
                            2, make_leaves};
constexpr TableKind kEdges{
    "CREATE TABLE t(relationship, source_type, source_title, target_type, target_title, "
    "packed HIDDEN)",
    5, 1, make_edges};

struct Table : sqlite3_vtab {
  const TableKind* kind;
};
struct Cursor : sqlite3_vtab_cursor {
  std::vector<TableRow> rows;
  size_t at;
};

const TableKind& kind_of(sqlite3_vtab* table) {
  return *static_cast<Table*>(table)->kind;
}

int connect(sqlite3* database, void* data, int, const char* const*, sqlite3_vtab** made, char**) {
  const auto* kind = static_cast<const TableKind*>(data);
  const int code = sqlite3_declare_vtab(database, kind->declaration);
  if (code != SQLITE_OK) return code;
  auto* table = new Table();
  table->kind = kind;
  sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
  *made = table;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

// Accepts only plans in which all arguments have values.
int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  const TableKind& kind = kind_of(table);
  int found = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.iColumn < kind.columns || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;
    info->aConstraintUsage[i].argvIndex = constraint.iColumn - kind.columns + 1;
    info->aConstraintUsage[i].omit = 1;
    ++found;
  }
  if (found != kind.arguments) return SQLITE_CONSTRAINT;
  info->estimatedCost = 20;
  info->estimatedRows = 20;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
  auto* cursor = new Cursor();
  *made = cursor;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int count, sqlite3_value** values) {
  auto* cursor = static_cast<Cursor*>(base);
  const TableKind& kind = kind_of(base->pVtab);
  cursor->rows.clear();
  cursor->at = 0;
  std::vector<std::string_view> arguments;
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return SQLITE_OK;
    const bool is_blob = sqlite3_value_type(values[i]) == SQLITE_BLOB;
    const void* bytes = is_blob ? sqlite3_value_blob(values[i]) : sqlite3_value_text(values[i]);
    arguments.emplace_back(static_cast<const char*>(bytes),
                           static_cast<size_t>(sqlite3_value_bytes(values[i])));
  }
  try {
    cursor->rows = kind.make(arguments);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& error) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("%s", error.what());
    return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

int go_on(sqlite3_vtab_cursor* cursor) {
  ++static_cast<Cursor*>(cursor)->at;
  return SQLITE_OK;
}

int is_at_end(sqlite3_vtab_cursor* base) {
  const auto* cursor = static_cast<Cursor*>(base);
  return cursor->at >= cursor->rows.size() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  const auto* cursor = static_cast<Cursor*>(base);
  if (index < kind_of(base->pVtab).columns) {
    const std::string& text = cursor->rows[cursor->at][static_cast<size_t>(index)];
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(static_cast<Cursor*>(cursor)->at);
  return SQLITE_OK;
}

const sqlite3_module* module() {
  static const sqlite3_module kModule = [] {
    sqlite3_module made{};
    made.xConnect = connect;  // without xCreate the table exists without CREATE VIRTUAL TABLE
    made.xBestIndex = best_index;
    made.xDisconnect = disconnect;
    made.xOpen = open_cursor;
    made.xClose = close_cursor;
    made.xFilter = filter;
    made.xNext = go_on;
    made.xEof = is_at_end;
    made.xColumn = column;
    made.xRowid = row_id;
    return made;
  }();
  return &kModule;
}

}  // namespace

void register_sqlite_tables(sqlite3* database) {
  const auto add = [&](const char* name, const TableKind& kind) {
    if (sqlite3_create_module_v2(database, name, module(), const_cast<TableKind*>(&kind),
                                 nullptr) != SQLITE_OK) {
      throw StoreError(StoreErrorKind::kDatabase, "A table cannot be added to SQLite");
    }
  };
  add("bk_leaves", kLeaves);
  add("bk_edges", kEdges);
}

}  // namespace bunraku::store

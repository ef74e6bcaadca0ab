// What both databases have in common: transactions, rows inserted together, URLs.
#include "store/database/connection.h"

#include <fmt/format.h>

#include <array>

#include "store/database/postgres.h"
#include "store/database/sqlite.h"

namespace bunraku::store {

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  if (connection.dialect() == Dialect::kSqlite) {
    // A writer that begins as a reader could not always become one.
    connection.script(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
  } else {
    connection.script(kind == Kind::kWrite ? "BEGIN"
                                           : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
}

Transaction::~Transaction() {
  if (!is_open_) return;
  try {
    connection_.script("ROLLBACK");
  } catch (const StoreError&) {
    // The connection is gone, and the transaction with it.
  }
}

void Transaction::commit() {
  connection_.script("COMMIT");
  is_open_ = false;
}

Savepoint::Savepoint(Connection& connection) : connection_(connection) {
  connection.script("SAVEPOINT part");
}

Savepoint::~Savepoint() {
  if (!is_open_) return;
  try {
    connection_.script("ROLLBACK TO SAVEPOINT part");
    connection_.script("RELEASE SAVEPOINT part");
  } catch (const StoreError&) {
    // The whole transaction has ended.
  }
}

void Savepoint::release() {
  connection_.script("RELEASE SAVEPOINT part");
  is_open_ = false;
}

RowInserter::RowInserter(Connection& connection, std::string head, size_t columns, std::string tail)
    : connection_(connection), head_(std::move(head)), tail_(std::move(tail)), columns_(columns) {}

namespace {

// Few different statements, so that prepared ones serve again.
constexpr std::array<size_t, 3> kGroupSizes{64, 8, 1};

}  // namespace

void RowInserter::add(std::initializer_list<SqlValue> row) {
  values_.insert(values_.end(), row);
  if (values_.size() == kGroupSizes[0] * columns_) {
    write(kGroupSizes[0]);
    values_.clear();
    begun_ = 0;
  }
}

void RowInserter::write(size_t rows) {
  std::string sql = head_;
  size_t number = 0;
  for (size_t row = 0; row < rows; ++row) {
    sql += row == 0 ? " (" : ", (";
    for (size_t column = 0; column < columns_; ++column) {
      fmt::format_to(std::back_inserter(sql), "{}${}", column == 0 ? "" : ", ", ++number);
    }
    sql += ')';
  }
  sql += ' ';
  sql += tail_;
  connection_.run(sql, std::span<const SqlValue>(values_).subspan(begun_, rows * columns_));
  begun_ += rows * columns_;
}

void RowInserter::finish() {
  for (const size_t size : kGroupSizes) {
    while (values_.size() - begun_ >= size * columns_) write(size);
  }
  values_.clear();
  begun_ = 0;
}

DatabaseUrl parse_database_url(std::string_view text) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (text.starts_with(kSqlite)) {
    std::string_view path = text.substr(kSqlite.size());
    if (path.starts_with("//")) path.remove_prefix(2);
    if (path.empty()) {
      throw StoreError(StoreErrorKind::kInput, "The store's URL names no file: sqlite:PATH");
    }
    return {Dialect::kSqlite, std::string(path)};
  }
  if (text.starts_with("postgresql://") || text.starts_with("postgres://")) {
    return {Dialect::kPostgres, std::string(text)};
  }
  throw StoreError(
      StoreErrorKind::kInput,
      fmt::format("'{}' is no URL of a store: expected sqlite:PATH or postgresql://...", text));
}

std::unique_ptr<Connection> open_connection(const DatabaseUrl& url, const OpenOptions& options) {
  if (url.dialect == Dialect::kSqlite) return open_sqlite(url.place, options);
  return open_postgres(url.place, options);
}

}  // namespace bunraku::store

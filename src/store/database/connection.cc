// Shared code of both databases: transactions, batched inserts, URLs.
#include "store/database/connection.h"

#include <fmt/format.h>

#include <array>

#include "store/database/postgres.h"
#include "store/database/sqlite.h"

namespace bunraku::store {

namespace {

// Runs a statement that each command uses; SQLite keeps it prepared.
void run_kept(Connection& connection, std::string_view sql) {
  if (connection.dialect() == Dialect::kSqlite) {
    connection.run(sql);
  } else {
    connection.script(std::string(sql));
  }
}

}  // namespace

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  if (connection.dialect() == Dialect::kSqlite) {
    // A transaction that begins with reading cannot always start to write.
    run_kept(connection, kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
  } else {
    connection.script(kind == Kind::kWrite ? "BEGIN"
                                           : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
}

Transaction::~Transaction() {
  connection_.forget_shared_numbers();
  if (!is_open_) return;
  try {
    connection_.script("ROLLBACK");
  } catch (const StoreError&) {
    // The connection is lost, and the transaction with it.
  }
}

void Transaction::commit() {
  run_kept(connection_, "COMMIT");
  is_open_ = false;
}

Savepoint::Savepoint(Connection& connection) : connection_(connection) {
  run_kept(connection, "SAVEPOINT part");
}

Savepoint::~Savepoint() {
  if (!is_open_) return;
  connection_.forget_shared_numbers();
  try {
    connection_.script("ROLLBACK TO SAVEPOINT part");
    connection_.script("RELEASE SAVEPOINT part");
  } catch (const StoreError&) {
    // The whole transaction has ended already.
  }
}

void Savepoint::release() {
  run_kept(connection_, "RELEASE SAVEPOINT part");
  is_open_ = false;
}

namespace {

// Few different sizes, so that prepared statements are reused. SQLite inserts single rows faster
// than groups, as no network is involved.
constexpr std::array<size_t, 3> kGroupSizes{64, 8, 1};
constexpr std::array<size_t, 1> kSingleRows{1};

std::span<const size_t> group_sizes(const Connection& connection) {
  if (connection.dialect() == Dialect::kSqlite) return kSingleRows;
  return kGroupSizes;
}

}  // namespace

RowInserter::RowInserter(Connection& connection, std::string head, size_t columns, std::string tail)
    : connection_(connection),
      sizes_(group_sizes(connection)),
      head_(std::move(head)),
      tail_(std::move(tail)),
      columns_(columns) {}

void RowInserter::add(std::initializer_list<SqlValue> row) {
  values_.insert(values_.end(), row);
  if (values_.size() == sizes_[0] * columns_) {
    write(sizes_[0]);
    values_.clear();
    begun_ = 0;
  }
}

const std::string& RowInserter::statement(size_t rows) {
  if (rows == rows_of_statement_) return statement_;
  rows_of_statement_ = rows;
  statement_ = head_;
  size_t number = 0;
  for (size_t row = 0; row < rows; ++row) {
    statement_ += row == 0 ? " (" : ", (";
    for (size_t column = 0; column < columns_; ++column) {
      fmt::format_to(std::back_inserter(statement_), "{}${}", column == 0 ? "" : ", ", ++number);
    }
    statement_ += ')';
  }
  statement_ += ' ';
  statement_ += tail_;
  return statement_;
}

void RowInserter::write(size_t rows) {
  connection_.run(statement(rows),
                  std::span<const SqlValue>(values_).subspan(begun_, rows * columns_));
  begun_ += rows * columns_;
}

void RowInserter::finish() {
  for (const size_t size : sizes_) {
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

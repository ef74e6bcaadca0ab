// A connection to a database: SQLite or PostgreSQL. SQL is the same text for both, with values
// bound to $1, $2, ...; what one of them lacks is a function of the same name (see
// sqlite_functions.h and schema/postgres_functions.cc).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "store/error.h"

namespace bunraku::store {

enum class Dialect : uint8_t { kSqlite, kPostgres };

using SqlValue = std::variant<std::monostate, bool, int64_t, double, std::string>;

inline SqlValue text_or_null(std::string_view text) {
  return text.empty() ? SqlValue() : SqlValue(std::string(text));
}

// The rows of a result, one at a time. Ends its statement when it is destroyed; must not outlive
// its connection.
class Rows {
 public:
  virtual ~Rows() = default;
  // Goes to the next row, at first to the first one; false after the last. Throws StoreError.
  virtual bool next() = 0;
  virtual bool is_null(int column) const = 0;
  virtual int64_t integer(int column) const = 0;
  virtual bool boolean(int column) const = 0;
  // Valid until next(). Empty for null.
  virtual std::string_view text(int column) const = 0;
};

// Used by one thread at a time. All functions throw StoreError.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual Dialect dialect() const = 0;

  // The statement is kept for the next time: for the store's own texts.
  virtual std::unique_ptr<Rows> query(std::string_view sql, std::span<const SqlValue> values) = 0;
  // The statement is not kept: for texts made for one query. It is given up after `timeout` (0:
  // never).
  virtual std::unique_ptr<Rows> query_once(std::string_view sql, std::span<const SqlValue> values,
                                           std::chrono::milliseconds timeout) = 0;
  // How many rows were changed.
  virtual int64_t run(std::string_view sql, std::span<const SqlValue> values) = 0;
  // Statements without values, separated by semicolons.
  virtual void script(const std::string& sql) = 0;
  // May it be used after a failure?
  virtual bool is_usable() const = 0;

  // Numbers of a table's rows that commands of one transaction share, by texts that identify them.
  // Empty again after each transaction, and after each part that was rolled back.
  using SharedNumbers = std::unordered_map<std::string, int64_t>;
  SharedNumbers& shared_numbers(const std::string& table) { return shared_numbers_[table]; }
  void forget_shared_numbers() { shared_numbers_.clear(); }

  std::unique_ptr<Rows> query(std::string_view sql, std::initializer_list<SqlValue> values = {}) {
    return query(sql, std::span<const SqlValue>(values.begin(), values.size()));
  }
  int64_t run(std::string_view sql, std::initializer_list<SqlValue> values = {}) {
    return run(sql, std::span<const SqlValue>(values.begin(), values.size()));
  }

 private:
  std::map<std::string, SharedNumbers> shared_numbers_;
};

// Rolls back when it is destroyed without commit().
class Transaction {
 public:
  enum class Kind : uint8_t { kRead, kWrite };
  Transaction(Connection& connection, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool is_open_ = true;
};

// A part of a transaction that can fail alone. Rolls back when it is destroyed without release().
class Savepoint {
 public:
  explicit Savepoint(Connection& connection);
  ~Savepoint();
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;
  void release();

 private:
  Connection& connection_;
  bool is_open_ = true;
};

// INSERT of many rows in few statements.
class RowInserter {
 public:
  // `head` is "INSERT INTO t(a, b) VALUES", `tail` what follows the rows ("ON CONFLICT DO
  // NOTHING").
  RowInserter(Connection& connection, std::string head, size_t columns, std::string tail = {});
  // As many values as there are columns.
  void add(std::initializer_list<SqlValue> row);
  // Writes what is left. Nothing is written without it.
  void finish();

 private:
  void write(size_t rows);
  const std::string& statement(size_t rows);
  Connection& connection_;
  std::span<const size_t> sizes_;  // of groups of rows, in falling order
  std::string head_, tail_;
  std::string statement_;
  size_t rows_of_statement_ = 0;
  size_t columns_;
  std::vector<SqlValue> values_;
  size_t begun_ = 0;  // values already written
};

// "sqlite:PATH", "postgresql://..." or "postgres://...".
struct DatabaseUrl {
  Dialect dialect = Dialect::kSqlite;
  std::string place;  // the path, or the whole URL
};
// Throws StoreError (kInput) for anything else.
DatabaseUrl parse_database_url(std::string_view text);

struct OpenOptions {
  bool is_read_only = false;
};
// Throws StoreError.
std::unique_ptr<Connection> open_connection(const DatabaseUrl& url,
                                            const OpenOptions& options = {});

}  // namespace bunraku::store

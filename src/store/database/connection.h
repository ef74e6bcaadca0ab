// A connection to a database: SQLite or PostgreSQL. Both use the same SQL text, with values bound
// to $1, $2, ...; features that one of them lacks are functions of the same name (see
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

// The rows of a result, read one at a time. Its destructor ends the statement; must not outlive the
// connection.
class Rows {
 public:
  virtual ~Rows() = default;
  // Moves to the next row, initially to the first; returns false after the last. Throws StoreError.
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

  // Keeps the prepared statement for later calls; for the store's own texts.
  virtual std::unique_ptr<Rows> query(std::string_view sql, std::span<const SqlValue> values) = 0;
  // Does not keep the statement; for texts made for one query. It is aborted after `timeout` (0:
  // never).
  virtual std::unique_ptr<Rows> query_once(std::string_view sql, std::span<const SqlValue> values,
                                           std::chrono::milliseconds timeout) = 0;
  // Returns the number of changed rows.
  virtual int64_t run(std::string_view sql, std::span<const SqlValue> values) = 0;
  // Runs statements without values, separated by semicolons.
  virtual void script(const std::string& sql) = 0;
  // Returns whether it can be used after a failure.
  virtual bool is_usable() const = 0;

  // The ids of a table's rows that commands of one transaction share, by identifying texts. Emptied
  // after each transaction, and after each part that was rolled back.
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

// A part of a transaction that can fail by itself. Rolls back when it is destroyed without
// release().
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

// Inserts many rows with few statements.
class RowInserter {
 public:
  // `head` is "INSERT INTO t(a, b) VALUES", `tail` is the text after the rows ("ON CONFLICT DO
  // NOTHING").
  RowInserter(Connection& connection, std::string head, size_t columns, std::string tail = {});
  // The row must have as many values as there are columns.
  void add(std::initializer_list<SqlValue> row);
  // Writes the remaining rows, which are lost without this call.
  void finish();

 private:
  void write(size_t rows);
  const std::string& statement(size_t rows);
  Connection& connection_;
  std::span<const size_t> sizes_;  // the sizes of groups of rows, in descending order
  std::string head_, tail_;
  std::string statement_;
  size_t rows_of_statement_ = 0;
  size_t columns_;
  std::vector<SqlValue> values_;
  size_t begun_ = 0;  // the number of values already written
};

// A parsed "sqlite:PATH", "postgresql://..." or "postgres://...".
struct DatabaseUrl {
  Dialect dialect = Dialect::kSqlite;
  std::string place;  // the path, or the whole URL
};
// Throws StoreError (kInput) for any other text.
DatabaseUrl parse_database_url(std::string_view text);

struct OpenOptions {
  bool is_read_only = false;
};
// Throws StoreError.
std::unique_ptr<Connection> open_connection(const DatabaseUrl& url,
                                            const OpenOptions& options = {});

}  // namespace bunraku::store

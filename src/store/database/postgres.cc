// PostgreSQL: statements, values, errors.
#include "store/database/postgres.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <array>
#include <charconv>
#include <unordered_map>

#include "base/system/lazy_library.h"

namespace bunraku::store {
namespace {

// The client library, loaded with the first connection, so that programs without PostgreSQL start
// without it and its dependencies.
struct Libpq {
  decltype(&::PQclear) PQclear;
  decltype(&::PQresultErrorField) PQresultErrorField;
  decltype(&::PQerrorMessage) PQerrorMessage;
  decltype(&::PQntuples) PQntuples;
  decltype(&::PQgetisnull) PQgetisnull;
  decltype(&::PQgetvalue) PQgetvalue;
  decltype(&::PQgetlength) PQgetlength;
  decltype(&::PQfinish) PQfinish;
  decltype(&::PQstatus) PQstatus;
  decltype(&::PQtransactionStatus) PQtransactionStatus;
  decltype(&::PQexecParams) PQexecParams;
  decltype(&::PQcmdTuples) PQcmdTuples;
  decltype(&::PQexec) PQexec;
  decltype(&::PQresultStatus) PQresultStatus;
  decltype(&::PQexecPrepared) PQexecPrepared;
  decltype(&::PQprepare) PQprepare;
  decltype(&::PQconnectdbParams) PQconnectdbParams;

  Libpq() {
    static const LazyLibrary library("libpq.so.5", "PostgreSQL");
    library.find("PQclear", PQclear);
    library.find("PQresultErrorField", PQresultErrorField);
    library.find("PQerrorMessage", PQerrorMessage);
    library.find("PQntuples", PQntuples);
    library.find("PQgetisnull", PQgetisnull);
    library.find("PQgetvalue", PQgetvalue);
    library.find("PQgetlength", PQgetlength);
    library.find("PQfinish", PQfinish);
    library.find("PQstatus", PQstatus);
    library.find("PQtransactionStatus", PQtransactionStatus);
    library.find("PQexecParams", PQexecParams);
    library.find("PQcmdTuples", PQcmdTuples);
    library.find("PQexec", PQexec);
    library.find("PQresultStatus", PQresultStatus);
    library.find("PQexecPrepared", PQexecPrepared);
    library.find("PQprepare", PQprepare);
    library.find("PQconnectdbParams", PQconnectdbParams);
  }
};

const Libpq& libpq() {
  try {
    static const Libpq functions;
    return functions;
  } catch (const LibraryError& error) {
    throw StoreError(StoreErrorKind::kUnavailable, error.what());
  }
}

constexpr size_t kMostStatements = 300;

struct ResultDeleter {
  void operator()(PGresult* result) const { libpq().PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultDeleter>;

StoreErrorKind kind_of(std::string_view state) {
  if (state == "40001" || state == "40P01" || state == "23505") return StoreErrorKind::kConflict;
  if (state == "57014") return StoreErrorKind::kTime;
  // Invalid regular expressions, and values of another type than the column.
  if (state == "2201B" || state.starts_with("22")) return StoreErrorKind::kInput;
  if (state.empty() || state.starts_with("08") || state.starts_with("53") ||
      state.starts_with("57") || state.starts_with("58")) {
    return StoreErrorKind::kUnavailable;
  }
  return StoreErrorKind::kDatabase;
}

[[noreturn]] void fail(const PGconn* connection, const PGresult* result) {
  const char* state =
      result == nullptr ? nullptr : libpq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* primary =
      result == nullptr ? nullptr : libpq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  std::string message =
      primary == nullptr ? libpq().PQerrorMessage(connection) : fmt::format("ERROR: {}", primary);
  while (message.ends_with('\n')) message.pop_back();
  throw StoreError(kind_of(state == nullptr ? "" : state), std::move(message));
}

// Bound values as texts, which the server parses by the types of their places.
class Bound {
 public:
  explicit Bound(std::span<const SqlValue> values) {
    texts_.reserve(values.size());
    for (const SqlValue& value : values) {
      if (const auto* integer = std::get_if<int64_t>(&value)) {
        texts_.push_back(std::to_string(*integer));
      } else if (const auto* number = std::get_if<double>(&value)) {
        texts_.push_back(fmt::format("{}", *number));
      } else if (const auto* boolean = std::get_if<bool>(&value)) {
        texts_.emplace_back(*boolean ? "t" : "f");
      } else if (const auto* text = std::get_if<std::string>(&value)) {
        // A zero byte would end the text.
        texts_.push_back(text->substr(0, text->find('\0')));
      } else {
        texts_.emplace_back();
      }
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const bool is_null = std::holds_alternative<std::monostate>(values[i]);
      pointers_.push_back(is_null ? nullptr : texts_[i].c_str());
    }
  }
  const char* const* pointers() const { return pointers_.data(); }
  int size() const { return static_cast<int>(pointers_.size()); }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

class PostgresRows : public Rows {
 public:
  explicit PostgresRows(Result result)
      : result_(std::move(result)), count_(libpq().PQntuples(result_.get())) {}
  bool next() override { return ++row_ < count_; }
  bool is_null(int column) const override {
    return libpq().PQgetisnull(result_.get(), row_, column) != 0;
  }
  int64_t integer(int column) const override {
    const std::string_view text = this->text(column);
    int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  bool boolean(int column) const override { return text(column) == "t"; }
  std::string_view text(int column) const override {
    return {libpq().PQgetvalue(result_.get(), row_, column),
            static_cast<size_t>(libpq().PQgetlength(result_.get(), row_, column))};
  }

 private:
  Result result_;
  int count_;
  int row_ = -1;
};

struct SqlHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

class PostgresConnection : public Connection {
 public:
  PostgresConnection(const std::string& url, const OpenOptions& options);
  ~PostgresConnection() override { libpq().PQfinish(connection_); }
  Dialect dialect() const override { return Dialect::kPostgres; }
  bool is_usable() const override {
    return libpq().PQstatus(connection_) == CONNECTION_OK &&
           libpq().PQtransactionStatus(connection_) == PQTRANS_IDLE;
  }

  std::unique_ptr<Rows> query(std::string_view sql, std::span<const SqlValue> values) override {
    return std::make_unique<PostgresRows>(run_prepared(sql, values));
  }
  std::unique_ptr<Rows> query_once(std::string_view sql, std::span<const SqlValue> values,
                                   std::chrono::milliseconds timeout) override {
    if (timeout != timeout_) {
      script(fmt::format("SET statement_timeout = {}", timeout.count()));
      timeout_ = timeout;
    }
    const Bound bound(values);
    Result result(libpq().PQexecParams(connection_, std::string(sql).c_str(), bound.size(), nullptr,
                                       bound.pointers(), nullptr, nullptr, 0));
    check(result);
    return std::make_unique<PostgresRows>(std::move(result));
  }
  int64_t run(std::string_view sql, std::span<const SqlValue> values) override {
    const Result result = run_prepared(sql, values);
    return std::strtoll(libpq().PQcmdTuples(result.get()), nullptr, 10);
  }
  void script(const std::string& sql) override {
    const Result result(libpq().PQexec(connection_, sql.c_str()));
    check(result);
  }

 private:
  void check(const Result& result) {
    const ExecStatusType status = libpq().PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(connection_, result.get());
  }
  Result run_prepared(std::string_view sql, std::span<const SqlValue> values) {
    const Bound bound(values);
    Result result(libpq().PQexecPrepared(connection_, prepared(sql).c_str(), bound.size(),
                                         bound.pointers(), nullptr, nullptr, 0));
    check(result);
    return result;
  }
  const std::string& prepared(std::string_view sql) {
    const auto found = statements_.find(sql);
    if (found != statements_.end()) return found->second;
    if (statements_.size() >= kMostStatements) {
      script("DEALLOCATE ALL");
      statements_.clear();
    }
    const std::string text(sql);
    std::string name = fmt::format("s{}", ++count_);
    const Result result(libpq().PQprepare(connection_, name.c_str(), text.c_str(), 0, nullptr));
    check(result);
    return statements_.emplace(text, std::move(name)).first->second;
  }

  PGconn* connection_;
  std::unordered_map<std::string, std::string, SqlHash, std::equal_to<>> statements_;
  size_t count_ = 0;
  std::chrono::milliseconds timeout_{0};
};

namespace {

// Connects, with limits by which an unresponsive server is noticed within half a minute; parameters
// in the URL take precedence.
PGconn* connect(const std::string& url) {
  constexpr std::array<const char*, 6> kKeys{"connect_timeout", "tcp_user_timeout",
                                             "keepalives_idle", "application_name",
                                             "dbname",          nullptr};
  const std::array<const char*, 6> values{"5", "30000", "30", "bunraku", url.c_str(), nullptr};
  return libpq().PQconnectdbParams(kKeys.data(), values.data(), 1);
}

}  // namespace

PostgresConnection::PostgresConnection(const std::string& url, const OpenOptions& options)
    : connection_(connect(url)) {
  if (libpq().PQstatus(connection_) != CONNECTION_OK) {
    std::string message = libpq().PQerrorMessage(connection_);
    while (message.ends_with('\n')) message.pop_back();
    libpq().PQfinish(connection_);
    throw StoreError(StoreErrorKind::kUnavailable,
                     fmt::format("The store cannot be reached: {}", message));
  }
  try {
    script(
        "SET client_min_messages = warning; SET TimeZone = 'UTC'; SET jit = off;"
        "SET standard_conforming_strings = on; SET client_encoding = 'UTF8'");
    if (options.is_read_only) script("SET default_transaction_read_only = on");
  } catch (...) {
    libpq().PQfinish(connection_);
    throw;
  }
}

}  // namespace

std::unique_ptr<Connection> open_postgres(const std::string& url, const OpenOptions& options) {
  return std::make_unique<PostgresConnection>(url, options);
}

}  // namespace bunraku::store

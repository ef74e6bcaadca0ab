// SQLite: statements, values, errors.
#include "store/database/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <unordered_map>

#include "base/system/file_system.h"
#include "base/system/limits.h"
#include "store/database/sqlite_functions.h"

namespace bunraku::store {
namespace {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

constexpr int kBusyMilliseconds = 30'000;
constexpr size_t kMostStatements = 300;
// steps of the virtual machine between two checks of the time
constexpr int kStepsBetweenChecks = 20'000;

[[noreturn]] void fail(sqlite3* database, std::string_view doing) {
  const int code = sqlite3_errcode(database);
  StoreErrorKind kind = StoreErrorKind::kDatabase;
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      kind = StoreErrorKind::kUnavailable;
      break;
    case SQLITE_INTERRUPT:
      throw StoreError(StoreErrorKind::kTime, "The query took longer than it may");
    default:
      break;
  }
  const std::string_view message = sqlite3_errmsg(database);
  if (message.starts_with(kInputError)) {  // one of our functions has rejected its argument
    throw StoreError(StoreErrorKind::kInput, std::string(message));
  }
  throw StoreError(kind, fmt::format("{}: {}", doing, message));
}

struct Finalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using OwnedStatement = std::unique_ptr<sqlite3_stmt, Finalizer>;

// Whether bound texts are copied: for rows that are read later, but not where the statement ends
// first.
enum class Texts : uint8_t { kCopied, kReferred };

void bind(sqlite3* database, sqlite3_stmt* statement, int index, const SqlValue& value,
          Texts texts) {
  int code = SQLITE_OK;
  if (const auto* text = std::get_if<std::string>(&value)) {
    code = sqlite3_bind_text64(statement, index, text->data(), text->size(),
                               texts == Texts::kCopied ? SQLITE_TRANSIENT : SQLITE_STATIC,
                               SQLITE_UTF8);
  } else if (const auto* integer = std::get_if<int64_t>(&value)) {
    code = sqlite3_bind_int64(statement, index, *integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    code = sqlite3_bind_double(statement, index, *number);
  } else if (const auto* boolean = std::get_if<bool>(&value)) {
    code = sqlite3_bind_int(statement, index, *boolean ? 1 : 0);
  } else {
    code = sqlite3_bind_null(statement, index);
  }
  if (code != SQLITE_OK) fail(database, "A value cannot be bound");
}

void bind_all(sqlite3* database, sqlite3_stmt* statement, std::span<const SqlValue> values,
              Texts texts) {
  const auto count = static_cast<size_t>(sqlite3_bind_parameter_count(statement));
  if (count > values.size()) {
    throw StoreError(StoreErrorKind::kDatabase, "A statement has more places than values");
  }
  for (size_t i = 0; i < count; ++i) {
    bind(database, statement, static_cast<int>(i + 1), values[i], texts);
  }
}

// "?12" for "$12", which SQLite would treat as a name and search in a list at each use.
std::string with_numbered_places(std::string_view sql) {
  std::string result(sql);
  bool is_quoted = false;
  for (size_t i = 0; i + 1 < result.size(); ++i) {
    if (result[i] == '\'') is_quoted = !is_quoted;
    if (!is_quoted && result[i] == '$' && result[i + 1] >= '0' && result[i + 1] <= '9') {
      result[i] = '?';
    }
  }
  return result;
}

struct Deadline {
  std::chrono::steady_clock::time_point end{};  // zero: no deadline
};

int check_deadline(void* data) {
  const auto& deadline = *static_cast<const Deadline*>(data);
  if (WorkLimits* limits = WorkLimits::current()) {
    try {
      limits->check();
    } catch (const LimitError&) {
      return 1;
    }
  }
  return deadline.end != std::chrono::steady_clock::time_point{} &&
                 std::chrono::steady_clock::now() > deadline.end
             ? 1
             : 0;
}

class SqliteRows : public Rows {
 public:
  // Resets the statement at the end, and finalizes it if it is owned.
  SqliteRows(sqlite3* database, sqlite3_stmt* statement, OwnedStatement owned, Deadline* deadline)
      : database_(database), statement_(statement), owned_(std::move(owned)), deadline_(deadline) {}
  ~SqliteRows() override {
    sqlite3_reset(statement_);
    if (deadline_ != nullptr) *deadline_ = {};
  }

  bool next() override {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) fail(database_, "The store cannot be read");
    return false;
  }
  bool is_null(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  int64_t integer(int column) const override { return sqlite3_column_int64(statement_, column); }
  bool boolean(int column) const override { return sqlite3_column_int(statement_, column) != 0; }
  std::string_view text(int column) const override {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (text == nullptr) return {};
    return {text, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_;
  OwnedStatement owned_;
  Deadline* deadline_;
};

class SqliteConnection : public Connection {
 public:
  SqliteConnection(const std::string& path, const OpenOptions& options);
  ~SqliteConnection() override {
    statements_.clear();
    sqlite3_close_v2(database_);
  }
  Dialect dialect() const override { return Dialect::kSqlite; }
  bool is_usable() const override { return true; }
  sqlite3* database() { return database_; }

  std::unique_ptr<Rows> query(std::string_view sql, std::span<const SqlValue> values) override {
    sqlite3_stmt* statement = kept(sql);
    OwnedStatement owned;
    if (sqlite3_stmt_busy(statement) != 0) {  // rows of an earlier call are still being read
      owned = prepare(sql);
      statement = owned.get();
    }
    bind_all(database_, statement, values, Texts::kCopied);
    return std::make_unique<SqliteRows>(database_, statement, std::move(owned), nullptr);
  }
  std::unique_ptr<Rows> query_once(std::string_view sql, std::span<const SqlValue> values,
                                   std::chrono::milliseconds timeout) override {
    OwnedStatement owned = prepare(sql);
    bind_all(database_, owned.get(), values, Texts::kCopied);
    deadline_ =
        timeout.count() == 0 ? Deadline{} : Deadline{std::chrono::steady_clock::now() + timeout};
    sqlite3_stmt* statement = owned.get();
    return std::make_unique<SqliteRows>(database_, statement, std::move(owned), &deadline_);
  }
  int64_t run(std::string_view sql, std::span<const SqlValue> values) override {
    sqlite3_stmt* statement = kept(sql);
    bind_all(database_, statement, values, Texts::kReferred);
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(statement);
    if (code != SQLITE_DONE) {
      const StoreError error = error_of("The store cannot be written");
      sqlite3_reset(statement);
      throw error;
    }
    sqlite3_reset(statement);
    return sqlite3_changes64(database_);
  }
  void script(const std::string& sql) override {
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      fail(database_, "The store cannot be used");
    }
  }

 private:
  StoreError error_of(std::string_view doing) {
    try {
      fail(database_, doing);
    } catch (const StoreError& error) {
      return error;
    }
  }
  OwnedStatement prepare(std::string_view text) {
    const std::string sql = with_numbered_places(text);
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()), 0, &statement,
                           nullptr) != SQLITE_OK) {
      fail(database_, "The store cannot be asked");
    }
    return OwnedStatement(statement);
  }
  sqlite3_stmt* kept(std::string_view sql) {
    const auto found = statements_.find(sql);
    if (found != statements_.end()) return found->second.get();
    if (statements_.size() >= kMostStatements) {
      std::erase_if(statements_,
                    [](const auto& entry) { return sqlite3_stmt_busy(entry.second.get()) == 0; });
    }
    return statements_.emplace(std::string(sql), prepare(sql)).first->second.get();
  }

  sqlite3* database_ = nullptr;
  Deadline deadline_;
  std::unordered_map<std::string, OwnedStatement, TextHash, std::equal_to<>> statements_;
};

SqliteConnection::SqliteConnection(const std::string& path, const OpenOptions& options) {
  if (!options.is_read_only && !exists(path)) {
    try {
      create_directory(std::string(parent_directory(path)));
    } catch (const FileError& error) {
      throw StoreError(StoreErrorKind::kUnavailable,
                       fmt::format("The store cannot be made: {}", error.what()));
    }
    // Created with its mode, because it holds secrets.
    const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0640);
    if (descriptor >= 0) ::close(descriptor);
  }
  // Opening a FIFO would block.
  if (exists(path) && !is_file(path)) {
    throw StoreError(StoreErrorKind::kUnavailable,
                     fmt::format("The store {} cannot be opened: it is not a regular file", path));
  }
  const int flags = options.is_read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (sqlite3_open_v2(path.c_str(), &database_, flags | SQLITE_OPEN_NOMUTEX, nullptr) !=
      SQLITE_OK) {
    const std::string message = sqlite3_errmsg(database_);
    sqlite3_close_v2(database_);
    throw StoreError(StoreErrorKind::kUnavailable,
                     fmt::format("The store {} cannot be opened: {}", path, message));
  }
  try {
    sqlite3_extended_result_codes(database_, 0);
    sqlite3_busy_timeout(database_, kBusyMilliseconds);
    // Commits are on disk before they are acknowledged: FULL, because NORMAL syncs only at
    // checkpoints.
    script(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF;"
        "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=268435456; PRAGMA cache_size=-131072;"
        // In pages: changes that many commits make to one page are transferred once.
        "PRAGMA wal_autocheckpoint=49152;");
    sqlite3_progress_handler(database_, kStepsBetweenChecks, check_deadline, &deadline_);
    register_sqlite_functions(database_);
  } catch (...) {
    sqlite3_close_v2(database_);
    throw;
  }
}

}  // namespace

std::unique_ptr<Connection> open_sqlite(const std::string& path, const OpenOptions& options) {
  return std::make_unique<SqliteConnection>(path, options);
}

void backup_sqlite(Connection& connection, const std::string& to) {
  auto& source = dynamic_cast<SqliteConnection&>(connection);
  SqliteConnection target(to, {});
  // In WAL mode a second file would remain beside the copy.
  target.script("PRAGMA journal_mode=DELETE");
  sqlite3_backup* backup =
      sqlite3_backup_init(target.database(), "main", source.database(), "main");
  if (backup == nullptr) fail(target.database(), "The backup cannot be made");
  int code = SQLITE_OK;
  do {
    code = sqlite3_backup_step(backup, 1024);
  } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) fail(target.database(), "The backup cannot be made");
}

}  // namespace bunraku::store

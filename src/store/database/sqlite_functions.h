// Functions that the store's SQL uses and SQLite lacks. PostgreSQL has functions of the same names
// (schema/postgres_functions.cc), so that both use one SQL text.
//
//   bk_at(json, path)              the value at a path, as JSON; null when there is none
//   bk_equal(json, json)           compares numbers by value, members in any order
//   bk_contains(json, part)        PostgreSQL's @> (an array does not contain a bare scalar)
//   bk_number(json)                a number; null for anything else
//   bk_numeric(json)               the same, also for strings with numbers; an error for others
//   bk_text(json)                  a string's characters, else the JSON
//   bk_exact(json)                 the JSON as text, in which 1 and 1.0 differ
//   bk_matches(text, pattern)      searches a regular expression in the text
//   bk_has(array, text)            whether an array of strings has the item
//   bk_has_match(array, pattern)
//   bk_path_matches(path, pattern) item by item: expressions for names, integers for indexes
//   bk_pack(text), bk_unpack(packed)
//   bk_time(microseconds)          "2026-11-22T17:31:21.786Z"
//   bk_time_format(microseconds, format)   PostgreSQL's to_char
//   jsonb_typeof(json)
//   bk_leaves(name, json)          table (path, value): scalars within a fact
//   bk_edges(packed)               table (relationship, source_type, source_title, target_type,
//                                  target_title)
#pragma once

#include <optional>
#include <string>
#include <string_view>

struct sqlite3;

namespace bunraku::store {

// The prefix of errors about a user's argument.
inline constexpr std::string_view kInputError = "ERROR: ";

void register_sqlite_functions(sqlite3* database);
// Reverses bk_pack(); returns no value for damaged data.
std::optional<std::string> unpacked_text(std::string_view packed);
// Registers bk_leaves and bk_edges.
void register_sqlite_tables(sqlite3* database);

}  // namespace bunraku::store

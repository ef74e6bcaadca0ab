// Commands in PuppetDB's wire formats: they are parsed and checked without the database, then
// stored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/commands/fact_filter.h"
#include "store/store.h"

namespace bunraku::store {

// A command as received over HTTP or from a program with a store.
struct Command {
  std::string name;  // "replace catalog"
  int64_t version = 0;
  std::string certname;
  std::string body;      // JSON
  int64_t received = 0;  // microseconds
};

enum class Outcome : uint8_t {
  kStored,
  kUnchanged,  // the same content as before: only times were written
  kStale,      // newer data is stored already: nothing was written
  kDuplicate,  // a report that is stored already
  kQueued      // the database is unavailable: the command waits on disk (see CommandKeeper)
};

// The oldest accepted version of each command; sorted by name.
struct CommandKind {
  std::string_view name;
  int64_t oldest;
  int64_t newest;
};
inline constexpr std::array<CommandKind, 6> kCommandKinds{{{"configure expiration", 1, 1},
                                                           {"deactivate node", 3, 3},
                                                           {"replace catalog", 6, 9},
                                                           {"replace catalog inputs", 1, 1},
                                                           {"replace facts", 4, 5},
                                                           {"store report", 5, 8}}};
// Returns null when there is no such command.
const CommandKind* find_command(std::string_view name);

// The storing of a checked command; may run more than once.
using StoringStep = std::function<Outcome(Connection&)>;

struct PreparedCommand {
  std::string
      // from the payload, which takes precedence over Command::certname, the one in the URL
      certname;
  StoringStep step;
};

// Throws StoreError (kInput) with the reason for a command that cannot be stored. Facts that
// `filter` excludes are not stored.
PreparedCommand prepare_command(const Command& command, const FactFilter& filter = {});

// Stores a command; returns when it is on disk. Throws StoreError.
Outcome store_prepared(Store& store, const PreparedCommand& prepared);
// As above, but a command that the database cannot accept now is passed to the store's keeper, if
// there is one.
Outcome store_or_keep(Store& store, const PreparedCommand& prepared, const Command& command);
// Checks a command, and stores or keeps it, with the store's filter of facts. Throws StoreError.
Outcome store_command(Store& store, const Command& command);

// Stores a command that failed, with the reason, for operators to examine. Throws StoreError.
void keep_dead_letter(Store& store, const Command& command, const std::string& error);

}  // namespace bunraku::store

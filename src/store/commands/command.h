// Commands in PuppetDB's wire formats: read and checked without the database, then stored.
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

// As it came: over HTTP, or from a program that has a store.
struct Command {
  std::string name;  // "replace catalog"
  int64_t version = 0;
  std::string certname;
  std::string body;      // JSON
  int64_t received = 0;  // microseconds
};

enum class Outcome : uint8_t {
  kStored,
  kUnchanged,  // the same content as before: times alone were written
  kStale,      // something newer is there: nothing was written
  kDuplicate,  // a report that is there already
  kQueued      // the database cannot be used: it waits on the disk (see CommandKeeper)
};

// The oldest version that is accepted of each command, in the order of their names.
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
// Null when there is no such command.
const CommandKind* find_command(std::string_view name);

// What is left to do once a command has been checked; may be run more than once.
using StoringStep = std::function<Outcome(Connection&)>;

struct PreparedCommand {
  std::string
      certname;  // of the payload, which is what counts: Command::certname is what a URL said
  StoringStep step;
};

// Throws StoreError (kInput) for what cannot be stored, with the reason. Facts that `filter` leaves
// out are not stored.
PreparedCommand prepare_command(const Command& command, const FactFilter& filter = {});

// Stores; returns when it is on the disk. Throws StoreError.
Outcome store_prepared(Store& store, const PreparedCommand& prepared);
// The same, but what the database cannot take at the moment is kept by the store's keeper, where it
// has one.
Outcome store_or_keep(Store& store, const PreparedCommand& prepared, const Command& command);
// Checks, and stores or keeps, with the store's filter of facts. Throws StoreError.
Outcome store_command(Store& store, const Command& command);

// Keeps what could not be stored, with the reason, for people to look at. Throws StoreError.
void keep_dead_letter(Store& store, const Command& command, const std::string& error);

}  // namespace bunraku::store

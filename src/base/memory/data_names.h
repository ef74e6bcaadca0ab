// Names from data: tags made from titles, facts, keys of a hash. Names in code live forever
// (name.h), and their number is limited; those from data would accumulate with each node, so they
// are counted, and freed with the last piece of work that uses them.
#pragma once

#include <string_view>
#include <vector>

#include "base/memory/name.h"

namespace bunraku {

// Keeps the names that data_name() makes on this thread during its lifetime. Must be destroyed on
// the thread that made it, after all objects that hold such names.
class DataNames {
 public:
  DataNames();
  ~DataNames();
  DataNames(const DataNames&) = delete;
  DataNames& operator=(const DataNames&) = delete;

 private:
  friend Name data_name(std::string_view text);
  void keep(const Name::Entry* entry);
  void grow();

  DataNames* const outer_;
  std::vector<const Name::Entry*> kept_;   // each is counted once
  std::vector<const Name::Entry*> slots_;  // the same in an open-addressed hash table
};

// Returns the unique Name of this text, which may be freed with this thread's DataNames; without
// any, one that lives forever. It equals all other Names of the text.
Name data_name(std::string_view text);

// The number of names from data, for tests.
size_t data_name_count();

}  // namespace bunraku

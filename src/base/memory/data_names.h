// Names that come with data: tags made of titles, facts, parameters of a hash. Names of code live
// for ever (name.h), and there are only so many; these would gather with each node, so they are
// counted, and go with the last piece of work that uses them.
#pragma once

#include <string_view>
#include <vector>

#include "base/memory/name.h"

namespace bunraku {

// Keeps the names that data_name() makes on this thread while it stands. To be destroyed on the
// thread that made it, after everything that holds such names.
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
  std::vector<const Name::Entry*> slots_;  // the same by their hash, open addressing
};

// The one Name of this text, which may go with this thread's DataNames; one that lives for ever
// when there are none. It is equal to all other Names of the text.
Name data_name(std::string_view text);

// How many names of data there are, for tests.
size_t data_name_count();

}  // namespace bunraku

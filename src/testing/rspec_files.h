// The embedded Ruby files for users who test modules with rspec-puppet. They are written to a
// directory from which Ruby can load them.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// The parts of the adapter in src/testing/rspec/, which lets rspec-puppet compile with this
// program, in the order in which they are joined to one file, and the runner, which runs suites on
// several processors.
std::string_view rspec_start_text();
std::string_view rspec_late_text();
std::string_view rspec_catalogs_text();
std::string_view rspec_facts_text();
std::string_view rspec_loading_text();
std::string_view rspec_shortcuts_text();
std::string_view rspec_graphs_text();
std::string_view rspec_standing_text();
std::string_view rspec_adapter_text();
std::string_view rspec_runner_text();

namespace testing {

struct RspecFiles {
  std::string adapter;
  std::string runner;
};

// The paths of the files for this program at `program`, in a directory of the user's cache. The
// directory's name is a digest of the contents, so files of another version are never used. Writes
// missing files. Throws FileError.
RspecFiles rspec_files(const std::string& program);

}  // namespace testing
}  // namespace bunraku

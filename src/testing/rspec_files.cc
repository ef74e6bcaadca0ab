// Writes the Ruby files for rspec-puppet to a directory where Ruby finds them.
#include "testing/rspec_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/user_cache.h"
#include "base/text/digest.h"

namespace bunraku::testing {
namespace {

// A single-quoted Ruby string.
std::string ruby_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "'";
}

std::string cache_directory() {
  const std::string directory = user_cache_directory();
  return directory.empty() ? fmt::format("/tmp/bunraku-{}", geteuid()) : directory;
}

// Writes the file unless it has this text. An existing file is compared, because it may be
// incomplete or another user's.
void write_where_needed(const std::string& path, std::string_view text) {
  if (is_file(path) && read_file(path) == text) return;
  write_file(path, text, kSecretCacheFile);
}

}  // namespace

RspecFiles rspec_files(const std::string& program) {
  // The adapter starts with the program's path, so that another program has its own files.
  std::string adapter =
      fmt::format("# frozen_string_literal: true\n\nmodule Bunraku\n  PROGRAM = {}\nend\n\n",
                  ruby_string(program));
  for (const std::string_view part :
       {rspec_start_text(), rspec_late_text(), rspec_catalogs_text(), rspec_facts_text(),
        rspec_loading_text(), rspec_shortcuts_text(), rspec_graphs_text(), rspec_standing_text(),
        rspec_adapter_text()}) {
    adapter += part;
  }
  std::string all = adapter;
  all += rspec_runner_text();
  const std::string directory = fmt::format(
      "{}/rspec-{}", cache_directory(), digest_hex(DigestAlgorithm::kSha256, all).substr(0, 16));
  create_private_directory(directory);
  const RspecFiles files{directory + "/bunraku_rspec.rb", directory + "/bunraku_rspec_runner.rb"};
  write_where_needed(files.adapter, adapter);
  write_where_needed(files.runner, rspec_runner_text());
  return files;
}

}  // namespace bunraku::testing

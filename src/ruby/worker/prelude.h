// The prelude: our own Ruby (src/ruby/prelude/*.rb), which is part of the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bunraku {

struct PreludeFile {
  std::string_view name;  // "core.rb"
  std::string_view text;
};
// The files, embedded at build time.
std::span<const PreludeFile> prelude_files();
// A digest of the files' names and texts.
std::string_view prelude_digest();

// The prelude compiled by the Ruby that the program was built with: a marshalled hash from names to
// instruction sequences, which no other version of Ruby loads. Empty when the build had no Ruby.
std::string_view compiled_prelude();

// All files as the first message to a worker: a hash from names to texts.
const std::string& prelude_frame();

}  // namespace bunraku

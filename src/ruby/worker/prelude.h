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
// Made at build time.
std::span<const PreludeFile> prelude_files();

// The same as the Ruby that the program was built with has compiled it: a marshalled hash from
// names to instruction sequences, which no other version of Ruby loads. Empty when there was no
// Ruby.
std::string_view compiled_prelude();

// All files as the message that a worker starts with: a hash from names to texts.
const std::string& prelude_frame();

}  // namespace bunraku

#include "ruby/worker/prelude.h"

#include "ruby/worker/marshal.h"

namespace bunraku {

const std::string& prelude_frame() {
  static const std::string* const frame = [] {
    Arena arena;
    HandleTable handles;
    HashBuilder files(arena);
    for (const PreludeFile& file : prelude_files()) files.set(file.name, Value::string(file.text));
    auto* text = new std::string();
    MarshalWriter(*text, arena, handles).value(files.finish());
    return text;
  }();
  return *frame;
}

}  // namespace bunraku

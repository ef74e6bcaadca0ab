// Places in source files.
#include "base/diagnostics/source.h"

#include <doctest/doctest.h>

#include <string>

namespace bunraku {
namespace {

TEST_CASE("columns of long lines count characters") {
  std::string text = "short\n";
  const size_t start = text.size();
  for (int i = 0; i < 3000; ++i) text += "a\u00e9";
  text += "\nend";
  const SourceFile file("x.pp", text);
  for (const size_t pair : {0, 1, 341, 342, 1000, 2999}) {
    const Position at = file.position(static_cast<uint32_t>(start + pair * 3));
    CHECK(at.line == 2);
    CHECK(at.column == pair * 2 + 1);
    CHECK(file.position(static_cast<uint32_t>(start + pair * 3 + 1)).column == pair * 2 + 2);
  }
  CHECK(file.position(static_cast<uint32_t>(start + 9000)).column == 6001);
  CHECK(file.position(static_cast<uint32_t>(text.size())).line == 3);
  CHECK(file.position(static_cast<uint32_t>(text.size())).column == 4);
  CHECK(file.position(3).column == 4);
}

}  // namespace
}  // namespace bunraku

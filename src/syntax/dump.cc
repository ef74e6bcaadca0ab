#include "syntax/dump.h"

#include <algorithm>
#include <limits>

#include "syntax/dump_internal.h"

namespace bunraku {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string integer_digits(const Program& program, const LiteralInteger& integer) {
  if (integer.value == std::numeric_limits<int64_t>::max() && integer.radix == 10) {
    return std::string(
        program.source()->text().substr(integer.location.offset, integer.location.length));
  }
  return std::to_string(integer.value);
}

std::string dump(const Program& program, DumpFormat format, bool is_pretty) {
  std::string text;
  switch (format) {
    case DumpFormat::kOld:
      dump_old(text, program);
      break;
    case DumpFormat::kPn:
      write_pn(text, to_pn(program), is_pretty);
      break;
    case DumpFormat::kJson:
      write_pn_json(text, to_pn(program), is_pretty);
      break;
  }
  return text;
}

}  // namespace bunraku

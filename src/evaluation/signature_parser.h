// The parser of native functions' signatures. Internal to this room.
#pragma once

#include <string_view>

#include "evaluation/overload.h"
#include "types/mismatch.h"
#include "types/type_text.h"

namespace bunraku {

// Parses "(String $text, Optional[Integer] $limit, Any *$rest, Callable[1, 1] &$block) >> String";
// see Overload in function.h. An error in a signature is a bug and ends the program.
class SignatureParser final : private TypeResolver {
 public:
  // `local_types`: "Name = Type", one per line.
  SignatureParser(Arena& arena, std::string_view local_types);
  NativeSignature parse(std::string_view text);

 private:
  struct LocalType {
    std::string_view name;
    TypeAliasType* alias;
    LocalType* next;
  };
  struct ParsedParameter {
    SignatureParameter parameter;
    bool is_block = false;
    bool repeats = false;
    bool wants_one = false;
    bool has_default = false;
  };

  const Type* find_type(std::string_view name) override;
  const Type* parse_type_text(std::string_view text);
  ParsedParameter parse_parameter(std::string_view text);

  Arena& arena_;
  LocalType* local_types_ = nullptr;
};

}  // namespace bunraku

#include "syntax/token.h"

namespace bunraku {
namespace {

struct TokenInfo {
  std::string_view name;
  std::string_view text;
};

constexpr TokenInfo kTokens[] = {
#define BUNRAKU_TOKEN(identifier, name, text) {name, text},
    BUNRAKU_TOKENS(BUNRAKU_TOKEN)
#undef BUNRAKU_TOKEN
};

}  // namespace

std::string_view name_of(TokenKind kind) {
  return kTokens[static_cast<size_t>(kind)].name;
}
std::string_view text_of(TokenKind kind) {
  return kTokens[static_cast<size_t>(kind)].text;
}

}  // namespace bunraku

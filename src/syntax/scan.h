// Scanning of bytes: the ends of words, blanks and text between quotes. Where the processor can,
// sixteen bytes are tested at once, because a mispredicted branch at the end of each word would
// cost more than the rest of the lexer's work on it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "syntax/characters.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bunraku::scan {

#ifdef __SSE2__
using Block = __m128i;

// These return a block in which all bits of the bytes are set that equal `c`, or are from `first`
// to `last`.
inline Block equal(Block bytes, char c) {
  return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}
inline Block within(Block bytes, char first, char last) {
  Block offset = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
  Block most = _mm_set1_epi8(static_cast<char>(last - first));
  return _mm_cmpeq_epi8(_mm_min_epu8(offset, most), offset);
}
#endif

// Sets of bytes, with tests for one byte or for a block of them.
struct Word {  // \w
  static bool has(char c) { return characters::is_word(c); }
#ifdef __SSE2__
  static Block has(Block bytes) {
    Block letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
    return _mm_or_si128(letters, _mm_or_si128(within(bytes, '0', '9'), equal(bytes, '_')));
  }
#endif
};

template <char... kBytes>
struct OneOf {
  static bool has(char c) { return ((c == kBytes) || ...); }
#ifdef __SSE2__
  static Block has(Block bytes) {
    Block found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, equal(bytes, kBytes))), ...);
    return found;
  }
#endif
};

// Returns the position of the first byte from `at` on that is in the set, or is not in it if
// `kIsWanted` is false; the end of the text when there is none.
template <typename Set, bool kIsWanted>
[[gnu::always_inline]] inline size_t find(std::string_view text, size_t at) {
#ifdef __SSE2__
  for (; at + sizeof(Block) <= text.size(); at += sizeof(Block)) {
    Block bytes = _mm_loadu_si128(reinterpret_cast<const Block*>(text.data() + at));
    auto found = static_cast<uint32_t>(_mm_movemask_epi8(Set::has(bytes)));
    if (!kIsWanted) found ^= 0xFFFF;
    if (found != 0) return at + static_cast<size_t>(std::countr_zero(found));
  }
#endif
  while (at < text.size() && Set::has(text[at]) != kIsWanted) ++at;
  return at;
}

inline size_t word_end(std::string_view text, size_t at) {
  return find<Word, false>(text, at);
}
inline size_t blanks_end(std::string_view text, size_t at) {
  return find<OneOf<' ', '\t'>, false>(text, at);
}
template <char... kBytes>
size_t find_any(std::string_view text, size_t at) {
  return find<OneOf<kBytes...>, true>(text, at);
}

}  // namespace bunraku::scan

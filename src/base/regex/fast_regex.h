// A second engine for patterns that are searched for again and again: PCRE2's, which compiles them
// to machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace bunraku {

// A compiled pattern. Immutable, safe to use from any thread.
class FastRegex {
 public:
  enum class Answer : uint8_t { kNoMatch, kMatch, kGivenUp };

  // Null for a pattern that is not plain (see plain_pattern.h), or where the system lets no program
  // make machine code.
  static std::unique_ptr<const FastRegex> compile(std::string_view ruby_pattern);

  ~FastRegex();
  FastRegex(const FastRegex&) = delete;
  FastRegex& operator=(const FastRegex&) = delete;

  // Finds the first match that begins at byte `from` or later of the text, which is valid UTF-8.
  // `offsets` are then the begin and the end of each group, kUnset for one that took no part; they
  // last until the thread's next search. Given up: the search takes too many steps, and nothing is
  // known.
  static constexpr size_t kUnset = ~size_t{0};
  Answer search(std::string_view text, size_t from, std::span<const size_t>& offsets) const;

 private:
  explicit FastRegex(void* code);

  void* code_;  // the engine's pcre2_code
  size_t groups_ = 0;
};

}  // namespace bunraku

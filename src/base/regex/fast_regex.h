// A second engine for frequently used patterns: PCRE2, which compiles them to machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace bunraku {

// A compiled pattern. Immutable and thread-safe.
class FastRegex {
 public:
  enum class Answer : uint8_t { kNoMatch, kMatch, kGivenUp };

  // Returns null for a pattern that is not plain (see plain_pattern.h), or where the system does
  // not allow generated machine code.
  static std::unique_ptr<const FastRegex> compile(std::string_view ruby_pattern);

  ~FastRegex();
  FastRegex(const FastRegex&) = delete;
  FastRegex& operator=(const FastRegex&) = delete;

  // Finds the first match that begins at byte `from` or later of the text, which is valid UTF-8.
  // `offsets` are then the start and end of each group, kUnset for one that did not match; they are
  // valid until the thread's next search. kGivenUp: the search needs too many steps, and the result
  // is unknown.
  static constexpr size_t kUnset = ~size_t{0};
  Answer search(std::string_view text, size_t from, std::span<const size_t>& offsets) const;

  // Returns whether there is such a match, without its groups, by following all ways through the
  // pattern at once. That is slower for most searches, but its time does not grow exponentially.
  // kGivenUp: the pattern is not plain, or it and the text are large.
  static Answer has_match(std::string_view ruby_pattern, std::string_view text, size_t from);

 private:
  explicit FastRegex(void* code);

  void* code_;  // a pcre2_code of the engine
  size_t groups_ = 0;
};

}  // namespace bunraku

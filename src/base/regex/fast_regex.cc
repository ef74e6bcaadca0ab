#include "base/regex/fast_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <vector>

#include "base/regex/plain_pattern.h"

namespace bunraku {
namespace {

// The limit of steps, after which the other engine, which has its own limits, takes over.
constexpr uint32_t kMatchLimit = 1'000'000;
constexpr uint32_t kMostGroups = 32;
// The bound of a search of all ways at once, which takes a tenth of a second then. Each start,
// character and pair of ways counts; there are as many ways as the text has characters, in each of
// the pattern's places.
constexpr double kMostComparisons = 1e11;
// The bytes that a place in a compiled pattern takes, at least.
constexpr double kBytesPerPlace = 8;

static_assert(FastRegex::kUnset == PCRE2_UNSET);

struct MatchContext {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  MatchContext() { pcre2_set_match_limit(context, kMatchLimit); }
  ~MatchContext() { pcre2_match_context_free(context); }
};

struct MatchData {
  pcre2_match_data* data = pcre2_match_data_create(kMostGroups, nullptr);
  ~MatchData() { pcre2_match_data_free(data); }
};

struct CodeDeleter {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};

size_t size_of(const pcre2_code* code) {
  size_t size = 0;
  pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
  return size;
}

bool is_anchored(const pcre2_code* code) {
  uint32_t options = 0;
  pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options);
  return (options & PCRE2_ANCHORED) != 0;
}

// Returns whether following all ways through so many characters takes a bounded time.
bool is_small(const pcre2_code* code, size_t characters) {
  const auto length = static_cast<double>(characters);
  const auto places = static_cast<double>(size_of(code)) / kBytesPerPlace;
  const double starts = is_anchored(code) ? 1 : length;
  return starts * length * (length * places) * (length * places) <= kMostComparisons;
}

pcre2_code* compile_plain(std::string_view pattern) {
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                    PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_MULTILINE, &error, &place, context);
  pcre2_compile_context_free(context);
  return code;
}

}  // namespace

std::unique_ptr<const FastRegex> FastRegex::compile(std::string_view ruby_pattern) {
  const auto plain = plain_pattern(ruby_pattern);
  if (!plain) return nullptr;
  pcre2_code* code = compile_plain(plain->text);
  if (code == nullptr) return nullptr;
  std::unique_ptr<const FastRegex> regex(new FastRegex(code));
  if (regex->groups_ > kMostGroups || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) {
    return nullptr;
  }
  return regex;
}

FastRegex::Answer FastRegex::has_match(std::string_view ruby_pattern, std::string_view text,
                                       size_t from) {
  const auto plain = plain_pattern(ruby_pattern);
  if (!plain) return Answer::kGivenUp;
  const std::unique_ptr<pcre2_code, CodeDeleter> code(compile_plain(plain->text));
  if (code == nullptr || !is_small(code.get(), text.size() - from)) return Answer::kGivenUp;
  const MatchData matched;
  // Each way that is followed takes some numbers, for this character and for the next one.
  std::vector<int> space(1000 + 6 * size_of(code.get()) + 64 * (text.size() - from));
  const int found = pcre2_dfa_match(code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                    text.size(), from, PCRE2_DFA_SHORTEST | PCRE2_NO_UTF_CHECK,
                                    matched.data, nullptr, space.data(), space.size());
  if (found == PCRE2_ERROR_NOMATCH) return Answer::kNoMatch;
  return found < 0 ? Answer::kGivenUp : Answer::kMatch;
}

FastRegex::FastRegex(void* code) : code_(code) {
  uint32_t captures = 0;
  pcre2_pattern_info(static_cast<pcre2_code*>(code_), PCRE2_INFO_CAPTURECOUNT, &captures);
  groups_ = captures + size_t{1};
}

FastRegex::~FastRegex() {
  pcre2_code_free(static_cast<pcre2_code*>(code_));
}

FastRegex::Answer FastRegex::search(std::string_view text, size_t from,
                                    std::span<const size_t>& offsets) const {
  static const MatchContext limits;
  thread_local const MatchData matched;
  // The engine needs a non-null subject even when it is empty.
  const char* subject = text.data() == nullptr ? "" : text.data();
  const int found =
      pcre2_jit_match(static_cast<pcre2_code*>(code_), reinterpret_cast<PCRE2_SPTR>(subject),
                      text.size(), from, 0, matched.data, limits.context);
  if (found == PCRE2_ERROR_NOMATCH) return Answer::kNoMatch;
  if (found < 0) return Answer::kGivenUp;
  size_t* ends = pcre2_get_ovector_pointer(matched.data);
  // Groups after the last matched one are not reported.
  std::fill(ends + 2 * static_cast<size_t>(found), ends + 2 * groups_, kUnset);
  offsets = {ends, 2 * groups_};
  return Answer::kMatch;
}

}  // namespace bunraku

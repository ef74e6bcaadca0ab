#include "base/regex/regex.h"

#include <fmt/core.h>
#include <oniguruma.h>

#include <algorithm>
#include <array>
#include <climits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "base/regex/fast_regex.h"
#include "base/regex/look_behind.h"
#include "base/regex/plain_pattern.h"
#include "base/regex/regex_pattern.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// The limit of steps; a search that needs more counts as endless. Each step takes some ten
// nanoseconds.
constexpr unsigned long kRetriesPerMatch = 10'000'000;
// Before the engine that needs no retries is asked whether there is a match at all.
constexpr unsigned long kFirstRetries = 500'000;
constexpr unsigned long kRetriesPerSearchByte = 100;
constexpr unsigned int kMatchStackEntries = 4'000'000;
constexpr unsigned int kPatternDepth = 1000;
// Loading the library and generating machine code cost as much as some hundred searches save.
constexpr uint32_t kSearchesBeforeFast = 300;

// Ruby's syntax in the engine, without additions that the engine has made since.
OnigSyntaxType ruby_syntax;

void initialize_engine() {
  static std::once_flag once;
  std::call_once(once, [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    onig_initialize(encodings, 1);
    onig_set_parse_depth_limit(kPatternDepth);
    onig_copy_syntax(&ruby_syntax, ONIG_SYNTAX_RUBY);
    onig_set_syntax_behavior(
        &ruby_syntax, onig_get_syntax_behavior(&ruby_syntax) & ~ONIG_SYN_VARIABLE_LEN_LOOK_BEHIND);
    onig_set_warn_func(onig_null_warn);
    onig_set_verb_warn_func(onig_null_warn);
  });
}

// A pattern as Ruby shows it between slashes.
std::string shown_between_slashes(std::string_view pattern) {
  std::string shown;
  for (size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      const size_t length = 1 + character_length(static_cast<unsigned char>(pattern[i + 1]));
      shown += pattern.substr(i, length);
      i += length;
      continue;
    }
    if (pattern[i] == '/') {
      shown += "\\/";
      ++i;
      continue;
    }
    const size_t start = i;
    const char32_t c = next_character(pattern, i);
    const bool is_control = c < 0x20 || c == 0x7F;
    const bool is_white = c == ' ' || (c >= '\t' && c <= '\r');
    if (c == kInvalidCharacter || (is_control && !is_white)) {
      shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(pattern[start]));
    } else {
      shown += pattern.substr(start, i - start);
    }
  }
  return shown;
}

RegexError error_in(std::string_view message, std::string_view pattern) {
  return RegexError(fmt::format("{}: /{}/", message, shown_between_slashes(pattern)));
}

// The region and the limits of a search, kept per thread so that a search allocates nothing.
struct Workspace {
  OnigRegion* region = onig_region_new();
  OnigMatchParam* limits = onig_new_match_param();
  Workspace() { onig_set_match_stack_limit_size_of_match_param(limits, kMatchStackEntries); }
  ~Workspace() {
    onig_region_free(region, 1);
    onig_free_match_param(limits);
  }
};

Workspace& workspace() {
  thread_local Workspace instance;
  return instance;
}

// Returns the engine's result. The region gets the groups; null: they are not needed.
int search_within(unsigned long retries, OnigRegex program, std::string_view text, size_t from,
                  OnigRegion* region) {
  OnigMatchParam* limits = workspace().limits;
  onig_set_retry_limit_in_match_of_match_param(limits, retries);
  onig_set_retry_limit_in_search_of_match_param(limits,
                                                retries + kRetriesPerSearchByte * text.size());
  const auto* begin = reinterpret_cast<const OnigUChar*>(text.data());
  const auto* end = begin + text.size();
  return onig_search_with_param(program, begin, end, begin + from, end, region, ONIG_OPTION_NONE,
                                limits);
}

bool is_given_up(int result) {
  return result == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER ||
         result == ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER || result == ONIGERR_MATCH_STACK_LIMIT_OVER;
}

int collect_name(const OnigUChar* name, const OnigUChar* name_end, int count, int* groups,
                 OnigRegex, void* target) {
  auto* all = static_cast<std::vector<Regex::NamedGroup>*>(target);
  all->push_back({std::string(name, name_end), std::vector<int>(groups, groups + count)});
  return 0;
}

// All patterns of the process. Sharded, so that threads rarely compete for a lock.
struct Shard {
  std::shared_mutex mutex;
  std::unordered_map<std::string_view, std::unique_ptr<const Regex>> patterns;
  // From data. When there are too many the table is cleared; users keep those in use.
  std::unordered_map<std::string_view, std::shared_ptr<const Regex>> recent;
};
constexpr size_t kMostRecent = 128;
constexpr size_t kShards = 16;

Shard& shard_of(size_t hash) {
  static auto* shards = new std::array<Shard, kShards>();
  return (*shards)[hash % kShards];
}

}  // namespace

const Regex* Regex::compile(std::string_view pattern) {
  Shard& shard = shard_of(std::hash<std::string_view>()(pattern));
  {
    const std::shared_lock lock(shard.mutex);
    auto found = shard.patterns.find(pattern);
    if (found != shard.patterns.end()) return found->second.get();
  }
  // NOLINTNEXTLINE(misc-const-correctness): try_emplace moves it.
  std::unique_ptr<const Regex> compiled(new Regex(pattern));
  const std::unique_lock lock(shard.mutex);
  // If another thread was faster, its pattern is kept.
  return shard.patterns.try_emplace(compiled->source(), std::move(compiled)).first->second.get();
}

std::shared_ptr<const Regex> Regex::compile_at_run_time(std::string_view pattern) {
  Shard& shard = shard_of(std::hash<std::string_view>()(pattern));
  {
    const std::shared_lock lock(shard.mutex);
    if (const auto found = shard.patterns.find(pattern); found != shard.patterns.end()) {
      return {std::shared_ptr<const Regex>(), found->second.get()};
    }
    if (const auto found = shard.recent.find(pattern); found != shard.recent.end()) {
      return found->second;
    }
  }
  std::shared_ptr<const Regex> compiled(new Regex(pattern));
  const std::unique_lock lock(shard.mutex);
  if (shard.recent.size() >= kMostRecent) shard.recent.clear();
  shard.recent.try_emplace(compiled->source(), compiled);
  return compiled;
}

Regex::Regex(std::string_view pattern) : source_(pattern) {
  is_literal_ = !pattern.empty() && pattern.find_first_of("\\^$.|?*+()[]{}") == pattern.npos;
  if (const auto plain = plain_pattern(pattern)) {
    group_count_ = plain->groups;
    return;
  }
  std::call_once(has_program_, [this] { compile_program(); });
  auto* const compiled = static_cast<OnigRegex>(program_);
  if (!has_valid_look_behinds(pattern)) {
    onig_free(compiled);
    throw error_in("invalid pattern in look-behind", pattern);
  }
  group_count_ = onig_number_of_captures(compiled);
  onig_foreach_name(compiled, collect_name, &named_groups_);
  std::ranges::sort(named_groups_,
                    [](const NamedGroup& a, const NamedGroup& b) { return a.groups < b.groups; });
}

void Regex::compile_program() const {
  initialize_engine();
  if (!is_valid_utf8(source_)) throw error_in("invalid multibyte character", source_);
  std::string translated;
  try {
    translated = translate_ruby_pattern(source_);
  } catch (const RegexError& error) {
    throw error_in(error.what(), source_);
  }
  const auto* begin = reinterpret_cast<const OnigUChar*>(translated.data());
  OnigRegex compiled = nullptr;
  OnigErrorInfo details{};
  const int status = onig_new(&compiled, begin, begin + translated.size(), ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8, &ruby_syntax, &details);
  if (status != ONIG_NORMAL) {
    OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
    const int length = onig_error_code_to_str(message, status, &details);
    throw error_in({reinterpret_cast<char*>(message), static_cast<size_t>(length)}, source_);
  }
  program_ = compiled;
}

Regex::~Regex() {
  delete fast_.load();
  if (program_ != nullptr) onig_free(static_cast<OnigRegex>(program_));
}

bool Regex::search(std::string_view text, size_t from, Captures& captures) const {
  return search(text, from, &captures);
}

bool Regex::matches(std::string_view text) const {
  return search(text, 0, nullptr);
}

bool Regex::search(std::string_view text, size_t from, Captures* captures) const {
  if (from > text.size()) return false;
  if (text.size() > INT_MAX) throw RegexError("text of more than 2 GB cannot be searched");
  if (from == 0 && !is_valid_utf8(text)) {
    throw RegexError("regex against a string that is not valid UTF-8");
  }
  if (const FastRegex* quick = fast()) {
    std::span<const size_t> offsets;
    switch (quick->search(text, from, offsets)) {
      case FastRegex::Answer::kNoMatch:
        return false;
      case FastRegex::Answer::kGivenUp:
        break;
      case FastRegex::Answer::kMatch:
        if (captures != nullptr) {
          captures->ranges_.resize(offsets.size() / 2);
          for (size_t i = 0; i < captures->ranges_.size(); ++i) {
            // An unset offset becomes -1.
            captures->ranges_[i] = {static_cast<int32_t>(offsets[2 * i]),
                                    static_cast<int32_t>(offsets[2 * i + 1])};
          }
        }
        return true;
    }
  }
  return search_slowly(text, from, captures);
}

const FastRegex* Regex::fast() const {
  const FastRegex* made = fast_.load(std::memory_order_acquire);
  if (made != nullptr || searches_.load(std::memory_order_relaxed) > kSearchesBeforeFast) {
    return made;
  }
  // Only one thread reaches exactly this count.
  if (searches_.fetch_add(1, std::memory_order_relaxed) == kSearchesBeforeFast) {
    fast_.store(FastRegex::compile(source_).release(), std::memory_order_release);
  }
  return nullptr;
}

bool Regex::search_slowly(std::string_view text, size_t from, Captures* captures) const {
  std::call_once(has_program_, [this] { compile_program(); });
  const Workspace& work = workspace();
  OnigRegion* region = captures == nullptr ? nullptr : work.region;
  auto* program = static_cast<OnigRegex>(program_);
  int found = search_within(kFirstRetries, program, text, from, region);
  if (is_given_up(found)) {
    // Usually there is no match.
    const FastRegex::Answer answer = FastRegex::has_match(source_, text, from);
    if (answer == FastRegex::Answer::kNoMatch) return false;
    if (answer == FastRegex::Answer::kMatch && captures == nullptr) return true;
    found = search_within(kRetriesPerMatch, program, text, from, region);
  }
  if (found == ONIG_MISMATCH) return false;
  if (is_given_up(found)) {
    throw error_in("the regular expression needs too many steps for the text", source_);
  }
  if (found < 0) {
    OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
    const int length = onig_error_code_to_str(message, found);
    throw error_in({reinterpret_cast<char*>(message), static_cast<size_t>(length)}, source_);
  }
  if (captures != nullptr) {
    captures->ranges_.resize(static_cast<size_t>(work.region->num_regs));
    for (size_t i = 0; i < captures->ranges_.size(); ++i) {
      captures->ranges_[i] = {work.region->beg[i], work.region->end[i]};
    }
  }
  return true;
}

std::string escape_regex(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    constexpr std::string_view kSpecial = "[]{}()|-*.\\?+^$# ";
    constexpr std::string_view kControl = "\t\f\v\n\r";
    constexpr std::string_view kLetters = "tfvnr";
    const size_t control = kControl.find(c);
    if (control != std::string_view::npos) {
      escaped += '\\';
      escaped += kLetters[control];
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace bunraku

// The functions of the store's SQL for SQLite.
#include "store/database/sqlite_functions.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>
#include <sqlite3.h>

#include <array>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/text/ascii.h"
#include "net/compression.h"
#include "store/database/json_text.h"
#include "store/error.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

constexpr size_t kLargestUnpacked = size_t{1} << 30;
constexpr uint32_t kMostMatchSteps = 2'000'000;

using Arguments = sqlite3_value**;

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<size_t>(sqlite3_value_bytes(value))};
}

bool is_null(sqlite3_value* value) {
  return sqlite3_value_type(value) == SQLITE_NULL;
}

void answer(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void refuse(sqlite3_context* context, const std::string& message) {
  const std::string text = std::string(kInputError) + message;
  sqlite3_result_error(context, text.c_str(), static_cast<int>(text.size()));
}

// --- regular expressions, in PostgreSQL's dialect as far as PCRE2 has it ---

[[noreturn]] void refuse_pattern(std::string_view reason) {
  throw StoreError(StoreErrorKind::kInput, fmt::format("invalid regular expression: {}", reason));
}

// Writes an escape in PCRE2's syntax; `at` is the letter after the backslash.
void translate_escape(std::string_view pattern, size_t at, std::string& to) {
  const char letter = pattern[at];
  const bool is_word = std::isalpha(static_cast<unsigned char>(letter)) != 0;
  switch (letter) {
    case 'y':
      to += "\\b";
      break;
    case 'Y':
      to += "\\B";
      break;
    case 'm':
      to += "\\b(?=\\w)";
      break;
    case 'M':
      to += "\\b(?<=\\w)";
      break;
    case 'b':
      to += "\\x08";
      break;
    case 'B':
      to += "\\\\";
      break;
    case 'Z':
      to += "\\z";
      break;
    case 'u':  // followed by four digits
      if (pattern.size() < at + 5) refuse_pattern("invalid escape \\ sequence");
      to += "\\x{" + std::string(pattern.substr(at + 1, 4)) + "}";
      break;
    default:
      if (is_word && std::string_view("aAcdDefnrsStvwWx").find(letter) == std::string_view::npos) {
        refuse_pattern("invalid escape \\ sequence");
      }
      to += '\\';
      to += letter;
  }
}

// Throws for an invalid bound. Braces followed by a digit are a bound; PCRE2 would accept an
// invalid one literally.
void check_bound(std::string_view rest) {
  if (rest.size() < 2 || !is_digit(rest[1])) return;
  const size_t end = rest.find_first_not_of("0123456789,", 1);
  if (end == std::string_view::npos || rest[end] != '}') refuse_pattern("braces {} not balanced");
  constexpr int kMostRepetitions = 255;
  const std::string first(rest.substr(1, rest.find_first_of(",}") - 1));
  if (first.size() > 3 || std::stoi(first) > kMostRepetitions) {
    refuse_pattern("invalid repetition count(s)");
  }
}

// The position after the bracket that closes the one at `at`.
size_t bracket_end(std::string_view pattern, size_t at) {
  ++at;
  if (at < pattern.size() && pattern[at] == '^') ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\') ++at;
    const bool is_class = pattern.substr(at).starts_with("[:");
    at = is_class ? std::min(pattern.find(":]", at), pattern.size()) + 2 : at + 1;
  }
  return std::min(at + 1, pattern.size());
}

// Converts PostgreSQL's escapes and bounds to PCRE2's syntax. Throws StoreError (kInput).
std::string pcre_pattern(std::string_view pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '[') {
      const size_t end = bracket_end(pattern, i);
      result += pattern.substr(i, end - i);
      i = end - 1;
      continue;
    }
    if (pattern[i] == '\\') {
      if (++i == pattern.size()) refuse_pattern("invalid escape \\ sequence");
      translate_escape(pattern, i, result);
      if (pattern[i] == 'u') i += 4;
      continue;
    }
    if (pattern[i] == '{') check_bound(pattern.substr(i));
    result += pattern[i];
  }
  return result;
}

class Pattern {
 public:
  explicit Pattern(std::string_view text) {
    std::string pattern;
    try {
      pattern = pcre_pattern(text);
    } catch (const StoreError& error) {
      error_ = error.what();
      return;
    }
    int code = 0;
    PCRE2_SIZE offset = 0;
    program_ = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                             PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY, &code,
                             &offset, nullptr);
    if (program_ == nullptr) {
      std::array<PCRE2_UCHAR, 200> message{};
      pcre2_get_error_message(code, message.data(), message.size());
      error_ = fmt::format("invalid regular expression: {}",
                           reinterpret_cast<const char*>(message.data()));
      return;
    }
    pcre2_jit_compile(program_, PCRE2_JIT_COMPLETE);
    match_ = pcre2_match_data_create(1, nullptr);
    limits_ = pcre2_match_context_create(nullptr);
    pcre2_set_match_limit(limits_, kMostMatchSteps);
  }
  ~Pattern() {
    pcre2_match_context_free(limits_);
    pcre2_match_data_free(match_);
    pcre2_code_free(program_);
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  const std::string& error() const { return error_; }
  bool matches(std::string_view text) const {
    return pcre2_match(program_, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                       PCRE2_NO_UTF_CHECK, match_, limits_) >= 0;
  }

 private:
  pcre2_code* program_ = nullptr;
  pcre2_match_data* match_ = nullptr;
  pcre2_match_context* limits_ = nullptr;
  std::string error_;
};

// The pattern of an argument, compiled once for each statement. Returns null for an invalid one:
// the statement fails.
const Pattern* pattern_of(sqlite3_context* context, Arguments arguments, int index) {
  auto* known = static_cast<const Pattern*>(sqlite3_get_auxdata(context, index));
  if (known == nullptr) {
    auto made = std::make_unique<Pattern>(text_of(arguments[index]));
    if (!made->error().empty()) {
      refuse(context, made->error());
      return nullptr;
    }
    sqlite3_set_auxdata(context, index, made.release(),
                        [](void* data) { delete static_cast<Pattern*>(data); });
    known = static_cast<const Pattern*>(sqlite3_get_auxdata(context, index));
    if (known == nullptr) sqlite3_result_error_nomem(context);
  }
  return known;
}

void matches(sqlite3_context* context, int, Arguments arguments) {
  const Pattern* pattern = pattern_of(context, arguments, 1);
  if (pattern == nullptr || is_null(arguments[0])) return;
  sqlite3_result_int(context, pattern->matches(text_of(arguments[0])) ? 1 : 0);
}

void has_match(sqlite3_context* context, int, Arguments arguments) {
  const Pattern* pattern = pattern_of(context, arguments, 1);
  if (pattern == nullptr || is_null(arguments[0])) return;
  bool is_found = false;
  for_each_part(text_of(arguments[0]), [&](std::string_view, std::string_view item) {
    return !(is_found = pattern->matches(json_plain_text(item)));
  });
  sqlite3_result_int(context, is_found ? 1 : 0);
}

// Compares item by item. An expression matches names and the digits of indexes, but an expression
// of only digits matches only names; an integer matches an index. The third argument is whether
// expressions must match whole items.
void path_matches(sqlite3_context* context, int, Arguments arguments) {
  const bool is_whole = sqlite3_value_int(arguments[2]) != 0;
  struct Step {
    std::unique_ptr<Pattern> pattern;  // null: an index
    bool is_for_names = false;         // a pattern of only digits
    std::string index;
  };
  using Steps = std::vector<Step>;
  auto* steps = static_cast<Steps*>(sqlite3_get_auxdata(context, 1));
  if (steps == nullptr) {
    auto made = std::make_unique<Steps>();
    std::string error;
    for_each_part(text_of(arguments[1]), [&](std::string_view, std::string_view item) {
      Step step;
      if (item.starts_with('"')) {
        const std::string text = json_plain_text(item);
        step.pattern = std::make_unique<Pattern>(is_whole ? "^(?:" + text + ")$" : text);
        step.is_for_names = text.find_first_not_of("0123456789") == std::string::npos;
        error = step.pattern->error();
      } else {
        step.index = item;
      }
      made->push_back(std::move(step));
      return error.empty();
    });
    if (!error.empty()) return refuse(context, error);
    sqlite3_set_auxdata(context, 1, made.release(),
                        [](void* data) { delete static_cast<Steps*>(data); });
    steps = static_cast<Steps*>(sqlite3_get_auxdata(context, 1));
    if (steps == nullptr) return sqlite3_result_error_nomem(context);
  }
  size_t index = 0;
  bool is_match = true;
  for_each_part(text_of(arguments[0]), [&](std::string_view, std::string_view item) {
    if (index == steps->size()) return is_match = false;
    const Step& step = (*steps)[index++];
    const bool is_name = item.starts_with('"');
    return is_match = step.pattern != nullptr ? (is_name || !step.is_for_names) &&
                                                    step.pattern->matches(json_plain_text(item))
                                              : !is_name && step.index == item;
  });
  sqlite3_result_int(context, is_match && index == steps->size() ? 1 : 0);
}

// --- JSON ---

void at(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  if (const auto found = json_at(text_of(arguments[0]), text_of(arguments[1]))) {
    answer(context, *found);
  }
}

void equal(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0]) || is_null(arguments[1])) return;
  sqlite3_result_int(context, json_equal(text_of(arguments[0]), text_of(arguments[1])) ? 1 : 0);
}

void contains(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0]) || is_null(arguments[1])) return;
  sqlite3_result_int(context, json_contains(text_of(arguments[0]), text_of(arguments[1])) ? 1 : 0);
}

void answer_number(sqlite3_context* context, std::string_view text) {
  int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size()) {
    sqlite3_result_int64(context, integer);
  } else {
    sqlite3_result_double(context, std::strtod(std::string(text).c_str(), nullptr));
  }
}

void number(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  const std::string_view json = text_of(arguments[0]);
  if (json_kind(json) == JsonKind::kNumber) answer_number(context, json);
}

void numeric(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  const std::string text = json_plain_text(text_of(arguments[0]));
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    return refuse(context, fmt::format("invalid input syntax for type numeric: \"{}\"", text));
  }
  answer_number(context, text);
}

void plain_text(sqlite3_context* context, int, Arguments arguments) {
  if (!is_null(arguments[0])) answer(context, json_plain_text(text_of(arguments[0])));
}

void exact(sqlite3_context* context, int, Arguments arguments) {
  if (!is_null(arguments[0])) answer(context, text_of(arguments[0]));
}

void type_of(sqlite3_context* context, int, Arguments arguments) {
  if (!is_null(arguments[0])) answer(context, json_kind_name(text_of(arguments[0])));
}

void has(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0]) || is_null(arguments[1])) return;
  std::string wanted;
  append_json_string(wanted, text_of(arguments[1]));
  bool is_found = false;
  for_each_part(text_of(arguments[0]), [&](std::string_view, std::string_view item) {
    return !(is_found = item == wanted);
  });
  sqlite3_result_int(context, is_found ? 1 : 0);
}

void order_of(sqlite3_context* context, int, Arguments arguments) {
  if (!is_null(arguments[0])) answer(context, json_order(text_of(arguments[0])));
}

void path_text(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  std::string text;
  for_each_part(text_of(arguments[0]), [&](std::string_view, std::string_view item) {
    if (!text.empty()) text += "#~";
    text += json_plain_text(item);
    return true;
  });
  answer(context, text);
}

// --- the rest ---

void pack(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  const auto packed = net::gzip(text_of(arguments[0]));
  if (!packed) return sqlite3_result_error_nomem(context);
  sqlite3_result_blob64(context, packed->data(), packed->size(), SQLITE_TRANSIENT);
}

void unpack(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  const auto text = unpacked_text({static_cast<const char*>(sqlite3_value_blob(arguments[0])),
                                   static_cast<size_t>(sqlite3_value_bytes(arguments[0]))});
  if (!text) return sqlite3_result_error(context, "a packed value is damaged", -1);
  answer(context, *text);
}

void time_of(sqlite3_context* context, int, Arguments arguments) {
  if (!is_null(arguments[0])) answer(context, time_text(sqlite3_value_int64(arguments[0])));
}

void time_format(sqlite3_context* context, int, Arguments arguments) {
  if (is_null(arguments[0])) return;
  answer(context, formatted_time(sqlite3_value_int64(arguments[0]), text_of(arguments[1])));
}

using Function = void (*)(sqlite3_context*, int, Arguments);
struct NamedFunction {
  const char* name;
  int arguments;
  Function function;
};
constexpr std::array<NamedFunction, 19> kFunctions{{
    {"bk_at", 2, at},
    {"bk_equal", 2, equal},
    {"bk_contains", 2, contains},
    {"bk_number", 1, number},
    {"bk_numeric", 1, numeric},
    {"bk_text", 1, plain_text},
    {"bk_exact", 1, exact},
    {"bk_matches", 2, matches},
    {"bk_has", 2, has},
    {"bk_has_match", 2, has_match},
    {"bk_path_matches", 3, path_matches},
    {"bk_pack", 1, pack},
    {"bk_unpack", 1, unpack},
    {"bk_time", 1, time_of},
    {"bk_time_format", 2, time_format},
    {"jsonb_typeof", 1, type_of},
    {"bk_json", 1, exact},
    {"bk_order", 1, order_of},
    {"bk_path_text", 1, path_text},
}};

// Calls a function and catches exceptions, which must not pass through SQLite.
template <size_t index>
void guarded(sqlite3_context* context, int count, Arguments arguments) {
  try {
    kFunctions[index].function(context, count, arguments);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

template <size_t... indexes>
void register_all(sqlite3* database, std::index_sequence<indexes...>) {
  const auto add = [&](const NamedFunction& function, Function guard) {
    const int code =
        sqlite3_create_function_v2(database, function.name, function.arguments,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                   guard, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
      throw StoreError(StoreErrorKind::kDatabase, "A function cannot be added to SQLite");
    }
  };
  (add(kFunctions[indexes], guarded<indexes>), ...);
}

}  // namespace

std::optional<std::string> unpacked_text(std::string_view packed) {
  return net::gunzip(packed, kLargestUnpacked);
}

void register_sqlite_functions(sqlite3* database) {
  register_all(database, std::make_index_sequence<kFunctions.size()>());
  register_sqlite_tables(database);
}

}  // namespace bunraku::store

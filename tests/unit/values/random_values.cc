#include "random_values.h"

#include <limits>

#include "types/type_text.h"
#include "values/sem_ver.h"
#include "values/uri.h"

namespace bunraku::testing {
namespace {

template <typename T>
T one_of(std::initializer_list<T> choices) {
  return *rc::gen::elementOf(std::vector<T>(choices));
}

int64_t random_integer() {
  if (*rc::gen::inRange(0, 4) == 0) {
    return one_of<int64_t>({0, -1, std::numeric_limits<int64_t>::max(),
                            std::numeric_limits<int64_t>::min() + 1, 1'000'000'000'000'000'000});
  }
  return *rc::gen::arbitrary<int64_t>() >> *rc::gen::inRange(0, 60);
}

Value integer(Arena&) {
  return Value::integer(random_integer());
}

// String() prints six decimals.
Value short_float(Arena&) {
  return Value::floating(static_cast<double>(random_integer() >> 20) / 64);
}

Value boolean(Arena&) {
  return Value::boolean(*rc::gen::arbitrary<bool>());
}

Value string(Arena& arena) {
  return Value::string(arena, random_text());
}

Value regexp(Arena& arena) {
  return Value::regexp(
      arena.copy(one_of<std::string>({"", "a", "a/b", "^\\s+$", "(?<n>x)|y", "[[:alpha:]]"})));
}

Value binary(Arena& arena) {
  std::string bytes;
  for (int i = *rc::gen::inRange(0, 9); i > 0; --i) {
    bytes += static_cast<char>(*rc::gen::inRange(0, 256));
  }
  return Value::binary(arena.copy(bytes));
}

std::string version_text() {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) text += '.';
    text += std::to_string(*rc::gen::inRange(0, 30));
  }
  return text + one_of<std::string>({"", "", "-rc1", "-a.1", "+b2"});
}

Value sem_ver(Arena& arena) {
  return Value::sem_ver(parse_sem_ver(arena, arena.copy(version_text())));
}

Value sem_ver_range(Arena& arena) {
  std::string text = one_of<std::string>({">=", "<", "~", "^", "="});
  text += std::to_string(*rc::gen::inRange(0, 9)) + "." + std::to_string(*rc::gen::inRange(0, 9)) +
          ".0";
  return Value::sem_ver_range(parse_sem_ver_range(arena, arena.copy(text)));
}

// As in the reference, text cannot have leading zeros in a fraction.
Value timespan(Arena&) {
  constexpr int64_t kTenth = 100'000'000;
  return Value::timespan((random_integer() >> 1) / kTenth * kTenth);
}

Value timestamp(Arena&) {
  return Value::timestamp(random_integer() >> 1);
}

Value uri(Arena& arena) {
  std::string text = one_of<std::string>({"http://", "ftp://user@", "file:///"});
  text += one_of<std::string>({"a", "b.example.com"});
  text += one_of<std::string>({"", "/x/y", "/a?b=c", "/a#f"});
  return Value::uri(parse_uri(arena, arena.copy(text)));
}

Value type(Arena& arena) {
  return Value::type(parse_type(arena, *type_text(2), nullptr));
}

constexpr ScalarKind kScalarKinds[] = {
    {"Integer", integer},   {"Float", short_float},   {"Numeric", integer},
    {"Boolean", boolean},   {"String", string},       {"Regexp", regexp},
    {"Binary", binary},     {"SemVer", sem_ver},      {"SemVerRange", sem_ver_range},
    {"Timespan", timespan}, {"Timestamp", timestamp}, {"URI", uri},
    {"Type", type},
};

}  // namespace

rc::Gen<std::string> type_text(int depth) {
  auto leaf = rc::gen::element<std::string>(
      "Any", "Undef", "Default", "Scalar", "ScalarData", "Numeric", "Integer", "Integer[0]",
      "Integer[1, 5]", "Integer[3, 3]", "Float", "Float[0.0, 1.5]", "Boolean", "Boolean[true]",
      "String", "String[1]", "String[2, 4]", "Enum['a']", "Enum['a', 'bcd']", "Enum['A', true]",
      "Pattern[/a/]", "Pattern[/b/, /c/]", "Regexp", "Regexp[/x/]", "Collection", "Collection[1]",
      "Binary", "SemVer", "SemVer['1.x']", "SemVerRange", "Timespan", "Timestamp", "URI",
      "CatalogEntry", "Sensitive", "NotUndef", "Class['a']", "File['x']", "Resource", "Data",
      "RichData", "Callable", "Type");
  if (depth == 0) return leaf;
  auto inner = rc::gen::lazy([depth] { return type_text(depth - 1); });
  auto around = [&inner](const std::string& before, const std::string& after) {
    return rc::gen::map(inner, [=](const std::string& text) { return before + text + after; });
  };
  auto pair = [&inner](const std::string& before, const std::string& after) {
    return rc::gen::map(rc::gen::pair(inner, inner),
                        [=](const std::pair<std::string, std::string>& texts) {
                          return before + texts.first + ", " + texts.second + after;
                        });
  };
  return rc::gen::oneOf(leaf, around("Array[", "]"), around("Array[", ", 1, 3]"),
                        around("Hash[String, ", "]"), around("Optional[", "]"),
                        around("Type[", "]"), around("Iterable[", "]"),
                        around("Struct[{'a' => ", "}]"), around("Struct[{Optional['b'] => ", "}]"),
                        pair("Variant[", "]"), pair("Tuple[", "]"), pair("Tuple[", ", 1, 4]"),
                        pair("Hash[", "]"), around("Callable[", ", 1, 2]"));
}

Value plain_value(Arena& arena, int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 6 : 8)) {
    case 0:
      return Value::undef();
    case 1:
      return Value::boolean(*rc::gen::arbitrary<bool>());
    case 2:
      return Value::integer(*rc::gen::inRange(-3, 6));
    case 3:
      return Value::floating(*rc::gen::inRange(-3, 6) / 2.0);
    case 4:
      return Value::string(arena, *rc::gen::element<std::string>("", "a", "bcd", "A"));
    case 5:
      return Value::default_value();
    case 6: {
      ArrayBuilder items(arena);
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) items.push(plain_value(arena, depth - 1));
      return items.finish();
    }
    default: {
      HashBuilder entries(arena);
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        entries.set(plain_value(arena, 0), plain_value(arena, depth - 1));
      }
      return entries.finish();
    }
  }
}

std::string random_text() {
  std::string text;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    text += *rc::gen::element<std::string>("a", "B", "0", " ", "'", "\"", "\\", "\n", "\t", "$",
                                           "{", "\x01", "\x7f", "é", "日", "\U0001F600", "\u2028",
                                           "__ptype");
  }
  return text;
}

std::span<const ScalarKind> scalar_kinds() {
  return kScalarKinds;
}

Value rich_value(Arena& arena, int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 3 : 6)) {
    case 0:
      return one_of<Value>({Value::undef(), Value::default_value(), Value::floating(1.0e300),
                            Value::floating(-0.1), Value::floating(5e-324)});
    case 1:
    case 2:
      return (*rc::gen::elementOf(
                  std::vector<ScalarKind>(std::begin(kScalarKinds), std::end(kScalarKinds))))
          .make(arena);
    case 3:
      return Value::sensitive(arena, rich_value(arena, 0));
    case 4: {
      ArrayBuilder items(arena);
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) items.push(rich_value(arena, depth - 1));
      return items.finish();
    }
    default: {
      HashBuilder entries(arena);
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        const bool has_plain_key = *rc::gen::arbitrary<bool>();
        const Value key = has_plain_key ? string(arena) : rich_value(arena, 0);
        entries.set(key, rich_value(arena, depth - 1));
      }
      return entries.finish();
    }
  }
}

}  // namespace bunraku::testing

// Reading and writing plain data in the Marshal format.
#include "ruby/types/datum_marshal.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace bunraku::ruby_types {
namespace {

using apply::Datum;
using apply::DatumKind;

constexpr int kMostLevels = 500;
// Larger integers are written as bignums.
constexpr int64_t kLargestFixnum = (int64_t{1} << 30) - 1;

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) { out_ += "\x04\x08"; }

  void write(const Datum& datum, int level = 0) {
    if (level > kMostLevels) throw MarshalError("a value is nested too deeply");
    switch (datum.kind()) {
      case DatumKind::kNull:
        out_ += '0';
        break;
      case DatumKind::kBoolean:
        out_ += datum.boolean_value() ? 'T' : 'F';
        break;
      case DatumKind::kInteger:
        write_integer(datum.integer_value());
        break;
      case DatumKind::kFloat:
        write_float(datum.float_value());
        break;
      case DatumKind::kString:
      case DatumKind::kScalar:
        write_text('"', datum.text());
        break;
      case DatumKind::kRegexp:
        write_regexp(datum.text());
        break;
      case DatumKind::kSymbol:
        write_text(':', datum.text());
        break;
      case DatumKind::kBinary:
        out_ += '"';
        write_bytes(datum.text());
        break;
      case DatumKind::kTime:
        write_text('"', apply::iso_time(datum.time_value()));
        break;
      case DatumKind::kArray:
        out_ += '[';
        write_length(static_cast<int64_t>(datum.items().size()));
        for (const Datum& item : datum.items()) write(item, level + 1);
        break;
      case DatumKind::kHash:
        out_ += '{';
        write_length(static_cast<int64_t>(datum.entries().size()));
        for (const auto& [key, value] : datum.entries()) {
          write(key, level + 1);
          write(value, level + 1);
        }
        break;
      case DatumKind::kSensitive:
        // The class is dumped with its value in a list.
        out_ += "U:";
        write_bytes("Puppet::Pops::Types::PSensitiveType::Sensitive");
        write(Datum::array(datum.items()), level + 1);
        break;
    }
  }

 private:
  // Writes a length or small integer: one byte, or a count of bytes and then these, the lowest
  // first.
  void write_length(int64_t value) {
    if (value == 0) {
      out_ += '\0';
    } else if (value > 0 && value < 123) {
      out_ += static_cast<char>(value + 5);
    } else if (value < 0 && value > -124) {
      out_ += static_cast<char>(value - 5);
    } else {
      std::string bytes;
      int64_t rest = value;
      const int64_t end = value < 0 ? -1 : 0;
      while (rest != end) {
        bytes += static_cast<char>(rest & 0xff);
        rest >>= 8;
      }
      const auto count = static_cast<int>(bytes.size());
      out_ += static_cast<char>(value < 0 ? -count : count);
      out_ += bytes;
    }
  }

  void write_integer(int64_t value) {
    if (value >= -kLargestFixnum - 1 && value <= kLargestFixnum) {
      out_ += 'i';
      write_length(value);
      return;
    }
    out_ += 'l';
    out_ += value < 0 ? '-' : '+';
    auto rest =
        value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    std::string bytes;
    while (rest != 0) {
      bytes += static_cast<char>(rest & 0xff);
      rest >>= 8;
    }
    if (bytes.size() % 2 != 0) bytes += '\0';
    write_length(static_cast<int64_t>(bytes.size() / 2));
    out_ += bytes;
  }

  void write_float(double value) {
    out_ += 'f';
    write_bytes(value != value     ? std::string("nan")
                : value > 1.7e308  ? std::string("inf")
                : value < -1.7e308 ? std::string("-inf")
                                   : fmt::format("{}", value));
  }

  void write_bytes(std::string_view bytes) {
    write_length(static_cast<int64_t>(bytes.size()));
    out_ += bytes;
  }

  // Writes a text with the mark of UTF-8: the instance variable E is true.
  void write_text(char kind, std::string_view text) {
    out_ += 'I';
    out_ += kind;
    write_bytes(text);
    write_utf8_mark();
  }

  void write_regexp(std::string_view source) {
    out_ += "I/";
    write_bytes(source);
    out_ += '\0';  // no options
    write_utf8_mark();
  }

  void write_utf8_mark() {
    write_length(1);
    out_ += ':';
    write_bytes("E");
    out_ += 'T';
  }

  std::string& out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    if (take(2) != "\x04\x08") fail();
  }

  Datum read(int level = 0) {
    if (level > kMostLevels) throw MarshalError("a value is nested too deeply");
    switch (take(1)[0]) {
      case '0':
        return {};
      case 'T':
        return Datum::boolean(true);
      case 'F':
        return Datum::boolean(false);
      case 'i':
        return Datum::integer(read_length());
      case 'l':
        return keep(read_big());
      case 'f':
        return keep(Datum::number(read_float()));
      case ':':
        return Datum::symbol(read_new_symbol());
      case ';':
        return Datum::symbol(symbols_.at(index(symbols_.size())));
      case '@':
        return objects_.at(index(objects_.size()));
      case '"':
        return keep(Datum::binary(take_bytes()));
      case 'I':
        return read_with_variables(level);
      case '[':
        return read_array(level);
      case '{':
        return read_hash(level);
      default:
        fail();
    }
  }

 private:
  [[noreturn]] static void fail() { throw MarshalError("a message cannot be read"); }

  std::string_view take(size_t count) {
    if (rest_.size() < count) fail();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  int64_t read_length() {
    const auto first = static_cast<signed char>(take(1)[0]);
    if (first == 0) return 0;
    if (first > 4) return first - 5;
    if (first < -4) return first + 5;
    const int count = first < 0 ? -first : first;
    int64_t value = first < 0 ? -1 : 0;
    for (int i = 0; i < count; ++i) {
      const auto byte = static_cast<int64_t>(static_cast<unsigned char>(take(1)[0]));
      value &= ~(int64_t{0xff} << (8 * i));
      value |= byte << (8 * i);
    }
    return value;
  }

  size_t read_count() {
    const int64_t count = read_length();
    // Each element takes at least one byte.
    if (count < 0 || static_cast<size_t>(count) > rest_.size()) fail();
    return static_cast<size_t>(count);
  }

  size_t index(size_t size) {
    const int64_t found = read_length();
    if (found < 0 || static_cast<size_t>(found) >= size) fail();
    return static_cast<size_t>(found);
  }

  std::string_view take_bytes() { return take(read_count()); }

  std::string read_new_symbol() {
    symbols_.emplace_back(take_bytes());
    return symbols_.back();
  }

  Datum keep(Datum datum) {
    objects_.push_back(datum);
    return datum;
  }

  Datum read_big() {
    const bool is_negative = take(1) == "-";
    const size_t size = read_count() * 2;
    const std::string_view bytes = take(size);
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<uint64_t>(static_cast<unsigned char>(bytes[i]));
      if (i >= 8 && byte != 0) throw MarshalError("an integer has more than 64 bits");
      if (i < 8) value |= byte << (8 * i);
    }
    return Datum::integer(static_cast<int64_t>(is_negative ? uint64_t{0} - value : value));
  }

  double read_float() {
    const std::string text(take_bytes());
    if (text == "inf") return HUGE_VAL;
    if (text == "-inf") return -HUGE_VAL;
    if (text == "nan") return std::strtod("nan", nullptr);
    return std::strtod(text.c_str(), nullptr);
  }

  // Reads a string or symbol with its encoding: UTF-8 or ASCII; other encodings are never sent.
  Datum read_with_variables(int level) {
    const char kind = take(1)[0];
    size_t place = 0;
    std::string text;
    if (kind == '"') {
      place = objects_.size();
      objects_.emplace_back();
      text = take_bytes();
    } else if (kind == ':') {
      text = read_new_symbol();
    } else {
      fail();
    }
    for (size_t count = read_count(); count > 0; --count) {
      read(level + 1);
      read(level + 1);
    }
    if (kind == ':') return Datum::symbol(text);
    return objects_[place] = Datum::string(text);
  }

  Datum read_array(int level) {
    const size_t place = objects_.size();
    objects_.emplace_back();
    Datum::List items;
    for (size_t count = read_count(); count > 0; --count) items.push_back(read(level + 1));
    return objects_[place] = Datum::array(std::move(items));
  }

  Datum read_hash(int level) {
    const size_t place = objects_.size();
    objects_.emplace_back();
    Datum::Entries entries;
    for (size_t count = read_count(); count > 0; --count) {
      Datum key = read(level + 1);
      entries.emplace_back(std::move(key), read(level + 1));
    }
    return objects_[place] = Datum::hash(std::move(entries));
  }

  std::string_view rest_;
  std::vector<std::string> symbols_;
  std::vector<Datum> objects_;
};

}  // namespace

std::string to_marshal(const Datum& datum) {
  std::string out;
  Writer(out).write(datum);
  return out;
}

Datum from_marshal(std::string_view bytes) {
  return Reader(bytes).read();
}

}  // namespace bunraku::ruby_types

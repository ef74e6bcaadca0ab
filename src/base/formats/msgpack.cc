// MessagePack.
#include "base/formats/msgpack.h"

#include <bit>
#include <limits>
#include <vector>

#include "base/formats/data_builder.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"

namespace bunraku {
namespace {

class Reader {
 public:
  Reader(std::string_view bytes, Arena& arena) : rest_(bytes), arena_(arena) {}

  DataNode read_all() {
    const DataNode node = value(0);
    if (!rest_.empty()) throw DataError("something follows the MessagePack value");
    return node;
  }

 private:
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) throw DataError("the MessagePack value is torn");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  uint64_t number(size_t size) {
    uint64_t result = 0;
    for (const char c : take(size)) result = result << 8 | static_cast<uint8_t>(c);
    return result;
  }
  DataNode string(uint64_t size) {
    return DataNode::text(DataKind::kString, arena_.copy(take(size)));
  }
  static DataNode signed_integer(uint64_t bits, size_t size) {
    const size_t unused = 64 - 8 * size;
    return DataNode::integer(static_cast<int64_t>(bits << unused) >> unused);
  }
  DataNode unsigned_integer(uint64_t value) {
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return DataNode::integer(static_cast<int64_t>(value));
    }
    return DataNode::text(DataKind::kBigInteger, arena_.copy(std::to_string(value)));
  }

  DataNode array(uint64_t count, uint32_t depth) {
    DataArrayBuilder items;
    for (uint64_t i = 0; i < count; ++i) items.add(value(depth + 1));
    return items.finish(arena_);
  }
  DataNode map(uint64_t count, uint32_t depth) {
    DataHashBuilder entries;
    for (uint64_t i = 0; i < count; ++i) {
      const DataNode key = value(depth + 1);
      if (!key.is(DataKind::kString)) throw DataError("a key of a MessagePack map is no string");
      entries.set(key, value(depth + 1));
    }
    return entries.finish(arena_);
  }

  DataNode value(uint32_t depth) {
    if (depth > kJsonDepth) throw DataError("the MessagePack value is too deep");
    const auto tag = static_cast<uint8_t>(take(1).front());
    if (tag < 0x80) return DataNode::integer(tag);
    if (tag < 0x90) return map(tag & 0x0f, depth);
    if (tag < 0xa0) return array(tag & 0x0f, depth);
    if (tag < 0xc0) return string(tag & 0x1f);
    if (tag >= 0xe0) return DataNode::integer(static_cast<int8_t>(tag));
    switch (tag) {
      case 0xc0:
        return {};
      case 0xc2:
      case 0xc3:
        return DataNode::boolean(tag == 0xc3);
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return DataNode::byte_string(arena_.copy(take(number(size_t{1} << (tag - 0xc4)))));
      case 0xca:
        return DataNode::floating(std::bit_cast<float>(static_cast<uint32_t>(number(4))));
      case 0xcb:
        return DataNode::floating(std::bit_cast<double>(number(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return unsigned_integer(number(size_t{1} << (tag - 0xcc)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: {
        const size_t size = size_t{1} << (tag - 0xd0);
        return signed_integer(number(size), size);
      }
      case 0xd9:
      case 0xda:
      case 0xdb:
        return string(number(size_t{1} << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return array(number(tag == 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return map(number(tag == 0xde ? 2 : 4), depth);
      default:
        throw DataError("a MessagePack value has an unsupported type");
    }
  }

  std::string_view rest_;
  Arena& arena_;
};

class Writer {
 public:
  void write(const DataNode& node) {
    switch (node.kind()) {
      case DataKind::kNull:
        return tag(0xc0);
      case DataKind::kBoolean:
        return tag(node.boolean_value() ? 0xc3 : 0xc2);
      case DataKind::kInteger:
        return integer(node.integer_value());
      case DataKind::kFloat:
        tag(0xcb);
        return number(std::bit_cast<uint64_t>(node.float_value()), 8);
      case DataKind::kArray:
        head(node.items().size(), 0x90, 16, 0xdc);
        for (const DataNode& item : node.items()) write(item);
        return;
      case DataKind::kHash:
        head(node.entries().size(), 0x80, 16, 0xde);
        for (const DataEntry& entry : node.entries()) {
          write(entry.key);
          write(entry.value);
        }
        return;
      default:
        return string(node.text_value());
    }
  }
  std::string finish() { return std::move(bytes_); }

 private:
  void tag(uint8_t byte) { bytes_.push_back(static_cast<char>(byte)); }
  void number(uint64_t value, size_t size) {
    for (size_t i = size; i-- > 0;) bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  // Writes the head of an array or a map: the short form below `limit`, else one with 16 or 32
  // bits.
  void head(size_t count, uint8_t small, size_t limit, uint8_t large) {
    if (count < limit) return tag(static_cast<uint8_t>(small | count));
    tag(count <= 0xffff ? large : large + 1);
    number(count, count <= 0xffff ? 2 : 4);
  }
  void string(std::string_view text) {
    const size_t size = text.size();
    if (size < 32) {
      tag(static_cast<uint8_t>(0xa0 | size));
    } else if (size <= 0xff) {
      tag(0xd9);
      number(size, 1);
    } else {
      head(size, 0, 0, 0xda);
    }
    bytes_.append(text);
  }
  void integer(int64_t value) {
    if (value >= -32 && value < 128) return tag(static_cast<uint8_t>(value));
    const auto bits = static_cast<uint64_t>(value);
    // The widths 1, 2, 4 and 8 have consecutive tags.
    for (uint8_t power = 0; power < 4; ++power) {
      const size_t size = size_t{1} << power;
      const bool fits_unsigned = value >= 0 && (size == 8 || bits >> (8 * size) == 0);
      const bool fits_signed = value < 0 && (size == 8 || value >= -(int64_t{1} << (8 * size - 1)));
      if (!fits_unsigned && !fits_signed) continue;
      tag(static_cast<uint8_t>((value >= 0 ? 0xcc : 0xd0) + power));
      return number(bits, size);
    }
  }

  std::string bytes_;
};

}  // namespace

DataNode read_msgpack(std::string_view bytes, Arena& arena) {
  return Reader(bytes, arena).read_all();
}

std::string write_msgpack(const DataNode& node) {
  Writer writer;
  writer.write(node);
  return writer.finish();
}

}  // namespace bunraku

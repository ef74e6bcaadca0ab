#include "runner/json.h"

#include <stdexcept>

namespace bunraku::cases {

namespace {

constexpr int kDeepest = 2000;

std::string quote(std::string_view text) {
  static const char* const kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  return out += '"';
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

unsigned hex4(std::string_view raw, size_t at) {
  return static_cast<unsigned>(std::stoul(std::string(raw.substr(at, 4)), nullptr, 16));
}

std::string unquote(std::string_view raw) {
  std::string out;
  for (size_t i = 1; i + 1 < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    switch (raw[++i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'u': {
        unsigned code = hex4(raw, i + 1);
        i += 4;
        if (code >= 0xD800 && code < 0xDC00 && raw.substr(i + 1, 2) == "\\u") {
          code = 0x10000 + ((code - 0xD800) << 10) + (hex4(raw, i + 3) - 0xDC00);
          i += 6;
        }
        append_utf8(out, code);
        break;
      }
      default:
        out += raw[i];
    }
  }
  return out;
}

}  // namespace

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json document() {
    Json value = read(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the document");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error("not JSON at offset " + std::to_string(at_) + ": " + what);
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Json read(int depth) {
    if (depth > kDeepest) fail("nested too deeply");
    Json value;
    if (take('{')) {
      value.kind_ = Json::Kind::kObject;
      read_members(value, depth);
    } else if (take('[')) {
      value.kind_ = Json::Kind::kArray;
      if (take(']')) return value;
      do {
        value.elements_.push_back(read(depth + 1));
      } while (take(','));
      if (!take(']')) fail("',' or ']' expected");
    } else {
      value.raw_ = read_scalar();
    }
    return value;
  }

  void read_members(Json& value, int depth) {
    if (take('}')) return;
    do {
      std::string key = read_scalar();
      if (key[0] != '"') fail("a key must be a string");
      if (!take(':')) fail("':' expected");
      value.members_.emplace_back(std::move(key), read(depth + 1));
    } while (take(','));
    if (!take('}')) fail("',' or '}' expected");
  }

  std::string read_scalar() {
    skip_space();
    const size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      if (at_ >= text_.size()) fail("a string has no end");
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(" \t\r\n,:]}{[\"", at_), text_.size());
      if (at_ == start) fail("a value expected");
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  size_t at_ = 0;
};

Json Json::parse(std::string_view text) {
  return JsonReader(text).document();
}

Json Json::scalar(std::string raw) {
  Json value;
  value.raw_ = std::move(raw);
  return value;
}

Json Json::string(std::string_view text) {
  return scalar(quote(text));
}

const Json* Json::find(std::string_view key) const {
  const std::string quoted = quote(key);
  for (const auto& [name, value] : members_) {
    if (name == quoted) return &value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(static_cast<const Json*>(this)->find(key));
}

std::string Json::text(std::string_view key) const {
  const Json* value = find(key);
  return value && value->raw_ != "null" ? value->text() : "";
}

std::string Json::text() const {
  if (kind_ != Kind::kScalar) return compact();
  return is_string() ? unquote(raw_) : raw_;
}

void Json::add(std::string_view key, Json value) {
  kind_ = Kind::kObject;
  members_.emplace_back(quote(key), std::move(value));
}

std::string Json::compact() const {
  std::string out;
  write_compact(out);
  return out;
}

std::string Json::pretty(size_t width) const {
  std::string out;
  write_pretty(out, 0, 0, width);
  return out += '\n';
}

void Json::write_compact(std::string& out) const {
  switch (kind_) {
    case Kind::kScalar:
      out += raw_;
      break;
    case Kind::kArray:
      out += '[';
      for (const Json& element : elements_) {
        if (&element != &elements_.front()) out += ", ";
        element.write_compact(out);
      }
      out += ']';
      break;
    case Kind::kObject:
      out += '{';
      for (const auto& member : members_) {
        if (&member != &members_.front()) out += ", ";
        out += member.first;
        out += ": ";
        member.second.write_compact(out);
      }
      out += '}';
      break;
  }
}

void Json::write_pretty(std::string& out, size_t indent, size_t used, size_t width) const {
  const std::string line = compact();
  if (kind_ == Kind::kScalar || used + line.size() <= width) {
    out += line;
    return;
  }
  const bool object = kind_ == Kind::kObject;
  const size_t count = object ? members_.size() : elements_.size();
  const std::string margin(indent + 2, ' ');
  out += object ? "{\n" : "[\n";
  for (size_t i = 0; i < count; ++i) {
    out += margin;
    const std::string key = object ? members_[i].first + ": " : "";
    out += key;
    (object ? members_[i].second : elements_[i])
        .write_pretty(out, indent + 2, indent + 2 + key.size() + 1, width);
    out += i + 1 < count ? ",\n" : "\n";
  }
  out += std::string(indent, ' ');
  out += object ? '}' : ']';
}

}  // namespace bunraku::cases

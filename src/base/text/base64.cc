#include "base/text/base64.h"

#include <cstdint>

namespace bunraku {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int digit_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= count ? kDigits[(group >> (18 - 6 * j)) & 63] : '=';
    }
  }
  return text;
}

std::string encode_base64_lines(std::string_view bytes) {
  constexpr size_t kBytesPerLine = 45;
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += kBytesPerLine) {
    text += encode_base64(bytes.substr(i, kBytesPerLine));
    text += '\n';
  }
  return text;
}

std::string encode_base64_url(std::string_view bytes) {
  std::string text = encode_base64(bytes);
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t digits = text.size();
  while (digits > 0 && text.size() - digits < 2 && text[digits - 1] == '=') --digits;
  for (const char c : text.substr(0, digits)) {
    if (digit_value(c) < 0) return std::nullopt;
  }
  // The bits beyond the last byte must be zero.
  const size_t padding = text.size() - digits;
  if (padding > 0) {
    const int unused = padding == 1 ? 3 : 15;
    if ((digit_value(text[digits - 1]) & unused) != 0) return std::nullopt;
  }
  return decode_base64_leniently(text);
}

std::string decode_base64_leniently(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = digit_value(c);
    if (value < 0) continue;
    group = (group << 6 | static_cast<uint32_t>(value)) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(group >> bits & 0xFF);
    }
  }
  return bytes;
}

}  // namespace bunraku

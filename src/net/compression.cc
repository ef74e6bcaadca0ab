// gzip with zlib.
#include "net/compression.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>

namespace bunraku::net {
namespace {

constexpr int kGzipWindow = 15 + 16;

}  // namespace

std::optional<std::string> gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return std::nullopt;
  }
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return result;
}

std::optional<std::string> gunzip(std::string_view text, size_t largest) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  std::string result;
  int status = Z_OK;
  while (status == Z_OK && result.size() <= largest) {
    const size_t done = result.size();
    result.resize(std::min(largest + 1, std::max<size_t>(4096, done * 2)));
    if (result.size() == done) break;
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + done);
    stream.avail_out = static_cast<uInt>(result.size() - done);
    status = inflate(&stream, Z_NO_FLUSH);
    result.resize(result.size() - stream.avail_out);
    if (stream.avail_in == 0 && status == Z_OK && stream.avail_out != 0) break;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || result.size() > largest) return std::nullopt;
  return result;
}

bool accepts_gzip(std::string_view accept) {
  while (!accept.empty()) {
    const size_t end = accept.find(',');
    std::string_view part = accept.substr(0, end);
    accept = end == std::string_view::npos ? std::string_view() : accept.substr(end + 1);
    part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
    if (!part.starts_with("gzip") && !part.starts_with("*")) continue;
    const size_t weight = part.find("q=");
    if (weight == std::string_view::npos) return true;
    return std::strtod(std::string(part.substr(weight + 2)).c_str(), nullptr) > 0;
  }
  return false;
}

}  // namespace bunraku::net

// Whole texts are compressed with libdeflate, which is twice as fast as zlib. Received texts are
// uncompressed in pieces with zlib, so that the size limit can be enforced.
#include "net/compression.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bunraku::net {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr int kQuickest = 1;

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;

}  // namespace

std::optional<std::string> gzip(std::string_view text) {
  // One compressor per thread, because its tables are large.
  thread_local const Compressor compressor(libdeflate_alloc_compressor(kQuickest),
                                           &libdeflate_free_compressor);
  if (compressor == nullptr) return std::nullopt;
  std::string result(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  const size_t size = libdeflate_gzip_compress(compressor.get(), text.data(), text.size(),
                                               result.data(), result.size());
  if (size == 0) return std::nullopt;
  result.resize(size);
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

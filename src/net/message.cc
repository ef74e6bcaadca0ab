// Header fields, bodies from files, and the names of statuses.
#include "net/message.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text/ascii.h"

namespace bunraku::net {
bool same_field_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

void Fields::set(std::string_view name, std::string value) {
  remove(name);
  add(std::string(name), std::move(value));
}

void Fields::remove(std::string_view name) {
  std::erase_if(entries_, [&](const auto& entry) { return same_field_name(entry.first, name); });
}

const std::string* Fields::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (same_field_name(key, name)) return &value;
  }
  return nullptr;
}

std::string_view Fields::get(std::string_view name) const {
  const std::string* value = find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

size_t Fields::count(std::string_view name) const {
  return static_cast<size_t>(std::ranges::count_if(
      entries_, [&](const auto& entry) { return same_field_name(entry.first, name); }));
}

size_t FileBody::read(uint64_t offset, char* to, size_t size) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::pread(file_.number(), to + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 407:
      return "Proxy Authentication Required";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

}  // namespace bunraku::net

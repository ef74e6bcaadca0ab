#include "values/uri.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/ruby_text.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

// Returns whether all parts may contain the character: an unreserved one or a sub-delimiter.
bool is_common(char c) {
  return is_letter(c) || is_digit(c) || is_one_of(c, "-._~!$&'()*+,;=");
}

// Returns whether each character of `text` is a common one, in `more`, or percent-escaped.
bool consists_of(std::string_view text, std::string_view more) {
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2]))
        return false;
      i += 2;
    } else if (!is_common(text[i]) && !is_one_of(text[i], more)) {
      return false;
    }
  }
  return true;
}

bool is_scheme(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  return std::ranges::all_of(
      text, [](char c) { return is_letter(c) || is_digit(c) || is_one_of(c, "+-."); });
}

bool is_ip_literal(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  std::string inside(text.substr(1, text.size() - 2));
  if (!inside.empty() && inside[0] == 'v') {
    const size_t dot = inside.find('.');
    if (dot == std::string::npos || dot < 2 || dot + 1 == inside.size()) return false;
    return std::all_of(inside.begin() + 1, inside.begin() + static_cast<long>(dot), is_hex_digit) &&
           std::all_of(inside.begin() + static_cast<long>(dot) + 1, inside.end(),
                       [](char c) { return is_common(c) || c == ':'; });
  }
  in6_addr address{};
  return inet_pton(AF_INET6, inside.c_str(), &address) == 1;
}

// Parses [userinfo@]host[:port]. Returns false for other text.
bool split_authority(std::string_view text, Uri& uri) {
  const size_t at_sign = text.find('@');
  if (at_sign != std::string_view::npos) {
    uri.userinfo = text.substr(0, at_sign);
    if (!consists_of(uri.userinfo, ":")) return false;
    text.remove_prefix(at_sign + 1);
  }
  const size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && text.find(']', colon) == std::string_view::npos) {
    uri.port = text.substr(colon + 1);
    if (!std::ranges::all_of(uri.port, is_digit)) return false;
    text = text.substr(0, colon);
  }
  // After a scheme, an empty host is present.
  if (!text.empty()) uri.host = text;
  if (text.empty() && uri.scheme.data()) uri.host = "";
  return text.empty() || is_ip_literal(text) || consists_of(text, "");
}

// Removes the part that begins with `mark`; returns its text without the mark, with null data when
// there is none.
std::string_view cut(std::string_view& text, char mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  // An empty part is present.
  return tail.data() ? tail : std::string_view("");
}

bool split(std::string_view text, Uri& uri) {
  uri.fragment = cut(text, '#');
  if (uri.fragment.data() && !consists_of(uri.fragment, ":@/?")) return false;
  uri.query = cut(text, '?');
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos && is_scheme(text.substr(0, colon))) {
    uri.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    const size_t end = std::min(text.find('/', 2), text.size());
    if (!split_authority(text.substr(2, end - 2), uri)) return false;
    text.remove_prefix(end);
  } else if (!uri.scheme.data()) {
    // The first segment of a relative path has no colon, because it would be a scheme.
    if (text.substr(0, text.find('/')).find(':') != std::string_view::npos) return false;
  }
  // Ruby accepts no address in brackets without a scheme.
  if (!uri.scheme.data() && uri.host.starts_with('[')) return false;
  if (!consists_of(text, ":@/")) return false;
  if (uri.scheme.data() && !text.empty() && text[0] != '/' && !uri.host.data()) {
    uri.opaque = text;
  } else {
    uri.path = text.data() ? text : std::string_view("");
  }
  return true;
}

bool is_mail_address(std::string_view text) {
  const size_t at_sign = text.find('@');
  return at_sign != 0 && at_sign != std::string_view::npos && at_sign + 1 < text.size() &&
         text.find('@', at_sign + 1) == std::string_view::npos;
}

void check_mail(std::string_view opaque) {
  std::string_view to = opaque.substr(0, opaque.find('?'));
  bool good = true;
  while (!to.empty() && good) {
    const size_t comma = std::min(to.find_first_of(",;"), to.size());
    good = is_mail_address(to.substr(0, comma));
    to.remove_prefix(std::min(comma + 1, to.size()));
  }
  if (!good) {
    fail_conversion(Issue::kInvalidUri,
                    {fmt::format("unrecognised opaque part for mailtoURL: {}", opaque)});
  }
}

std::string_view lower_copy(Arena& arena, std::string_view text) {
  char* to = static_cast<char*>(arena.allocate(std::max<size_t>(text.size(), 1), 1));
  std::ranges::transform(text, to, [](char c) { return to_lower(c); });
  return {to, text.size()};
}

// Copies a text to the arena; an empty one stays present.
std::string_view copy(Arena& arena, std::string_view text) {
  if (!text.data()) return {};
  return text.empty() ? std::string_view("") : arena.copy(text);
}

std::string_view plain_port(Arena& arena, std::string_view port) {
  while (port.size() > 1 && port[0] == '0') port.remove_prefix(1);
  return port.empty() ? std::string_view() : arena.copy(port);
}

}  // namespace

namespace {

// Removes blanks, and escapes other characters that are not ASCII or not allowed, as Ruby does when
// a query is set.
std::string_view escaped_query(Arena& arena, std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool is_plain =
        is_letter(c) || is_digit(c) || is_one_of(c, "!$%&()*+,-./:;=?@[\\]^_{|}~");
    if (c == '\t' || c == '\r' || c == '\n') continue;
    if (is_plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return copy(arena, out.empty() ? std::string_view("") : std::string_view(out));
}

// An FTP path begins with a slash; another one means the root of the server.
std::string_view ftp_path(Arena& arena, std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  std::string text = "/";
  if (path.starts_with('/')) {
    text += "%2F";
    path.remove_prefix(1);
  }
  text += path;
  return arena.copy(text);
}

// File URIs have a host, possibly empty, but no user or port.
void make_local(Uri& uri) {
  uri.userinfo = {};
  uri.port = {};
  if (!uri.host.data() || uri.host == "localhost") uri.host = "";
}

// Applies the rules of Ruby's classes for specific schemes.
void apply_scheme(Arena& arena, Uri& uri) {
  if (uri.scheme == "mailto") {
    if (!uri.opaque.data())
      fail_conversion(Issue::kInvalidUri, {"missing opaque part for mailto URL"});
    check_mail(uri.opaque);
  } else if (uri.scheme == "ftp") {
    if (!uri.path.data()) fail_conversion(Issue::kInvalidUri, {"URI::InvalidURIError"});
    uri.path = ftp_path(arena, uri.path);
  } else if (uri.scheme == "ldap" || uri.scheme == "ldaps") {
    if (!uri.path.data() || uri.fragment.data())
      fail_conversion(Issue::kInvalidUri, {"bad LDAP URL"});
  } else if (uri.scheme == "file") {
    make_local(uri);
  }
}

}  // namespace

std::string_view default_port(std::string_view scheme) {
  struct Port {
    std::string_view scheme, port;
  };
  constexpr Port kPorts[] = {{"http", "80"},   {"https", "443"}, {"ftp", "21"}, {"ldap", "389"},
                             {"ldaps", "636"}, {"ws", "80"},     {"wss", "443"}};
  for (const Port& known : kPorts) {
    if (known.scheme == scheme) return known.port;
  }
  return {};
}

const Uri* parse_uri(Arena& arena, std::string_view text) {
  const bool is_ascii =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!is_ascii) {
    std::string dumped;
    append_ruby_dump(dumped, text);
    fail_conversion(Issue::kInvalidUri, {"URI must be ascii only " + dumped});
  }
  Uri parts{};
  if (!split(text, parts)) {
    std::string inspected;
    append_ruby_inspect(inspected, text);
    fail_conversion(Issue::kInvalidUri, {"bad URI(is not URI?): " + inspected});
  }
  Uri* uri = arena.make<Uri>();
  uri->scheme = parts.scheme.data() ? lower_copy(arena, parts.scheme) : std::string_view();
  uri->userinfo = copy(arena, parts.userinfo);
  uri->host = copy(arena, parts.host);
  uri->port = plain_port(arena, parts.port);
  if (!uri->port.data()) uri->port = default_port(uri->scheme);
  uri->path = copy(arena, parts.path);
  if (parts.query.data()) uri->query = escaped_query(arena, parts.query);
  uri->fragment = copy(arena, parts.fragment);
  if (parts.opaque.data()) {
    // The query is part of the opaque part.
    const size_t length = parts.opaque.size() + (parts.query.data() ? parts.query.size() + 1 : 0);
    uri->opaque = arena.copy(std::string_view(parts.opaque.data(), length));
    uri->query = {};
  }
  apply_scheme(arena, *uri);
  return uri;
}

void append_text(std::string& out, const Uri& uri) {
  if (uri.scheme.data()) {
    out += uri.scheme;
    out += ':';
  }
  if (uri.opaque.data()) {
    out += uri.opaque;
  } else {
    if (uri.host.data() || uri.scheme == "file" || uri.scheme == "postgres") out += "//";
    if (uri.userinfo.data()) {
      out += uri.userinfo;
      out += '@';
    }
    out += uri.host;
    if (uri.port.data() && uri.port != default_port(uri.scheme)) {
      out += ':';
      out += uri.port;
    }
    out += uri.path;
    if (uri.query.data()) {
      out += '?';
      out += uri.query;
    }
  }
  if (uri.fragment.data()) {
    out += '#';
    out += uri.fragment;
  }
}

// --- from parts ---------------------------------------------------------------------------------

namespace {

[[noreturn]] void fail_component(std::string_view expected, std::string_view text) {
  fail_conversion(Issue::kInvalidUri,
                  {fmt::format("bad component(expected {} component): {}", expected, text)});
}

void check_parts(const Uri& parts) {
  if (parts.scheme.data() && !is_scheme(parts.scheme)) fail_component("scheme", parts.scheme);
  if (parts.opaque.data() &&
      (parts.host.data() || parts.port.data() || parts.userinfo.data() || parts.path.data())) {
    fail_conversion(Issue::kInvalidUri, {"can not set opaque with host, port, userinfo or path"});
  }
  if (parts.userinfo.data() && !consists_of(parts.userinfo, ":")) {
    const size_t colon = parts.userinfo.find(':');
    const std::string_view user = parts.userinfo.substr(0, colon);
    if (!consists_of(user, "")) fail_component("userinfo component or user", user);
    fail_component("password", parts.userinfo.substr(colon + 1));
  }
  if (parts.host.data() && !is_ip_literal(parts.host) && !consists_of(parts.host, "")) {
    fail_component("host", parts.host);
  }
  if (parts.path.data()) {
    const bool absolute = parts.path.starts_with('/') && consists_of(parts.path, ":@/");
    if (parts.scheme.data() && !absolute) fail_component("absolute path", parts.path);
    if (!parts.scheme.data() && !consists_of(parts.path, ":@/")) {
      fail_component("relative path", parts.path);
    }
  }
  if (parts.opaque.data() && !consists_of(parts.opaque, ":@/?"))
    fail_component("opaque", parts.opaque);
}

}  // namespace

const Uri* make_uri(Arena& arena, const Uri& parts) {
  check_parts(parts);
  Uri* uri = arena.make<Uri>();
  uri->scheme = parts.scheme.data() ? lower_copy(arena, parts.scheme) : std::string_view();
  uri->userinfo = copy(arena, parts.userinfo);
  uri->host = copy(arena, parts.host);
  uri->port = parts.port.data() ? plain_port(arena, parts.port) : default_port(uri->scheme);
  uri->path = copy(arena, parts.path);
  if (parts.query.data()) uri->query = escaped_query(arena, parts.query);
  if (parts.fragment.data()) uri->fragment = escaped_query(arena, parts.fragment);
  uri->opaque = copy(arena, parts.opaque);
  if (uri->scheme == "file") make_local(*uri);
  // Ruby requires other parts for mail addresses.
  if (uri->scheme == "mailto") fail_component("opaque", "");
  if (uri->scheme == "ftp") {
    const std::string rooted = "/" + std::string(uri->path);
    uri->path = ftp_path(arena, rooted);
  }
  return uri;
}

// --- operators ----------------------------------------------------------------------------------

namespace {

// The path's segments, as by Ruby's split, with an empty last one for a trailing slash.
std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  if (path.empty()) return segments;
  for (;;) {
    const size_t slash = path.find('/');
    segments.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

void climb(std::vector<std::string_view>& segments) {
  for (;;) {
    auto up = std::ranges::find(segments, "..");
    if (up == segments.end()) return;
    if (up == segments.begin()) {
      segments.erase(up);
    } else {
      segments.erase(up - 1, up + 1);
    }
  }
}

std::string merge_paths(std::string_view base, std::string_view relative) {
  std::vector<std::string_view> base_path = segments_of(base);
  std::vector<std::string_view> rest = segments_of(relative);
  if (!base_path.empty() && base_path.back() == "..") base_path.emplace_back();
  climb(base_path);
  if (!rest.empty() && rest.front().empty()) {
    base_path.clear();
    rest.erase(rest.begin());
  }
  if (!rest.empty() && (rest.back() == "." || rest.back() == "..")) rest.emplace_back();
  std::erase(rest, ".");
  std::vector<std::string_view> steps;
  for (const std::string_view segment : rest) {
    if (segment == ".." && !steps.empty() && steps.back() != "..") {
      steps.pop_back();
    } else {
      steps.push_back(segment);
    }
  }
  if (base_path.empty()) {
    base_path.emplace_back();
  } else if (!steps.empty()) {
    base_path.pop_back();
  }
  for (const std::string_view step : steps) {
    if (step != "..") {
      base_path.push_back(step);
    } else if (base_path.size() > 1) {
      base_path.pop_back();
    }
  }
  const bool only_up =
      std::ranges::all_of(steps, [](std::string_view step) { return step == ".."; });
  if (!steps.empty() && only_up) base_path.emplace_back();
  return fmt::format("{}", fmt::join(base_path, "/"));
}

}  // namespace

const Uri* merge(Arena& arena, const Uri& base, const Uri& reference) {
  if (reference.scheme.data()) return &reference;
  if (!base.scheme.data()) fail_conversion(Issue::kInvalidUri, {"both URI are relative"});
  Uri* result = arena.make<Uri>(base);
  const bool has_authority =
      reference.userinfo.data() || reference.host.data() || reference.port.data();
  if (reference.path.empty() && !has_authority && !reference.query.data()) {
    if (reference.fragment.data()) result->fragment = reference.fragment;
    return result;
  }
  result->query = {};
  result->fragment = {};
  if (has_authority) {
    if (reference.path.data()) result->path = reference.path;
  } else if (base.path.data() && reference.path.data()) {
    result->path = copy(arena, merge_paths(base.path, reference.path));
  }
  if (reference.userinfo.data()) result->userinfo = reference.userinfo;
  if (reference.host.data()) result->host = reference.host;
  if (reference.port.data()) result->port = reference.port;
  if (reference.query.data()) {
    if (base.opaque.data()) fail_conversion(Issue::kInvalidUri, {"query conflicts with opaque"});
    result->query = reference.query;
  }
  if (reference.fragment.data()) result->fragment = reference.fragment;
  if (result->scheme == "file") make_local(*result);
  return result;
}

namespace {

bool same_part(std::string_view a, std::string_view b) {
  return (a.data() == nullptr) == (b.data() == nullptr) && a == b;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return (a.data() == nullptr) == (b.data() == nullptr) && a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

// An empty path is the root.
std::string_view normal_path(const Uri& uri) {
  return uri.path.data() && uri.path.empty() ? std::string_view("/") : uri.path;
}

}  // namespace

bool same(const Uri& a, const Uri& b) {
  return same_part(a.scheme, b.scheme) && same_part(a.userinfo, b.userinfo) &&
         same_ignoring_case(a.host, b.host) && same_part(a.port, b.port) &&
         same_part(normal_path(a), normal_path(b)) && same_part(a.query, b.query) &&
         same_part(a.fragment, b.fragment) && same_part(a.opaque, b.opaque);
}

}  // namespace bunraku

#include "site/file_serving/source_url.h"

#include <fmt/format.h>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "base/text/ruby_text.h"
#include "site/file_serving/failure.h"
#include "types/ruby_value_text.h"
#include "values/uri.h"

namespace bunraku {
namespace {

constexpr std::string_view kScheme = "puppet:";

std::string inspected(std::string_view text) {
  std::string shown;
  append_ruby_inspect(shown, text);
  return shown;
}

}  // namespace

std::string_view normalized_source(std::string_view source) {
  const size_t last = source.find_last_not_of('/');
  return source.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

SourceUrl parse_source_url(std::string_view source) {
  SourceUrl url;
  if (!source.starts_with("puppet:/")) {
    url.path = source;
    return url;
  }
  std::string_view rest = source.substr(kScheme.size());
  if (rest.starts_with("//")) {
    const size_t end = rest.find_first_of("/?#", 2);
    const std::string_view authority = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
    Arena arena;
    try {
      const Uri* uri = parse_uri(arena, fmt::format("{}{}", kScheme, authority));
      if (uri->host.data() != nullptr) url.server = uri->host;
      if (uri->port.data() != nullptr) url.port = uri->port;
    } catch (const EvaluationError&) {
      fail_to_serve(fmt::format("Could not understand URL {0}: bad URI(is not URI?): {1}", source,
                                inspected(source)));
    }
  }
  // Text after # belongs to the name; a query does not.
  const size_t special = rest.find_first_of("?#");
  if (special != std::string_view::npos && rest[special] == '?') rest = rest.substr(0, special);
  if (rest.starts_with('/')) rest.remove_prefix(1);
  url.path = rest;
  return url;
}

}  // namespace bunraku

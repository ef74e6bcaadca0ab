// The source of an agent's file: an attribute `source` with a `puppet:` URL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

struct SourceUrl {
  std::string server;  // empty when the URL names none
  std::string port;    // digits, or empty
  // "modules/ntp/ntp.conf": without leading slash, query and escapes.
  std::string path;
};

// The source without trailing slashes, as the File type stores it.
std::string_view normalized_source(std::string_view source);
// Throws EvaluationError for a text that is not a URL. Without a slash after the scheme, the rest
// is a path.
SourceUrl parse_source_url(std::string_view source);

}  // namespace bunraku

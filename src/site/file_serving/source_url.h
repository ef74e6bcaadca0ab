// Where a file of an agent comes from: an attribute `source` that is a `puppet:` URL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

struct SourceUrl {
  std::string server;  // empty when none is named
  std::string port;    // digits, or empty
  // "modules/ntp/ntp.conf": without the slash at its beginning, a query and escapes.
  std::string path;
};

// Without slashes at its end, as File takes it.
std::string_view normalized_source(std::string_view source);
// Throws EvaluationError for a text that is no URL. One without a slash after the scheme is a path
// as a whole.
SourceUrl parse_source_url(std::string_view source);

}  // namespace bunraku

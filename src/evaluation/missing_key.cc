// Suggestions for missing keys of data.
#include "evaluation/missing_key.h"

#include <fmt/format.h>

#include <string>

namespace bunraku {

Diagnostic missing_key(const LookupRequest& request) {
  std::string list;
  for (std::string_view name : request.names) {
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", name);
  }
  Diagnostic diagnostic =
      request.names.size() == 1
          ? make_diagnostic(Issue::kMissingKey, {}, {std::string(request.names[0])})
          : make_diagnostic(Issue::kMissingKeys, {}, {list});
  if (request.place.program != nullptr) {
    diagnostic.labels.push_back({request.place.range(), "asked for here"});
  }
  diagnostic.notes.push_back(
      fmt::format("`bunraku lookup {} --explain` shows where it was looked for", request.names[0]));
  return diagnostic;
}

}  // namespace bunraku

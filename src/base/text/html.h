// HTML pages that load nothing else.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// A complete page. `data` is JSON, available to its script as the variable `data`; style and script
// are inserted unchanged.
std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view data, std::string_view script);

}  // namespace bunraku

// Pages that stand alone: everything they need is in them.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// A whole page. `data` is JSON that its script finds as the variable `data`; style and script are
// put in as they are.
std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view data, std::string_view script);

}  // namespace bunraku

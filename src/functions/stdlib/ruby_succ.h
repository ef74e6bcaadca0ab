// Ruby's String#succ and String#upto.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bunraku::stdlib {

// The next text: "az" is followed by "ba", "Zz" by "AAa", "a9" by "b0".
std::string ruby_succ(std::string_view text);

// Visits the texts from `first` to `last` until `visit` returns false.
void ruby_upto(const std::string& first, const std::string& last, bool is_exclusive,
               const std::function<bool(const std::string&)>& visit);

}  // namespace bunraku::stdlib

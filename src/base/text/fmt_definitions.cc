// The definitions of fmt: this is the only file that compiles them from its headers, so that no
// shared library is needed.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Instantiations that the headers declare as external.
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
template auto dragonbox::to_decimal<float>(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal<double>(double) noexcept -> dragonbox::decimal_fp<double>;

}  // namespace detail
FMT_END_NAMESPACE

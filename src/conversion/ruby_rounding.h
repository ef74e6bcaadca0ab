// How Ruby rounds a floating-point number to a number of digits.
#pragma once

namespace bunraku {

// Returns a number that the C library prints with `precision` digits for the format `letter` (e, f
// or g, also upper case) as Ruby prints `value`. They differ where the number is within the error
// of a quick computation of its digits from the middle between two results: Ruby takes the even
// one, so that `%.2f` of 2.675 (2.67499999999999982) is 2.68. `value` must be finite.
double rounded_as_in_ruby(double value, char letter, int precision);

}  // namespace bunraku

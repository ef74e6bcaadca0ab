// Semantic versions and ranges of them, as the reference's library has them.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Null when the text is no version.
const SemVer* parse_sem_ver(Arena& arena, std::string_view text);
void append_text(std::string& out, const SemVer& version);
// By precedence, without the build: -1, 0 or 1.
int compare(const SemVer& a, const SemVer& b);
// The same version, build included.
bool same(const SemVer& a, const SemVer& b);

// Throws EvaluationError when the text is no range.
const SemVerRange* parse_sem_ver_range(Arena& arena, std::string_view text);
// From two versions; null is without bound.
const SemVerRange* make_sem_ver_range(Arena& arena, const SemVer* min, const SemVer* max,
                                      bool exclude_max);
// One range in place of two that overlap or touch, as a SemVer type keeps its ranges; null when
// they are apart.
const SemVerRange* merge_for_type(Arena& arena, const SemVerRange& a, const SemVerRange& b);
// The canonical form, ">=1.0.0 <2.0.0 || 3.0.0"; a range's `text` is what it was made from.
void append_normal_text(std::string& out, const SemVerRange& range);
bool includes(const SemVerRange& range, const SemVer& version);
bool same(const SemVerRange& a, const SemVerRange& b);

// Ruby's order of version texts as the function `versioncmp` has it: -1, 0 or 1.
int compare_version_texts(std::string_view a, std::string_view b,
                          bool ignore_trailing_zeroes = false);

}  // namespace bunraku

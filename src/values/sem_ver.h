// Semantic versions and version ranges, as in the reference's library.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Returns null when the text is not a version.
const SemVer* parse_sem_ver(Arena& arena, std::string_view text);
void append_text(std::string& out, const SemVer& version);
// Compares by precedence, ignoring the build: -1, 0 or 1.
int compare(const SemVer& a, const SemVer& b);
// Compares including the build.
bool same(const SemVer& a, const SemVer& b);

// Throws EvaluationError when the text is not a range.
const SemVerRange* parse_sem_ver_range(Arena& arena, std::string_view text);
// Makes a range from two versions; null means unbounded.
const SemVerRange* make_sem_ver_range(Arena& arena, const SemVer* min, const SemVer* max,
                                      bool exclude_max);
// Merges two overlapping or adjacent ranges, as in a SemVer type; null when they are apart.
const SemVerRange* merge_for_type(Arena& arena, const SemVerRange& a, const SemVerRange& b);
// Appends the canonical form, ">=1.0.0 <2.0.0 || 3.0.0"; a range's `text` is its source text.
void append_normal_text(std::string& out, const SemVerRange& range);
bool includes(const SemVerRange& range, const SemVer& version);
bool same(const SemVerRange& a, const SemVerRange& b);

// Ruby's order of version texts, for the function `versioncmp`: -1, 0 or 1.
int compare_version_texts(std::string_view a, std::string_view b,
                          bool ignore_trailing_zeroes = false);

}  // namespace bunraku

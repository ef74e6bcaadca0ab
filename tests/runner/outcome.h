#pragma once

#include <string>
#include <vector>

#include "runner/answer.h"
#include "runner/case.h"

namespace bunraku::cases {

// An answer in the form of the expectations.
struct Outcome {
  std::string out;
  std::string err;
};

// Replacements for texts that differ between machines and runs: each pair is a text and its
// substitute.
using StandIns = std::vector<std::pair<std::string, std::string>>;

// For a case with its own files: the whole document, and every record with its place.
Outcome whole_outcome(const Answer& answer, const StandIns& stand_ins);

// For a part of a NAME.cases file: the records, then the relevant result, in few lines. `show`
// names the printed parts of a catalog: resources, edges, tags, classes or all.
std::string brief_outcome(const Answer& answer, const std::string& product, const std::string& show,
                          const StandIns& stand_ins);

std::string replace_all(std::string text, const StandIns& stand_ins);

}  // namespace bunraku::cases

#pragma once

#include <string>
#include <vector>

#include "runner/answer.h"
#include "runner/case.h"

namespace bunraku::cases {

// An answer in the form in which expectations are written down.
struct Outcome {
  std::string out;
  std::string err;
};

// Takes out of texts what differs between machines and runs: each pair is a text and its stand-in.
using StandIns = std::vector<std::pair<std::string, std::string>>;

// Of a case with files of its own: the whole document, and every record with its place.
Outcome whole_outcome(const Answer& answer, const StandIns& stand_ins);

// Of a part of a NAME.cases file: the records, then what matters of the result, in few lines. show
// names what to print of a catalog: resources, edges, tags, classes or all.
std::string brief_outcome(const Answer& answer, const std::string& product, const std::string& show,
                          const StandIns& stand_ins);

std::string replace_all(std::string text, const StandIns& stand_ins);

}  // namespace bunraku::cases

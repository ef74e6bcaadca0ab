#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/json.h"
#include "runner/process.h"

namespace bunraku::cases {

// A log record, written during a run or at its end.
struct Record {
  std::string level, source, code, file, line, column, message;
  std::string cause;  // of the record that ends a run: the innermost text
};

// The answer of the program or of the reference to a case.
struct Answer {
  std::string text;              // a result that is no JSON document
  std::optional<Json> document;  // or one that is
  std::vector<Record> logs;
  std::optional<Record> fatal;
  int exit = 0;
  std::string trouble;  // why there is no proper answer: a crash, a time-out, invalid output
};

// Reads standard output and the JSON records on standard error. textual: the result is not JSON.
Answer answer_of_process(const ProcessResult& result, bool textual);

// Reads the line that tests/oracle/reference prints for a request.
Answer answer_of_reference(const std::string& line, const std::string& product, bool textual);

}  // namespace bunraku::cases

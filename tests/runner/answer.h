#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/json.h"
#include "runner/process.h"

namespace bunraku::cases {

// What a run says on its way, or in the end: a log record.
struct Record {
  std::string level, source, code, file, line, column, message;
  std::string cause;  // of the record that ends a run: the innermost text
};

// What came of a case, from the program or from the reference.
struct Answer {
  std::string text;              // a result that is no JSON document
  std::optional<Json> document;  // or one that is
  std::vector<Record> logs;
  std::optional<Record> fatal;
  int exit = 0;
  std::string trouble;  // why there is no proper answer: a crash, a time-out, garbage
};

// From standard output and from the JSON records on standard error. textual: the result is no JSON.
Answer answer_of_process(const ProcessResult& result, bool textual);

// From the line that tests/oracle/reference gives for a request.
Answer answer_of_reference(const std::string& line, const std::string& product, bool textual);

}  // namespace bunraku::cases

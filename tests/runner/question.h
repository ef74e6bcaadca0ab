#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/case.h"

namespace bunraku::cases {

// What a case asks, in the words of each of those who answer.
class Question {
 public:
  // scratch is a directory for what must be a file on the command line. Throws std::runtime_error
  // where the settings of the case make no sense.
  Question(const Case& asked, std::filesystem::path scratch);

  const std::string& product() const { return product_; }
  // Whether the result is text that is no JSON document.
  bool textual() const { return product_ == "dump" || product_ == "epp"; }

  std::vector<std::string> command(const std::string& program) const;
  // A request for tests/oracle/reference.
  std::string request() const;

 private:
  bool is_template() const;
  std::filesystem::path beside(const std::string& file) const;
  void add_code(std::vector<std::string>& words) const;
  void add_options(std::vector<std::string>& words) const;
  std::string file_for(const std::string& setting) const;

  const Case& case_;
  std::filesystem::path scratch_;
  std::string product_;
  std::string node_;
};

}  // namespace bunraku::cases

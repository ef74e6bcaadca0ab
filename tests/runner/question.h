#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/case.h"

namespace bunraku::cases {

// The request of a case, in the form for the program and for the reference.
class Question {
 public:
  // scratch is a directory for data that the command line accepts only as a file. Throws
  // std::runtime_error for invalid settings of the case.
  Question(const Case& asked, std::filesystem::path scratch);

  const std::string& product() const { return product_; }
  // Whether the result is text other than JSON.
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

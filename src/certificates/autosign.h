// Decides which requests are signed on arrival: the setting `autosign`.
#pragma once

#include <string>
#include <vector>

namespace bunraku::certificates {

struct AutosignDecision {
  bool is_signed = false;
  std::vector<std::string> messages;  // for the log
};

class Autosign {
 public:
  // The setting: "true", "false", or the path of a list of names or of a program.
  explicit Autosign(std::string setting) : setting_(std::move(setting)) {}

  // `name` must be a valid host name (see names.h). The list is read, or the program run, at each
  // call; the program's time limit is a minute.
  AutosignDecision decide(const std::string& name, const std::string& request_pem) const;

 private:
  static bool is_listed(const std::string& list, const std::string& name,
                        AutosignDecision& decision);
  static void run(const std::string& program, const std::string& name,
                  const std::string& request_pem, AutosignDecision& decision);

  std::string setting_;
};

}  // namespace bunraku::certificates

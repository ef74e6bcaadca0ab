// Which requests are signed as they arrive: the setting `autosign`.
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
  // "true", "false", or a path: of a list of names, or of a program.
  explicit Autosign(std::string setting) : setting_(std::move(setting)) {}

  // `name` must be a host's name (see names.h). A list is read and a program run at each call; the
  // program has a minute.
  AutosignDecision decide(const std::string& name, const std::string& request_pem) const;

 private:
  static bool is_listed(const std::string& list, const std::string& name,
                        AutosignDecision& decision);
  static void run(const std::string& program, const std::string& name,
                  const std::string& request_pem, AutosignDecision& decision);

  std::string setting_;
};

}  // namespace bunraku::certificates

// Autosigning by a list and by a program.
#include "certificates/autosign.h"

#include <unistd.h>

#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/text/ascii.h"

namespace bunraku::certificates {
namespace {

constexpr std::chrono::milliseconds kProgramTime{60'000};

// "*.domain" matches the domain itself as well.
bool fits(std::string_view pattern, std::string_view name) {
  if (pattern == "*") return true;
  if (!pattern.starts_with("*.")) return pattern == name;
  return name.ends_with(pattern.substr(1)) || name == pattern.substr(2);
}

}  // namespace

AutosignDecision Autosign::decide(const std::string& name, const std::string& request_pem) const {
  AutosignDecision decision;
  if (setting_ == "true" || setting_ == "false") {
    decision.is_signed = setting_ == "true";
  } else if (is_file(setting_) && ::access(setting_.c_str(), X_OK) == 0) {
    run(setting_, name, request_pem, decision);
  } else if (is_file(setting_)) {
    decision.is_signed = is_listed(read_file(setting_), name, decision);
  }
  return decision;
}

bool Autosign::is_listed(const std::string& list, const std::string& name,
                         AutosignDecision& decision) {
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find('\n', begin), list.size());
    const std::string_view line = trimmed(std::string_view(list).substr(begin, end - begin));
    begin = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (line.find_first_of(" \t#") != std::string_view::npos) {
      decision.messages.push_back("Invalid pattern '" + std::string(line) +
                                  "' found in autosigning configuration");
      continue;
    }
    if (fits(line, name)) return true;
  }
  return false;
}

void Autosign::run(const std::string& program, const std::string& name,
                   const std::string& request_pem, AutosignDecision& decision) {
  ProcessCall call;
  call.start.words = {program, name};
  call.input = request_pem;
  call.time_limit = kProgramTime;
  call.largest_output = 1 << 20;
  const ProcessResult result = run_process(call);
  if (result.outcome != ProcessOutcome::kEnded) {
    decision.messages.push_back("Autosign command '" + program + "' for '" + name +
                                "' failed: " + result.reason);
    return;
  }
  if (!result.errors.empty()) {
    decision.messages.push_back("Autosign command '" + program + "' for '" + name +
                                "' generated output to stderr: " + result.errors);
  }
  decision.is_signed = result.end.shell_status() == 0;
}

}  // namespace bunraku::certificates

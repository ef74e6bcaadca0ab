// Writes the events of a run as JSON, one object a line, on standard output.
#pragma once

#include <string>

#include "apply/reports/report.h"

namespace bunraku {

class Session;

class EventLines {
 public:
  // The session must outlive this object.
  explicit EventLines(Session& session) : session_(session) {}

  // Writes an event when it happens.
  void write(const std::string& reference, const apply::ResourceStatus& status,
             const apply::Event& event);
  // Writes the status and the metrics at the end of the run.
  void write_summary(const apply::Report& report);

 private:
  Session& session_;
};

}  // namespace bunraku

// Events of a run as JSON, an object a line on standard output.
#pragma once

#include <string>

#include "apply/reports/report.h"

namespace bunraku {

class Session;

class EventLines {
 public:
  // Must outlive it.
  explicit EventLines(Session& session) : session_(session) {}

  // As an event happens.
  void write(const std::string& reference, const apply::ResourceStatus& status,
             const apply::Event& event);
  // At the end: the status and the metrics.
  void write_summary(const apply::Report& report);

 private:
  Session& session_;
};

}  // namespace bunraku
